"""Rooms in which the right half chooses a box, and the left half has to follow the choice."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import SORTED_COLORS, Point
from embodibench.envs.socialai.layouts.halves import fence, left_half, place_people
from embodibench.envs.socialai.layouts.placement import Area, draw_cell, draw_room, is_taken
from embodibench.envs.socialai.objects import (
    Apple,
    AppleGenerator,
    Family,
    GeneratorPlatform,
    LockableBox,
    Marble,
    Switch,
    Thing,
)
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream

SMALLEST: Final = 9


def right_half(room: Room) -> Area:
    """Where the right half's objects are drawn from."""
    first = (room.columns + 1) // 2 + 1
    return Area(first, 0, room.columns - first, room.rows)


def build(parameters: EpisodeParameters, size: int, has_light: bool, draws: ArrayStream) -> Scene:
    """Two boxes on the right, and two objects of the same two colours on the left."""
    room = draw_room(draws, size, SMALLEST)
    problem = parameters.problem
    column = room.columns // 2 + 1
    scene = Scene(room, fence_column=column)
    first = draws.element(SORTED_COLORS)
    second = draws.element([color for color in SORTED_COLORS if color != first])
    color = draws.element((first, second))
    other = second if color == first else first
    fence(room, column)
    left, right = left_half(room), right_half(room)

    def taken(cell: Point) -> bool:
        return is_taken(room, cell)

    home = draw_cell(draws, left, taken)
    box_cells = [draw_cell(draws, right, taken)]
    box_cells.append(draw_cell(draws, right, lambda cell: taken(cell) or cell == box_cells[0]))
    switch = draw_cell(draws, left, lambda cell: taken(cell) or cell == home)

    def unfit_for_generator(cell: Point) -> bool:
        corner = cell[0] in (1, column - 1) and cell[1] in (1, room.rows - 2)
        lined_up = cell[0] == home[0] or cell[1] == home[1]
        return taken(cell) or cell == home or (problem == "Marble" and (corner or lined_up))

    generator = draw_cell(draws, left, unfit_for_generator)
    rest = [color for color in SORTED_COLORS if color != first]
    platform_color, marble_color = draws.element(rest), draws.element(rest)

    def unfit_for_marble(cell: Point) -> bool:
        if problem != "Marble":
            return taken(cell)
        beside_wall = not (1 < cell[0] < column - 1 and 1 < cell[1] < room.rows - 2)
        return cell == generator or beside_wall or (cell[0] != generator[0] and cell[1] != generator[1])

    marble = draw_cell(draws, left, unfit_for_marble)

    def unfit_for_other(cell: Point) -> bool:
        if taken(cell) or cell == home:
            return True
        if problem == "Switches":
            return cell == switch
        if problem == "Generators":
            return cell == generator
        if problem == "Marble":
            off_axis = cell[1] != marble[1] if generator[0] == marble[0] else cell[0] != marble[0]
            return cell in (generator, marble) or off_axis
        return False

    rival = draw_cell(draws, left, unfit_for_other)
    _right_boxes(scene, parameters, (first, second), box_cells)
    family = Family()
    things: dict[str, Thing] = {}
    if problem == "Boxes":
        things = {color: LockableBox(color, family), other: LockableBox(other, family)}
        cells = (home, rival)
    elif problem == "Switches":
        scene.box = LockableBox(color, Family(), None, is_locked=True)
        room.put(home, scene.box)
        things = {tint: Switch(tint, family, None, has_light) for tint in (color, other)}
        cells = (switch, rival)
    else:
        by_marble = problem == "Marble"
        scene.platform = GeneratorPlatform(platform_color)
        room.put(home, scene.platform)
        things = {tint: AppleGenerator(tint, family, (), by_marble) for tint in (color, other)}
        cells = (generator, rival)
        if by_marble:
            scene.marble = Marble(marble_color)
            room.put(marble, scene.marble)
    for thing, cell in zip(things.values(), cells, strict=True):
        room.put(cell, thing)
    scene.left = [things[first], things[second]]
    place_people(scene, parameters, right, draws, lambda cell: _in_marble_way(scene, cell))
    return scene


def _right_boxes(scene: Scene, parameters: EpisodeParameters, colors: tuple[str, str], cells: list[Point]) -> None:
    """Both boxes hold the same apple of the right half: opening one blocks the other."""
    scene.peer_apple = Apple()
    apple = scene.peer_apple if parameters.role == "A" else scene.apple
    family = Family()
    for color, cell in zip(colors, cells, strict=True):
        box = LockableBox(color, family, apple)
        scene.room.put(cell, box)
        scene.right.append(box)


def _in_marble_way(scene: Scene, cell: Point) -> bool:
    if scene.marble is None or scene.marble.cur_pos is None:
        return False
    x, y = scene.marble.cur_pos
    lines = [thing.cur_pos for thing in scene.left if thing.cur_pos is not None]
    return any(at[0] == x == cell[0] or at[1] == y == cell[1] for at in lines)
