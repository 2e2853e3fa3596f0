"""Human-normalised scores, and the named human tables that must not be mixed."""

from __future__ import annotations

import numpy as np
import pytest

from embodibench.errors import UsageError
from embodibench.scoring import baselines, game_scores
from embodibench.scoring.human_normalised import clipped, normalise, normalise_games
from embodibench.scoring.interval import NoInterval

OCALM = {
    "dqn-zoo": {"pong": 1.0510, "freeway": 1.0929, "seaquest": 0.01438, "skiing": -0.8996},
    "dqn-2015": {"pong": 1.2367, "freeway": 1.0929, "seaquest": 0.03002},
    "agent57": {"pong": 1.0510, "freeway": 1.0929, "seaquest": 0.01438, "skiing": -0.8996},
    "gorila-2015": {"pong": 1.0269, "freeway": 1.2647, "seaquest": 0.01136, "skiing": -1.1456},
}


@pytest.mark.parametrize(("table", "game"), [(table, game) for table, games in OCALM.items() for game in games])
def test_ocalm_under_each_named_human_table(table: str, game: str) -> None:
    score = baselines.reference("ocalm", "ocalm", game).value
    value = float(normalise(score, *baselines.human_table(table)[game]))
    assert value == pytest.approx(OCALM[table][game], abs=6e-5)


def test_random_is_zero_and_human_is_one_also_where_scores_are_negative() -> None:
    random, human = baselines.human_table("dqn-zoo")["skiing"]
    assert normalise([random, human], random, human).tolist() == [0.0, 1.0]
    assert float(normalise(-3851.44, random, human)) > 1


def test_the_two_common_tables_differ_for_34_of_their_49_games() -> None:
    zoo, nature = baselines.human_table("dqn-zoo"), baselines.human_table("dqn-2015")
    assert len(nature) == 49
    assert sum(zoo[game][1] != nature[game][1] for game in nature) == 34
    assert all(zoo[game][0] == nature[game][0] for game in nature)


def test_random_scores_agree_but_for_video_pinball_in_agent57() -> None:
    zoo, agent57 = baselines.human_table("dqn-zoo"), baselines.human_table("agent57")
    assert [game for game in zoo if zoo[game] != agent57[game]] == ["video_pinball"]


def test_an_unknown_table_is_refused_and_there_is_no_default() -> None:
    with pytest.raises(UsageError, match="there are dqn-zoo, dqn-2015"):
        baselines.human_table("nature")


def test_a_game_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(UsageError, match="'dqn-2015' has no skiing"):
        normalise_games({"skiing": [1.0]}, "dqn-2015", baselines.human_table("dqn-2015"), 1)


def test_games_become_columns_and_the_table_stays_with_them() -> None:
    scores = {"pong": [-20.7, 14.6], "freeway": [0.0, 29.6]}
    result = normalise_games(scores, "dqn-zoo", baselines.human_table("dqn-zoo"), 2)
    assert result is not None
    assert result.scores.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert (result.games, result.table) == (("pong", "freeway"), "dqn-zoo")


@pytest.mark.parametrize("runs", [[], [5.0]])
def test_a_planned_run_without_a_score_leaves_nothing_to_normalise_over_games(runs: list[float]) -> None:
    assert normalise_games({"a": [1.0, 2.0], "b": runs}, "t", {"a": (0.0, 1.0), "b": (0.0, 1.0)}, 2) is None


def test_more_runs_than_planned_are_refused() -> None:
    with pytest.raises(ValueError, match="no more runs"):
        normalise_games({"a": [1.0, 2.0]}, "t", {"a": (0.0, 1.0)}, 1)


def summarise_games(scores: dict[str, list[float]], planned: int = 3) -> game_scores.GamesSummary:
    rng = np.random.default_rng(0)
    return game_scores.summarise(scores, planned, "dqn-zoo", baselines.human_table("dqn-zoo"), rng)


def test_three_seeds_of_four_games_have_figures_and_no_interval() -> None:
    scores = {"pong": [-20.7] * 3, "freeway": [29.6] * 3, "seaquest": [68.4] * 3, "skiing": [-4336.9] * 3}
    summary = summarise_games(scores)
    assert summary.table == "dqn-zoo"
    assert [game.raw.value for game in summary.games if game.raw] == pytest.approx([-20.7, 29.6, 68.4, -4336.9])
    for estimate in (summary.iqm, summary.mean, summary.median):
        assert estimate is not None
        assert estimate.value == pytest.approx(0.5)
        assert isinstance(estimate.interval, NoInterval)


def test_a_game_that_was_broken_off_is_shown_and_leaves_no_aggregate() -> None:
    summary = summarise_games({"pong": [14.6, 14.6], "freeway": []})
    pong, freeway = summary.games
    assert (pong.planned, pong.scores) == (3, (14.6, 14.6))
    assert pong.normalised is not None
    assert pong.normalised.value == pytest.approx(1.0)
    assert (freeway.raw, freeway.normalised) == (None, None)
    assert (summary.iqm, summary.mean, summary.median) == (None, None, None)


def test_clipping_is_a_separate_step() -> None:
    assert clipped([-1.0, 0.5, 3.0]).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(("scores", "random", "human"), [([1.0], 2.0, 2.0), ([np.nan], 0.0, 1.0), ([1.0], 0.0, np.inf)])
def test_what_cannot_be_normalised_is_refused(scores: list[float], random: float, human: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        normalise(scores, random, human)
