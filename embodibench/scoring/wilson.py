"""Wilson's interval for a proportion of independent trials. Unit: fractions of 1.

centre = (p + z^2/2n) / (1 + z^2/n), half-width = z sqrt(p(1-p)/n + z^2/4n^2) / (1 + z^2/n), z the normal quantile
(1.959964 for 95 percent). Source: E. B. Wilson 1927, "Probable inference, the law of succession, and statistical
inference", JASA 22. For k = 0 it is [0, z^2/(n + z^2)].

It assumes independent trials. Several trials of one task, or several tasks of one child, are not: those go through
``pass_rates``, which gives this formula the number of independent trials that the data are worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embodibench.scoring.interval import CONFIDENCE, Interval, check_confidence


def normal_quantile(confidence: float) -> float:
    """z such that a standard normal lies in [-z, z] with probability ``confidence``."""
    from scipy.special import ndtri

    check_confidence(confidence)
    return float(ndtri(0.5 + confidence / 2))


def wilson_bounds(
    rate: ArrayLike, trials: ArrayLike, confidence: float = CONFIDENCE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bounds of Wilson's interval, elementwise.

    Args:
        rate: proportions, fractions in [0, 1], any shape.
        trials: numbers of trials behind them, > 0, not necessarily whole (an effective number); broadcast.
        confidence: nominal coverage, a fraction.

    Returns:
        (low, high), each of the broadcast shape, inside [0, 1].

    Raises:
        ValueError: for a rate outside [0, 1] (a percentage, for example) or trials <= 0.
    """
    p = np.asarray(rate, dtype=np.float64)
    n = np.asarray(trials, dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("rates are fractions between 0 and 1")
    if not np.all(n > 0):
        raise ValueError("Wilson's interval needs at least one trial")
    z2 = normal_quantile(confidence) ** 2
    centre = p + z2 / (2 * n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n)))
    scale = 1 + z2 / n
    # At the ends the formula gives exactly 0 and 1; rounding must not move them.
    low = np.where(p == 0, 0.0, np.maximum((centre - half) / scale, 0.0))
    high = np.where(p == 1, 1.0, np.minimum((centre + half) / scale, 1.0))
    return low, high


def wilson_interval(passed: int, trials: int, estimand: str, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for ``passed`` of ``trials`` independent trials.

    Raises:
        ValueError: unless 0 <= passed <= trials and trials >= 1.
    """
    if not (trials >= 1 and 0 <= passed <= trials):
        raise ValueError(f"needs 0 <= passed <= trials and trials >= 1, not {passed} of {trials}")
    low, high = wilson_bounds(passed / trials, trials, confidence)
    return Interval(float(low), float(high), f"Wilson, n = {trials}", estimand, confidence)
