"""Human-normalised game scores: (score - random) / (human - random), 0 is random play, 1 is the human of the table.

Scores have any shape, in points of the game; normalised scores are fractions (1 = 100 percent). Human tables differ
(Pong 9.3 or 14.6, Seaquest 20,181.8 or 42,054.7), so every figure names its table and tables are never mixed; they
are ``baselines.human_table(name)``. Source of the formula: V. Mnih et al. 2015, Nature 518.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embodibench.errors import UsageError


@dataclass(frozen=True)
class NormalisedScores:
    """Normalised scores of shape (runs, games), the games of the columns, and the human table they are relative to."""

    scores: NDArray[np.float64]
    games: tuple[str, ...]
    table: str


def normalise(scores: ArrayLike, random: float, human: float) -> NDArray[np.float64]:
    """(score - random) / (human - random), elementwise; above 1 is better than the human, below 0 worse than random.

    Raises:
        ValueError: when human and random are equal or anything is not finite.
    """
    points = np.asarray(scores, dtype=np.float64)
    if not (np.all(np.isfinite(points)) and np.isfinite(random) and np.isfinite(human)) or human == random:
        raise ValueError("normalising needs finite scores and a human score that differs from the random one")
    result: NDArray[np.float64] = (points - random) / (human - random)
    return result


def clipped(normalised: ArrayLike) -> NDArray[np.float64]:
    """Normalised scores cut to [0, 1], as Agent57 (arXiv 2003.13350) reports them beside the uncut ones."""
    return np.clip(np.asarray(normalised, dtype=np.float64), 0.0, 1.0)


def normalise_games(
    scores: Mapping[str, Sequence[float]],
    table: str,
    human_scores: Mapping[str, tuple[float, float]],
    planned: int,
) -> NormalisedScores | None:
    """Normalised scores of several games, or None while a planned run of one has no score.

    Args:
        scores: game -> scores of its finished runs; a planned game without any has an empty row.
        table: name of the human table, kept with the result.
        human_scores: game -> (random, human), from ``baselines.human_table(table)``.
        planned: planned runs of each game.

    Raises:
        UsageError: a game is not in the table (dqn-2015 has no Skiing, for example).
        ValueError: no games, more runs than planned, or scores that are not finite.
    """
    missing = [game for game in scores if game not in human_scores]
    if missing:
        raise UsageError(f"human table '{table}' has no {', '.join(missing)}; take another table or leave the game out")
    if not scores or planned < 1 or any(len(runs) > planned for runs in scores.values()):
        raise ValueError("there must be games, and no more runs of each than planned")
    columns = [normalise(runs, *human_scores[game]) for game, runs in scores.items()]
    if any(len(column) < planned for column in columns):
        return None
    return NormalisedScores(np.stack(columns, axis=1), tuple(scores), table)
