"""What the rooms of all collaborations share: a fence between two halves, A on the left, B on the right."""

from __future__ import annotations

from collections.abc import Callable

from embodibench.envs.socialai.constants import SORTED_COLORS, Point
from embodibench.envs.socialai.layouts.placement import Area, draw_cell, is_taken, place_agent
from embodibench.envs.socialai.objects import Fence
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream

PARTNER: str = "Partner"


def fence(room: Room, column: int, hole: int | None = None) -> None:
    """A fence from wall to wall, with a hole in row ``hole``."""
    for y in range(1, room.rows - 1):
        if y != hole:
            room.put((column, y), Fence())


def left_half(room: Room) -> Area:
    """Where the left half's cells are drawn from."""
    return Area(0, 0, room.columns // 2, room.rows)


def place_people(
    scene: Scene,
    parameters: EpisodeParameters,
    right: Area,
    draws: ArrayStream,
    keeps_clear: Callable[[Point], bool] = lambda cell: False,
) -> None:
    """The agent on its side; then the partner's colour, and the partner on the other side.

    Args:
        right: where the right half's cells are drawn from.
        keeps_clear: cells in which the partner would be in the marble's way.
    """
    room = scene.room
    left = left_half(room)
    is_left = parameters.role == "A"
    place_agent(room, draws, left if is_left else right)
    color = draws.element(SORTED_COLORS)
    if not parameters.peer:
        return
    cell = draw_cell(draws, right if is_left else left, lambda cell: is_taken(room, cell) or keeps_clear(cell))
    scene.peer = PeerBody(color, PARTNER)
    room.put(cell, scene.peer)
