"""How much of the sun a point misses, by looking straight down the sun's rays.

Space is sheared along the sun's rays until they fall upright: a point (x, y, z) stands at (x - y kx, z - y kz) of the
sheared ground. A convex solid's top there is the lowest of a few planes and its underside the highest of a few, so
"is in shadow" is "lies below some solid's top". A grid over the sheared ground lists who can stand where; a cell
that one solid covers whole, or where nothing reaches higher than the point, answers at once.

A shadow's outline is soft over a small width, as a shadow map's is: coverage is 1/2 on the outline itself, and shadows
that abut add up, so that two walls side by side throw one shadow.
"""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.casters import (
    C_DOWN,
    C_ROUND,
    C_SHAPE,
    C_UP,
    CELL,
    CELLS,
    LEFT,
    NEAR,
)
from embodibench.envs.aai.camera.compiling import Floats, Whole, inlined
from embodibench.envs.aai.camera.filling import INNER_RADIUS
from embodibench.envs.aai.camera.surfaces import BOX, SPHERE

SOFT = 0.05
"""Half the width over which an outline fades."""
BIAS = 0.002
"""How far above a point its shadow's cause must reach, so that a face does not shade itself."""


@inlined
def flat_cover(casters: Floats, c: int, x: float, z: float, y: float) -> float:
    """Share of the sun that a box or wedge hides from height y over the sheared ground's (x, z)."""
    m = casters[c, 0] + casters[c, 1] * x + casters[c, 2] * z
    top, under, t, n = m + casters[c, C_UP], m - casters[c, C_DOWN], 0, 0
    for k in range(1, 4):
        m = casters[c, 3 * k] + casters[c, 3 * k + 1] * x + casters[c, 3 * k + 2] * z
        if m + casters[c, C_UP + k] < top:
            top, t = m + casters[c, C_UP + k], k
        if m - casters[c, C_DOWN + k] > under:
            under, n = m - casters[c, C_DOWN + k], k
    if top <= y + BIAS:
        return 0.0
    # distance to the outline, where the lowest top meets the highest underside
    gx = casters[c, 3 * t + 1] - casters[c, 3 * n + 1]
    gz = casters[c, 3 * t + 2] - casters[c, 3 * n + 2]
    steep, apart = gx * gx + gz * gz, top - under
    if apart * apart >= SOFT * SOFT * steep:
        return 1.0 if apart > 0.0 else 0.0
    return float(0.5 + 0.5 * apart / (SOFT * math.sqrt(steep)))


@inlined
def ball_cover(casters: Floats, c: int, sun: Floats, x: float, z: float, y: float) -> float:
    """Share of the sun that a ball hides."""
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    radius = casters[c, C_ROUND + 3]
    dx, dz = x - casters[c, C_ROUND], z - casters[c, C_ROUND + 2]
    a, b = 1.0 + kx * kx + kz * kz, dx * kx + dz * kz
    under = b * b - a * (dx * dx + dz * dz - radius * radius)
    # under / a is r^2 - (distance of the sun's ray from the middle)^2
    apart = under / (a * 2.0 * radius)
    if apart <= -SOFT:
        return 0.0
    if casters[c, C_ROUND + 1] + (math.sqrt(max(under, 0.0)) - b) / a <= y + BIAS:
        return 0.0
    return float(min(0.5 + 0.5 * apart / SOFT, 1.0))


@inlined
def tube_cover(casters: Floats, c: int, x: float, z: float, y: float) -> float:
    """1 where a tube's wall stands between the point and the sun, 0 elsewhere."""
    r = C_ROUND
    ox = casters[c, r] * x + casters[c, r + 2] * z + casters[c, r + 3]
    oy = casters[c, r + 5] * x + casters[c, r + 7] * z + casters[c, r + 8]
    oz = casters[c, r + 10] * x + casters[c, r + 12] * z + casters[c, r + 13]
    dx, dy, dz = casters[c, r + 4], casters[c, r + 9], casters[c, r + 14]
    a, b, square = dx * dx + dy * dy, ox * dx + oy * dy, ox * ox + oy * oy
    under = b * b - a * (square - 1.0)
    if a < 1e-12 or under <= 0.0:
        return 0.0
    root = math.sqrt(under)
    half = casters[c, C_UP + 2] * abs(dz)
    low, high = (-b - root) / a, (-b + root) / a
    if abs(dz) > 1e-12:
        one, two = (-half - oz) / dz, (half - oz) / dz
        low, high = max(low, min(one, two)), min(high, max(one, two))
    elif abs(oz) > half:
        return 0.0
    low = max(low, y + BIAS)
    if high <= low:
        return 0.0
    # in the wall, unless all of it lies in the bore
    under = b * b - a * (square - INNER_RADIUS * INNER_RADIUS)
    if under <= 0.0:
        return 1.0
    root = math.sqrt(under)
    return 1.0 if low < (-b - root) / a - 1e-6 or high > (-b + root) / a + 1e-6 else 0.0


@inlined
def cover(casters: Floats, c: int, sun: Floats, x: float, z: float, y: float) -> float:
    """Share of the sun that caster c hides from the point."""
    shape = int(casters[c, C_SHAPE])
    if shape == BOX:
        return flat_cover(casters, c, x, z, y)
    if shape == SPHERE:
        return ball_cover(casters, c, sun, x, z, y)
    return tube_cover(casters, c, x, z, y)


@inlined
def shadow_at(
    casters: Floats, bounds: Floats, cells: Whole, links: Whole, sun: Floats, x: float, z: float, y: float
) -> float:
    """Share of the sun, 0 to 1, that is hidden from height y over the sheared ground's (x, z)."""
    i, j = (x - LEFT) / CELL, (z - NEAR) / CELL
    share = 0.0
    if i >= 0.0 and j >= 0.0 and i < CELLS and j < CELLS:
        cell = int(j) * CELLS + int(i)
        if y + BIAS >= bounds[cell, 1]:
            return 0.0
        if y + BIAS < bounds[cell, 0]:
            return 1.0
        link = cells[cell]
        while link >= 0 and share < 1.0:
            share += cover(casters, links[link, 0], sun, x, z, y)
            link = links[link, 1]
    else:
        for c in range(casters.shape[0]):
            share += cover(casters, c, sun, x, z, y)
    return min(share, 1.0)
