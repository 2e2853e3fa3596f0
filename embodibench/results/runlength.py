"""Run-length coding of per-step values: [[value, count], ...]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")


def encode(values: Iterable[T]) -> list[tuple[T, int]]:
    """Equal neighbours become one pair. 0.0 and -0.0 stay apart, so that decoding gives the same bits."""
    return [(value, sum(1 for _ in group)) for (value, _), group in groupby(values, key=lambda v: (v, repr(v)))]


def decode(runs: Sequence[tuple[T, int]], limit: int) -> list[T]:
    """The values again.

    Raises:
        ValueError: a count is below 1, or there are more than ``limit`` values in all.
    """
    total = 0
    for _, count in runs:
        if count < 1:
            raise ValueError("a run-length count is below 1")
        total += count
        if total > limit:
            raise ValueError(f"more than {limit:,} values")
    return [value for value, count in runs for _ in range(count)]
