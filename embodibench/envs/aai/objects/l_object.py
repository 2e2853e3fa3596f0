"""The L, and its mirror image the J."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.bars import LARGEST, MASS, SMALLEST, Bars, foot, long_bar
from embodibench.envs.aai.objects.base import Piece
from embodibench.envs.aai.scene import Triple


class LObject(Bars):
    """One foot at -z, to the right."""

    __slots__ = ()

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (long_bar(size), foot(size, 1.0, -1.0))


class JObject(Bars):
    """One foot at -z, to the left."""

    __slots__ = ()

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (long_bar(size), foot(size, -1.0, -1.0))


L_OBJECT: Final = LObject(
    "LObject", SMALLEST, LARGEST, "free", mass=MASS, aliases=("LBlock",), built_in_yaw=90.0, own_colour=True
)
J_OBJECT: Final = JObject(
    "LObject2", SMALLEST, LARGEST, "free", mass=MASS, aliases=("JBlock",), built_in_yaw=90.0, own_colour=True
)
