"""What every arena has: the paved ground, the fence around it, the light and the sky, as the camera's tables.

Source of the figures: the recorded pictures of Animal-AI 3.1.3 and its scene's settings (light, materials).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from embodibench.envs.aai.camera import surfaces as table
from embodibench.envs.aai.scene import Triple

Floats = npt.NDArray[np.float64]

BARE: Final = 1
"""Rows of the scenery, from the first, that throw no shadow: the ground."""

SUN: Final = (0.32139380484326957, 0.7660444431189781, -0.5566703992264195)
"""The way to the sun: elevation 50 degrees, 150 degrees clockwise from +z (Euler (50, -30, 0) of the scene's light)."""

GROUND_TOP: Final = -0.01
FENCE_TOP: Final = 5.8
FENCE_FACE: Final = 0.3
"""How far behind the arena's edge the boards stand."""
RAIL_HEIGHTS: Final = (1.085, 4.53)
RAIL_RADIUS: Final = 0.17
PANEL: Final = 14.0
"""Three panels a side; the first begins 1 before the arena's corner."""
POST_HALF: Final = 1.12
POST_TOP: Final = 7.07
POST_DEPTH: Final = 1.1
"""Posts stand where panels meet, flush with the arena's edge and this deep."""
SEAMS: Final = (1.14, 1.94, 2.79, 3.75, 4.77, 5.85, 6.93, 7.97, 8.95, 9.95, 10.88, 11.80)
"""Dark seams between the boards of a panel, from its left end seen from inside."""
SEAM_WIDTH: Final = 0.032
MIDDLE_PANEL: Final = 0.13
"""The middle panel's boards stand this much further right than its neighbours'."""
SEAM_STEPS: Final = 64
"""Of the seams' table, per unit."""

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
    centre: Triple,
    half: Triple,
    axes: tuple[Triple, Triple, Triple],
    colour: Triple = (1.0, 1.0, 1.0),
) -> list[float]:
    return [shape, material, identity, *centre, *half, *axes[0], *axes[1], *axes[2], *colour]


def _place(side: tuple[Triple, Triple], along: float, away: float, level: float) -> Triple:
    """A point beside the arena: so far right of the side's middle, behind the arena's edge, and high."""
    normal, right = side
    out = 20.0 + away
    return 20.0 - out * normal[0] + along * right[0], level, 20.0 - out * normal[2] + along * right[2]


@lru_cache(maxsize=1)
def scenery() -> Floats:
    """Rows of the ground and the fence in the solids' table, the ground first."""
    upright = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    rows = [
        _row(
            table.BOX, table.STONE, table.GROUND, (20.0, GROUND_TOP - 0.5, 20.0), (21.0, 0.5, 21.0), upright,
            (0.498, 0.317, 0.148),
        )
    ]  # fmt: skip
    middle, tall = 0.5 * (FENCE_TOP + GROUND_TOP), 0.5 * (POST_TOP + GROUND_TOP)
    for side in _SIDES:
        normal, right = side
        left = (-right[0], 0.0, -right[2])
        axes = (left, (0.0, 1.0, 0.0), normal)
        boards = (20.35, middle - GROUND_TOP, 0.05)
        rows.append(
            _row(table.BOX, table.BOARD, table.FENCE, _place(side, 0.0, FENCE_FACE + 0.05, middle), boards, axes)
        )
        half = (POST_HALF, tall - GROUND_TOP, 0.5 * POST_DEPTH)
        for post in (-1.5, -0.5, 0.5, 1.5):
            place = _place(side, PANEL * post, 0.5 * POST_DEPTH, tall)
            rows.append(_row(table.BOX, table.POST, table.FENCE, place, half, axes))
        half = (RAIL_RADIUS, RAIL_RADIUS, 0.5 * PANEL - POST_HALF + 0.1)
        for level in RAIL_HEIGHTS:
            for panel in (-1.0, 0.0, 1.0):
                place = _place(side, PANEL * panel, RAIL_RADIUS, level)
                rows.append(_row(table.ROD, table.RAIL, table.FENCE, place, half, (normal, axes[1], right)))
    return np.array(rows, dtype=np.float64)


@lru_cache(maxsize=1)
def seam_table() -> Floats:
    """Length of seams left of each place along a side's boards, SEAM_STEPS places a unit, from the boards' left end."""
    start = 20.35 - 21.0
    edges = np.arange(int(40.7 * SEAM_STEPS) + 2) / SEAM_STEPS
    total = np.zeros(len(edges))
    for panel in range(3):
        for seam in SEAMS:
            at = start + PANEL * panel + seam + (MIDDLE_PANEL if panel == 1 else 0.0)
            total += np.clip(edges - (at - 0.5 * SEAM_WIDTH), 0.0, SEAM_WIDTH)
    return total


@lru_cache(maxsize=1)
def palette() -> Floats:
    """Light on each material: around an upright, an upward and a downward face, and the sun's; shape (12, 4, 3)."""
    lights = np.empty((12, 4, 3))
    lights[:] = (
        (0.418, 0.544, 0.658),
        (0.472, 0.660, 0.805),
        (0.250, 0.245, 0.240),
        (1.0, 0.905, 0.672),
    )
    lights[table.BOARD] = ((0.371, 0.474, 0.565), (0.42, 0.57, 0.69), (0.22, 0.22, 0.22), (0.66, 0.73, 0.68))
    lights[table.POST] = lights[table.BOARD]
    lights[table.RAIL] = ((0.347, 0.440, 0.550), (0.366, 0.485, 0.625), (0.318, 0.335, 0.335), (0.66, 0.72, 0.64))
    lights[table.CARTON] = ((0.413, 0.451, 0.497), (0.46, 0.53, 0.59), (0.25, 0.24, 0.24), (0.296, 0.298, 0.215))
    lights[table.FLAT] = 1.0
    lights[table.FOG_RED, :3] = (0.23, 0.03, 0.015)
    lights[table.FOG_ORANGE, :3] = (0.56, 0.21, 0.045)
    return lights
