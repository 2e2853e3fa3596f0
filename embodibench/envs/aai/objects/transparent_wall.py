"""The wall one can see through, and not walk through."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind

TRANSPARENT_WALL: Final = Kind(
    "WallTransparent", (0.1, 0.1, 0.1), (40.0, 10.0, 40.0), "settles", mass=10_000.0, own_colour=True
)
