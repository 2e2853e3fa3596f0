"""Intervals and the t-interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from embodibench.scoring.interval import Estimate, Interval, NoInterval
from embodibench.scoring.t_interval import t_interval, t_quantile
from embodibench.scoring.wilson import normal_quantile

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=40).filter(lambda values: np.std(values) > 1e-3)


@given(VALUES, st.floats(0.5, 0.99))
@settings(deadline=None)
def test_t_interval_is_that_of_scipy(values: list[float], confidence: float) -> None:
    interval = t_interval(values, "mean", confidence=confidence)
    assert isinstance(interval, Interval)
    low, high = stats.t.interval(confidence, len(values) - 1, np.mean(values), stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


def test_t_interval_is_cut_at_the_possible_range() -> None:
    interval = t_interval([0.0, 0.0, 0.0, 0.0, 1.0], "mean", bounds=(0.0, 1.0))
    assert isinstance(interval, Interval)
    assert interval.low == 0.0


def test_correction_for_skewness_moves_the_interval_towards_the_long_tail() -> None:
    values = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0, 12.0]
    plain, corrected = t_interval(values, "mean"), t_interval(values, "mean", skewed=True)
    assert isinstance(plain, Interval)
    assert isinstance(corrected, Interval)
    assert corrected.low > plain.low
    assert corrected.high > plain.high
    assert corrected.high - corrected.low == pytest.approx(plain.high - plain.low)
    assert t_interval(range(10), "mean") != t_interval(range(10), "mean", skewed=True)
    symmetric = t_interval(range(10), "mean", skewed=True)
    assert isinstance(symmetric, Interval)
    assert symmetric.low + symmetric.high == pytest.approx(9.0)


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0, 3.0, 4.0], [2.0] * 10, []])
def test_too_few_or_equal_values_have_no_interval(values: list[float]) -> None:
    assert isinstance(t_interval(values, "mean"), NoInterval)


@pytest.mark.parametrize("values", [[math.nan] * 9, [math.inf] * 9])
def test_values_must_be_finite(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        t_interval(values, "mean")


def test_quantiles() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert t_quantile(2) == pytest.approx(4.302653, abs=1e-6)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5])
def test_confidence_is_a_fraction(confidence: float) -> None:
    with pytest.raises(ValueError, match="fraction between 0 and 1"):
        normal_quantile(confidence)


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(ValueError, match="low <= high"):
        Interval(0.5, 0.4, "m", "e")
    with pytest.raises(ValueError, match="low <= high"):
        Interval(math.nan, 0.4, "m", "e")


def test_estimate_without_interval_has_no_bounds() -> None:
    assert Estimate("x", 1.0, "fraction", NoInterval("few"), 3).bounds() is None
    assert Estimate("x", 1.0, "fraction", Interval(0.5, 1.5, "m", "e"), 3).bounds() == (0.5, 1.5)
