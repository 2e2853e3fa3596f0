"""Student's t-interval for the mean of independent, equally distributed values. Shape (n,), any unit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from embodibench.scoring.interval import CONFIDENCE, Interval, MaybeInterval, NoInterval, check_confidence


def t_quantile(degrees: float, confidence: float = CONFIDENCE) -> float:
    """t such that Student's t with ``degrees`` of freedom (> 0, not necessarily whole) lies in [-t, t]."""
    from scipy.special import stdtrit

    check_confidence(confidence)
    if not degrees > 0:
        raise ValueError(f"degrees of freedom must be positive, not {degrees}")
    return float(stdtrit(degrees, 0.5 + confidence / 2))


def t_interval(
    values: ArrayLike,
    estimand: str,
    *,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    confidence: float = CONFIDENCE,
    minimum: int = 5,
) -> MaybeInterval:
    """mean +- t_{n-1} s / sqrt(n), s with ddof 1, cut at ``bounds`` (the values' possible range).

    Returns ``NoInterval`` for fewer than ``minimum`` values, and when all values are equal: then the sample says
    nothing about how far new values would spread, and a width of zero would claim certainty.

    Raises:
        ValueError: for values that are not finite or not one-dimensional.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or not np.all(np.isfinite(sample)):
        raise ValueError("values must be one row of finite numbers")
    n = sample.size
    if n < minimum:
        return NoInterval(f"{n} values are too few for an interval of their mean; {minimum} are needed")
    if np.all(sample == sample[0]):
        return NoInterval(f"all {n} values are equal, so their spread is unknown")
    mean = float(sample.mean())
    half = t_quantile(n - 1, confidence) * float(sample.std(ddof=1)) / math.sqrt(n)
    low, high = max(mean - half, bounds[0]), min(mean + half, bounds[1])
    return Interval(low, high, f"t, {n - 1} degrees of freedom", estimand, confidence)
