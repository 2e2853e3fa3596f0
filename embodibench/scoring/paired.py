"""Two results on the same tasks. Counts have shape (tasks,); the difference is a fraction, first minus second.

Both results met the same tasks, so the spread between tasks cancels and a difference can be seen that two separate
intervals hide. Estimand: the difference of pass rates over tasks of the kind these were drawn from, new trials.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from embodibench.scoring.interval import CONFIDENCE, Estimate, MaybeInterval, NoInterval
from embodibench.scoring.t_interval import t_interval

MIN_TASKS = 20
MIN_DIFFERING = 6
"""Tasks on which the two must differ before the spread of differences can be judged."""


@dataclass(frozen=True)
class PairedComparison:
    """``difference`` of pass rates, first minus second, and on how many tasks either was ahead."""

    difference: Estimate
    first_ahead: int
    second_ahead: int
    level: int

    @property
    def sign_p_value(self) -> float:
        """Two-sided p of the exact sign test: were neither better, either would be ahead as a fair coin falls."""
        trials = self.first_ahead + self.second_ahead
        tail = sum(comb(trials, ahead) for ahead in range(min(self.first_ahead, self.second_ahead) + 1))
        return float(min(1.0, 2 * tail / 2**trials))

    @property
    def differs(self) -> bool | None:
        """Whether the interval excludes zero; None where there is no interval."""
        bounds = self.difference.bounds()
        return None if bounds is None else bounds[0] > 0 or bounds[1] < 0


def compare_paired(
    first_passed: ArrayLike,
    first_planned: ArrayLike,
    second_passed: ArrayLike,
    second_planned: ArrayLike,
    confidence: float = CONFIDENCE,
    *,
    units: str = "tasks",
) -> PairedComparison:
    """Compare pass rates task by task; the tasks of both must be the same, in the same order.

    t-interval over the tasks' differences; none with fewer than ``MIN_TASKS`` tasks, or when the two differ on fewer
    than ``MIN_DIFFERING`` of them. ``units`` is what the counts are of, for words: ``tasks`` or ``rooms``.

    Raises:
        ValueError: for different numbers of tasks, or counts with not 0 <= passed <= planned, planned >= 1.
    """
    k1, n1, k2, n2 = (np.asarray(a) for a in (first_passed, first_planned, second_passed, second_planned))
    if k1.ndim != 1 or k1.size == 0 or not k1.shape == n1.shape == k2.shape == n2.shape:
        raise ValueError("both results need one number of passes and of planned trials for each of the same tasks")
    for passed, planned in ((k1, n1), (k2, n2)):
        if not np.all((passed >= 0) & (passed <= planned) & (planned >= 1)):
            raise ValueError("counts must be whole numbers with 0 <= passed <= planned and planned >= 1")
    difference = k1 / n1 - k2 / n2
    ahead, behind = int((difference > 0).sum()), int((difference < 0).sum())
    interval: MaybeInterval
    if difference.size < MIN_TASKS or ahead + behind < MIN_DIFFERING:
        have = f"{difference.size} {units if difference.size > 1 else units[:-1]}, of which {ahead + behind} differ"
        interval = NoInterval(f"{have}; {MIN_TASKS} {units} and {MIN_DIFFERING} that differ are needed")
    else:
        estimand = f"difference of pass rates over {units} of the kind these were drawn from, new trials"
        interval = t_interval(difference, estimand, bounds=(-1.0, 1.0), confidence=confidence)
    estimate = Estimate("difference of pass rates", float(difference.mean()), "fraction", interval, difference.size)
    return PairedComparison(estimate, ahead, behind, difference.size - ahead - behind)


def compare_paired_values(
    first: ArrayLike, second: ArrayLike, unit: str, confidence: float = CONFIDENCE, minimum: int = 10
) -> Estimate:
    """Mean difference of values measured on the same worlds (Crafter progress per pinned world, for example).

    Args:
        first, second: one value for each world, shape (worlds,), same order.

    Raises:
        ValueError: for different shapes or values that are not finite.
    """
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != two.shape or one.size == 0:
        raise ValueError("both need one value for each of the same worlds")
    interval = t_interval(one - two, "mean difference over new worlds", confidence=confidence, minimum=minimum)
    return Estimate("difference", float((one - two).mean()), unit, interval, one.size)
