"""Names, numbers and colours of the SocialAI School grid (Kovač et al. 2023; the fork's own tables)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Point: TypeAlias = tuple[int, int]
"""A cell: column from the left, row from the top."""

COLORS: Final[tuple[str, ...]] = ("red", "green", "blue", "purple", "yellow", "grey", "brown")
"""Colour names in the order of their codes; minigrid has the first six, brown is the School's own."""

COLOR_TO_ID: Final[Mapping[str, int]] = {name: index for index, name in enumerate(COLORS)}

RGB: Final[Mapping[str, tuple[int, int, int]]] = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "purple": (112, 39, 195),
    "yellow": (255, 255, 0),
    "grey": (100, 100, 100),
    "brown": (82, 36, 19),
}

SORTED_COLORS: Final[tuple[str, ...]] = tuple(sorted(COLORS))
"""The alphabet a layout draws colours from. Information seeking uses its first three: blue, brown, green."""

KINDS: Final[tuple[str, ...]] = (
    "unseen",
    "empty",
    "wall",
    "floor",
    "door",
    "key",
    "ball",
    "box",
    "goal",
    "lava",
    "agent",
    "npc",
    "switch",
    "lockablebox",
    "apple",
    "applegenerator",
    "generatorplatform",
    "marble",
    "marbletee",
    "fence",
    "remotedoor",
    "lever",
)
"""Object kinds in the order of their codes; the first eleven are minigrid's."""

KIND_TO_ID: Final[Mapping[str, int]] = {name: index for index, name in enumerate(KINDS)}

EAST: Final = 0
SOUTH: Final = 1
WEST: Final = 2
NORTH: Final = 3

STEPS: Final[tuple[Point, ...]] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Displacement of one step in each direction; rows grow downwards."""

NOT_POINTING: Final = 255
"""Code of the pointing channel of a peer whose arm is down, and of the countdown channel of an untimed lever."""


def facing_direction(origin: Point, target: Point) -> int:
    """The direction in which ``target`` lies from ``origin``.

    Exact diagonals belong to the direction that comes first clockwise from north-east: NE is north, SE east, SW south
    and NW west (facts of the original's angle rule, 45 <= angle < 135 is east).
    """
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    if dx > 0 and -dx < dy <= dx:
        return EAST
    if dy > 0 and -dy <= dx < dy:
        return SOUTH
    if dx < 0 and dx <= dy < -dx:
        return WEST
    return NORTH


def manhattan(a: Point, b: Point) -> int:
    """Steps between two cells when nothing is in the way."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
