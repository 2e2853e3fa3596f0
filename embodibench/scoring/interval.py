"""What every figure of this package is made of: a value, and an interval or the reason why there is none.

Unit: that of the value (the function that makes the estimate states it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes:
        low: lower bound, in the unit of the value.
        high: upper bound.
        method: how it was computed, in a few words.
        estimand: the true quantity that the interval holds in ``confidence`` of repetitions of the whole run.
        confidence: nominal coverage, a fraction.
    """

    low: float
    high: float
    method: str
    estimand: str
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"an interval needs low <= high, not {self.low} and {self.high}")

    def overlaps(self, other: Interval) -> bool:
        """Whether the two closed intervals share a point; two rows whose intervals do are not called different."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True)
class NoInterval:
    """No interval is printed, because none is known to hold its truth as often as it says."""

    reason: str


MaybeInterval: TypeAlias = Interval | NoInterval


@dataclass(frozen=True)
class Estimate:
    """A figure with its uncertainty; ``name`` says which estimator it is, ``unit`` in what it is measured."""

    name: str
    value: float
    unit: str
    interval: MaybeInterval
    n: int

    def bounds(self) -> tuple[float, float] | None:
        """(low, high), or None where no interval is given."""
        return (self.interval.low, self.interval.high) if isinstance(self.interval, Interval) else None


def check_confidence(confidence: float) -> None:
    """Raises ValueError unless 0 < confidence < 1 (a percentage passed as 95 is the usual mistake)."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence is a fraction between 0 and 1, not {confidence}")
