"""Drawing cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from embodibench.envs.socialai.constants import Point
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.streams import ArrayStream
from embodibench.errors import EmbodiBenchError

MAX_TRIES: Final = 10_000
"""The original gives up, and ends the process, after as many rejected cells."""


class LayoutError(EmbodiBenchError):
    """No cell fits: this problem has no layout for this seed in a room of this size."""


@dataclass(frozen=True, slots=True)
class Area:
    """Cells from (x, y), ``width`` to the right and ``height`` down."""

    x: int
    y: int
    width: int
    height: int


def draw_cell(draws: ArrayStream, area: Area, rejected: Callable[[Point], bool]) -> Point:
    """A cell of ``area``: column and row uniformly, again until one is not rejected.

    Raises:
        LayoutError: after ``MAX_TRIES`` rejections.
    """
    right, bottom = area.x + area.width, area.y + area.height
    for _ in range(MAX_TRIES + 1):
        cell = (draws.integer(area.x, right), draws.integer(area.y, bottom))
        if not rejected(cell):
            return cell
    raise LayoutError(f"no free cell in {MAX_TRIES} tries: the room is too small for this problem and seed")


def draw_room(draws: ArrayStream, canvas: int, smallest: int) -> Room:
    """A room whose sides are drawn from min(smallest, canvas)..canvas, width first."""
    low = min(smallest, canvas)
    columns = draws.integer(low, canvas + 1)
    return Room(canvas, columns, draws.integer(low, canvas + 1))


def is_taken(room: Room, cell: Point) -> bool:
    """Whether anything, the agent too, stands on a cell."""
    return room.at(cell) is not None or cell == room.agent_pos


def place_agent(room: Room, draws: ArrayStream, area: Area) -> None:
    """Draw the agent's cell, then where it looks."""
    room.agent_pos = draw_cell(draws, area, lambda cell: is_taken(room, cell))
    room.agent_dir = draws.integer(0, 4)
