"""Scores of games played several times each: raw and human-normalised, and their aggregates over games.

Raw scores are in points of the game; normalised ones are fractions (1 is the human of the named table). A run that was
broken off has no score of its game: it is counted and shown, never normalised, and as long as one planned run lacks its
score there is no aggregate over games, so that breaking off a bad game cannot raise one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embodibench.scoring import aggregates
from embodibench.scoring.human_normalised import normalise, normalise_games
from embodibench.scoring.interval import CONFIDENCE, Estimate, NoInterval
from embodibench.scoring.run_intervals import iqm_score, mean_score

RESAMPLES = 5_000


@dataclass(frozen=True)
class GameScore:
    """One game. ``raw`` and ``normalised`` are means over its finished runs, None when there are none.

    Attributes:
        scores: of the finished runs, in points, in the order of the runs.
    """

    game: str
    scores: tuple[float, ...]
    planned: int
    raw: Estimate | None
    normalised: Estimate | None


@dataclass(frozen=True)
class GamesSummary:
    """All games under one named human table.

    ``iqm``, ``mean`` and ``median`` are over all planned runs of all games, None while one of them has no score.
    """

    table: str
    games: tuple[GameScore, ...]
    iqm: Estimate | None
    mean: Estimate | None
    median: Estimate | None


def summarise(
    finished: Mapping[str, Sequence[float]],
    planned: int,
    table: str,
    human_scores: Mapping[str, tuple[float, float]],
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
) -> GamesSummary:
    """Scores of each game and over games.

    Args:
        finished: planned game -> scores of its finished runs, in points.
        planned: planned runs of each game.
        table: name of the human table, ``human_scores`` its content (``baselines.human_table``).
        rng: for the bootstrap, used only where there are runs and games enough for it (``run_intervals``).

    Raises:
        UsageError: a game is not in the table.
        ValueError: no games, more runs than planned, or scores that are not finite.
    """
    matrix = normalise_games(finished, table, human_scores, planned)
    games = []
    for game, runs in finished.items():
        raw = normalised = None
        if len(runs):
            raw = mean_score(np.asarray(runs, dtype=np.float64)[:, None], "points", confidence)
            values = normalise(runs, *human_scores[game])
            normalised = mean_score(values[:, None], "fraction", confidence)
        games.append(GameScore(game, tuple(float(score) for score in runs), planned, raw, normalised))
    if matrix is None:
        return GamesSummary(table, tuple(games), None, None, None)
    iqm = iqm_score(matrix.scores, "fraction", rng, RESAMPLES, confidence)
    mean = mean_score(matrix.scores, "fraction", confidence)
    reason = NoInterval("the median over games has no interval whose coverage was measured")
    median = Estimate("median", float(aggregates.median(matrix.scores)), "fraction", reason, planned)
    return GamesSummary(table, tuple(games), iqm, mean, median)
