"""An official arena file as a suite of its own: one task for each arena, played as ``aai40`` is.

Such a suite is called ``arena-<file>`` and is no suite of the package: it is never ranked. Its cards are written into
the run directory, so that the run can be resumed, scored and verified without the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from embodibench.canonical import Json
from embodibench.cards import document
from embodibench.cards.schema import SuiteCard, TaskCard
from embodibench.cards.suites import AD_HOC, Suite, load
from embodibench.envs.aai.importer import LARGEST_NUMBER, MOST_ARENAS, MOST_INSTANCES, ImportedArena, read_arenas
from embodibench.envs.aai.spawn import instances
from embodibench.envs.aai.world import ArenaWorld
from embodibench.errors import CardError, UsageError

LIKE: Final = "aai40"
"""The suite whose protocol and pinned packages an arena file is played with."""

ENDLESS_STEPS: Final = 2_000
"""Bound of an episode (two minutes of the world's time) where the file has no time limit; aai40 has up to 1667."""

MOST_STEPS: Final = 10_000
"""Bound of an episode where the file's time limit is a longer one."""

LONGEST_SLUG: Final = 48


@dataclass(frozen=True)
class ArenaFile:
    """An arena file, ready to be played.

    Attributes:
        suite: its cards, read back from ``files``.
        files: name -> bytes of the cards, to be written into the folder of a run.
        skipped: what was left out of the arenas, in words.
    """

    suite: Suite
    files: Mapping[str, bytes]
    skipped: tuple[str, ...]


def read_arena_file(path: Path, *, trials: int = 1, skip_unknown: bool = False) -> ArenaFile:
    """The suite of an arena file.

    Trial k has the seed k + 1, as in ``aai40``: it decides whatever the file leaves to chance. An episode passes when
    its return reaches the file's pass mark (0 where there is none).

    Raises:
        CardError: the file cannot be read or is no arena file; the message names line and field.
    """
    arenas = read_arenas(path, skip_unknown=skip_unknown)
    stem = _slug(path.stem) or arenas[0].sha256[:12]
    # File names may hold bytes that are no text.
    shown = path.name.encode("utf-8", "replace").decode("utf-8")[:100]
    tasks = [
        _task_card(task, arena, shown, trials) for task, arena in zip(_task_ids(arenas, stem), arenas, strict=True)
    ]
    model = load(LIKE).card
    card: dict[str, Json] = {
        "name": AD_HOC + stem,
        "version": 1,
        "interface": "A",
        "title": f"Ad hoc arena: {shown}",
        "description": (
            f"The arenas of an Animal-AI file, played under the protocol of {LIKE}. This is no suite of the package: "
            "its results are not ranked, and can be compared with results on the same cards only."
        ),
        "tasks": [task["id"] for task in tasks],
        "protocol": model.protocol.model_dump(mode="json"),
        "scoring": "pass_rate",
        "pinned": dict[str, Json](model.pinned),
    }
    files = {f"{task['id']}.yaml": _yaml(task) for task in tasks} | {"suite.yaml": _yaml(card)}
    parsed = tuple(document.parse(files[f"{task['id']}.yaml"], str(path)).parse(TaskCard) for task in tasks)
    suite = Suite(document.parse(files["suite.yaml"], str(path)).parse(SuiteCard), parsed, None)
    return ArenaFile(suite, files, tuple(line for arena in arenas for line in arena.skipped))


def check_cards(suite: Suite, place: Path) -> None:
    """Check that a stranger's cards are those of an arena file: this world, this rule, bounded in size and numbers.

    Raises:
        CardError: names the card and what is wrong.
    """
    if suite.card.scoring != "pass_rate" or len(suite.tasks) > MOST_ARENAS:
        raise CardError(f"{place / 'suite.yaml'}: not the card of an arena file (scoring pass_rate, bounded in size)")
    for task in suite.tasks:
        where = place / f"{task.id}.yaml"
        if task.environment.kind != "aai":
            raise CardError(f"{where}: environment.kind: is '{task.environment.kind}'; an arena file is played in aai")
        try:
            spec = ArenaWorld(**task.environment.parameters).spec
        except (UsageError, TypeError) as error:
            raise CardError(f"{where}: environment.parameters: {error}") from error
        if not _bounded(spec.model_dump(mode="json")):
            raise CardError(f"{where}: environment.parameters: a number is beyond {LARGEST_NUMBER:.0f}")
        if sum(map(instances, spec.items)) > MOST_INSTANCES:
            raise CardError(f"{where}: environment.parameters.items: stand for more than {MOST_INSTANCES} objects")


def _bounded(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_bounded, value.values()))
    if isinstance(value, list):
        return all(map(_bounded, value))
    return not isinstance(value, int | float) or abs(value) <= LARGEST_NUMBER


def _task_ids(arenas: tuple[ImportedArena, ...], stem: str) -> list[str]:
    """The file's name for one arena; for several their numbers in the file, or their places where those will not do."""
    if len(arenas) == 1:
        return [stem if stem != "suite" else "arena"]  # suite.yaml is the card of all
    keys = [arena.key for arena in arenas]
    if len(set(keys)) < len(keys) or not all(re.fullmatch("[0-9]{1,6}", key) for key in keys):
        keys = [str(place) for place in range(len(arenas))]
    return [f"arena-{key}" for key in keys]


def _task_card(task: str, arena: ImportedArena, file: str, trials: int) -> dict[str, Json]:
    parameters = arena.spec.model_dump(mode="json")
    parameters["items"] = [{name: value for name, value in item.items() if value} for item in parameters["items"]]
    limit = arena.spec.time_limit
    most = ENDLESS_STEPS if limit == 0 else MOST_STEPS if 5 * limit / 3 > MOST_STEPS else None
    notes: list[Json] = [line.split(": ", 1)[-1] + "." for line in arena.skipped]
    if most is not None:
        notes.append(f"The arena has no time limit, or a longer one: an episode ends after {most} steps.")
    return {
        "id": task,
        "title": f"Arena {arena.key[:20]} of {file}",
        "capability": "An arena file that was not written for this package; what it measures is its author's matter.",
        "environment": {"kind": "aai", "parameters": parameters},
        "seeds": [trial + 1 for trial in range(trials)],
        "budgets": {} if most is None else {"max_steps": most},
        "success": {"measure": "return", "at_least": arena.pass_mark},
        "notes": notes,
        "source": {"work": f"The file {file}", "sha256": arena.sha256},
    }


def _slug(stem: str) -> str:
    return re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-")[:LONGEST_SLUG].strip("-")


def _yaml(card: Mapping[str, Json]) -> bytes:
    text = yaml.safe_dump(dict(card), sort_keys=False, default_flow_style=None, allow_unicode=True, width=120)
    return str(text).encode("utf-8")
