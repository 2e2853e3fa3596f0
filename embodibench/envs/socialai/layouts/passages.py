"""Rooms for a lever and a door, or a marble, that one half has and the other needs."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import SORTED_COLORS, Point
from embodibench.envs.socialai.layouts.halves import fence, left_half, place_people
from embodibench.envs.socialai.layouts.placement import Area, draw_cell, draw_room, is_taken
from embodibench.envs.socialai.objects import Apple, AppleGenerator, GeneratorPlatform, Lever, Marble, RemoteDoor
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream

SMALLEST: Final = 9


def right_half(room: Room) -> Area:
    """Where the right half's cells are drawn from."""
    return Area((room.columns + 1) // 2, 0, room.columns // 2, room.rows)


def lever_door(parameters: EpisodeParameters, size: int, lever_steps: int, draws: ArrayStream) -> Scene:
    """A lever on the left opens, for a while, the door in front of the generator on the right."""
    room = draw_room(draws, size, SMALLEST)
    scene = Scene(room, fence_column=room.columns // 2)
    generator_color = draws.element(SORTED_COLORS)
    row = draws.integer(1, room.rows - 1)
    door = RemoteDoor(draws.element(SORTED_COLORS), is_open=not parameters.peer)
    fence(room, room.columns // 2)
    room.put((room.columns - 2, row), door)
    cell = draw_cell(draws, left_half(room), lambda cell: is_taken(room, cell))
    scene.door = door
    scene.lever = Lever(draws.element(SORTED_COLORS), None, door, lever_steps)
    room.put(cell, scene.lever)
    left = draw_cell(draws, left_half(room), lambda cell: is_taken(room, cell))
    right = draw_cell(draws, right_half(room), lambda cell: is_taken(room, cell))
    _finish(scene, parameters, generator_color, (room.columns - 1, row), False, left, right, draws)
    place_people(scene, parameters, right_half(room), draws)
    return scene


def marble_push(parameters: EpisodeParameters, size: int, lever_steps: int, draws: ArrayStream) -> Scene:
    """The left half pushes the marble; the right half opens the door on its way to the generator."""
    room = draw_room(draws, size, SMALLEST)
    middle = room.columns // 2
    scene = Scene(room, fence_column=middle)
    generator_color = draws.element(SORTED_COLORS)
    row = draws.integer(1, room.rows - 1)
    door = RemoteDoor(draws.element(SORTED_COLORS), is_open=not parameters.peer)
    scene.door = door
    scene.marble = Marble(draws.element(SORTED_COLORS))
    fence(room, middle, hole=row)
    room.put((room.columns - 2, row), door)
    room.put(draw_cell(draws, Area(middle - 1, row, 2, 1), lambda cell: False), scene.marble)
    beside_door = draw_cell(draws, Area(room.columns - 2, row - 1, 1, 3), lambda cell: is_taken(room, cell))
    scene.lever = Lever(draws.element(SORTED_COLORS), None, door, lever_steps)
    room.put(beside_door, scene.lever)
    left = draw_cell(draws, left_half(room), lambda cell: is_taken(room, cell) or cell[1] == row)
    right = draw_cell(draws, right_half(room), lambda cell: is_taken(room, cell) or cell[1] == row)
    _finish(scene, parameters, generator_color, (room.columns - 1, row), True, left, right, draws)
    place_people(scene, parameters, right_half(room), draws, lambda cell: cell[1] == row)
    return scene


def marble_pass(parameters: EpisodeParameters, size: int, draws: ArrayStream) -> Scene:
    """The left half pushes the marble over; the right half pushes it into the generator."""
    room = draw_room(draws, size, SMALLEST)
    middle = room.columns // 2
    scene = Scene(room, fence_column=middle)
    generator_color = draws.element(SORTED_COLORS)
    generator = draw_cell(draws, Area(room.columns - 2, 0, 1, room.rows), lambda cell: is_taken(room, cell))
    scene.marble = Marble(draws.element(SORTED_COLORS))
    rows = room.rows - 2
    start = Area(middle - 1, 1, 2, rows) if parameters.peer else Area(room.columns - 2, 1, 1, rows)
    marble = draw_cell(draws, start, lambda cell: cell[1] in (1, rows, generator[1]))
    fence(room, middle, hole=marble[1] if parameters.peer else None)
    room.put(marble, scene.marble)
    busy = (generator[1], marble[1])
    left = draw_cell(draws, left_half(room), lambda cell: is_taken(room, cell) or cell[1] in busy)
    right = draw_cell(
        draws, right_half(room), lambda cell: is_taken(room, cell) or cell[1] in busy or cell[0] == generator[0]
    )
    _finish(scene, parameters, generator_color, generator, True, left, right, draws)
    place_people(
        scene, parameters, right_half(room), draws, lambda cell: cell[0] == generator[0] or cell[1] == marble[1]
    )
    return scene


def _finish(
    scene: Scene,
    parameters: EpisodeParameters,
    generator_color: str,
    generator_cell: Point,
    by_marble: bool,
    left: Point,
    right: Point,
    draws: ArrayStream,
) -> None:
    """A platform in each half, and the generator that feeds both."""
    platforms = tuple(GeneratorPlatform(draws.element(SORTED_COLORS)) for _ in range(2))
    scene.room.put(left, platforms[0])
    scene.room.put(right, platforms[1])
    other = Apple()
    scene.peer_apple = other
    apples = (scene.apple, other) if parameters.role == "A" else (other, scene.apple)
    generator = AppleGenerator(generator_color, None, tuple(zip(platforms, apples, strict=True)), by_marble)
    scene.target = generator
    scene.room.put(generator_cell, generator)
