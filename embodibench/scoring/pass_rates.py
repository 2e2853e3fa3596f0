"""Pass rates of trials grouped in tasks, with intervals clustered by task.

Counts have shape (tasks,); rates are fractions of 1.

A rate is the mean over tasks of passed / planned, so each task weighs the same. Trials of one task are alike (the task
is hard or easy for the model), so n = tasks x trials independent trials would promise too much. The interval is
Wilson's with the effective number of trials n* = p(1-p) / (v / K), where v is the variance of the K task rates
(ddof 1): n* is K when every task is all or nothing, and K x trials when tasks do not differ. This is the design-effect
form of Wilson's interval (N. Dean, M. Pagano 2015, "Evaluating confidence interval methods for binomial proportions
in clustered surveys", Journal of Survey Statistics and Methodology 3).

Estimand: the pass rate over the population of tasks that these tasks were drawn from, with new trials. It is not
narrowed by the fact that the same tasks are played again; for two results on the same tasks use ``paired``.
Measured coverage: ``benchmarks/interval_coverage.py``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embodibench.scoring.interval import CONFIDENCE, Estimate, Interval, MaybeInterval, NoInterval
from embodibench.scoring.wilson import wilson_bounds

MIN_TASKS = 20
"""A rate over fewer tasks or rooms has no interval: with ten of them Wilson's holds some rates in 86 percent only."""

Level = TypeVar("Level", bound=Hashable)


@dataclass(frozen=True)
class PassRate:
    """A pass rate: ``estimate`` (a fraction), and the counts behind it, summed over its tasks."""

    estimate: Estimate
    passed: int
    planned: int
    tasks: int


def pass_rate(
    passed: ArrayLike, planned: ArrayLike, confidence: float = CONFIDENCE, *, units: str = "tasks"
) -> PassRate:
    """The pass rate over all tasks.

    Args:
        passed: passes per task, whole numbers, shape (tasks,).
        planned: planned trials per task, >= 1, same shape; what is not in ``passed`` counts as not passed.
        units: what the counts are of, for words: ``tasks`` or ``rooms``.

    Raises:
        ValueError: for no tasks, shapes that differ, or counts with not 0 <= passed <= planned.
    """
    rates, k, n = _rates(passed, planned)
    tasks = rates.size
    if tasks < MIN_TASKS:
        reason = f"{tasks} {units if tasks > 1 else units[:-1]}, {MIN_TASKS} are needed"
        return _summary(rates, k, n, NoInterval(reason))
    return _summary(rates, k, n, _interval(rates, effective_trials(rates, n), confidence, units))


def pass_rates_by_level(
    passed: ArrayLike, planned: ArrayLike, levels: Sequence[Level], confidence: float = CONFIDENCE
) -> dict[Level, PassRate]:
    """The pass rate of each level, in the order in which levels first occur.

    A level of fewer than ``MIN_TASKS`` tasks (aai40 has 4) is a count without an interval. None could be honest: where
    tasks are all or nothing for a player, as they often are, four of them have five outcomes, and whatever is printed
    for each, the share of repetitions in which a rate of a half is held is 1, or 7/8, or less.

    Args:
        passed, planned: as for ``pass_rate``.
        levels: the level of each task, length (tasks,).

    Raises:
        ValueError: as ``pass_rate``, and when ``levels`` has another length.
    """
    rates, k, n = _rates(passed, planned)
    if len(levels) != rates.size:
        raise ValueError(f"{rates.size} tasks but {len(levels)} levels")
    places: dict[Level, list[int]] = {}
    for place, level in enumerate(levels):
        places.setdefault(level, []).append(place)
    return {level: pass_rate(k[where], n[where], confidence) for level, where in places.items()}


def effective_trials(rates: NDArray[np.float64], planned: NDArray[np.int64]) -> float:
    """Number of independent trials that the task rates are worth, between the number of tasks and of trials."""
    tasks = rates.size
    if tasks < 2 or np.all(rates == rates[0]):
        # No spread seen: either all rates are 0 or 1 (then only tasks count), or tasks seem alike.
        return float(tasks if tasks < 2 or rates[0] in (0.0, 1.0) else planned.sum())
    mean = rates.mean()
    value = mean * (1 - mean) * tasks / rates.var(ddof=1)
    return float(np.clip(value, tasks, planned.sum()))


def _rates(passed: ArrayLike, planned: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    k, n = np.asarray(passed), np.asarray(planned)
    if k.ndim != 1 or k.shape != n.shape or k.size == 0:
        raise ValueError("passed and planned must be rows of the same length, one number for each task")
    if not np.all((k >= 0) & (k <= n) & (n >= 1) & (k == np.floor(k)) & (n == np.floor(n))):
        raise ValueError("counts must be whole numbers with 0 <= passed <= planned and planned >= 1")
    return k / n, k.astype(np.int64), n.astype(np.int64)


def _interval(rates: NDArray[np.float64], trials: float, confidence: float, units: str) -> Interval:
    low, high = wilson_bounds(min(float(rates.mean()), 1.0), trials, confidence)
    method = f"Wilson clustered by {units[:-1]}, {rates.size} {units} worth {trials:.1f} independent trials"
    estimand = f"pass rate over {units} of the kind these were drawn from, new trials"
    return Interval(float(low), float(high), method, estimand, confidence)


def _summary(
    rates: NDArray[np.float64], passed: NDArray[np.int64], planned: NDArray[np.int64], interval: MaybeInterval
) -> PassRate:
    trials = int(planned.sum())
    estimate = Estimate("pass rate", float(rates.mean()), "fraction", interval, trials)
    return PassRate(estimate, int(passed.sum()), trials, int(rates.size))
