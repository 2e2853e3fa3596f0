"""What throws shadows: each solid's bounds along the sun's rays, and the grid that lists who stands where."""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.compiling import Floats, Whole, kernel
from embodibench.envs.aai.camera.surfaces import (
    BOX,
    FOG_ORANGE,
    FOG_RED,
    GLASS,
    ROD,
    S_AXES,
    S_CENTRE,
    S_HALF,
    S_MATERIAL,
    S_SHAPE,
    SPHERE,
    TUBE,
    WEDGE,
)

CELLS = 64
CELL = 0.8
LEFT = -8.0
NEAR = -1.2
MARGIN = 0.06
"""A caster is listed this far around its outline, which is a little more than the outline's softness."""

# Columns of a caster's row: four pairs of planes (offset, per x, per z), their half heights up and down.
C_PLANES = 0
C_UP = 12
C_DOWN = 16
C_SHAPE = 20
C_HIGH = 21
C_BOUNDS = 22
C_ROUND = 26
CASTER_COLUMNS = 44


@kernel
def bound_caster(sun: Floats, solids: Floats, s: int, casters: Floats, at: int) -> None:
    """Write the planes (or the ball, or the tube) that bound solid s along the sun's rays, and its sheared bounds."""
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    shape = int(solids[s, S_SHAPE])
    cx, cy, cz = solids[s, S_CENTRE], solids[s, S_CENTRE + 1], solids[s, S_CENTRE + 2]
    px, pz = cx - cy * kx, cz - cy * kz
    casters[at, C_SHAPE] = shape if shape in (SPHERE, TUBE) else BOX
    reach_x, reach_y, reach_z = 0.0, 0.0, 0.0
    if shape == SPHERE:
        radius = solids[s, S_HALF]
        reach_x, reach_y, reach_z = radius * math.sqrt(1.0 + kx * kx), radius, radius * math.sqrt(1.0 + kz * kz)
        casters[at, C_ROUND], casters[at, C_ROUND + 1], casters[at, C_ROUND + 2] = px, cy, pz
        casters[at, C_ROUND + 3] = radius
    else:
        for i in range(3):
            half = solids[s, S_HALF + i]
            ax, ay, az = solids[s, S_AXES + 3 * i], solids[s, S_AXES + 3 * i + 1], solids[s, S_AXES + 3 * i + 2]
            if shape == ROD and i < 2:
                half *= 0.9  # a rail's shadow is a slightly slimmer box's
            reach_x += half * abs(ax - ay * kx)
            reach_y += half * abs(ay)
            reach_z += half * abs(az - ay * kz)
            # the plane a . (p - centre) = 0 is met at height y = offset + x gx + z gz
            down = kx * ax + ay + kz * az
            if abs(down) < 1e-9:
                down = 1e-9
            gx, gz = -ax / down, -az / down
            p = C_PLANES + 3 * i
            casters[at, p], casters[at, p + 1], casters[at, p + 2] = cy - px * gx - pz * gz, gx, gz
            casters[at, C_UP + i] = half / abs(down)
            casters[at, C_DOWN + i] = half / abs(down)
            if shape == TUBE:
                # the ray's start (at height 0) and way in the tube's frame, scaled to a unit circle
                scale = 1.0 / half if i < 2 else 1.0
                r = C_ROUND + 5 * i
                casters[at, r], casters[at, r + 1], casters[at, r + 2] = ax * scale, ay * scale, az * scale
                casters[at, r + 3] = -(cx * ax + cy * ay + cz * az) * scale
                casters[at, r + 4] = (kx * ax + ay + kz * az) * scale
        p = C_PLANES + 9
        casters[at, p], casters[at, p + 1], casters[at, p + 2] = 0.0, 0.0, 0.0
        casters[at, C_UP + 3], casters[at, C_DOWN + 3] = 1e30, 1e30
        if shape == WEDGE:
            # below the slope: y / hy + z / hz <= 0 in the solid's own frame
            hy, hz = solids[s, S_HALF + 1], solids[s, S_HALF + 2]
            nx = solids[s, S_AXES + 3] / hy + solids[s, S_AXES + 6] / hz
            ny = solids[s, S_AXES + 4] / hy + solids[s, S_AXES + 7] / hz
            nz = solids[s, S_AXES + 5] / hy + solids[s, S_AXES + 8] / hz
            down = kx * nx + ny + kz * nz
            if abs(down) < 1e-9:
                down = 1e-9
            gx, gz = -nx / down, -nz / down
            casters[at, p], casters[at, p + 1], casters[at, p + 2] = cy - px * gx - pz * gz, gx, gz
            casters[at, C_UP + 3 if down > 0.0 else C_DOWN + 3] = 0.0
    casters[at, C_HIGH] = cy + reach_y
    casters[at, C_BOUNDS], casters[at, C_BOUNDS + 1] = px - reach_x - MARGIN, px + reach_x + MARGIN
    casters[at, C_BOUNDS + 2], casters[at, C_BOUNDS + 3] = pz - reach_z - MARGIN, pz + reach_z + MARGIN


