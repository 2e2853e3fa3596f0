"""Rooms with one apple, one right object and perhaps a wrong one.

Every position and colour is drawn, whether this problem uses it or not, so that the streams of all problems run
alike; the order is the published one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from embodibench.envs.socialai.constants import SORTED_COLORS, Point, manhattan
from embodibench.envs.socialai.layouts.placement import Area, draw_cell, draw_room, is_taken, place_agent
from embodibench.envs.socialai.objects import (
    Apple,
    AppleGenerator,
    Door,
    Family,
    GeneratorPlatform,
    Lever,
    LockableBox,
    Marble,
    RemoteDoor,
    Switch,
    Thing,
)
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream

SMALLEST: Final = 9
RINGED: Final = ("Doors", "Levers")
"""Problems with a second ring of walls, one cell inside the first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Cells and colours, before anything stands."""

    apple: Point
    door: Point
    lever: Point
    switch: Point
    generator: Point
    marble: Point
    distractor: Point
    box_color: str
    door_color: str
    lever_color: str
    switch_color: str
    generator_color: str
    platform_color: str
    marble_color: str
    distractor_color: str


def build(parameters: EpisodeParameters, size: int, colors: int, has_light: bool, draws: ArrayStream) -> Scene:
    """The room of an information-seeking episode, without the peer, and the agent not placed yet.

    Args:
        size: canvas, in cells.
        colors: how many colours objects may have.
        has_light: whether a switch shows that it is on.
        draws: the layout's stream, at its start.
    """
    room = draw_room(draws, size, SMALLEST)
    two = parameters.objects == 2
    plan = _plan(room, parameters.problem, two, SORTED_COLORS[:colors], draws)
    scene = Scene(room)
    _BUILDERS[parameters.problem](scene, plan, two, has_light)
    return scene


def place_peer_cells(scene: Scene, parameters: EpisodeParameters, draws: ArrayStream) -> None:
    """Draw what a pointing peer will need: the misleading object and cell first, if it misleads."""
    assert scene.target is not None
    if parameters.joint_attention:
        candidates = [scene.target] if scene.distractor is None else [scene.target, scene.distractor]
        scene.decoy = draws.element(candidates)
        other = None if len(candidates) == 1 else candidates[1 - candidates.index(scene.decoy)]
        scene.decoy_pointing_cell = _draw_pointing_cell(scene, parameters.problem, scene.decoy, other, draws)
    scene.pointing_cell = _draw_pointing_cell(scene, parameters.problem, scene.target, scene.distractor, draws)


def draw_peer_cell(scene: Scene, problem: str, draws: ArrayStream) -> Point:
    """A free cell where the peer is in nobody's way."""
    room = scene.room
    return draw_cell(
        draws,
        Area(0, 0, room.columns, room.rows),
        lambda cell: is_taken(room, cell) or is_in_the_way(scene, problem, cell),
    )


def draw_agent(scene: Scene, draws: ArrayStream) -> None:
    """The agent stands on any free cell."""
    place_agent(scene.room, draws, Area(0, 0, scene.room.columns, scene.room.rows))


def is_beside_a_door(scene: Scene, cell: Point) -> bool:
    """Whether a cell is a door's, or touches one; the wrong door counts even when it was left out."""
    doors = [thing.cur_pos for thing in (scene.door, scene.distractor) if isinstance(thing, Door | RemoteDoor)]
    return any(door is not None and manhattan(cell, door) <= 1 for door in (*doors, scene.absent_door))


def is_in_marble_way(scene: Scene, cell: Point) -> bool:
    """Whether a cell is on a line that the marble shares with a generator."""
    if scene.marble is None or scene.marble.cur_pos is None:
        return False
    marble = scene.marble.cur_pos
    for generator in (scene.target, scene.distractor):
        if isinstance(generator, AppleGenerator) and generator.cur_pos is not None:
            x, y = generator.cur_pos
            if x == marble[0] == cell[0] or y == marble[1] == cell[1]:
                return True
    return False


def is_in_the_way(scene: Scene, problem: str, cell: Point) -> bool:
    """Whether a peer should not stand on a cell."""
    if problem in RINGED:
        return is_beside_a_door(scene, cell)
    return problem == "Marble" and is_in_marble_way(scene, cell)


