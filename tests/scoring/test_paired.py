"""Two results on the same tasks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodibench.scoring.interval import Interval, NoInterval
from embodibench.scoring.paired import compare_paired, compare_paired_values
from embodibench.scoring.pass_rates import pass_rate

PLANNED = [3] * 40
PAIRS = st.integers(1, 45).flatmap(lambda k: st.tuples(*(st.lists(st.integers(0, 3), min_size=k, max_size=k),) * 2))


def test_a_small_steady_advantage_shows_although_single_intervals_overlap() -> None:
    second = [3] * 18 + [0] * 22
    first = [3] * 18 + [2] * 9 + [0] * 13
    one, two = (pass_rate(passed, PLANNED).estimate.interval for passed in (first, second))
    assert isinstance(one, Interval)
    assert isinstance(two, Interval)
    assert one.overlaps(two)
    assert compare_paired(first, PLANNED, second, PLANNED).differs is True


def test_counts_of_tasks_on_which_either_is_ahead() -> None:
    result = compare_paired([3, 1, 0, 2], [3] * 4, [0, 1, 3, 1], [3] * 4)
    assert (result.first_ahead, result.second_ahead, result.level) == (2, 1, 1)
    assert result.difference.value == pytest.approx(1 / 12)


@given(PAIRS)
@settings(deadline=None)
def test_swapping_the_results_mirrors_the_comparison(pair: tuple[list[int], list[int]]) -> None:
    planned = [3] * len(pair[0])
    one, two = compare_paired(pair[0], planned, pair[1], planned), compare_paired(pair[1], planned, pair[0], planned)
    assert one.difference.value == pytest.approx(-two.difference.value)
    assert (one.first_ahead, one.differs) == (two.second_ahead, two.differs)


@given(PAIRS, st.integers(0, 1000))
@settings(deadline=None)
def test_order_of_tasks_does_not_matter(pair: tuple[list[int], list[int]], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(pair[0]))
    planned = [3] * len(order)
    one = compare_paired(pair[0], planned, pair[1], planned)
    two = compare_paired(np.array(pair[0])[order], planned, np.array(pair[1])[order], planned)
    assert one.difference.value == pytest.approx(two.difference.value)
    assert one.differs == two.differs


def test_a_result_does_not_differ_from_itself() -> None:
    result = compare_paired([1] * 40, PLANNED, [1] * 40, PLANNED)
    assert result.difference.value == 0
    assert isinstance(result.difference.interval, NoInterval)
    assert result.differs is None


@pytest.mark.parametrize("tasks", [1, 4, 19])
def test_few_tasks_have_no_interval(tasks: int) -> None:
    assert compare_paired([3] * tasks, [3] * tasks, [0] * tasks, [3] * tasks).differs is None


def test_other_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="same tasks"):
        compare_paired([1, 2], [3, 3], [1], [3])


def test_values_on_the_same_worlds() -> None:
    first, second = np.arange(10.0) * 10, np.arange(10.0) * 10 - np.tile([4.0, 6.0], 5)
    estimate = compare_paired_values(first, second, "percent")
    assert estimate.value == pytest.approx(5.0)
    assert estimate.bounds() is not None
    assert estimate.bounds()[0] > 0  # type: ignore[index]
    with pytest.raises(ValueError, match="same worlds"):
        compare_paired_values([1.0], [1.0, 2.0], "percent")


@pytest.mark.parametrize(
    ("ahead", "behind", "p"), [(20, 0, 2 / 2**20), (6, 0, 1 / 32), (3, 3, 1.0), (0, 0, 1.0), (5, 1, 14 / 64)]
)
def test_the_sign_test_counts_fair_coins(ahead: int, behind: int, p: float) -> None:
    passed = [1] * ahead + [0] * behind + [1] * 4
    other = [0] * ahead + [1] * behind + [1] * 4
    ones = [1] * len(passed)
    assert compare_paired(passed, ones, other, ones).sign_p_value == pytest.approx(p)
