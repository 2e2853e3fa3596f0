"""Published figures of humans and agents, in the columns of a suite's table. They are shown and never ranked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from embodibench.cards.suites import Suite
from embodibench.leaderboard.site.columns import Figure, score_columns
from embodibench.leaderboard.site.texts import decimals
from embodibench.scoring import baselines, compare_suites, crafter
from embodibench.scoring.compare_results import HUMAN_TABLE
from embodibench.scoring.comparison import ComparisonRow
from embodibench.scoring.interval import Estimate, NoInterval
from embodibench.scoring.pass_rates import pass_rate

_NAMES = {
    "aai40": ("children", "top10", "heuristic", "dreamerv3", "ppo", "random"),
    "crafter": ("human", "spring", "dreamerv3", "ppo", "rainbow", "random"),
    "atari": ("dqn-2015", "ppo", "rainbow", "agent57"),
}
SOCIALAI = {
    "asocial-box": "AsocialBox",
    "color-boxes": "ColorBoxes",
    "color-boxes-generalisation": "ColorBoxes (generalization)",
}
_HUMAN = ("human", "children")


@dataclass(frozen=True)
class Reference:
    """A published row.

    Attributes:
        kind: ``human`` or ``agent``.
        figures: in the order of ``columns.score_columns``.
        protocol: in a few words.
        note: caveat and source.
    """

    name: str
    label: str
    kind: str
    figures: tuple[Figure | None, ...]
    protocol: str
    note: str


def references(suite: Suite) -> tuple[Reference, ...]:
    """The published rows of a suite, humans first; empty where it has none."""
    compared = comparison_rows(suite)
    columns = score_columns(suite)
    kinds = {figure.name: figure.kind for figure in baselines.figures(suite.card.name)} if compared else {}
    found = []
    if suite.card.scoring == "atari":
        hundred = tuple(Figure("100.0") if column.kind == "game" else None for column in columns)
        found.append(
            Reference("human", "Human of the table dqn-zoo", "human", hundred, "100 percent by definition", "")
        )
    for name in dict.fromkeys(row.reference.name for row in compared):
        rows = [row for row in compared if row.reference.name == name]
        cells = tuple(next((_figure(r) for r in rows if r.task == _task(suite, c.name, r)), None) for c in columns)
        about = rows[0].reference
        note = ". ".join(filter(None, (about.caveat, f"Source: {about.source}")))
        kind = "human" if kinds.get(name) in _HUMAN else "agent"
        found.append(Reference(name, about.label, kind, cells, about.protocol, note))
    return tuple(sorted(found, key=lambda reference: reference.kind != "human"))


def comparison_rows(suite: Suite) -> tuple[ComparisonRow, ...]:
    """Every published figure of a suite's usual references; the model's side is a stand-in that nobody is shown."""
    name = suite.card.name
    stand_in = pass_rate([0] * 20, [1] * 20)
    if name == "aai40":
        levels = [*dict.fromkeys(str(task.group).removeprefix("level-").lstrip("0") for task in suite.tasks), "all"]
        return compare_suites.aai40_rows(dict.fromkeys(levels, stand_in), _NAMES[name])
    if name == "crafter":
        worlds = sum(len(task.seeds) for task in suite.tasks)
        nothing = np.zeros((worlds, len(crafter.ACHIEVEMENTS)), dtype=bool)
        return compare_suites.crafter_rows(crafter.summarise(nothing, worlds, [0.0] * worlds), _NAMES[name])
    if name == "atari":
        games = [str(task.group or task.id) for task in suite.tasks]
        nobody = Estimate("normalised", 0.0, "fraction", NoInterval("a stand-in"), 1)
        return compare_suites.atari_rows(dict.fromkeys(games, nobody), HUMAN_TABLE, _NAMES[name])
    if name == "socialai":
        return compare_suites.socialai_rows(dict.fromkeys(SOCIALAI.values(), stand_in))
    return ()


def _task(suite: Suite, column: str, row: ComparisonRow) -> str:
    """The reference's name for what a column shows, or a name that no row has."""
    if suite.card.name == "aai40":
        return "all" if column == "pass_rate" else "-"
    if suite.card.name == "crafter":
        # Its rows are all about "all"; their titles say which figure. The score of mean rates is another estimator.
        return "all" if row.title in (column, f"Crafter {column}", row.model.name) and column in row.title else "-"
    return SOCIALAI.get(column, column)


def _figure(row: ComparisonRow) -> Figure:
    estimate = row.reference.estimate
    scale = 100 if estimate.unit == "fraction" else 1
    bounds = estimate.bounds()
    value = decimals(scale * estimate.value)
    return Figure(value, *(decimals(scale * bound) for bound in bounds)) if bounds else Figure(value)
