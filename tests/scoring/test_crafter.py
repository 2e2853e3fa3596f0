"""Crafter: progress, the score per run, the other estimator, and what few episodes do to them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from embodibench.scoring import crafter
from embodibench.scoring.interval import Interval, NoInterval

TABLES = st.integers(1, 20).flatmap(lambda n: arrays(np.bool_, (n, 22)))


def human_groups(folder: Path) -> tuple[list[NDArray[np.bool_]], list[NDArray[np.float64]]]:
    """(unlocked per group, rewards per group) of the human record, 5 groups of 20 episodes."""
    groups = json.loads((folder / "crafter" / "crafter_reward-human.json").read_text())
    unlocked = [np.array([group[f"achievement_{name}"] for name in crafter.ACHIEVEMENTS]).T >= 1 for group in groups]
    return unlocked, [np.array(group["reward"]) for group in groups]


@pytest.mark.reference
def test_human_score_is_the_mean_of_five_group_scores_with_their_population_deviation(reference_data: Path) -> None:
    rates = np.stack([crafter.success_rates(group) for group in human_groups(reference_data)[0]])
    mean, deviation = crafter.score_over_runs(rates)
    assert mean == pytest.approx(50.5273, abs=5e-5)
    assert deviation == pytest.approx(6.7877, abs=5e-5)


@pytest.mark.reference
def test_score_of_the_mean_rates_is_another_figure(reference_data: Path) -> None:
    rates = np.stack([crafter.success_rates(group) for group in human_groups(reference_data)[0]])
    assert crafter.score_of_mean_rates(rates) == pytest.approx(52.05, abs=5e-3)


@pytest.mark.reference
def test_human_reward_is_the_mean_over_all_episodes_not_one_episode_of_each_group(reference_data: Path) -> None:
    unlocked, rewards = human_groups(reference_data)
    summary = crafter.summarise(np.concatenate(unlocked), 100, np.concatenate(rewards))
    assert summary.reward is not None
    assert summary.reward.value == pytest.approx(12.959, abs=5e-4)
    assert np.mean([group[-len(group)] for group in rewards]) == pytest.approx(14.3, abs=0.05)  # the published one


@pytest.mark.reference
def test_human_progress_in_the_unit_of_balrog(reference_data: Path) -> None:
    summary = crafter.summarise(np.concatenate(human_groups(reference_data)[0]), 100)
    assert summary.progress.value == pytest.approx(63.18, abs=5e-3)
    assert summary.mean_unlocks == pytest.approx(13.90, abs=5e-3)


def test_progress_is_unlocked_of_22_averaged_over_episodes() -> None:
    table = np.zeros((2, 22), dtype=bool)
    table[0, :11] = True
    assert crafter.summarise(table, 2).progress.value == pytest.approx(25.0)


def test_rates_are_percent_in_the_logarithm() -> None:
    rates = np.full(22, 50.0)
    assert crafter.crafter_score(rates) == pytest.approx(50.0)
    assert crafter.crafter_score(rates / 100) != pytest.approx(0.5 * 100)


def test_a_percentage_above_100_is_refused() -> None:
    with pytest.raises(ValueError, match="percentages between 0 and 100"):
        crafter.crafter_score(np.full(22, 5000.0))


def test_counts_of_unlocks_are_refused_because_only_whether_matters() -> None:
    with pytest.raises(ValueError, match="whether, not how often"):
        crafter.summarise(np.full((10, 22), 2), 10)


def test_score_is_computed_per_run_and_then_averaged() -> None:
    rates = np.zeros((2, 22))
    rates[0] = 100.0
    mean, deviation = crafter.score_over_runs(rates)
    assert (mean, deviation) == pytest.approx((50.0, 50.0))
    assert crafter.score_of_mean_rates(rates) == pytest.approx(50.0)
    rates[0, 11:] = 0.0
    assert crafter.score_over_runs(rates)[0] < crafter.score_of_mean_rates(rates)


@given(TABLES, st.integers(0, 10))
@settings(max_examples=50, deadline=None)
def test_missing_episodes_count_as_episodes_without_unlocks(table: NDArray[np.bool_], missing: int) -> None:
    n = len(table)
    short = crafter.summarise(table, n + missing)
    full = crafter.summarise(np.concatenate([table, np.zeros((missing, 22), dtype=bool)]), n + missing)
    assert short == full
    assert short.progress.value == pytest.approx(100 * table.sum() / (22 * (n + missing)))


@given(TABLES)
@settings(max_examples=50, deadline=None)
def test_order_of_episodes_does_not_matter(table: NDArray[np.bool_]) -> None:
    shuffled = table[np.random.default_rng(len(table)).permutation(len(table))]
    one, two = crafter.summarise(table, len(table)), crafter.summarise(shuffled, len(table))
    assert one.spectrum == two.spectrum
    assert one.score.value == two.score.value
    assert one.progress.value == pytest.approx(two.progress.value, rel=1e-12)


@given(TABLES)
@settings(max_examples=80, deadline=None)
def test_interval_holds_the_value_and_stays_in_range(table: NDArray[np.bool_]) -> None:
    summary = crafter.summarise(table, len(table))
    for estimate in (summary.progress, summary.score, *(row.estimate for row in summary.spectrum)):
        if isinstance(estimate.interval, Interval):
            assert 0 <= estimate.interval.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.interval.high <= 100


@pytest.mark.parametrize("unlocked", [False, True])
def test_episodes_without_any_spread_have_no_interval(unlocked: bool) -> None:
    summary = crafter.summarise(np.full((10, 22), unlocked), 10)
    assert isinstance(summary.progress.interval, NoInterval)
    assert isinstance(summary.score.interval, NoInterval)
    assert summary.score.value == pytest.approx(100.0 if unlocked else 0.0)


def test_one_episode_has_figures_but_no_interval() -> None:
    table = np.zeros((1, 22), dtype=bool)
    table[0, 3] = True
    summary = crafter.summarise(table, 1)
    assert summary.progress.value == pytest.approx(100 / 22)
    assert isinstance(summary.progress.interval, NoInterval)
    assert isinstance(summary.score.interval, NoInterval)


def test_estimand_of_the_score_names_the_number_of_episodes() -> None:
    table = np.random.default_rng(0).random((10, 22)) < 0.4
    interval = crafter.summarise(table, 10).score.interval
    assert isinstance(interval, Interval)
    assert "10 new episodes" in interval.estimand


def test_more_episodes_than_planned_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot come from"):
        crafter.summarise(np.zeros((3, 22), dtype=bool), 2)


def test_runs_are_split_by_their_number() -> None:
    table = np.zeros((4, 22), dtype=bool)
    table[[0, 2], 0] = True
    rates = crafter.rates_by_run(table, [1, 0, 1, 0])
    assert rates[:, 0].tolist() == [0.0, 100.0]
