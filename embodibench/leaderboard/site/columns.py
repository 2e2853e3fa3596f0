"""The columns of each suite's table, and the cells of its rows, as texts that are ready to be shown.

The same cells stand in the page and in the data that its script pages through, so no number is formatted twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from embodibench.cards.suites import Suite
from embodibench.leaderboard.rows import Row, Score
from embodibench.leaderboard.site.entries import GROUPS, group, player, tokens
from embodibench.leaderboard.site.texts import decimals, plain

TRUST = ("self-reported", "replayed", "re-run")


@dataclass(frozen=True)
class Figure:
    """A figure as it is shown: percent with one decimal, and the bounds of its interval, "" where it has none."""

    value: str
    low: str = ""
    high: str = ""

    def to_json(self) -> list[str]:
        return [self.value, self.low, self.high] if self.low else [self.value]


@dataclass(frozen=True)
class ScoreColumn:
    """A column of figures in percent.

    Attributes:
        kind, name: which of a row's scores it shows.
        title, note: its heading, and what the heading does not say.
        main: whether it is a main figure, drawn with its interval.
    """

    kind: str
    name: str
    title: str
    note: str
    main: bool = True

    def of(self, row: Row) -> Figure | None:
        """The figure of a row, or None."""
        for score in row.scores:
            if score.kind == self.kind and (score.name == self.name or self.kind in ("overall", "passable")):
                return percent(score)
        return None


def percent(score: Score) -> Figure | None:
    """A score in percent; of a game its human-normalised mean."""
    if score.kind == "game":
        return Figure(decimals(100 * score.normalised)) if score.normalised is not None else None
    if score.value is None:
        return None
    scale = 100 if score.unit == "fraction" else 1
    value = decimals(scale * score.value)
    if score.low is None or score.high is None:
        return Figure(value)
    return Figure(value, decimals(scale * score.low), decimals(scale * score.high))


def score_columns(suite: Suite) -> tuple[ScoreColumn, ...]:
    """The figures of a suite's table, the one it is sorted by first."""
    rule = suite.card.scoring
    if rule == "crafter":
        return (
            ScoreColumn("overall", "progress", "Progress", "percent of the 22 achievements, mean over worlds"),
            ScoreColumn(
                "other", "score", "Crafter score", "percent; geometric mean of success rates, wide for ten lives"
            ),
        )
    if rule == "atari":
        games = tuple(
            ScoreColumn(
                "game", str(task.group or task.id), str(task.group or task.id).capitalize(), "percent of a human", False
            )
            for task in suite.tasks
        )
        note = "interquartile mean of human-normalised scores, percent; 100 is the human of the table dqn-zoo"
        return (ScoreColumn("overall", "iqm", "IQM", note), *games)
    if rule == "socialai":
        return tuple(
            ScoreColumn("task", task.id, task.id.replace("-", " "), f"{task.title}: percent of {len(task.seeds)} rooms")
            for task in suite.tasks
        )
    columns = [ScoreColumn("overall", "pass_rate", "Pass rate", f"percent of trials, all {len(suite.tasks)} tasks")]
    passable = sum(task.passable for task in suite.tasks)
    if passable < len(suite.tasks):
        note = f"percent of trials, without the {len(suite.tasks) - passable} tasks that the protocol cannot pass"
        columns.append(ScoreColumn("passable", "pass_rate_passable", f"Of {passable} tasks", note))
    return tuple(columns)


def cells(suite: Suite, row: Row) -> dict[str, Any]:
    """Everything a table shows of a row, as texts and numbers; ``record`` is its compact form."""
    figures = [column.of(row) for column in score_columns(suite)]
    return {
        "id": row.id,
        "group": list(GROUPS).index(group(row)),
        "player": plain(player(row), 80),
        "agent": "" if row.policy else f"{plain(row.agent, 60)} {row.agent_version}",
        "policy": row.policy,
        "figures": figures,
        "trust": TRUST.index(row.trust),
        "cost": "" if row.cost is None or row.policy else decimals(row.cost, 2),
        "tokens": tokens(row),
        "invalid": "" if row.invalid_share is None else decimals(100 * row.invalid_share),
        "version": f"{plain(row.interface, 10)} · {plain(row.package_version, 20)}",
        "date": plain(row.date, 10),
    }


def record(cell: dict[str, Any]) -> list[Any]:
    """A row of the script's data, in the order that ``board.js`` reads."""
    return [
        cell["id"],
        cell["group"],
        cell["player"],
        cell["agent"],
        [figure.to_json() if figure else None for figure in cell["figures"]],
        cell["trust"],
        cell["cost"],
        cell["tokens"],
        cell["invalid"],
        cell["version"],
        cell["date"],
    ]
