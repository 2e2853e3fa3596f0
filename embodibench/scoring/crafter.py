"""Crafter figures from unlocked achievements: shape (episodes, 22), true where the episode unlocked it. Unit: percent.

Two scores are in use and differ; both are here under their own names:

* *progress*: unlocked / 22 of an episode, averaged over episodes (the unit of BALROG). The primary figure.
* *Crafter score* of one run: exp(mean over achievements of ln(1 + s_i)) - 1, with s_i the percentage of the run's
  episodes that unlock achievement i; over several runs the scores are averaged (D. Hafner 2021, "Benchmarking the
  spectrum of agent capabilities", arXiv 2109.06780, and danijar/crafter analysis/common.py). The *score of the mean
  rates* pools the rates of runs first and is higher; it is not what the paper prints.

The Crafter score depends on the number of episodes: a rate moves in steps of 100/n and the logarithm punishes zeros, so
few episodes score lower (human episodes: 47 at n = 10, 52 at n = 100). Its interval therefore has an estimand that
names n. A percentile bootstrap holds neither estimand (69 to 76 percent at n = 10), which is why it is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embodibench.envs.crafter.names import ACHIEVEMENTS as ACHIEVEMENTS  # the order of every array here
from embodibench.scoring.interval import CONFIDENCE, Estimate, Interval, MaybeInterval, NoInterval
from embodibench.scoring.t_interval import t_interval, t_quantile

MIN_EPISODES = 10
"""Below this no interval over episodes holds what it says (measured: benchmarks/interval_coverage.py)."""

SCORE_EPISODES = 10
"""The number of episodes for which the score has an interval; for 12 or more no setting held for every truth tried."""

PROGRESS_ESTIMAND = "mean progress over new episodes (new worlds, same agent)"


@dataclass(frozen=True)
class AchievementRate:
    """How often one achievement was unlocked: ``estimate`` in percent of planned episodes."""

    achievement: str
    episodes: int
    planned: int
    estimate: Estimate


@dataclass(frozen=True)
class CrafterSummary:
    """All Crafter figures of one result. ``mean_unlocks`` is progress in achievements of 22."""

    progress: Estimate
    score: Estimate
    score_of_mean_rates: float
    mean_unlocks: float
    reward: Estimate | None
    spectrum: tuple[AchievementRate, ...]


def summarise(
    unlocked: ArrayLike, planned: int, rewards: ArrayLike | None = None, confidence: float = CONFIDENCE
) -> CrafterSummary:
    """All figures of a result that is one run of ``planned`` episodes.

    Args:
        unlocked: shape (episodes, 22), of finished episodes. An episode that ended in an error or is missing is left
            out here and counts as one that unlocked nothing, with reward 0.
        planned: planned episodes, >= the number of rows.
        rewards: summed reward per finished episode, shape (episodes,), or None.

    Raises:
        ValueError: for a wrong shape, more rows than planned, or values other than false and true.
    """
    table = planned_episodes(unlocked, planned)
    progress = _progress(table, confidence)
    reward = None
    if rewards is not None:
        values = np.asarray(rewards, dtype=np.float64)
        if values.shape != (np.asarray(unlocked).shape[0],):
            raise ValueError("rewards must hold one number for each finished episode")
        values = np.concatenate([values, np.zeros(planned - values.size)])
        interval = t_interval(
            values, "mean reward of new episodes", confidence=confidence, minimum=MIN_EPISODES, skewed=True
        )
        reward = Estimate("mean reward", float(values.mean()), "reward", interval, planned)
    value = crafter_score(success_rates(table))
    score = Estimate(
        f"Crafter score of {planned} episodes", value, "percent", score_interval(table, confidence), planned
    )
    return CrafterSummary(progress, score, value, progress.value * len(ACHIEVEMENTS) / 100, reward, _spectrum(table))


def planned_episodes(unlocked: ArrayLike, planned: int) -> NDArray[np.bool_]:
    """``unlocked`` with an empty row for each planned episode that it lacks, shape (planned, 22).

    Raises:
        ValueError: as ``summarise``.
    """
    table = np.asarray(unlocked)
    if table.size == 0:
        table = table.reshape(0, len(ACHIEVEMENTS))
    if table.ndim != 2 or table.shape[1] != len(ACHIEVEMENTS):
        raise ValueError(f"unlocked must have shape (episodes, {len(ACHIEVEMENTS)}), not {table.shape}")
    if not np.all((table == 0) | (table == 1)):
        raise ValueError("unlocked must hold false and true: whether, not how often, an achievement was unlocked")
    if planned < 1 or table.shape[0] > planned:
        raise ValueError(f"{table.shape[0]} episodes cannot come from {planned} planned ones")
    missing = np.zeros((planned - table.shape[0], len(ACHIEVEMENTS)), dtype=bool)
    return np.concatenate([table.astype(bool), missing])


def success_rates(unlocked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Percentage of episodes that unlock each achievement, shape (22,), from shape (episodes, 22)."""
    rates: NDArray[np.float64] = 100.0 * np.asarray(unlocked, dtype=np.float64).mean(axis=0)
    return rates