@kernel
def gather_casters(sun: Floats, solids: Floats, bare: int, agent: Floats, casters: Floats) -> int:
    """Write the casters among solids ``bare`` and on, then the agent's; their number. Translucent ones throw none."""
    count = 0
    for s in range(bare, solids.shape[0]):
        if int(solids[s, S_MATERIAL]) not in (FOG_RED, FOG_ORANGE, GLASS):
            bound_caster(sun, solids, s, casters, count)
            count += 1
    bound_caster(sun, agent, 0, casters, count)
    return count + 1


@kernel
def cell_range(low: float, high: float, start: float) -> tuple[int, int]:
    """Cells first..last-1 that the interval touches."""
    first = int(min(max((low - start) / CELL, 0.0), float(CELLS)))
    last = int(min(max((high - start) / CELL + 1.0, 0.0), float(CELLS)))
    return first, last


@kernel
def count_links(casters: Floats) -> int:
    """An upper bound of the links that ``list_casters`` writes."""
    total = 1
    for c in range(casters.shape[0]):
        i0, i1 = cell_range(casters[c, C_BOUNDS], casters[c, C_BOUNDS + 1], LEFT)
        j0, j1 = cell_range(casters[c, C_BOUNDS + 2], casters[c, C_BOUNDS + 3], NEAR)
        total += (i1 - i0) * (j1 - j0)
    return total


@kernel
def list_casters(casters: Floats, bounds: Floats, cells: Whole, links: Whole) -> None:
    """Fill the grid: ``cells`` (first link) and ``links`` (caster, next link) list who may stand over a cell.

    ``bounds``: the height below which all of a cell is in full shadow, and that above which none of it is in any.
    """
    cells[:] = -1
    bounds[:] = -1e30
    used = 0
    half = 0.5 * CELL
    up, down = np.empty(4), np.empty(4)
    for c in range(casters.shape[0]):
        i0, i1 = cell_range(casters[c, C_BOUNDS], casters[c, C_BOUNDS + 1], LEFT)
        j0, j1 = cell_range(casters[c, C_BOUNDS + 2], casters[c, C_BOUNDS + 3], NEAR)
        flat = int(casters[c, C_SHAPE]) == BOX
        for j in range(j0, j1):
            z = NEAR + (j + 0.5) * CELL
            for i in range(i0, i1):
                cell = j * CELLS + i
                tall = casters[c, C_HIGH]
                if flat:
                    x = LEFT + (i + 0.5) * CELL
                    apart, covers, short = False, True, 1e30
                    for k in range(4):
                        gx, gz = casters[c, 3 * k + 1], casters[c, 3 * k + 2]
                        m = casters[c, 3 * k] + gx * x + gz * z
                        slack = (abs(gx) + abs(gz)) * half
                        up[k], down[k] = m + casters[c, C_UP + k], m - casters[c, C_DOWN + k]
                        tall, short = min(tall, up[k] + slack), min(short, up[k] - slack)
                    for k in range(4):
                        for n in range(4):
                            gx = abs(casters[c, 3 * k + 1] - casters[c, 3 * n + 1])
                            gz = abs(casters[c, 3 * k + 2] - casters[c, 3 * n + 2])
                            gap = up[k] - down[n]
                            # the outline's margin counts along both axes, which is more than its width
                            slack = (gx + gz) * (half + MARGIN)
                            apart = apart or gap + slack < 0.0
                            covers = covers and gap - slack > 0.0
                    if apart:
                        continue
                    if covers:
                        bounds[cell, 0] = max(bounds[cell, 0], short)
                    # tops are met a margin outside the outline too
                    tall = casters[c, C_HIGH] if not covers else tall
                bounds[cell, 1] = max(bounds[cell, 1], tall)
                links[used, 0], links[used, 1] = c, cells[cell]
                cells[cell] = used
                used += 1
