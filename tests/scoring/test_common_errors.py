"""Mistakes that published figures show, each with a test that would catch it here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from embodibench.scoring import baselines, crafter
from embodibench.scoring.baseline_tables import AtariScore, CrafterHumanGroup, CrafterRate
from embodibench.scoring.human_normalised import normalise
from embodibench.scoring.interval import NoInterval
from embodibench.scoring.pass_rates import pass_rate
from embodibench.scoring.quartiles import quartiles


def rates_of(name: str) -> np.ndarray:
    rows = baselines.table("crafter_achievements.csv", CrafterRate)
    rates = {row.achievement: row.rate for row in rows if row.name == name}
    return np.array([rates[achievement] for achievement in crafter.ACHIEVEMENTS])


@pytest.mark.parametrize(
    ("name", "right", "wrong"), [("human", 52.05, 59.9), ("dreamerv2", 10.79, 31.0), ("random", 1.55, 8.5)]
)
def test_rates_as_fractions_in_the_logarithm(name: str, right: float, wrong: float) -> None:
    rates = rates_of(name)
    fractions = 100 * np.expm1(np.log1p(rates / 100).mean())
    assert crafter.crafter_score(rates) == pytest.approx(right, abs=6e-3)
    assert fractions == pytest.approx(wrong, abs=0.06)


def test_score_of_mean_rates_instead_of_mean_of_scores() -> None:
    rows = baselines.table("crafter_human_groups.csv", CrafterHumanGroup)
    groups = np.array([row.rate for row in rows]).reshape(5, 22)
    assert crafter.score_over_runs(groups)[0] == pytest.approx(50.53, abs=5e-3)
    assert crafter.score_of_mean_rates(groups) == pytest.approx(52.05, abs=5e-3)


@pytest.mark.reference
def test_one_episode_instead_of_a_slice(reference_data: Path) -> None:
    groups = json.loads((reference_data / "crafter" / "crafter_reward-human.json").read_text())
    one_each = [group["reward"][-len(group["reward"])] for group in groups]
    assert (np.mean(one_each), np.std(one_each)) == pytest.approx((14.3, 2.3), abs=0.05)
    everything = np.concatenate([group["reward"] for group in groups])
    assert float(everything.mean()) == pytest.approx(baselines.reference("crafter", "human", measure="reward").value)


def test_published_rewards_of_one_episode_stand_apart_from_the_means() -> None:
    for name, published, mean in (("human", 14.3, 12.959), ("random", 2.1, 1.3766)):
        assert baselines.reference("crafter", f"{name}-published", measure="reward").value == published
        assert "one episode" in baselines.reference("crafter", f"{name}-published", measure="reward").caveat
        assert baselines.reference("crafter", name, measure="reward").value == mean


def test_standard_deviation_over_seeds_as_a_confidence_interval() -> None:
    for figure in baselines.figures("crafter"):
        if figure.measure == "score" and figure.spread is not None:
            assert "not a confidence interval" in figure.caveat, figure.name


def test_printed_standard_error_of_balrog_has_ddof_0() -> None:
    figure = baselines.reference("crafter", "claude-3-5-sonnet-text")
    assert figure.spread == pytest.approx(3.2012, abs=5e-5)
    assert figure.spread * (10 / 9) ** 0.5 == pytest.approx(3.3744, abs=5e-5)
    assert "ddof-0" in figure.caveat


def test_training_rates_beside_a_frozen_policy() -> None:
    for figure in baselines.figures("crafter"):
        if figure.kind.startswith("rl") and figure.measure in ("score", "success rate"):
            training = (
                "training" in figure.caveat or "training" in figure.protocol or "another environment" in figure.caveat
            )
            assert training or figure.name == "twm-craftax-classic", figure.name


def test_a_pong_of_one_human_table_with_a_seaquest_of_another() -> None:
    mixed = {"pong": (-20.7, 14.6), "seaquest": (68.4, 20_181.8)}
    for name in ("dqn-zoo", "dqn-2015", "gorila-2015", "agent57"):
        table = baselines.human_table(name)
        assert {game: table[game] for game in mixed} != mixed
    seaquest = baselines.reference("ocalm", "ocalm", "seaquest").value
    one, two = (float(normalise(seaquest, *baselines.human_table(t)["seaquest"])) for t in ("dqn-zoo", "dqn-2015"))
    assert two / one > 2


def test_every_atari_row_says_from_when_and_under_which_starts_its_score_is() -> None:
    for row in baselines.table("atari_scores.csv", AtariScore):
        words = ("no-op", "human starts", "sticky", "training", "last", "as PPO", "v5")
        assert any(word in row.protocol for word in words), row
        if "sticky" in row.protocol:
            assert "not comparable with no-op" in row.caveat
        if "training" in row.protocol or "last logged bin" in row.protocol:
            assert "not a frozen policy" in row.caveat


def test_missing_trials_dropped_skipped_or_failed_give_three_different_answers() -> None:
    passed: dict[str, list[int | None]] = {"a": [1, 1, 0], "b": [1, None, None]}
    failed = pass_rate([2, 1], [3, 3]).estimate.value
    skipped = np.mean([np.mean([x for x in row if x is not None]) for row in passed.values()])
    dropped = np.mean([x for x in passed["a"] if x is not None])
    assert len({round(float(x), 6) for x in (failed, skipped, dropped)}) == 3


def test_a_missing_child_is_not_silently_a_quartile() -> None:
    with pytest.raises(ValueError, match="missing"):
        quartiles([0.5, float("nan"), 1.0])


def test_rewards_and_pass_columns_pooled() -> None:
    assert round((1320 + 1514) / 4720, 6) == round(baselines.reference("aai40", "children-published").value, 6)
    assert baselines.reference("aai40", "children").value == pytest.approx(1320 / 2360, abs=1e-6)


def test_trials_of_one_task_taken_for_independent_ones() -> None:
    clustered = pass_rate([3] * 20 + [0] * 20, [3] * 40).estimate.bounds()
    independent = pass_rate([1] * 60 + [0] * 60, [1] * 120).estimate.bounds()
    assert clustered is not None
    assert independent is not None
    assert clustered[1] - clustered[0] > 1.6 * (independent[1] - independent[0])


def test_a_percentile_bootstrap_of_the_score_from_ten_episodes() -> None:
    interval = crafter.score_interval(np.random.default_rng(0).random((10, 22)) < 0.3)
    assert not isinstance(interval, NoInterval)
    assert "bootstrap" not in interval.method
