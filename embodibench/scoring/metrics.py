"""Metrics of a result: computed from its episodes when it is written, and again whenever it is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from embodibench.cards.suites import Suite
from embodibench.results.schema import Episode, Result

SCORING_VERSION = 1
TOLERANCE = 1e-9
"""Relative difference up to which a metric counts as the same."""


def compute(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """The metrics of these episodes under the suite's scoring rule, as plain JSON data."""
    raise NotImplementedError


def disagreement(suite: Suite, result: Result) -> str:
    """The first metric of a result that does not follow from its episodes, as a sentence, or "".

    Intervals come from resampling, so they are recomputed and not compared: entries called ``interval`` are skipped.
    """
    return _difference(compute(suite, result.episodes), result.metrics, "metrics")


def _difference(right: Any, found: Any, where: str) -> str:
    if isinstance(right, dict):
        if not isinstance(found, dict) or set(right) != set(found):
            return f"{where} has other entries than its episodes give"
        for name in right:
            if name == "interval":
                continue
            inner = _difference(right[name], found[name], f"{where}.{name}")
            if inner:
                return inner
        return ""
    if isinstance(right, list):
        if not isinstance(found, list) or len(right) != len(found):
            return f"{where} has another length than its episodes give"
        pairs = enumerate(zip(right, found, strict=True))
        return next((text for i, (a, b) in pairs if (text := _difference(a, b, f"{where}[{i}]"))), "")
    if isinstance(right, float) and isinstance(found, (int, float)) and not isinstance(found, bool):
        same = math.isclose(right, found, rel_tol=TOLERANCE, abs_tol=1e-12)
    else:
        same = type(right) is type(found) and right == found
    return "" if same else f"{where} is {found!r}, its episodes give {right!r}"
