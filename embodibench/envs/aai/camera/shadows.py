"""Whether the sun sees a point, by looking straight down the sun's rays.

Space is sheared along the sun's rays until they fall upright: a point (x, y, z) stands at (x - y kx, z - y kz) of the
sheared ground. A convex solid's top there is the lowest of a few planes and its underside the highest of a few, so
"is in shadow" is "lies below some solid's top". A grid over the sheared ground lists who can stand where; a cell that one
solid covers whole, or where nothing reaches higher than the point, answers at once.
"""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.compiling import inlined, kernel
from embodibench.envs.aai.camera.filling import INNER_RADIUS
from embodibench.envs.aai.camera.surfaces import (
    BOX,
    S_AXES,
    S_CENTRE,
    S_HALF,
    S_SHAPE,
    SPHERE,
    TUBE,
    WEDGE,
)

CELLS = 128
CELL = 0.4
LEFT = -8.0
NEAR = -1.2
BIAS = 0.002
"""How far above a point its shadow's cause must reach, so that a face does not shade itself."""

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
def prepare_caster(sun, solids, s, casters, at):
    """Write the planes (or the ball, or the tube) that bound solid s along the sun's rays, and its bounds on the ground."""
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    shape = int(solids[s, S_SHAPE])
    cx, cy, cz = solids[s, S_CENTRE], solids[s, S_CENTRE + 1], solids[s, S_CENTRE + 2]
    px, pz = cx - cy * kx, cz - cy * kz
    casters[at, C_SHAPE] = shape
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
            reach_x += half * abs(ax - ay * kx)
            reach_y += half * abs(ay)
            reach_z += half * abs(az - ay * kz)
            # the plane a . (p - centre) = h, met at height y = offset + x' gx + z' gz
            down = kx * ax + ay + kz * az
            if abs(down) < 1e-9:
                down = 1e-9
            gx, gz = -ax / down, -az / down
            p = C_PLANES + 3 * i
            casters[at, p] = cy - px * gx - pz * gz
            casters[at, p + 1], casters[at, p + 2] = gx, gz
            casters[at, C_UP + i] = half / abs(down)
            casters[at, C_DOWN + i] = half / abs(down)
            if shape == TUBE:
                scale = 1.0 / half if i < 2 else 1.0
                r = C_ROUND + 5 * i
                casters[at, r] = ax * scale
                casters[at, r + 1] = ay * scale
                casters[at, r + 2] = az * scale
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
            casters[at, p] = cy - px * gx - pz * gz
            casters[at, p + 1], casters[at, p + 2] = gx, gz
            if down > 0.0:
                casters[at, C_UP + 3] = 0.0
            else:
                casters[at, C_DOWN + 3] = 0.0
    casters[at, C_HIGH] = cy + reach_y
    casters[at, C_BOUNDS], casters[at, C_BOUNDS + 1] = px - reach_x, px + reach_x
    casters[at, C_BOUNDS + 2], casters[at, C_BOUNDS + 3] = pz - reach_z, pz + reach_z


@inlined
def top_over(casters, c, x, z):
    """Height of the caster's top and underside over a place of the sheared ground; top < underside where it is not."""
    shape = int(casters[c, C_SHAPE])
    if shape == BOX or shape == WEDGE:
        m = casters[c, 0] + casters[c, 1] * x + casters[c, 2] * z
        top, under = m + casters[c, C_UP], m - casters[c, C_DOWN]
        m = casters[c, 3] + casters[c, 4] * x + casters[c, 5] * z
        top, under = min(top, m + casters[c, C_UP + 1]), max(under, m - casters[c, C_DOWN + 1])
        m = casters[c, 6] + casters[c, 7] * x + casters[c, 8] * z
        top, under = min(top, m + casters[c, C_UP + 2]), max(under, m - casters[c, C_DOWN + 2])
        m = casters[c, 9] + casters[c, 10] * x + casters[c, 11] * z
        top, under = min(top, m + casters[c, C_UP + 3]), max(under, m - casters[c, C_DOWN + 3])
        return top, under
    return 1.0, -1.0


@inlined
def round_top(casters, c, sun, x, z, y):
    """Whether a ball or tube stands between the point and the sun."""
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    if int(casters[c, C_SHAPE]) == SPHERE:
        dx, dz = x - casters[c, C_ROUND], z - casters[c, C_ROUND + 2]
        a, b = 1.0 + kx * kx + kz * kz, dx * kx + dz * kz
        under = b * b - a * (dx * dx + dz * dz - casters[c, C_ROUND + 3] * casters[c, C_ROUND + 3])
        if under <= 0.0:
            return False
        return casters[c, C_ROUND + 1] + (math.sqrt(under) - b) / a > y + BIAS
    # the tube: heights between outer entry and exit, less those inside its bore
    r = C_ROUND
    wx, wz = x, z  # the ray's point at height 0
    ox = casters[c, r] * wx + casters[c, r + 2] * wz + casters[c, r + 3]
    oy = casters[c, r + 5] * wx + casters[c, r + 7] * wz + casters[c, r + 8]
    oz = casters[c, r + 10] * wx + casters[c, r + 12] * wz + casters[c, r + 13]
    dx, dy, dz = casters[c, r + 4], casters[c, r + 9], casters[c, r + 14]
    a, b, square = dx * dx + dy * dy, ox * dx + oy * dy, ox * ox + oy * oy
    if a < 1e-12:
        return False
    under = b * b - a * (square - 1.0)
    if under <= 0.0:
        return False
    root = math.sqrt(under)
    low, high = (-b - root) / a, (-b + root) / a
    half = casters[c, C_UP + 2] * abs(dz)
    if abs(dz) > 1e-12:
        low, high = (
            max(low, (-half - oz) / dz if dz > 0.0 else (half - oz) / dz),
            min(high, (half - oz) / dz if dz > 0.0 else (-half - oz) / dz),
        )
    elif abs(oz) > half:
        return False
    low = max(low, y + BIAS)
    if high <= low:
        return False
    under = b * b - a * (square - INNER_RADIUS * INNER_RADIUS)
    if under <= 0.0:
        return True
    root = math.sqrt(under)
    return low < (-b - root) / a - 1e-6 or high > (-b + root) / a + 1e-6


