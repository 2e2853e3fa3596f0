# mypy: disable-error-code="misc, untyped-decorator"
"""Reward, health, zones, goals and the "grounded" flag, as AAI 3.1.3 has them; compiled, for ``motion.py``."""

from __future__ import annotations

from typing import Final

from numba import njit

from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.state import (
    BAD_GOAL,
    BALL,
    COLLECTED,
    DEATH,
    EATEN,
    END,
    EXHAUSTED,
    GOAL,
    GOING,
    GROUNDED,
    HEALTH,
    NEEDED,
    RATE,
    REWARD,
    TOTAL,
    UPWARD,
)
from embodibench.envs.aai.tables import Integers

RADIUS: Final = 0.5


@njit(cache=True)
def earn(floats: Floats, integers: Integers, reward: float) -> None:
    """Book a reward: the total keeps it whole, the health takes a hundred times of it and is clipped at 100."""
    floats[REWARD] += reward
    floats[TOTAL] += reward
    floats[HEALTH] = min(100.0, floats[HEALTH] + 100.0 * reward)
    # Rounding leaves about 1e-13 of the health after the last of 5 t decays, and the episode must not outlive it.
    if floats[HEALTH] <= 1e-9:
        floats[HEALTH] = 0.0
        if integers[END] == GOING:
            integers[END] = EXHAUSTED


@njit(cache=True)
def inside(zone: Floats, x: float, y: float, z: float) -> bool:
    """Whether the agent's sphere at MuJoCo's (x, y, z) overlaps a zone (see ``tables.Tables.zones``)."""
    dx, dy, dz = x - zone[0], y - zone[1], z - zone[2]
    along, across = zone[6] * dx - zone[7] * dy, zone[7] * dx + zone[6] * dy
    over_x = max(abs(along) - zone[3], 0.0)
    over_y = max(abs(across) - zone[4], 0.0)
    over_z = max(abs(dz) - zone[5], 0.0)
    return bool(over_x * over_x + over_y * over_y + over_z * over_z < RADIUS * RADIUS)


@njit(cache=True)
def book_zones(zones: Floats, where: Floats, floats: Floats, integers: Integers) -> None:
    """What zones do to an agent that was at ``where`` at the start of the update."""
    hot, death = False, False
    for k in range(len(zones)):
        if inside(zones[k], where[0], where[1], where[2]):
            if zones[k, 8] > 0.0:
                death = True
            else:
                hot = True
    if hot:
        earn(floats, integers, min(-10.0 * floats[RATE], -0.001))
    if death and integers[END] == GOING:
        earn(floats, integers, -1.0)
        integers[END] = DEATH


@njit(cache=True)
def swallow(
    floats: Floats,
    integers: Integers,
    present: Integers,
    hit: Integers,
    rewards: Floats,
    rules: Integers,
    balls: Integers,
    contype: Integers,
    conaffinity: Integers,
) -> bool:
    """Take the balls that were touched; whether there were any. ``rules``: 0 ends well, 1 disappears, 2 ends badly.

    ``balls`` (balls, 2): number among the bodies, and geom.
    Disappearing goals end the episode when as many were taken as there are good goals of both sorts: with a green one
    in the arena they alone never do (AAI 3.1.3).
    """
    some = False
    for ball in range(len(balls)):
        touched = hit[ball] == 1 and present[balls[ball, 0]] == 1
        hit[ball] = 0
        if not touched or integers[END] != GOING:
            continue
        some = True
        present[balls[ball, 0]] = 0
        contype[balls[ball, 1]] = 0
        conaffinity[balls[ball, 1]] = 0
        integers[EATEN] += 1
        earn(floats, integers, rewards[ball])
        if rules[ball] == 2:
            integers[END] = BAD_GOAL
        elif rules[ball] == 0:
            integers[END] = GOAL
        else:
            integers[COLLECTED] += 1
            if integers[COLLECTED] == integers[NEEDED]:
                integers[END] = GOAL
    return some


@njit(cache=True)
def leave(
    kinds: Integers,
    numbers: Integers,
    present: Integers,
    balls: Integers,
    touching: Integers,
    integers: Integers,
) -> None:
    """Unity's exit events: letting go of anything clears "grounded" if the last contact seen points up.

    ``touching`` holds 2 for what is touched in this update and 1 for what was in the one before. A ball that was taken
    sends no such event.
    """
    for geom in range(len(touching)):
        if touching[geom] == 1:
            touching[geom] = 0
            gone = kinds[geom] == BALL and present[balls[numbers[geom], 0]] == 0
            if integers[UPWARD] == 1 and not gone:
                integers[GROUNDED] = 0
        elif touching[geom] == 2:
            touching[geom] = 1
