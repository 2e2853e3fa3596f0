"""The opaque wall: a box of 10 t with the arena's colour."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind

WALL: Final = Kind("Wall", (0.1, 0.1, 0.1), (40.0, 10.0, 40.0), "settles", mass=10_000.0)
