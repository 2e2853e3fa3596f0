"""The U: a bar with a foot at either end."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.bars import LARGEST, MASS, SMALLEST, Bars, foot, long_bar
from embodibench.envs.aai.objects.base import Piece
from embodibench.envs.aai.scene import Triple


class UObject(Bars):
    """Two feet to the right, at -z and at +z."""

    __slots__ = ()

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (long_bar(size), foot(size, 1.0, -1.0), foot(size, 1.0, 1.0))


U_OBJECT: Final = UObject(
    "UObject", SMALLEST, LARGEST, "free", mass=MASS, aliases=("UBlock",), built_in_yaw=90.0, own_colour=True
)
