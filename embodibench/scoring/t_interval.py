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
    skewed: bool = False,
) -> MaybeInterval:
    """mean +- t_{n-1} s / sqrt(n), s with ddof 1, cut at ``bounds`` (the values' possible range).

    With ``skewed`` both ends move by (1/6 + t^2/3) g s / n, g the sample's skewness: to first order the interval of
    N. J. Johnson 1978, "Modified t tests and confidence intervals for asymmetrical populations", JASA 73.

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
    mean, deviation, quantile = float(sample.mean()), float(sample.std(ddof=1)), t_quantile(n - 1, confidence)
    half, shift = quantile * deviation / math.sqrt(n), 0.0
    if skewed:
        skewness = float(((sample - mean) ** 3).mean() / sample.std() ** 3)
        shift = (1 / 6 + quantile**2 / 3) * skewness * deviation / n
    low = min(max(mean + shift - half, bounds[0]), mean)
    high = max(min(mean + shift + half, bounds[1]), mean)
    method = f"t, {n - 1} degrees of freedom" + (", corrected for skewness" if skewed else "")
    return Interval(low, high, method, estimand, confidence)
