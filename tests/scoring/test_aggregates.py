"""Aggregates follow rliable's definitions; the peer is scipy's trimmed mean and formulas written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, trim_mean

from embodibench.scoring import aggregates
from embodibench.scoring.bootstrap import bootstrap_iqm, bootstrap_statistics
from embodibench.scoring.interval import Interval, NoInterval
from embodibench.scoring.run_intervals import iqm_score, mean_score

MATRICES = st.tuples(st.integers(1, 8), st.integers(1, 8)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-1e6, 1e6))
)


@given(MATRICES)
@settings(deadline=None)
def test_iqm_trims_a_quarter_of_all_cells_at_each_end(scores: NDArray[np.float64]) -> None:
    assert float(aggregates.iqm(scores)) == pytest.approx(trim_mean(scores, 0.25, axis=None), rel=1e-9, abs=1e-6)


def test_iqm_of_fewer_than_four_cells_is_their_mean() -> None:
    assert float(aggregates.iqm([[1.0, 2.0, 9.0]])) == pytest.approx(4.0)


def test_iqm_is_a_mean_and_not_a_range_between_quartiles() -> None:
    scores = np.arange(100.0).reshape(10, 10)
    assert float(aggregates.iqm(scores)) == pytest.approx(49.5)
    assert np.subtract(*np.quantile(scores, [0.75, 0.25])) == pytest.approx(49.5)
    assert float(aggregates.iqm(scores + 1000)) == pytest.approx(1049.5)


def test_iqm_pools_cells_and_does_not_average_task_wise() -> None:
    scores = np.array([[0.0, 10.0], [0.0, 10.0], [0.0, 10.0], [8.0, 10.0]])
    assert float(aggregates.iqm(scores)) == pytest.approx((0 + 8 + 10 + 10) / 4)


@given(MATRICES)
@settings(deadline=None)
def test_batches_give_what_single_matrices_give(scores: NDArray[np.float64]) -> None:
    batch = np.stack([scores, scores[::-1] * 2])
    for statistic in (aggregates.iqm, aggregates.mean, aggregates.median, aggregates.optimality_gap):
        assert statistic(batch) == pytest.approx([float(statistic(batch[0])), float(statistic(batch[1]))])


@given(MATRICES, st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_order_of_runs_does_not_matter(scores: NDArray[np.float64], seed: int) -> None:
    shuffled = scores[np.random.default_rng(seed).permutation(len(scores))]
    for statistic in (aggregates.iqm, aggregates.mean, aggregates.median, aggregates.optimality_gap):
        assert float(statistic(shuffled)) == pytest.approx(float(statistic(scores)), rel=1e-9, abs=1e-6)


def test_mean_and_median_are_over_task_means() -> None:
    scores = [[0.0, 1.0, 10.0], [2.0, 3.0, 20.0]]
    assert float(aggregates.mean(scores)) == pytest.approx(6.0)
    assert float(aggregates.median(scores)) == pytest.approx(2.0)


def test_optimality_gap_gives_no_credit_beyond_the_goal() -> None:
    assert float(aggregates.optimality_gap([[0.5, 3.0]])) == pytest.approx(0.25)
    assert float(aggregates.optimality_gap([[0.5, 3.0]], goal=2.0)) == pytest.approx(0.75)


def test_probability_of_improvement_is_the_mean_of_mann_whitney_u() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 4, (7, 5)).astype(float), rng.integers(0, 4, (6, 5)).astype(float)
    expected = np.mean([mannwhitneyu(one[:, t], two[:, t]).statistic / 42 for t in range(5)])
    assert aggregates.probability_of_improvement(one, two) == pytest.approx(expected)


def test_probability_of_improvement_over_itself_is_a_half() -> None:
    assert aggregates.probability_of_improvement([[1.0, 1.0]], [[1.0, 1.0]]) == 0.5


def test_performance_profile_counts_cells_strictly_above() -> None:
    assert aggregates.performance_profile([[0.0, 1.0], [1.0, 2.0]], [-1.0, 0.0, 1.0, 2.0]).tolist() == [
        1,
        0.75,
        0.25,
        0,
    ]
    assert aggregates.performance_profile_of_means([[0.0, 1.0], [1.0, 2.0]], [0.5, 0.4]).tolist() == [0.5, 1.0]


@pytest.mark.parametrize("scores", [[[np.nan, 1.0]], [[np.inf]], [[]], [1.0, 2.0]])
def test_scores_that_are_no_finite_matrix_are_refused(scores: list[list[float]]) -> None:
    for statistic in (aggregates.iqm, aggregates.mean, aggregates.median, aggregates.optimality_gap):
        with pytest.raises(ValueError, match="finite"):
            statistic(scores)


@given(MATRICES, st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_fast_bootstrap_of_the_iqm_equals_the_general_one(scores: NDArray[np.float64], seed: int) -> None:
    fast = bootstrap_iqm(scores, np.random.default_rng(seed), 200)
    general = bootstrap_statistics(scores, aggregates.iqm, np.random.default_rng(seed), 200)
    assert fast == pytest.approx(general, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("runs", [1, 3, 10])
def test_few_seeds_have_a_mean_but_no_interval(runs: int) -> None:
    estimate = mean_score(np.random.default_rng(0).random((runs, 4)), "fraction")
    assert isinstance(estimate.interval, NoInterval)
    assert "too few" in estimate.interval.reason


def test_many_seeds_have_an_interval_of_the_mean() -> None:
    scores = np.random.default_rng(0).normal(2.0, 1.0, (40, 4))
    interval = mean_score(scores, "fraction").interval
    assert isinstance(interval, Interval)
    assert interval.high - interval.low == pytest.approx(
        2 * 2.0227 * scores.mean(axis=1).std(ddof=1) / 40**0.5, rel=1e-4
    )


def test_interval_of_the_iqm_is_the_same_for_the_same_seed() -> None:
    scores = np.random.default_rng(0).random((10, 30))
    one, two, other = (iqm_score(scores, "fraction", np.random.default_rng(seed)).interval for seed in (1, 1, 2))
    assert one == two != other
    assert isinstance(one, Interval)


@pytest.mark.parametrize(("runs", "tasks"), [(3, 57), (10, 4), (1, 1)])
def test_iqm_of_few_runs_or_tasks_has_no_interval(runs: int, tasks: int) -> None:
    estimate = iqm_score(np.random.default_rng(0).random((runs, tasks)), "fraction", np.random.default_rng(0))
    assert isinstance(estimate.interval, NoInterval)


def test_equal_runs_have_no_interval() -> None:
    assert isinstance(mean_score(np.ones((40, 4)), "fraction").interval, NoInterval)
    assert isinstance(iqm_score(np.ones((40, 30)), "fraction", np.random.default_rng(0)).interval, NoInterval)