def crafter_score(rates: ArrayLike) -> float:
    """exp(mean_i ln(1 + s_i)) - 1 of one run, in percent.

    Args:
        rates: s_i in PERCENT, shape (22,). Fractions would give another figure, wrong and higher (59.9 percent
            instead of 52.05 for the human rates).

    Raises:
        ValueError: for another shape or rates outside [0, 100].
    """
    s = np.asarray(rates, dtype=np.float64)
    if s.shape != (len(ACHIEVEMENTS),) or not np.all((s >= 0) & (s <= 100)):
        raise ValueError(f"rates must be {len(ACHIEVEMENTS)} percentages between 0 and 100")
    return float(np.expm1(np.log1p(s).mean()))


def score_over_runs(rates: ArrayLike) -> tuple[float, float]:
    """(mean, standard deviation with ddof 0) over runs of the score per run, as the Crafter paper prints it.

    Args:
        rates: percent, shape (runs, 22). The deviation is a spread between runs, not a confidence interval.
    """
    scores = np.array([crafter_score(run) for run in np.atleast_2d(np.asarray(rates, dtype=np.float64))])
    return float(scores.mean()), float(scores.std(ddof=0))


def score_of_mean_rates(rates: ArrayLike) -> float:
    """The score of the rates averaged over runs, percent, shape (runs, 22): another estimator, higher than the mean."""
    return crafter_score(np.atleast_2d(np.asarray(rates, dtype=np.float64)).mean(axis=0))


def score_interval(unlocked: NDArray[np.bool_], confidence: float = CONFIDENCE) -> MaybeInterval:
    """Interval of the score that n new episodes are expected to have, n being the number of rows.

    On the scale L = ln(1 + score): L +- t_{n-1} sqrt(V). V is the jackknife variance over episodes (B. Efron, C. Stein
    1981, "The jackknife estimate of variance", Annals of Statistics 9) times 4/3, plus the variance that
    achievements which no episode unlocked would add if their rates summed to (f + 0.1) / n, f being the number of
    achievements that exactly one episode unlocked (after I. J. Good 1953, "The population frequencies of species and
    the estimation of population parameters", Biometrika 40: what was seen once tells how much was not seen at all).
    Without that term a run that saw few rare unlocks has a low score and a narrow interval. The 4/3 and the 0.1
    were chosen on the truths of benchmarks/interval_coverage.py, at ``SCORE_EPISODES``; there it holds 92 to 98
    percent.
    """
    n = unlocked.shape[0]
    if n != SCORE_EPISODES:
        return NoInterval(f"the interval of the Crafter score is proven for {SCORE_EPISODES} episodes, not for {n}")
    counts = unlocked.sum(axis=0)
    if np.all((counts == 0) | (counts == n)):
        return NoInterval(f"all {n} episodes unlocked the same achievements, so their spread is unknown")
    without = np.log1p(100.0 * (counts - unlocked) / (n - 1)).mean(axis=1)
    jackknife = (n - 1) / n * float(((without - without.mean()) ** 2).sum())
    half = t_quantile(n - 1, confidence) * (4 / 3 * jackknife + _unseen_variance(counts, n)) ** 0.5
    log_score = float(np.log1p(100.0 * counts / n).mean())
    low, high = float(np.expm1(max(log_score - half, 0.0))), float(min(np.expm1(log_score + half), 100.0))
    method = f"jackknife over episodes on ln(1 + score), t with {n - 1} degrees of freedom, unseen unlocks added"
    return Interval(low, high, method, f"expected Crafter score of {n} new episodes", confidence)


