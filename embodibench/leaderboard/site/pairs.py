"""What the page that compares two rows needs, so that its script gives what ``scoring.paired`` gives.

The t-interval over paired differences is closed-form but for its quantile, which depends on the number of units alone;
so the quantile is computed here and the script does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from embodibench.cards.suites import Suite
from embodibench.leaderboard.rows import Row
from embodibench.leaderboard.site.entries import player
from embodibench.leaderboard.site.texts import plain
from embodibench.scoring.interval import Estimate
from embodibench.scoring.paired import MIN_DIFFERING, MIN_TASKS, compare_paired, compare_paired_values
from embodibench.scoring.t_interval import t_quantile

MIN_WORLDS = 10
"""As the default of ``compare_paired_values``."""


@dataclass(frozen=True)
class Comparison:
    """One paired comparison of a suite.

    Attributes:
        title: what is compared.
        unit_names: names of the units, in the order of ``Row.units``.
        planned: trials of each unit, for pass rates; None where units have values of their own.
    """

    title: str
    unit_names: tuple[str, ...]
    planned: tuple[int, ...] | None

    def of(self, first: tuple[float, ...], second: tuple[float, ...]) -> Estimate:
        """The difference, first minus second: of pass rates as a fraction, of values in percent."""
        if self.planned is None:
            return compare_paired_values(first, second, "percent", minimum=MIN_WORLDS)
        return compare_paired(first, self.planned, second, self.planned).difference

    def to_json(self) -> dict[str, Any]:
        """Plain data for the script."""
        units = len(self.unit_names)
        return {
            "title": self.title,
            "units": list(self.unit_names),
            "planned": list(self.planned) if self.planned is not None else None,
            "quantile": t_quantile(units - 1) if units > 1 else None,
            "minUnits": MIN_TASKS if self.planned is not None else MIN_WORLDS,
            "minDiffering": MIN_DIFFERING if self.planned is not None else 0,
            "bound": 1 if self.planned is not None else None,
            "scale": 100 if self.planned is not None else 1,
        }


def comparisons(suite: Suite) -> tuple[Comparison, ...]:
    """The paired comparisons that a suite has; the three tasks of SocialAI are never pooled, games are not paired."""
    if suite.card.scoring == "crafter":
        worlds = [f"world {trial + 1}" for task in suite.tasks for trial in range(len(task.seeds))]
        return (Comparison("Progress, percent of 22 achievements", tuple(worlds), None),)
    if suite.card.scoring == "pass_rate":
        names = tuple(f"{task.id} {task.title}" for task in suite.tasks)
        return (Comparison(f"Pass rate, {len(names)} tasks", names, tuple(len(task.seeds) for task in suite.tasks)),)
    if suite.card.scoring == "socialai":
        return tuple(
            Comparison(
                task.title,
                tuple(f"room {trial + 1}" for trial in range(len(task.seeds))),
                (1,) * len(task.seeds),
            )
            for task in suite.tasks
        )
    return ()


def rows_json(rows: Sequence[Row]) -> list[list[Any]]:
    """A short list for each row: id, player, agent, date, index of its content digest, and its units."""
    digests = list(dict.fromkeys(row.digest for row in rows))
    return [
        [
            row.id,
            plain(player(row)),
            plain(row.agent),
            row.date,
            digests.index(row.digest),
            [_packed(values) for values in row.units],
        ]
        for row in rows
    ]


def _packed(values: Sequence[float]) -> str | list[float]:
    """Counts below ten as a string of digits, other values as a list."""
    if all(0 <= value <= 9 and value == int(value) for value in values):
        return "".join(str(int(value)) for value in values)
    return list(values)
