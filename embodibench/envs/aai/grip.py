# mypy: disable-error-code="misc, untyped-decorator"
"""The agent against what stands still, solved as PhysX does it and not as MuJoCo does.

The agent is a point mass here (it may not rotate), so its contacts are a handful of planes. PhysX lists them at the
start of an update, up to a gap of 0.02; a gap may be closed within the update and no more; a penetration is pushed out
at up to 10 m/s, and that speed is forgotten afterwards, so nothing rebounds; friction is Coulomb's, 0.6.
MuJoCo's soft contacts make a fast slider hop, and rebound from walls (facts of AAI 3.1.3, section 8).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from embodibench.envs.aai.exact import Floats

UPDATE: Final = 0.02
MOST: Final = 16
"""Contacts kept."""
ITERATIONS: Final = 12
FRICTION: Final = 0.6
PUSH_OUT: Final = 0.8
"""Share of a penetration that one update takes back."""
FASTEST_PUSH_OUT: Final = 10.0


@njit(cache=True)
def _sweep(speed: Floats, planes: Floats, count: int, out: bool) -> None:
    """One pass over the contacts: normal speeds at their bounds, then friction within its cone."""
    for k in range(count):
        nx, ny, nz, gap = planes[k, 0], planes[k, 1], planes[k, 2], planes[k, 3]
        if gap > 0.0:
            bound = -gap / UPDATE
        elif out:
            bound = min(FASTEST_PUSH_OUT, -gap * PUSH_OUT / UPDATE)
        else:
            bound = 0.0
        along = speed[0] * nx + speed[1] * ny + speed[2] * nz
        push = max(planes[k, 4] + bound - along, 0.0)
        change = push - planes[k, 4]
        planes[k, 4] = push
        speed[0] += change * nx
        speed[1] += change * ny
        speed[2] += change * nz
        # Friction so far is taken back, and the friction that would stop the slide is clipped to the cone.
        fx, fy, fz = planes[k, 5], planes[k, 6], planes[k, 7]
        along = speed[0] * nx + speed[1] * ny + speed[2] * nz
        tx, ty, tz = fx - (speed[0] - along * nx), fy - (speed[1] - along * ny), fz - (speed[2] - along * nz)
        size = np.sqrt(tx * tx + ty * ty + tz * tz)
        limit = FRICTION * push
        if size > limit:
            tx, ty, tz = tx * (limit / size), ty * (limit / size), tz * (limit / size)
        planes[k, 5], planes[k, 6], planes[k, 7] = tx, ty, tz
        speed[0] += tx - fx
        speed[1] += ty - fy
        speed[2] += tz - fz


@njit(cache=True)
def grip(speed: Floats, moving: Floats, planes: Floats, count: int) -> None:
    """Solve the contacts of one update.

    Args:
        speed: (3,) m/s; in: after push, gravity and drag; out: what the agent keeps.
        moving: (3,) out: what it moves with during the update, which includes being pushed out of walls.
        planes: (MOST, 8) normal towards the agent 0..2, gap 3; the rest is scratch.
        count: planes in use.
    """
    for k in range(count):
        for j in range(4, 8):
            planes[k, j] = 0.0
    for _ in range(ITERATIONS):
        _sweep(speed, planes, count, True)
    for k in range(3):
        moving[k] = speed[k]
    for _ in range(ITERATIONS):
        _sweep(speed, planes, count, False)