def is_pointing_cell(scene: Scene, problem: str, cell: Point, target: Thing, distractor: Thing | None) -> bool:
    """Whether pointing along a row or column from ``cell`` shows ``target``, and not ``distractor``."""
    assert target.cur_pos is not None
    if is_in_the_way(scene, problem, cell):
        return False
    for axis in (0, 1):
        if cell[axis] != target.cur_pos[axis]:
            continue
        if not _has_clear_line(scene.room, cell, target.cur_pos, 1 - axis):
            return False
        if distractor is None or distractor.cur_pos is None:
            return True
        if cell[axis] != distractor.cur_pos[axis]:
            return True
        along = sorted((target.cur_pos[1 - axis], distractor.cur_pos[1 - axis]))
        return along[0] < cell[1 - axis] < along[1]
    return False


def _has_clear_line(room: Room, cell: Point, target: Point, along: int) -> bool:
    step = 1 if cell[along] <= target[along] else -1
    for value in range(cell[along], target[along], step):
        thing = room.at((value, cell[1]) if along == 0 else (cell[0], value))
        if thing is not None and not thing.see_behind():
            return False
    return True


def _draw_pointing_cell(
    scene: Scene, problem: str, target: Thing, distractor: Thing | None, draws: ArrayStream
) -> Point:
    room = scene.room
    # The original draws this one cell from a rectangle that leaves out the room's last column and row.
    return draw_cell(
        draws,
        Area(0, 0, room.columns - 1, room.rows - 1),
        lambda cell: is_taken(room, cell) or not is_pointing_cell(scene, problem, cell, target, distractor),
    )


def _plan(room: Room, problem: str, two: bool, colors: tuple[str, ...], draws: ArrayStream) -> Plan:
    """Draw everything, in the published order; carves the gap of the ringed rooms."""
    width, height = room.columns, room.rows
    whole = Area(0, 0, width, height)
    box_color = draws.element(colors)
    door: Point = (-1, -1)
    lever: Point = (-1, -1)
    if problem in RINGED:
        room.wall_ring(1)
        apple = draw_cell(draws, whole, lambda cell: not _is_side_wall(width, height, cell))
        door = (
            apple[0] + (apple[0] == 0) - (apple[0] == width - 1),
            apple[1] + (apple[1] == 0) - (apple[1] == height - 1),
        )
        room.put(apple, None)
        room.put(door, None)
        if problem == "Levers":
            lever = draw_cell(draws, Area(2, 2, width - 4, height - 4), lambda cell: manhattan(cell, door) <= 1)
    else:
        apple = draw_cell(draws, whole, lambda cell: is_taken(room, cell))
    door_color, lever_color, switch_color = draws.element(colors), draws.element(colors), draws.element(colors)
    switch = draw_cell(draws, whole, lambda cell: is_taken(room, cell) or cell == apple)
    generator_color = draws.element(colors)

    def unfit_for_generator(cell: Point) -> bool:
        if is_taken(room, cell) or cell == apple:
            return True
        corner = cell[0] in (1, width - 2) and cell[1] in (1, height - 2)
        return problem == "Marble" and (corner or cell[0] == apple[0] or cell[1] == apple[1])

    generator = draw_cell(draws, whole, unfit_for_generator)
    platform_color, marble_color = draws.element(colors), draws.element(colors)

    def unfit_for_marble(cell: Point) -> bool:
        if problem != "Marble":
            return is_taken(room, cell)
        beside_wall = not (1 < cell[0] < width - 2 and 1 < cell[1] < height - 2)
        return cell == generator or beside_wall or (cell[0] != generator[0] and cell[1] != generator[1])

    marble = draw_cell(draws, whole, unfit_for_marble)
    target_color = {
        "Boxes": box_color,
        "Doors": door_color,
        "Levers": lever_color,
        "Switches": switch_color,
        "Generators": generator_color,
        "Marble": generator_color,
    }[problem]
    distractor_color = draws.element([color for color in colors if color != target_color])

    def unfit_for_distractor(cell: Point) -> bool:
        if problem == "Doors":
            return cell == door or not _is_side_wall(width, height, cell, 1)
        if is_taken(room, cell) or cell == apple:
            return True
        if problem == "Levers":
            return cell == lever or manhattan(cell, door) <= 1
        if problem == "Switches":
            return cell == switch
        if problem == "Generators":
            return cell == generator
        if problem != "Marble":
            return False
        if cell in (generator, marble):
            return True
        # It lies on the marble's other axis.
        return two and (cell[1] != marble[1] if generator[0] == marble[0] else cell[0] != marble[0])

    inner = Area(1, 1, width - 2, height - 2)
    distractor = draw_cell(draws, inner if problem == "Doors" else whole, unfit_for_distractor)
    return Plan(
        apple,
        door,
        lever,
        switch,
        generator,
        marble,
        distractor,
        box_color,
        door_color,
        lever_color,
        switch_color,
        generator_color,
        platform_color,
        marble_color,
        distractor_color,
    )


