"""What every arena has: the paved ground, the fence around it, the light and the sky, as the camera's tables.

Source of the figures: the recorded pictures of Animal-AI 3.1.3 and its scene's settings (light, materials).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from embodibench.envs.aai.camera import surfaces as table
from embodibench.envs.aai.camera.encoding import linear

Floats = npt.NDArray[np.float64]

SUN: Final = (0.32139380484326957, 0.7660444431189781, -0.5566703992264195)
"""The way to the sun: elevation 50 degrees, 150 degrees clockwise from +z (Euler (50, -30, 0) of the scene's light)."""

GROUND_TOP: Final = -0.01
FENCE_TOP: Final = 5.8
FENCE_FACE: Final = 0.3
"""How far behind the arena's edge the boards stand."""
RAIL_HEIGHTS: Final = (1.1, 4.5)
RAIL_RADIUS: Final = 0.15

_SIDES: Final = (
    # inward normal, way to the right seen from inside
    ((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)),
    ((-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    ((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0)),
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
)


def _row(
    shape: int,
    material: int,
    identity: int,
    centre: tuple[float, float, float],
    half: tuple[float, float, float],
    axes: tuple[tuple[float, float, float], ...],
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> list[float]:
    return [shape, material, identity, *centre, *half, *axes[0], *axes[1], *axes[2], *colour]


@lru_cache(maxsize=1)
def scenery() -> tuple[Floats, int]:
    """Rows of the ground and the fence in the solids' table, ground first; and how many rows cast no shadow."""
    upright = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    rows = [
        _row(
            table.BOX, table.STONE, table.GROUND, (20.0, GROUND_TOP - 0.5, 20.0), (21.0, 0.5, 21.0), upright,
            (0.498, 0.317, 0.148),
        )
    ]  # fmt: skip
    up = (0.0, 1.0, 0.0)
    for normal, right in _SIDES:
        middle = tuple(20.0 - (20.0 + FENCE_FACE + 0.05) * n for n in normal)
        rows.append(
            _row(
                table.BOX, table.BOARD, table.FENCE,
                (middle[0], 0.5 * (FENCE_TOP + GROUND_TOP), middle[2]),
                (20.4, 0.5 * (FENCE_TOP - GROUND_TOP), 0.05),
                (right, up, normal),
            )
        )  # fmt: skip
        for level in RAIL_HEIGHTS:
            away = 20.0 + FENCE_FACE - RAIL_RADIUS
            rows.append(
                _row(
                    table.ROD, table.RAIL, table.FENCE,
                    (20.0 - away * normal[0], level, 20.0 - away * normal[2]),
                    (RAIL_RADIUS, RAIL_RADIUS, 20.1),
                    (normal, up, right),
                )
            )  # fmt: skip
    return np.array(rows, dtype=np.float64), 1


@lru_cache(maxsize=1)
def palette() -> Floats:
    """Light on each material: around an upright, an upward and a downward face, and the sun's; shape (11, 4, 3)."""
    lights = np.empty((11, 4, 3))
    lights[:] = (
        (0.418, 0.544, 0.658),
        (0.472, 0.660, 0.805),
        (0.250, 0.245, 0.240),
        (1.0, 0.905, 0.672),
    )
    lights[table.BOARD] = ((0.371, 0.474, 0.565), (0.42, 0.57, 0.69), (0.22, 0.22, 0.22), (0.66, 0.73, 0.68))
    lights[table.RAIL] = ((0.371, 0.474, 0.565), (0.42, 0.57, 0.69), (0.26, 0.26, 0.25), (0.66, 0.73, 0.68))
    lights[table.CARTON] = ((0.413, 0.451, 0.497), (0.46, 0.53, 0.59), (0.25, 0.24, 0.24), (0.296, 0.298, 0.215))
    lights[table.FLAT] = 1.0
    lights[table.FOG_RED, :3] = (0.18, 0.0, 0.02)
    lights[table.FOG_ORANGE, :3] = (0.62, 0.12, 0.14)
    return lights


@lru_cache(maxsize=1)
def sky() -> Floats:
    """Linear colour of the sky by the sine of elevation, -1 to 1 in 128 steps: base (3) and glow towards the sun (3)."""
    heights = (-1.0, -0.02, 0.0, 0.5, 0.616, 0.695, 0.755, 1.0)
    colours = (
        (120, 114, 110), (125, 120, 118), (138, 165, 205), (108, 136, 176), (99, 124, 164), (93, 118, 158),
        (90, 115, 155), (82, 106, 146),
    )  # fmt: skip
    glows = ((0, 0, 0), (0, 0, 0), (0.35, 0.40, 0.45), (0.18, 0.25, 0.38), (0.16, 0.2, 0.35), (0.15, 0.2, 0.33),
             (0.13, 0.2, 0.32), (0.1, 0.18, 0.3))  # fmt: skip
    rows = []
    for k in range(129):
        sine = -1.0 + k / 64.0
        n = max(i for i in range(len(heights) - 1) if heights[i] <= sine)
        part = (sine - heights[n]) / (heights[n + 1] - heights[n])
        base = [linear(a + part * (b - a)) for a, b in zip(colours[n], colours[n + 1], strict=True)]
        glow = [a + part * (b - a) for a, b in zip(glows[n], glows[n + 1], strict=True)]
        rows.append([*base, *glow])
    return np.array(rows, dtype=np.float64)
