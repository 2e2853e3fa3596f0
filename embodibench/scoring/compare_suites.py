"""Rows that put a result beside published figures, one function for each suite. Units are those of the figures.

Each function takes figures that were computed from a result, the names of references (``baselines.references``), and
returns ``comparison.ComparisonRow`` in a fixed order: tasks or levels first, references within.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from embodibench.scoring import baselines
from embodibench.scoring.baseline_tables import (
    AaiIndividual,
    AaiLevel,
    AaiTask,
    CrafterHumanExpected,
    HumanTable,
    SocialAi,
)
from embodibench.scoring.baselines import Figure
from embodibench.scoring.comparison import ComparisonRow, ReferenceFigure
from embodibench.scoring.crafter import CrafterSummary
from embodibench.scoring.human_normalised import normalise
from embodibench.scoring.interval import Estimate, Interval, MaybeInterval, NoInterval
from embodibench.scoring.pass_rates import PassRate, pass_rate, pass_rates_by_level
from embodibench.scoring.quartiles import Quartiles
from embodibench.scoring.t_interval import t_interval

AAI40_REFERENCES = ("children", "top10", "dreamerv3", "random")
CRAFTER_REFERENCES = ("human", "spring", "dreamerv3", "random")


def aai40_rows(rates: Mapping[str, PassRate], names: Sequence[str] = AAI40_REFERENCES) -> tuple[ComparisonRow, ...]:
    """Levels beside children, entrants and agents.

    Args:
        rates: level ("1".."10" and "all") -> the model's pass rate; levels that no reference has are left out.
        names: references of aai40.

    Raises:
        UsageError: for an unknown reference.
    """
    titles = {row.level: row.level_name for row in baselines.table("aai40_levels.csv", AaiLevel)}
    found = {name: {figure.task: figure for figure in baselines.figures("aai40", name=name)} for name in names}
    return tuple(
        ComparisonRow(level, titles.get(level, level), rate.estimate, _aai40_reference(found[name][level]))
        for level, rate in rates.items()
        for name in names
        if level in found[name]
    )


def crafter_rows(summary: CrafterSummary, names: Sequence[str] = CRAFTER_REFERENCES) -> tuple[ComparisonRow, ...]:
    """Progress and score beside humans, recomputed at the model's number of episodes, and beside published rows.

    Published agents have scores over all training episodes and a spread over seeds; they are shown and not compared.

    Raises:
        UsageError: for an unknown reference.
    """
    rows = []
    for name in names:
        if name == "human":
            rows += _crafter_human_rows(summary)
            continue
        for figure in baselines.figures("crafter", name=name, task="all"):
            model = {"progress": summary.progress, "score": summary.score, "reward": summary.reward}.get(figure.measure)
            if model is not None:
                reason = "spread over runs of training, another number of episodes"
                estimate = Estimate(figure.measure, figure.value, model.unit, NoInterval(reason), figure.n or 0)
                rows.append(ComparisonRow("all", figure.measure, model, _reference(figure, estimate)))
    return tuple(rows)


def crafter_spectrum_rows(summary: CrafterSummary, name: str = "human") -> tuple[ComparisonRow, ...]:
    """One row for each achievement: two rates without intervals, to be seen side by side and not compared.

    Raises:
        UsageError: for an unknown reference, or one without rates of achievements.
    """
    rows = []
    for rate in summary.spectrum:
        figure = baselines.reference("crafter", name, rate.achievement)
        episodes = f"{figure.n} episodes" if figure.kind in ("human", "llm") and figure.n else "training episodes"
        interval = NoInterval(f"a rate over {episodes}")
        estimate = Estimate("success rate", figure.value, "percent", interval, figure.n or 0)
        reference = _reference(figure, estimate)
        rows.append(ComparisonRow(rate.achievement, rate.achievement, rate.estimate, reference))
    return tuple(rows)


def atari_rows(games: Mapping[str, Estimate], human_table: str, names: Sequence[str]) -> tuple[ComparisonRow, ...]:
    """Normalised scores of games beside agents, all normalised by the same named human table.

    Args:
        games: game -> the model's normalised score (a fraction), from ``human_normalised`` with the same table.
        human_table: name of the table.
        names: references of atari; figures of other units (rows of language models) are left out.

    Raises:
        UsageError: for an unknown table or reference, or a game that the table lacks.
    """
    humans = baselines.human_table(human_table)
    table_rows = [row for row in baselines.table("atari_human_tables.csv", HumanTable) if row.table == human_table]
    caveats = {row.game: row.caveat for row in table_rows}
    rows = []
    for game, model in games.items():
        for name in names:
            for figure in baselines.figures("atari", name=name, task=game):
                if figure.unit != "game score" or game not in humans:
                    continue
                value = float(normalise(figure.value, *humans[game]))
                reason = "the published spread is none over new runs of the same protocol"
                estimate = Estimate(model.name, value, model.unit, NoInterval(reason), figure.n or 0)
                caveat = f"human table {human_table} ({caveats[game]}); {figure.caveat}"
                rows.append(ComparisonRow(game, game, model, _reference(figure, estimate, caveat=caveat)))
    return tuple(rows)


def socialai_rows(rates: Mapping[str, PassRate], names: Sequence[str] | None = None) -> tuple[ComparisonRow, ...]:
    """Tasks of SocialAI ("AsocialBox", "ColorBoxes", "ColorBoxes (generalization)") beside the paper's models.

    Raises:
        UsageError: for an unknown reference.
    """
    rows = []
    for task, rate in rates.items():
        for row in baselines.table("socialai.csv", SocialAi):
            if row.task != task or (names is not None and row.name not in names):
                continue
            (figure,) = baselines.figures("socialai", name=row.name, task=task)
            estimate = Estimate("pass rate", row.rate, "fraction", NoInterval("spread not published"), row.n or 0)
            if row.passes is not None and row.n is not None:
                solved = np.arange(row.n) < row.passes
                estimate = pass_rate(solved.astype(int), np.ones(row.n, dtype=int), units="rooms").estimate
            rows.append(ComparisonRow(task, task, rate.estimate, _reference(figure, estimate)))
    return tuple(rows)


def _crafter_human_rows(summary: CrafterSummary) -> list[ComparisonRow]:
    episodes = summary.progress.n
    expected = {row.episodes: row for row in baselines.table("crafter_human_expected.csv", CrafterHumanExpected)}
    row = expected[min(episodes, max(expected))]
    method, label = "from 100 human episodes", f"Human experts at {row.episodes} episodes"
    score = Interval(
        row.score_expected_low, row.score_expected_high, method, f"expected score of {row.episodes} episodes"
    )
    progress = Interval(
        row.progress_expected_low, row.progress_expected_high, method, "mean progress over new episodes"
    )
    rows = []
    for model, value, interval, spread in (
        (summary.progress, row.progress_expected, progress, (row.progress_run_low, row.progress_run_high)),
        (summary.score, row.score_expected, score, (row.score_run_low, row.score_run_high)),
    ):
        estimate = Estimate(model.name, value, "percent", interval, 100)
        about = (row.protocol, row.caveat, row.source)
        rows.append(
            ComparisonRow("all", model.name, model, ReferenceFigure("human", label, estimate, *about, None, spread))
        )
    return rows


def _aai40_reference(figure: Figure) -> ReferenceFigure:
    quartiles = None
    if figure.quartiles is not None:
        quartiles = Quartiles(*figure.quartiles, figure.n or 0)
    estimate = Estimate("pass rate", figure.value, "fraction", _aai40_interval(figure), figure.n or 0)
    return _reference(figure, estimate, quartiles)


def _aai40_interval(figure: Figure) -> MaybeInterval:
    if figure.name == "children":
        column = "all" if figure.task == "all" else f"level_{figure.task}"
        individuals = baselines.table("aai40_individuals.csv", AaiIndividual)
        values = [getattr(row, column) for row in individuals if row.population == "children"]
        return t_interval(values, "mean over children like these, on these tasks", bounds=(0.0, 1.0))
    if figure.kind == "agent":
        tasks = [row for row in baselines.table("aai40_tasks.csv", AaiTask) if row.name == figure.name]
        passed, planned = [row.passes for row in tasks], [row.trials for row in tasks]
        if figure.task == "all":
            return pass_rate(passed, planned).estimate.interval
        return pass_rates_by_level(passed, planned, [row.level for row in tasks])[figure.task].estimate.interval
    if figure.kind == "entrants":
        return NoInterval("the best entrants, or all of them, are no sample of anything")
    return NoInterval("figures of individuals or tasks are not published")


def _reference(
    figure: Figure, estimate: Estimate, quartiles: Quartiles | None = None, caveat: str | None = None
) -> ReferenceFigure:
    about = (figure.protocol, figure.caveat if caveat is None else caveat, figure.source)
    return ReferenceFigure(figure.name, figure.label, estimate, *about, quartiles)