def _is_side_wall(width: int, height: int, cell: Point, depth: int = 0) -> bool:
    """Whether a cell is on the ring at ``depth``, but neither its corner nor, for the outer ring, next to one."""
    right, bottom = width - 1 - depth, height - 1 - depth
    beside = 2 - depth
    on_column = cell[0] in (depth, right) and depth + beside <= cell[1] <= bottom - beside
    on_row = cell[1] in (depth, bottom) and depth + beside <= cell[0] <= right - beside
    return on_column or on_row


def _boxes(scene: Scene, plan: Plan, two: bool, has_light: bool) -> None:
    family = Family()
    scene.target = scene.box = LockableBox(plan.box_color, family, scene.apple)
    scene.room.put(plan.apple, scene.target)
    if two:
        scene.distractor = LockableBox(plan.distractor_color, family)
        scene.room.put(plan.distractor, scene.distractor)


def _switches(scene: Scene, plan: Plan, two: bool, has_light: bool) -> None:
    scene.box = LockableBox(plan.box_color, Family(), scene.apple, is_locked=True)
    scene.room.put(plan.apple, scene.box)
    family = Family()
    scene.target = Switch(plan.switch_color, family, scene.box, has_light)
    scene.room.put(plan.switch, scene.target)
    if two:
        scene.distractor = Switch(plan.distractor_color, family, None, has_light)
        scene.room.put(plan.distractor, scene.distractor)


def _generators(scene: Scene, plan: Plan, two: bool, has_light: bool, by_marble: bool = False) -> None:
    scene.platform = GeneratorPlatform(plan.platform_color)
    scene.room.put(plan.apple, scene.platform)
    family = Family()
    scene.target = AppleGenerator(plan.generator_color, family, ((scene.platform, scene.apple),), by_marble)
    scene.room.put(plan.generator, scene.target)
    if two:
        scene.distractor = AppleGenerator(plan.distractor_color, family, (), by_marble)
        scene.room.put(plan.distractor, scene.distractor)


def _marble(scene: Scene, plan: Plan, two: bool, has_light: bool) -> None:
    _generators(scene, plan, two, has_light, by_marble=True)
    scene.marble = Marble(plan.marble_color)
    scene.room.put(plan.marble, scene.marble)


def _doors(scene: Scene, plan: Plan, two: bool, has_light: bool) -> None:
    scene.apple = Apple()
    scene.room.put(plan.apple, scene.apple)
    family = Family()
    scene.target = scene.door = Door(plan.door_color, family)
    scene.room.put(plan.door, scene.target)
    if two:
        scene.distractor = Door(plan.distractor_color, family)
        scene.room.put(plan.distractor, scene.distractor)
    else:
        scene.absent_door = plan.distractor


def _levers(scene: Scene, plan: Plan, two: bool, has_light: bool) -> None:
    scene.room.put(plan.apple, scene.apple)
    door = RemoteDoor(plan.door_color)
    scene.door = door
    scene.room.put(plan.door, door)
    family = Family()
    scene.target = scene.lever = Lever(plan.lever_color, family, door)
    scene.room.put(plan.lever, scene.target)
    if two:
        scene.distractor = Lever(plan.distractor_color, family)
        scene.room.put(plan.distractor, scene.distractor)


_BUILDERS: Final = {
    "Boxes": _boxes,
    "Switches": _switches,
    "Generators": _generators,
    "Marble": _marble,
    "Doors": _doors,
    "Levers": _levers,
}
