"""The columns of each file in ``baselines/``, and a reader that names file, line and field of a wrong value.

Every row ends with the same six columns: n and n_of (how many of what stand behind the figure; empty where the source
does not say), unit, protocol, caveat and source.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from embodibench.errors import CardError


class BaselineError(CardError):
    """A file of baseline figures is wrong; the message names file, line and field."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """What every row says about where its figure comes from."""

    n: int | None
    n_of: str
    unit: str
    protocol: str
    caveat: str
    source: str


@dataclass(frozen=True, kw_only=True)
class Named(Row):
    """A row of somebody: ``name`` is the short name for the command line, ``label`` the one for people."""

    name: str
    label: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class AaiLevel(Named):
    """aai40_levels.csv: a population or agent on a level ("1".."10", "all"); quartiles over individuals, R type 7."""

    level: str
    level_name: str
    tasks: int
    trials: int
    passes: int
    proportion: float
    sd: float | None
    q25: float | None
    median: float | None
    q75: float | None
    iqm: float | None


@dataclass(frozen=True, kw_only=True)
class AaiTask(Named):
    """aai40_tasks.csv: one population or agent on one task."""

    task: str
    level: str
    pass_mark: float
    trials: int
    passes: int
    proportion: float


@dataclass(frozen=True, kw_only=True)
class AaiIndividual(Row):
    """aai40_individuals.csv: one child or entrant, fraction of tasks passed on each level."""

    population: str
    individual: str
    level_1: float
    level_2: float
    level_3: float
    level_4: float
    level_5: float
    level_6: float
    level_7: float
    level_8: float
    level_9: float
    level_10: float
    all: float


@dataclass(frozen=True, kw_only=True)
class AaiLlm(Named):
    """aai40_llm.csv: a published language model condition on one task or level (``scope``)."""

    scope: str
    task: str
    trials: int
    passes: int
    proportion: float


@dataclass(frozen=True, kw_only=True)
class CrafterRate(Named):
    """crafter_achievements.csv and crafter_balrog_achievements.csv: percent of episodes that unlock an achievement."""

    achievement: str
    rate: float
    sd: float | None


@dataclass(frozen=True, kw_only=True)
class CrafterHumanGroup(Row):
    """crafter_human_groups.csv: rates of one group of human episodes, percent."""

    group: int
    achievement: str
    episodes_unlocked: int
    rate: float


@dataclass(frozen=True, kw_only=True)
class CrafterHumanExpected(Row):
    """crafter_human_expected.csv: what ``episodes`` human episodes are expected to score, percent."""

    episodes: int
    score_expected: float
    score_expected_low: float
    score_expected_high: float
    score_sd: float
    score_run_low: float
    score_run_high: float
    progress_expected: float
    progress_expected_low: float
    progress_expected_high: float
    progress_run_low: float
    progress_run_high: float


@dataclass(frozen=True, kw_only=True)
class CrafterScore(Named):
    """crafter_scores.csv: score in percent and reward, with their standard deviations over runs."""

    score: float | None
    score_sd: float | None
    reward: float | None
    reward_sd: float | None


@dataclass(frozen=True, kw_only=True)
class Balrog(Named):
    """crafter_balrog.csv: progress in percent and its printed standard error."""

    track: str
    model: str
    agent: str
    progress: float
    se: float


@dataclass(frozen=True, kw_only=True)
class Craftax(Named):
    """craftax.csv: reward in percent of the maximal one."""

    budget: str
    reward: float


@dataclass(frozen=True, kw_only=True)
class HumanTable(Row):
    """atari_human_tables.csv: random and human game scores of one named table."""

    table: str
    game: str
    random: float
    human: float


@dataclass(frozen=True, kw_only=True)
class AtariScore(Named):
    """atari_scores.csv: a published game score; ``spread`` as its caveat says."""

    game: str
    score: float
    spread: float | None
    frames: int | None


@dataclass(frozen=True, kw_only=True)
class AtariLlm(Named):
    """atari_llm.csv: a published language model figure, in the unit of its row."""

    game: str
    value: float


@dataclass(frozen=True, kw_only=True)
class SocialAi(Named):
    """socialai.csv: fraction of episodes solved."""

    task: str
    rate: float
    passes: int | None


FILES: dict[str, type[Row]] = {
    "aai40_levels.csv": AaiLevel,
    "aai40_tasks.csv": AaiTask,
    "aai40_individuals.csv": AaiIndividual,
    "aai40_llm.csv": AaiLlm,
    "crafter_achievements.csv": CrafterRate,
    "crafter_balrog_achievements.csv": CrafterRate,
    "crafter_human_groups.csv": CrafterHumanGroup,
    "crafter_human_expected.csv": CrafterHumanExpected,
    "crafter_scores.csv": CrafterScore,
    "crafter_balrog.csv": Balrog,
    "craftax.csv": Craftax,
    "atari_human_tables.csv": HumanTable,
    "atari_scores.csv": AtariScore,
    "atari_llm.csv": AtariLlm,
    "socialai.csv": SocialAi,
}
"""Every file of ``baselines/`` and the type of its rows."""

AnyRow = TypeVar("AnyRow", bound=Row)


def read_table(path: Path, row_type: type[AnyRow]) -> tuple[AnyRow, ...]:
    """All rows of one file, in its order.

    Raises:
        BaselineError: the file is missing, has other columns than ``row_type`` has fields, or a value has not its
            column's type; empty is allowed only where the field may be None or is text other than ``source``.
    """
    wanted = {field.name: str(field.type) for field in fields(row_type)}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file, strict=True))
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read ({error.strerror}); restore the file") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BaselineError(f"{path}: is not CSV in UTF-8 ({error})") from error
    header = lines[0] if lines else []
    if sorted(header) != sorted(wanted):
        missing, extra = sorted(set(wanted) - set(header)), sorted(set(header) - set(wanted))
        raise BaselineError(f"{path}, line 1: wrong columns; missing {missing}, unknown {extra}, each once")
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        if len(cells) != len(header):
            raise BaselineError(f"{path}, line {number}: {len(cells)} fields instead of {len(header)}")
        values: dict[str, Any] = {}
        for column, text in zip(header, cells, strict=True):
            try:
                values[column] = _CONVERT[wanted[column]](text)
                if column == "source" and not text.strip():
                    raise ValueError("every figure needs its source")
            except ValueError as error:
                raise BaselineError(f"{path}, line {number}, field '{column}': {error}") from error
        rows.append(row_type(**values))
    return tuple(rows)


def _text(text: str) -> str:
    return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not finite")
    return value


_CONVERT: dict[str, Callable[[str], str | int | float | None]] = {
    "str": _text,
    "int": _whole,
    "float": _number,
    "int | None": lambda text: _whole(text) if text else None,
    "float | None": lambda text: _number(text) if text else None,
}
