"""The shared build of the L and U objects: a long bar along local z, and feet at its ends."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind, Piece
from embodibench.envs.aai.scene import Triple

SMALLEST: Final = (1.0, 0.3, 3.0)
LARGEST: Final = (5.0, 2.0, 20.0)
MASS: Final = 1.5


class Bars(Kind):
    """An object of bars. Its real extents exceed the nominal size, and the spawning test sees the long bar alone."""

    __slots__ = ()

    def bounds(self, size: Triple) -> Triple:
        x, y, z = size
        return 0.5 * z, 0.5 * y, 0.15 * x


def long_bar(size: Triple) -> Piece:
    """The bar that all of them have."""
    x, y, z = size
    return Piece("box", (0.0, 0.0, 0.0), (0.3 * x, y, z))


def foot(size: Triple, side: float, end: float) -> Piece:
    """A foot that points to local x * ``side`` at the end z * ``end`` (each +1 or -1)."""
    x, y, z = size
    return Piece("box", (0.3 * x * side, 0.0, 0.55 * z * end), (0.9 * x, y, 0.1 * z))
