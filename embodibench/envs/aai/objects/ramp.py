"""The ramp: a wedge that is climbed from its low edge. At yaw 0 the high face is at -z."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind, Piece
from embodibench.envs.aai.scene import Triple


class Ramp(Kind):
    """A triangular prism that fills its box: base below, vertical face at local -z, low edge at local +z.

    The prefab's built-in half turn is in the mesh here, so that the local frame is the one of ``scene.Solid``.
    """

    __slots__ = ()

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (Piece("wedge", (0.0, 0.0, 0.0), size),)


RAMP: Final = Ramp("Ramp", (0.5, 0.1, 0.5), (40.0, 10.0, 40.0), "settles", mass=1_000.0)
