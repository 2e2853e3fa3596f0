"""Atari figures: the true score of every game, and their human-normalised interquartile mean over games.

Scores are the games' own points, not clipped. A game counts as whole when it ended by its own rules or at the frame
cap, under which published scores are measured too; one that was broken off is shown as partial and never normalised, since
its points are those of another, shorter game. Formulas: ``human_normalised`` and ``aggregates``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embodibench.scoring import run_intervals
from embodibench.scoring.human_normalised import normalise, normalise_games
from embodibench.scoring.interval import Estimate

HUMAN_TABLE = "dqn-zoo"
"""The human table of suite atari: 57 games, among them Skiing, which the table of Mnih et al. 2015 lacks."""

WHOLE_ENDS = ("game_over", "frame_cap")
"""Ends of an episode that make it a whole game."""


@dataclass(frozen=True)
class GameScores:
    """What was played of one game.

    Attributes:
        scores: points of the whole games, in the order of the trials.
        partial: points of the games that were broken off; a bound of nothing.
        normalised: human-normalised mean of the whole games, a fraction; None when there are none, when a game is
            partial, or when the table has no human for it.
    """

    scores: tuple[float, ...]
    partial: tuple[float, ...]
    normalised: float | None

    @property
    def mean(self) -> float | None:
        """Mean points of the whole games; None when there are none."""
        return sum(self.scores) / len(self.scores) if self.scores else None


@dataclass(frozen=True)
class AtariSummary:
    """All games.

    Attributes:
        games: game -> what was played of it.
        iqm: interquartile mean of the human-normalised scores over all games and trials; None when it cannot be taken.
        missing: why there is no ``iqm``, or "".
    """

    games: Mapping[str, GameScores]
    iqm: Estimate | None
    missing: str


def summarise(
    episodes: Iterable[tuple[str, float, bool]],
    humans: Mapping[str, tuple[float, float]],
    rng: np.random.Generator,
    table: str = HUMAN_TABLE,
) -> AtariSummary:
    """The figures of a run.

    Args:
        episodes: (game, points, whole) of every planned episode, in order.
        humans: game -> (random, human) of the named table.
        rng: for the bootstrap of the interval.
        table: name of the human table.
    """
    played: dict[str, list[tuple[float, bool]]] = {}
    for game, points, whole in episodes:
        played.setdefault(game, []).append((points, whole))
    games = {game: _game(rows, humans.get(game)) for game, rows in played.items()}
    missing = _missing(games, humans, table)
    if missing:
        return AtariSummary(games, None, missing)
    scores = {game: row.scores for game, row in games.items()}
    trials = len(next(iter(scores.values())))
    normalised = normalise_games(scores, trials, table, humans)
    return AtariSummary(games, run_intervals.iqm_score(normalised.scores, "fraction", rng), "")


def _game(rows: Sequence[tuple[float, bool]], human: tuple[float, float] | None) -> GameScores:
    scores = tuple(points for points, whole in rows if whole)
    partial = tuple(points for points, whole in rows if not whole)
    normalised = None
    if human is not None and scores and not partial:
        normalised = float(normalise(scores, *human).mean())
    return GameScores(scores, partial, normalised)


def _missing(games: Mapping[str, GameScores], humans: Mapping[str, tuple[float, float]], table: str) -> str:
    """Why no normalised figure can be given, as a clause, or ""."""
    broken = [game for game, row in games.items() if row.partial]
    unknown = [game for game in games if game not in humans]
    if not games:
        return "nothing was played"
    if broken:
        return f"games of {', '.join(broken)} were broken off"
    if unknown:
        return f"human table '{table}' has no {', '.join(unknown)}"
    if len({len(row.scores) for row in games.values()}) > 1:
        return "the games were not played equally often"
    return ""
