"""Atari: true scores per game; only whole games are normalised, by one named human table."""

from __future__ import annotations

import numpy as np
import pytest

from embodibench.scoring import atari
from embodibench.scoring.baselines import human_table

HUMANS = {"pong": (-20.0, 10.0), "freeway": (0.0, 30.0)}
RNG = np.random.default_rng(0)


def whole(**games: list[float]) -> list[tuple[str, float, bool]]:
    return [(game, score, True) for game, scores in games.items() for score in scores]


def test_games_are_normalised_between_random_and_human() -> None:
    summary = atari.summarise(whole(pong=[-20.0, 10.0], freeway=[15.0, 15.0]), HUMANS, RNG)
    assert summary.games["pong"].mean == -5.0
    assert summary.games["pong"].normalised == 0.5
    assert summary.games["freeway"].normalised == 0.5
    assert summary.missing == ""


def test_the_figure_over_games_is_the_interquartile_mean_of_all_cells() -> None:
    """Cells 0, 1, 0.5, 0.5: the lowest and the highest are cut."""
    summary = atari.summarise(whole(pong=[-20.0, 10.0], freeway=[15.0, 12.0]), HUMANS, RNG)
    assert summary.iqm is not None
    assert summary.iqm.value == pytest.approx((0.5 + 0.4) / 2)
    assert (summary.iqm.unit, summary.iqm.bounds()) == ("fraction", None)


def test_a_game_that_was_broken_off_is_shown_and_not_normalised() -> None:
    rows = [*whole(pong=[10.0], freeway=[30.0, 30.0]), ("pong", 21.0, False)]
    summary = atari.summarise(rows, HUMANS, RNG)
    assert summary.games["pong"] == atari.GameScores((10.0,), (21.0,), None)
    assert summary.games["freeway"].normalised == 1.0
    assert summary.iqm is None
    assert "pong were broken off" in summary.missing


def test_a_game_without_a_human_leaves_no_figure_over_games() -> None:
    summary = atari.summarise(whole(pong=[1.0], surround=[1.0]), HUMANS, RNG, table="small")
    assert summary.games["surround"].normalised is None
    assert summary.missing == "human table 'small' has no surround"


def test_unequal_numbers_of_trials_and_nothing_leave_no_figure() -> None:
    assert atari.summarise(whole(pong=[1.0], freeway=[1.0, 2.0]), HUMANS, RNG).iqm is None
    assert atari.summarise([], HUMANS, RNG).missing == "nothing was played"


def test_the_human_table_has_the_four_games() -> None:
    humans = human_table(atari.HUMAN_TABLE)
    assert humans["pong"] == (-20.7, 14.6)
    assert humans["skiing"] == (-17098.1, -4336.9)
    assert {"freeway", "seaquest"} <= set(humans)
