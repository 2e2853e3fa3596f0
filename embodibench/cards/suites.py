"""Suites on disk: finding, loading, and the digest that names a benchmark version."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from embodibench.canonical import Json, digest
from embodibench.cards import document
from embodibench.cards.schema import SuiteCard, TaskCard
from embodibench.data_files import folder
from embodibench.errors import CardError, UsageError

AD_HOC: Final = "arena-"
"""Names that begin so are no suites of the package: they stand for an arena file that someone played."""


@dataclass(frozen=True)
class Suite:
    """A loaded suite: its card, its tasks in order, and the folder they came from.

    Attributes:
        path: None for an ad hoc arena, whose cards come with a run and have no conformance pack.
    """

    card: SuiteCard
    tasks: tuple[TaskCard, ...]
    path: Path | None

    @property
    def ad_hoc(self) -> bool:
        """Whether this is no suite of the package, but an arena file that someone played. Never ranked."""
        return self.path is None

    @property
    def label(self) -> str:
        """``name@N``, the benchmark version that is cited."""
        return f"{self.card.name}@{self.card.version}"

    def task(self, task_id: str) -> TaskCard:
        """The task of this id. Raises UsageError with the nearest ids."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        near = difflib.get_close_matches(task_id, self.card.tasks, n=3, cutoff=0.3)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise UsageError(f"suite {self.label} has no task '{task_id}'{hint}")

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that can change a score (see ``suite_digest``)."""
        return suite_digest(self)

    def off_pin(self) -> dict[str, str]:
        """World packages whose installed version is not the pinned one: name -> installed version."""
        found = {}
        for package, pinned in self.card.pinned.items():
            try:
                installed = version(package)
            except PackageNotFoundError:
                installed = "missing"
            if installed != pinned:
                found[package] = installed
        return found


def suite_digest(suite: Suite) -> str:
    """SHA-256 of the RFC 8785 form of the suite card, the task cards and the files of the conformance pack.

    The pack (``conformance/`` beside the cards) holds what the worlds, renderers, agents and parsers of this version
    did with fixed inputs, so a change of code that changes a score changes the pack, and with it the digest. Titles,
    notes, sources and the changelog explain a version and do not change a score, so they are left out.
    """
    card = suite.card.model_dump(mode="json", exclude={"title", "description", "source", "changelog", "baselines"})
    tasks: list[Json] = [
        task.model_dump(mode="json", exclude={"title", "capability", "notes", "source"}) for task in suite.tasks
    ]
    pack: dict[str, Json] = {}
    for path in sorted((suite.path / "conformance").glob("*.json")) if suite.path is not None else ():
        pack[path.name] = digest(json.loads(path.read_bytes()))
    return digest({"suite": card, "tasks": tasks, "conformance": pack})


def names() -> tuple[str, ...]:
    """Names of all suites that ship with the package, sorted."""
    return tuple(sorted(path.parent.name for path in folder("tasks").glob("*/suite.yaml")))


@lru_cache(maxsize=8)
def load(name: str) -> Suite:
    """The suite called ``name`` or ``name@N``.

    Raises:
        UsageError: there is no such suite or version.
        CardError: a card is wrong; the message names file, line and field.
    """
    match = re.fullmatch(r"([a-z0-9][a-z0-9_-]*)(?:@([0-9]+))?", name)
    if match is None:
        raise UsageError(f"'{name}' is not a suite name; write NAME or NAME@N, for example crafter@1")
    if match[1] not in names() and match[1].startswith(AD_HOC):
        raise UsageError(f"'{name}' is an arena file that someone played, not a suite of this package")
    if match[1] not in names():
        near = difflib.get_close_matches(match[1], names(), n=3, cutoff=0.3)
        hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(names())}"
        raise UsageError(f"there is no suite '{match[1]}'; {hint}")
    suite = load_folder(folder("tasks") / match[1])
    if match[2] is not None and int(match[2]) != suite.card.version:
        raise UsageError(f"this package holds {suite.label}, not {name}; install the package version that had it")
    return suite


def load_folder(path: Path) -> Suite:
    """The suite whose cards are the YAML files of a folder. Raises CardError."""
    suite_document = document.read(path / "suite.yaml")
    card = suite_document.parse(SuiteCard)
    if len(set(card.tasks)) != len(card.tasks):
        raise suite_document.error(("tasks",), "a task stands twice")
    tasks = []
    for index, task_id in enumerate(card.tasks):
        task_path = path / f"{task_id}.yaml"
        if not task_path.is_file():
            raise suite_document.error(("tasks", index), f"there is no file {task_path.name}")
        task_document = document.read(task_path)
        task = task_document.parse(TaskCard)
        if task.id != task_id:
            raise task_document.error(("id",), f"is '{task.id}', but the file is called {task_path.name}")
        tasks.append(task)
    return Suite(card, tuple(tasks), path)


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


__all__ = ["AD_HOC", "CardError", "Suite", "file_sha256", "load", "load_folder", "names", "suite_digest"]
