"""Stratified bootstrap over runs. Scores have shape (runs, tasks), any unit; a run is one seed on every task.

Runs are resampled with replacement independently within each task, tasks stay fixed (R. Agarwal et al. 2021, "Deep
reinforcement learning at the edge of the statistical precipice", arXiv 2108.13264, and its library rliable). Unlike
there, all randomness comes from the generator that is passed in: the same seed gives the same interval.

The percentile interval needs enough runs for its coverage to be true; ``aggregates`` decides when it is printed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embodibench.scoring.interval import CONFIDENCE, check_confidence

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Maps resamples of shape (batch, runs, tasks) to one value for each, shape (batch,)."""

# One batch of resampled cells stays near 8 MB, so that memory does not grow with the number of resamples.
_CELLS_PER_BATCH = 1_000_000


def bootstrap_statistics(
    scores: ArrayLike, statistic: Statistic, rng: np.random.Generator, resamples: int = 50_000
) -> NDArray[np.float64]:
    """The statistic of each resample, shape (resamples,).

    Raises:
        ValueError: unless scores are a finite, non-empty (runs, tasks) matrix and resamples >= 1.
    """
    matrix = score_matrix(scores)
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    runs, tasks = matrix.shape
    flat = np.ascontiguousarray(matrix).reshape(-1)
    offset = np.arange(tasks, dtype=np.intp)
    values = np.empty(resamples)
    batch = max(1, _CELLS_PER_BATCH // flat.size)
    index_type = np.uint8 if runs <= 256 else np.uint32
    for start in range(0, resamples, batch):
        size = min(batch, resamples - start)
        picked = rng.integers(0, runs, size=(size, runs, tasks), dtype=index_type)
        values[start : start + size] = statistic(flat.take(picked * np.intp(tasks) + offset))
    return values


def percentile_bounds(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The percentile interval of bootstrap statistics, numpy's linear quantiles."""
    check_confidence(confidence)
    low, high = np.quantile(values, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)


def score_matrix(scores: ArrayLike) -> NDArray[np.float64]:
    """``scores`` as a float matrix.

    Raises:
        ValueError: unless it is a finite, non-empty matrix of shape (runs, tasks).
    """
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0 or not np.all(np.isfinite(matrix)):
        raise ValueError("scores must be a finite matrix of shape (runs, tasks)")
    return matrix
