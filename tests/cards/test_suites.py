"""Suites: loading, the digest, and the lock that keeps released versions what they were."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from embodibench import envs
from embodibench.cards import lock, suites
from embodibench.errors import CardError, UsageError
from embodibench.verify import conformance
from tests.runs.command import ROOT

LOCK = "tasks/lock.json"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the suite crafter that may be changed."""
    shutil.copytree(ROOT / "tasks" / "crafter", tmp_path / "crafter")
    return tmp_path / "crafter"


def test_every_suite_loads() -> None:
    assert "crafter" in suites.names()
    for name in suites.names():
        suite = suites.load(name)
        assert suite.card.name == name
        assert suites.load(suite.label) is not None


@pytest.mark.parametrize("name", ["crafte", "crafter@2", "Crafter", "", "../tasks", "crafter@x"])
def test_an_unknown_suite_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError):
        suites.load(name)


def test_a_task_that_has_no_file_is_named_with_its_line(copy: Path) -> None:
    card = copy / "suite.yaml"
    card.write_text(card.read_text().replace("tasks: [open-world]", "tasks: [open-world, missing]"))
    with pytest.raises(CardError, match=r"suite\.yaml:\d+: tasks\.1: there is no file missing\.yaml"):
        suites.load_folder(copy)


def _change(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    return change


@pytest.mark.parametrize(
    "change",
    [
        _change("open-world.yaml", "1000,", "2000,"),
        _change("open-world.yaml", "max_steps: 10000", "max_steps: 9999"),
        _change("open-world.yaml", "length: 10000", "length: 500"),
        _change("suite.yaml", "temperature: 0.0", "temperature: 1.0"),
        _change("suite.yaml", "parser: mention", "parser: substring"),
        _change("suite.yaml", "crafter: 1.8.3", "crafter: 1.8.4"),
        _change("conformance/worlds.json", '"trial": 0', '"trial": 1'),
        _change("conformance/prompts.json", '"version": 1', '"version": 2'),
        _change("conformance/replies.json", '"ok"', '"fallback"'),
    ],
)
def test_what_can_change_a_score_changes_the_digest(copy: Path, change: Callable[[Path], None]) -> None:
    before = suites.load_folder(copy).digest
    change(copy)
    assert suites.load_folder(copy).digest != before


@pytest.mark.parametrize(
    "change",
    [
        _change("open-world.yaml", "title: Open world", "title: Another title"),
        _change("suite.yaml", "change: First version.", "change: The first version."),
        _change("suite.yaml", "name: crafter", "# a comment\nname: crafter"),
    ],
)
def test_words_for_people_do_not(copy: Path, change: Callable[[Path], None]) -> None:
    before = suites.load_folder(copy).digest
    change(copy)
    assert suites.load_folder(copy).digest == before


@pytest.mark.parametrize("name", suites.names())
def test_this_installation_conforms(name: str) -> None:
    suite = suites.load(name)
    environment = suite.tasks[0].environment
    try:
        envs.check(environment.kind, environment.parameters)
    except UsageError as error:
        if suite.card.extra is None:
            raise
        pytest.skip(str(error))
    assert conformance.differences(suite) == []


def test_a_conformance_pack_of_another_world_is_found(copy: Path) -> None:
    _change("conformance/worlds.json", '"unlocked"', '"unlocked_"')(copy)
    assert conformance.differences(suites.load_folder(copy))


@pytest.mark.parametrize("name", suites.names())
def test_a_released_suite_is_unchanged(name: str) -> None:
    assert lock.state(suites.load(name)) != "changed"


def test_the_lock_is_append_only() -> None:
    """Every earlier content of the lock is the beginning of the present one."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git history here to compare the lock with")
    now = json.loads((ROOT / LOCK).read_bytes())["entries"]
    assert len({entry["version"] for entry in now}) == len(now)
    for commit in _git("rev-list", "HEAD", "--", LOCK).split():
        before = json.loads(_git("show", f"{commit}:{LOCK}"))["entries"]
        assert now[: len(before)] == before


def _git(*words: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True).stdout
