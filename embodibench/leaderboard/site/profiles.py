"""A row's figures part by part (levels, rooms, achievements, games) beside published ones, for pages and charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.leaderboard.rows import Kind, Row
from embodibench.leaderboard.site.columns import Figure, percent
from embodibench.leaderboard.site.entries import player
from embodibench.leaderboard.site.references import SOCIALAI, comparison_rows
from embodibench.leaderboard.site.texts import decimals
from embodibench.scoring import baselines
from embodibench.scoring.baseline_tables import AaiLevel
from embodibench.scoring.comparison import ComparisonRow

_BESIDE = {
    "aai40": ("children", "top10"),
    "crafter": ("human", "dreamerv2"),
    "atari": ("dqn-2015", "ppo"),
    "socialai": ("gpt-4-0613", "random"),
}


@dataclass(frozen=True)
class Part:
    """A category of a suite's profile.

    Attributes:
        kind, name: of the row's score.
        title: for people.
        task: its name in the published figures.
    """

    kind: Kind
    name: str
    title: str
    task: str


@dataclass(frozen=True)
class Published:
    """A reference's figures: for each part its value in percent, its interval and its middle half, or None."""

    name: str
    label: str
    figures: tuple[Figure | None, ...]
    values: tuple[float | None, ...]
    quartiles: tuple[tuple[float, float] | None, ...]


@dataclass(frozen=True)
class Line:
    """A line of a profile's table."""

    name: str
    figure: Figure | None
    beside: tuple[Figure | None, ...]


@dataclass(frozen=True)
class Profile:
    """A profile as a table."""

    title: str
    unit: str
    beside: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str


def parts(suite: Suite) -> tuple[Part, ...]:
    """The categories that a suite's rows are shown by; empty where the main figures are all there is."""
    return _parts(suite.label)


@lru_cache(maxsize=16)
def _parts(label: str) -> tuple[Part, ...]:
    suite = suites.load(label)
    name = suite.card.name
    if name == "crafter":
        from embodibench.envs.crafter.names import ACHIEVEMENTS

        return tuple(Part("achievement", one, one.replace("_", " "), one) for one in ACHIEVEMENTS)
    if suite.card.scoring == "atari":
        games = dict.fromkeys(str(task.group or task.id) for task in suite.tasks)
        return tuple(Part("game", game, game.capitalize(), game) for game in games)
    if suite.card.scoring == "socialai":
        return tuple(Part("task", task.id, task.title, SOCIALAI.get(task.id, task.id)) for task in suite.tasks)
    groups = dict.fromkeys(task.group for task in suite.tasks if task.group)
    if name == "aai40":
        titles = {row.level: row.level_name for row in baselines.table("aai40_levels.csv", AaiLevel)}
        levels = [(group, re.sub(r"^level-0*", "", group)) for group in groups]
        return tuple(Part("group", group, f"{level} {titles.get(level, '')}".strip(), level) for group, level in levels)
    return tuple(Part("group", group, group.replace("-", " "), group) for group in groups)


def published(suite: Suite) -> tuple[Published, ...]:
    """The references that stand beside a suite's profile; of the version that this package holds."""
    return _published(suite.label)


@lru_cache(maxsize=16)
def _published(label: str) -> tuple[Published, ...]:
    suite = suites.load(label)
    found = []
    rows = comparison_rows(suite)
    for name in _BESIDE.get(suite.card.name, ()):
        if suite.card.name == "crafter":
            found.append(_crafter(suite, name))
            continue
        by_task = {row.task: row for row in rows if row.reference.name == name}
        mine = [by_task.get(part.task) for part in parts(suite)]
        label = next(row.reference.label for row in mine if row is not None)
        found.append(
            Published(
                name,
                label,
                tuple(_figure(row) if row else None for row in mine),
                tuple(_scale(row) * row.reference.estimate.value if row else None for row in mine),
                tuple(_quartiles(row) for row in mine),
            )
        )
    return tuple(found)


def profile(suite: Suite, row: Row) -> Profile | None:
    """A row's own profile beside published figures, or None where its suite has no parts."""
    categories = parts(suite)
    if not categories:
        return None
    beside = published(suite)
    scores = {(score.kind, score.name): score for score in row.scores}
    lines = []
    for place, part in enumerate(categories):
        score = scores.get((part.kind, part.name))
        figure = percent(score) if score is not None else None
        lines.append(Line(part.title, figure, tuple(other.figures[place] for other in beside)))
    notes = {
        "aai40": "Percent of trials passed. A level has four tasks, too few for an interval.",
        "crafter": "Percent of lives that unlock each. Single achievements are shown and not compared.",
        "atari": "Percent of the human of the table dqn-zoo, mean over runs.",
        "socialai": "Percent of rooms solved. The three are never pooled: two of them share their worlds.",
    }
    units = {"aai40": "Level", "crafter": "Achievement", "atari": "Game", "socialai": "Task"}
    title = "Beside published figures" if beside else "Part by part"
    unit = units.get(suite.card.name, "Group")
    return Profile(title, unit, tuple(other.label for other in beside), tuple(lines), notes.get(suite.card.name, ""))


def _crafter(suite: Suite, name: str) -> Published:
    """Rates of achievements, which stand in tables of their own."""
    rates = {
        figure.task: figure for figure in baselines.figures("crafter", name=name) if figure.measure == "success rate"
    }
    found = [rates.get(part.task) for part in parts(suite)]
    label = baselines.references("crafter")[name]
    figures = tuple(Figure(decimals(one.value)) if one else None for one in found)
    return Published(name, label, figures, tuple(one.value if one else None for one in found), (None,) * len(found))


def _scale(row: ComparisonRow) -> float:
    return 100.0 if row.reference.estimate.unit == "fraction" else 1.0


def _figure(row: ComparisonRow) -> Figure:
    estimate, scale = row.reference.estimate, _scale(row)
    bounds = estimate.bounds()
    value = decimals(scale * estimate.value)
    return Figure(value, decimals(scale * bounds[0]), decimals(scale * bounds[1])) if bounds else Figure(value)


def _quartiles(row: ComparisonRow | None) -> tuple[float, float] | None:
    bar = row.reference.quartiles if row is not None else None
    return (100 * bar.q25, 100 * bar.q75) if bar is not None else None


def names(rows: Sequence[Row]) -> tuple[str, ...]:
    """Names of rows for a legend, told apart by agent, and then by their ids."""
    plain_names = [row.player if row.policy else f"{player(row)}, {row.agent}" for row in rows]
    return tuple(
        name if plain_names.count(name) == 1 else f"{name} ({row.id[:6]})"
        for name, row in zip(plain_names, rows, strict=True)
    )
