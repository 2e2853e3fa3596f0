"""Pass rates: planned trials count, trials of one task are alike, levels of few tasks have no interval."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodibench.scoring.interval import Interval, NoInterval
from embodibench.scoring.pass_rates import effective_trials, pass_rate, pass_rates_by_level
from embodibench.scoring.wilson import wilson_bounds, wilson_interval

COUNTS = st.integers(1, 5).flatmap(
    lambda m: st.lists(st.integers(0, m), min_size=1, max_size=45).map(lambda k: (k, [m] * len(k)))
)


def interval_of(passed: list[int], planned: list[int]) -> Interval:
    interval = pass_rate(passed, planned).estimate.interval
    assert isinstance(interval, Interval)
    return interval


@pytest.mark.parametrize(("n", "high"), [(3, 0.5615), (12, 0.2425)])
def test_wilson_of_no_passes(n: int, high: float) -> None:
    interval = wilson_interval(0, n, "rate")
    assert interval.low == 0.0
    assert interval.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"), [(15, 20, 0.5313, 0.8881), (11, 20, 0.3421, 0.7418), (9, 10, 0.5958, 0.9821)]
)
def test_wilson_as_printed_for_the_published_socialai_rates(passed: int, n: int, low: float, high: float) -> None:
    interval = wilson_interval(passed, n, "rate")
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)


def test_wilson_refuses_percentages() -> None:
    with pytest.raises(ValueError, match="fractions"):
        wilson_bounds(55.0, 20)


@given(COUNTS)
@settings(deadline=None)
def test_interval_holds_the_rate_and_stays_between_0_and_1(counts: tuple[list[int], list[int]]) -> None:
    rate = pass_rate(*counts)
    assert 0 <= rate.estimate.value <= 1
    if isinstance(rate.estimate.interval, Interval):
        assert 0 <= rate.estimate.interval.low <= rate.estimate.value <= rate.estimate.interval.high <= 1
        assert rate.estimate.interval.low < rate.estimate.interval.high


@given(COUNTS)
@settings(deadline=None)
def test_order_of_tasks_does_not_matter(counts: tuple[list[int], list[int]]) -> None:
    one, two = pass_rate(*counts), pass_rate(counts[0][::-1], counts[1])
    assert one.estimate.value == pytest.approx(two.estimate.value, rel=1e-12)
    assert type(one.estimate.interval) is type(two.estimate.interval)


@given(COUNTS)
@settings(deadline=None)
def test_effective_trials_lie_between_tasks_and_trials(counts: tuple[list[int], list[int]]) -> None:
    planned = np.array(counts[1])
    value = effective_trials(np.array(counts[0]) / planned, planned)
    assert len(planned) <= value <= planned.sum()


def test_repeating_a_trial_that_always_ends_alike_does_not_narrow_the_interval() -> None:
    once, thrice = interval_of([1, 0] * 10, [1] * 20), interval_of([3, 0] * 10, [3] * 20)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_clustered_interval_is_wider_than_that_of_independent_trials() -> None:
    clustered = interval_of([3] * 14 + [1] * 6 + [0] * 20, [3] * 40)
    pooled = wilson_interval(48, 120, "pooled")
    assert clustered.high - clustered.low > 1.3 * (pooled.high - pooled.low)


def test_all_failed_and_all_passed_still_have_a_width_given_by_the_number_of_tasks() -> None:
    failed, passed = interval_of([0] * 40, [3] * 40), interval_of([3] * 40, [3] * 40)
    z2 = 1.959964**2
    assert (failed.low, failed.high) == pytest.approx((0.0, z2 / (40 + z2)), abs=1e-6)
    assert (passed.low, passed.high) == pytest.approx((40 / (40 + z2), 1.0), abs=1e-6)


def test_one_task_has_a_rate_but_no_interval_over_tasks() -> None:
    rate = pass_rate([2], [3])
    assert rate.estimate.value == pytest.approx(2 / 3)
    assert isinstance(rate.estimate.interval, NoInterval)


def test_each_task_weighs_the_same_when_trials_differ() -> None:
    assert pass_rate([1, 0], [1, 9]).estimate.value == pytest.approx(0.5)


def test_levels_keep_their_order_and_counts() -> None:
    levels = [level for level in (2, 1, 3) for _ in range(4)]
    rates = pass_rates_by_level([3] * 4 + [0] * 4 + [1, 2, 3, 0], [3] * 12, levels)
    assert list(rates) == [2, 1, 3]
    assert [rate.passed for rate in rates.values()] == [12, 0, 6]


@pytest.mark.parametrize("tasks", [2, 4, 19])
def test_a_level_of_few_tasks_is_a_count_without_an_interval(tasks: int) -> None:
    rates = pass_rates_by_level([3, 0] * tasks, [3] * 2 * tasks, [0, 1] * tasks)
    assert all(isinstance(rate.estimate.interval, NoInterval) for rate in rates.values())


def test_a_level_of_many_tasks_has_the_interval_of_its_tasks() -> None:
    passed = [3, 0, 1] * 8 + [2] * 20
    rates = pass_rates_by_level(passed, [3] * 44, [0] * 24 + [1] * 20)
    assert rates[0] == pass_rate(passed[:24], [3] * 24)
    assert isinstance(rates[1].estimate.interval, Interval)


def test_no_interval_of_four_all_or_nothing_tasks_holds_a_half_in_92_to_98_percent() -> None:
    """The reason why levels have none: whatever set of outcomes is given intervals that hold a half."""
    chances = [comb(4, k) / 16 for k in range(5)]
    symmetric = [{2}, {1, 2, 3}, {0, 1, 2, 3, 4}]
    assert not any(0.92 <= sum(chances[k] for k in held) <= 0.98 for held in symmetric)


@pytest.mark.parametrize(
    ("passed", "planned"), [([2], [1]), ([-1], [3]), ([0.5], [1]), ([0], [0]), ([], []), ([1], [1, 2])]
)
def test_impossible_counts_are_refused(passed: list[float], planned: list[int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        pass_rate(passed, planned)
