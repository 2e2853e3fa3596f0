"""Published and recomputed figures of humans, agents and models: read from ``baselines/``, listed, found by name.

The names to use on the command line are those of ``references(suite)``: ``children``, ``children-all`` and ``top10``
for aai40, ``human``, ``dreamerv3`` and ``random`` for crafter, and so on.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from embodibench.data_files import folder
from embodibench.errors import UsageError
from embodibench.scoring.baseline_tables import (
    FILES,
    AaiLevel,
    AaiLlm,
    AaiTask,
    AnyRow,
    AtariLlm,
    AtariScore,
    Balrog,
    CrafterRate,
    CrafterScore,
    HumanTable,
    Named,
    Row,
    SocialAi,
    read_table,
)

SUITES = ("aai40", "atari", "crafter", "ocalm", "socialai")
"""Suites that have published figures."""


@dataclass(frozen=True)
class Figure:
    """One figure of one reference.

    Attributes:
        task: what it is about: a task or level of aai40 ("1".."10", "all"), an achievement of Crafter or "all", an
            Atari game, a task of SocialAI.
        measure: "pass rate", "score", "score of mean rates", "reward", "progress", "success rate", "game score" or
            "game value".
        value: in ``unit``.
        spread: standard deviation or error as the source gives it (see ``caveat``), never a confidence interval.
        quartiles: (q25, median, q75) over individuals of a population, or None.
    """

    suite: str
    task: str
    name: str
    label: str
    kind: str
    measure: str
    value: float
    spread: float | None
    quartiles: tuple[float, float, float] | None
    n: int | None
    n_of: str
    unit: str
    protocol: str
    caveat: str
    source: str


def table(file: str, row_type: type[AnyRow], where: Path | None = None) -> tuple[AnyRow, ...]:
    """The rows of ``file``, one of ``baseline_tables.FILES``; read once for each place.

    Raises:
        BaselineError: as ``read_table``.
        ValueError: ``row_type`` is not that of the file.
    """
    if FILES.get(file) is not row_type:
        raise ValueError(f"{file} has no rows of type {row_type.__name__}")
    return cast(tuple[AnyRow, ...], _read(file, where if where is not None else folder("baselines")))


@lru_cache(maxsize=64)
def _read(file: str, where: Path) -> tuple[Row, ...]:
    return read_table(where / file, FILES[file])


def check(where: Path | None = None) -> int:
    """Read every file; returns the number of rows.

    Raises:
        BaselineError: for the first wrong file, line and field.
    """
    return sum(len(table(file, row_type, where)) for file, row_type in FILES.items())


def figures(suite: str, *, name: str | None = None, task: str | None = None) -> tuple[Figure, ...]:
    """All figures of a suite ("aai40" or "aai40@1"), of one reference or of one task where given, in file order.

    Raises:
        UsageError: for an unknown suite or name; the message offers the nearest ones.
    """
    base = suite.split("@", 1)[0]
    if base not in _READERS:
        raise UsageError(f"no published figures for suite '{suite}'; there are some for {', '.join(SUITES)}")
    found = tuple(_READERS[base]())
    if name is not None:
        names = sorted({figure.name for figure in found})
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names[:5]
            raise UsageError(f"no reference '{name}' for suite '{base}'; nearest: {', '.join(near)}")
        found = tuple(figure for figure in found if figure.name == name)
    return tuple(figure for figure in found if task is None or figure.task == task)


def references(suite: str) -> dict[str, str]:
    """Names of the references of a suite and their labels, in file order.

    Raises:
        UsageError: for an unknown suite.
    """
    return {figure.name: figure.label for figure in figures(suite)}


def reference(suite: str, name: str, task: str = "all", measure: str | None = None) -> Figure:
    """The one figure of a reference on a task, the first measure in file order unless one is named.

    Raises:
        UsageError: for an unknown suite or name, or when the reference has no such figure.
    """
    for figure in figures(suite, name=name, task=task):
        if measure is None or figure.measure == measure:
            return figure
    what = f" as {measure}" if measure else ""
    raise UsageError(f"reference '{name}' of suite '{suite}' has no figure for '{task}'{what}")


def human_table(name: str) -> dict[str, tuple[float, float]]:
    """{game: (random, human)} of one named table of human Atari scores.

    Raises:
        UsageError: for an unknown table; tables are never mixed, so there is no default.
    """
    rows = table("atari_human_tables.csv", HumanTable)
    found = {row.game: (row.random, row.human) for row in rows if row.table == name}
    if not found:
        names = ", ".join(dict.fromkeys(row.table for row in rows))
        raise UsageError(f"no human table '{name}'; there are {names}")
    return found


def _figure(
    suite: str,
    row: Named,
    task: str,
    measure: str,
    value: float,
    spread: float | None = None,
    quartiles: tuple[float, float, float] | None = None,
    unit: str | None = None,
) -> Figure:
    about = (row.n, row.n_of, unit or row.unit, row.protocol, row.caveat, row.source)
    return Figure(suite, task, row.name, row.label, row.kind, measure, value, spread, quartiles, *about)


def _aai40() -> Iterator[Figure]:
    for level in table("aai40_levels.csv", AaiLevel):
        quartiles = None
        if level.q25 is not None and level.median is not None and level.q75 is not None:
            quartiles = (level.q25, level.median, level.q75)
        yield _figure("aai40", level, level.level, "pass rate", level.proportion, level.sd, quartiles)
    for task in table("aai40_tasks.csv", AaiTask):
        yield _figure("aai40", task, task.task, "pass rate", task.proportion)
    for model in table("aai40_llm.csv", AaiLlm):
        yield _figure("aai40", model, model.task, "pass rate", model.proportion)


def _crafter() -> Iterator[Figure]:
    for row in table("crafter_scores.csv", CrafterScore):
        if row.score is not None:
            measure = "score of mean rates" if row.name.endswith("-mean-rates") else "score"
            yield _figure("crafter", row, "all", measure, row.score, row.score_sd, unit="percent")
        if row.reward is not None:
            yield _figure("crafter", row, "all", "reward", row.reward, row.reward_sd, unit="reward")
    for entry in table("crafter_balrog.csv", Balrog):
        yield _figure("crafter", entry, "all", "progress", entry.progress, entry.se)
    for file in ("crafter_achievements.csv", "crafter_balrog_achievements.csv"):
        for rate in table(file, CrafterRate):
            yield _figure("crafter", rate, rate.achievement, "success rate", rate.rate, rate.sd)


def _atari() -> Iterator[Figure]:
    for row in table("atari_scores.csv", AtariScore):
        yield _figure("atari", row, row.game, "game score", row.score, row.spread)
    for model in table("atari_llm.csv", AtariLlm):
        yield _figure("atari", model, model.game, "game value", model.value)


def _ocalm() -> Iterator[Figure]:
    for row in table("atari_scores.csv", AtariScore):
        if row.name.startswith("ocalm"):
            yield _figure("ocalm", row, row.game, "game score", row.score, row.spread)


def _socialai() -> Iterator[Figure]:
    for row in table("socialai.csv", SocialAi):
        yield _figure("socialai", row, row.task, "pass rate", row.rate)


_READERS = {"aai40": _aai40, "atari": _atari, "crafter": _crafter, "ocalm": _ocalm, "socialai": _socialai}