@kernel
def list_casters(casters, count, head, links, low, high):
    """Fill the grid: ``head`` and ``links`` (caster, next entry) list who may stand over a cell; the number of links.

    ``low``: below this height a cell's every point is in shadow; ``high``: above it none is.
    """
    head[:] = -1
    low[:] = -1e30
    high[:] = -1e30
    used = 0
    half = 0.5 * CELL
    up, down = np.empty(4), np.empty(4)
    for c in range(count):
        i0 = int(min(max((casters[c, C_BOUNDS] - LEFT) / CELL, 0.0), float(CELLS)))
        i1 = int(min(max((casters[c, C_BOUNDS + 1] - LEFT) / CELL + 1.0, 0.0), float(CELLS)))
        j0 = int(min(max((casters[c, C_BOUNDS + 2] - NEAR) / CELL, 0.0), float(CELLS)))
        j1 = int(min(max((casters[c, C_BOUNDS + 3] - NEAR) / CELL + 1.0, 0.0), float(CELLS)))
        flat = int(casters[c, C_SHAPE]) == BOX or int(casters[c, C_SHAPE]) == WEDGE
        for j in range(j0, j1):
            z = NEAR + (j + 0.5) * CELL
            for i in range(i0, i1):
                cell = j * CELLS + i
                tall = casters[c, C_HIGH]
                if flat:
                    x = LEFT + (i + 0.5) * CELL
                    apart, covers = False, True
                    short = 1e30
                    for k in range(4):
                        m = casters[c, 3 * k] + casters[c, 3 * k + 1] * x + casters[c, 3 * k + 2] * z
                        slack = (abs(casters[c, 3 * k + 1]) + abs(casters[c, 3 * k + 2])) * half
                        up[k], down[k] = m + casters[c, C_UP + k], m - casters[c, C_DOWN + k]
                        tall, short = min(tall, up[k] + slack), min(short, up[k] - slack)
                    for k in range(4):
                        for n in range(4):
                            if n == k:
                                continue
                            slack = (
                                abs(casters[c, 3 * k + 1] - casters[c, 3 * n + 1])
                                + abs(casters[c, 3 * k + 2] - casters[c, 3 * n + 2])
                            ) * half
                            gap = up[k] - down[n]
                            apart = apart or gap + slack < 0.0
                            covers = covers and gap - slack > 0.0
                    if apart:
                        continue
                    if covers:
                        low[cell] = max(low[cell], short)
                high[cell] = max(high[cell], tall)
                links[used, 0], links[used, 1] = c, head[cell]
                head[cell] = used
                used += 1
    return used


@kernel
def count_links(casters, count):
    """An upper bound of the links that ``list_casters`` writes."""
    total = 0
    for c in range(count):
        i0 = int(min(max((casters[c, C_BOUNDS] - LEFT) / CELL, 0.0), float(CELLS)))
        i1 = int(min(max((casters[c, C_BOUNDS + 1] - LEFT) / CELL + 1.0, 0.0), float(CELLS)))
        j0 = int(min(max((casters[c, C_BOUNDS + 2] - NEAR) / CELL, 0.0), float(CELLS)))
        j1 = int(min(max((casters[c, C_BOUNDS + 3] - NEAR) / CELL + 1.0, 0.0), float(CELLS)))
        total += (i1 - i0) * (j1 - j0)
    return total


@inlined
def blocks(casters, c, sun, x, z, y):
    """Whether caster c stands between the sun and the point at height y over the sheared ground's (x, z)."""
    shape = int(casters[c, C_SHAPE])
    if shape == BOX or shape == WEDGE:
        top, under = top_over(casters, c, x, z)
        return top > under and top > y + BIAS
    return round_top(casters, c, sun, x, z, y)


@inlined
def shadowed(casters, count, head, links, low, high, sun, x, z, y):
    """Whether the point at height y over the sheared ground's (x, z) lies in shadow."""
    i, j = (x - LEFT) / CELL, (z - NEAR) / CELL
    if i >= 0.0 and j >= 0.0 and i < CELLS and j < CELLS:
        cell = int(j) * CELLS + int(i)
        if y + BIAS >= high[cell]:
            return False
        if y + BIAS < low[cell]:
            return True
        link = head[cell]
        while link >= 0:
            if blocks(casters, links[link, 0], sun, x, z, y):
                return True
            link = links[link, 1]
        return False
    for c in range(count):
        if blocks(casters, c, sun, x, z, y):
            return True
    return False
