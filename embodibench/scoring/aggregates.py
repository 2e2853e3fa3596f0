"""Aggregates over runs and tasks. Scores have shape (runs, tasks), or (..., runs, tasks) for a batch; any unit.

Formulas are those of R. Agarwal et al. 2021 (arXiv 2108.13264) and rliable's metrics.py. Which of them get an interval,
and from how many runs on, is in ``run_intervals``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_SHAPE = "scores must be finite, of shape (runs, tasks) or (..., runs, tasks)"


def iqm(scores: ArrayLike) -> Array:
    """Interquartile mean: the mean of all N = runs * tasks cells without the floor(N/4) lowest and highest.

    With fewer than 4 cells nothing is trimmed. It is a mean of cells, not a range between quartiles.

    Returns:
        One value for each leading index, shape ``scores.shape[:-2]``.

    Raises:
        ValueError: for another shape, no cells, or values that are not finite (as all functions here).
    """
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim < 2 or 0 in matrix.shape[-2:]:
        raise ValueError(_SHAPE)
    # A full sort: numpy's is vectorised and beats a partition at two places. NaN and infinity end up at the ends.
    ordered = np.sort(matrix.reshape(*matrix.shape[:-2], -1), axis=-1)
    if not np.all(np.isfinite(ordered[..., [0, -1]])):
        raise ValueError(_SHAPE)
    count = ordered.shape[-1]
    cut = count // 4
    return np.asarray(ordered[..., cut : count - cut].mean(axis=-1))


def mean(scores: ArrayLike) -> Array:
    """Mean over tasks of the task means."""
    return np.asarray(_matrix(scores).mean(axis=-2).mean(axis=-1))


def median(scores: ArrayLike) -> Array:
    """Median over tasks of the task means."""
    return np.asarray(np.median(_matrix(scores).mean(axis=-2), axis=-1))


def optimality_gap(scores: ArrayLike, goal: float = 1.0) -> Array:
    """goal - mean over cells of min(score, goal): how far from ``goal``, without credit for what exceeds it."""
    return np.asarray(goal - np.minimum(_cells(scores), goal).mean(axis=-1))


def probability_of_improvement(first: ArrayLike, second: ArrayLike) -> float:
    """P(first > second): mean over tasks of U / (n m), ties count half (Mann-Whitney U).

    Args:
        first: shape (n runs, tasks).
        second: shape (m runs, tasks), the same tasks.

    Raises:
        ValueError: when the tasks differ in number.
    """
    one, two = _matrix(first), _matrix(second)
    if one.ndim != 2 or two.ndim != 2 or one.shape[1] != two.shape[1]:
        raise ValueError("both need the shape (runs, tasks) with the same tasks")
    difference = one[:, None, :] - two[None, :, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean(axis=(0, 1)).mean())


def performance_profile(scores: ArrayLike, thresholds: ArrayLike) -> Array:
    """Fraction of cells strictly above each threshold, shape ``thresholds.shape`` (one dimension)."""
    ordered = np.sort(_cells(scores).reshape(-1))
    levels = np.asarray(thresholds, dtype=np.float64)
    return np.asarray(1.0 - np.searchsorted(ordered, levels, side="right") / ordered.size)


def performance_profile_of_means(scores: ArrayLike, thresholds: ArrayLike) -> Array:
    """Fraction of tasks whose mean over runs is strictly above each threshold."""
    return performance_profile(_matrix(scores).mean(axis=-2, keepdims=True), thresholds)


def _matrix(scores: ArrayLike) -> Array:
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim < 2 or 0 in matrix.shape[-2:] or not np.all(np.isfinite(matrix)):
        raise ValueError(_SHAPE)
    return matrix


def _cells(scores: ArrayLike) -> Array:
    matrix = _matrix(scores)
    return matrix.reshape(*matrix.shape[:-2], -1)
