"""Quartiles of a population: how individuals differ. Values have shape (individuals,), any unit.

Quantiles are R's type 7 (numpy's "linear"). Quartiles of children or entrants say where the middle half of them lies;
they are no confidence interval, and a single model has no such spread. The interquartile *mean* is ``aggregates.iqm``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Quartiles:
    """The middle half of ``n`` individuals."""

    q25: float
    median: float
    q75: float
    n: int


def quartiles(values: ArrayLike) -> Quartiles:
    """Quartiles of individuals, R type 7.

    Raises:
        ValueError: for no values, another shape than a row, or values that are not finite (decide first what a missing
            individual means: dropped, skipped or failed give different quartiles).
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.all(np.isfinite(sample)):
        raise ValueError("quartiles need one row of finite numbers; decide first what a missing individual means")
    low, middle, high = np.quantile(sample, [0.25, 0.5, 0.75], method="linear").tolist()
    return Quartiles(low, middle, high, int(sample.size))