def _unseen_variance(counts: NDArray[np.int64], n: int) -> float:
    unseen = int((counts == 0).sum())
    if unseen == 0:
        return 0.0
    rate = min((float((counts == 1).sum()) + 0.1) / (n * unseen), 0.5 / n)
    return unseen * log_rate_variance(rate, n) / len(ACHIEVEMENTS) ** 2


def log_rate_variance(rate: float, n: int) -> float:
    """Variance of ln(1 + 100 k/n) for k binomial with ``n`` episodes and success ``rate`` (a fraction)."""
    probabilities = binomial_probabilities(rate, n)
    values = np.log1p(100.0 * np.arange(n + 1) / n)
    mean = float(probabilities @ values)
    return float(probabilities @ (values - mean) ** 2)


def binomial_probabilities(rate: float, n: int) -> NDArray[np.float64]:
    """P(k unlocks in n episodes) for k = 0..n, shape (n + 1,)."""
    from scipy.special import bdtr

    below: NDArray[np.float64] = bdtr(np.arange(n + 1, dtype=np.float64), n, rate)
    return np.diff(below, prepend=0.0)


def _progress(table: NDArray[np.bool_], confidence: float) -> Estimate:
    percent = progress_by_episode(table)
    interval = t_interval(
        percent, PROGRESS_ESTIMAND, bounds=(0.0, 100.0), confidence=confidence, minimum=MIN_EPISODES, skewed=True
    )
    return Estimate("progress", float(percent.mean()), "percent", interval, table.shape[0])


def progress_by_episode(unlocked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Percent of the 22 achievements that each episode unlocked, shape (episodes,)."""
    percent: NDArray[np.float64] = 100.0 * unlocked.mean(axis=1)
    return percent


def _spectrum(table: NDArray[np.bool_]) -> tuple[AchievementRate, ...]:
    """Counts without intervals: those of so few episodes hold a rate near 0 or 1 always, and others too rarely."""
    n = table.shape[0]
    reason = NoInterval(f"a count of {n} episodes")
    return tuple(
        AchievementRate(name, count, n, Estimate(name, 100.0 * count / n, "percent", reason, n))
        for name, count in zip(ACHIEVEMENTS, table.sum(axis=0).tolist(), strict=True)
    )


def rates_by_run(unlocked: ArrayLike, runs: Sequence[int]) -> NDArray[np.float64]:
    """Success rates per run in percent, shape (runs, 22), runs in ascending order of their number.

    Args:
        unlocked: shape (episodes, 22).
        runs: the run of each episode.

    Raises:
        ValueError: when the lengths differ.
    """
    table = planned_episodes(unlocked, max(len(np.asarray(unlocked)), 1))
    if len(runs) != table.shape[0]:
        raise ValueError(f"{table.shape[0]} episodes but {len(runs)} run numbers")
    labels = np.asarray(runs)
    return np.stack([success_rates(table[labels == run]) for run in sorted(set(labels.tolist()))])
