"""Tunnels: half-buried tubes along local z, opaque or transparent, fixed in Unity too."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from embodibench.envs.aai.exact import circle
from embodibench.envs.aai.objects.base import Kind, Piece
from embodibench.envs.aai.scene import Triple

INNER: Final = 0.786
"""Inner over outer diameter: the shell is 0.222 / 2.08 of the diameter thick."""

SEGMENTS: Final = 24
"""Flat pieces of the arch above the ground. The mesh has 50; with 24 the widest tunnel's ceiling is off by 8 mm."""


class Tunnel(Kind):
    """An elliptic tube centred at y = 0, of which the upper half shows."""

    __slots__ = ()

    def looks(self, size: Triple) -> tuple[Piece, ...]:
        return (Piece("tube", (0.0, 0.0, 0.0), size),)

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        width, height, length = size
        cos, sin = circle(np.arange(SEGMENTS + 1, dtype=np.float64) * (180.0 / SEGMENTS))
        outer = np.stack([cos * width / 2, sin * height / 2], axis=1)
        parts = []
        for first, second in pairwise(outer):
            chord = second - first
            span = float(np.sqrt(chord[0] * chord[0] + chord[1] * chord[1]))
            along = chord / span
            inward = np.array([-along[1], along[0]])
            inner, outside = (first + second) / 2 * INNER, (first + second) / 2
            shell = inner - outside
            thick = float(shell[0] * inward[0] + shell[1] * inward[1])
            centre = inner - inward * thick / 2
            parts.append(
                Piece(
                    "box",
                    (float(centre[0]), float(centre[1]), 0.0),
                    (span, thick, length),
                    (float(along[0]), float(along[1])),
                )
            )
        return tuple(parts)

    def centre_height(self, y: float, size: Triple) -> float:
        return 0.0


TUNNEL: Final = Tunnel("CylinderTunnel", (2.5, 2.5, 2.5), (10.0, 10.0, 10.0), "fixed")
TRANSPARENT_TUNNEL: Final = Tunnel(
    "CylinderTunnelTransparent", (2.5, 2.5, 2.5), (10.0, 10.0, 10.0), "fixed", own_colour=True
)
