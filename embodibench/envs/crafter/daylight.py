"""Daylight by step: a table of one day, so that no cosine of the processor reaches the world."""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from typing import Final

from embodibench.envs.crafter.exact_math import PI, cosine, precise

DAY: Final = 300
"""Steps in a day (upstream ``Env._update_time``)."""

_DAWN: Final = 90
"""An episode begins 0.3 of a day, 90 steps, after midnight."""


@cache
def _table() -> tuple[float, ...]:
    light = []
    with localcontext(precise()):
        for step in range(DAY):
            phase = Decimal((step + _DAWN) % DAY) / DAY
            light.append(float(1 - abs(cosine(PI * phase)) ** 3))
    return tuple(light)


def daylight(step: int) -> float:
    """Light at a step of an episode: 0 at midnight, 1 at noon.

    Upstream's formula, 1 - |cos(pi (step/300 + 0.3))|**3, rounded once to the nearest float; upstream's own figure
    differs by at most a few units in the last place, which no rule of the world can tell (the light decides through
    whole parts of 3.5 - 3 light and 1.5 + light, and no step of the day lies near a whole number).
    """
    return _table()[step % DAY]
