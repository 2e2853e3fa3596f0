"""Stratified bootstrap: repeatable from its generator, runs resampled within tasks only."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from embodibench.scoring.bootstrap import bootstrap_statistics, percentile_bounds


def mean(batch: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(batch.mean(axis=(1, 2)))


SCORES = np.random.default_rng(5).normal(size=(10, 4))


def test_same_seed_gives_the_same_values_and_another_seed_others() -> None:
    one, two, other = (bootstrap_statistics(SCORES, mean, np.random.default_rng(s), 500) for s in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_global_random_state_plays_no_part() -> None:
    first = bootstrap_statistics(SCORES, mean, np.random.default_rng(3), 50)
    np.random.random(10)
    assert np.array_equal(first, bootstrap_statistics(SCORES, mean, np.random.default_rng(3), 50))


def test_runs_are_resampled_within_each_task() -> None:
    columns = np.array([[0.0, 10.0], [1.0, 11.0], [2.0, 12.0]])

    def check(batch: NDArray[np.float64]) -> NDArray[np.float64]:
        assert np.all(batch[:, :, 0] <= 2)
        assert np.all(batch[:, :, 1] >= 10)
        return mean(batch)

    bootstrap_statistics(columns, check, np.random.default_rng(0), 200)


def test_tasks_are_resampled_independently_of_one_another() -> None:
    def correlation(batch: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(batch[:, :, 0].mean(axis=1) - batch[:, :, 1].mean(axis=1))

    twice = np.repeat(np.arange(8.0)[:, None], 2, axis=1)
    assert bootstrap_statistics(twice, correlation, np.random.default_rng(0), 500).std() > 0.5


def test_spread_is_that_of_the_mean() -> None:
    values = bootstrap_statistics(SCORES, mean, np.random.default_rng(4), 20_000)
    expected = np.sqrt((SCORES.var(axis=0) / len(SCORES)).sum()) / SCORES.shape[1]
    assert values.std() == pytest.approx(expected, rel=0.03)
    low, high = percentile_bounds(values)
    assert low < SCORES.mean() < high


def test_one_run_has_no_spread() -> None:
    assert np.ptp(bootstrap_statistics(SCORES[:1], mean, np.random.default_rng(0), 20)) < 1e-12


@pytest.mark.parametrize("scores", [[], [1.0, 2.0], [[np.nan]], [[np.inf, 1.0]]])
def test_scores_that_are_no_finite_matrix_are_refused(scores: ArrayLike) -> None:
    with pytest.raises(ValueError, match="finite matrix"):
        bootstrap_statistics(scores, mean, np.random.default_rng(0), 10)
