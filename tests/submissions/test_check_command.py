"""``check``: folders, trees and pull requests, for people and for programs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.envs.atari.extra import INSTALLED
from tests.submissions.bases import Bases, Copy, call


@pytest.fixture
def tree(bases: Bases, tmp_path: Path) -> Path:
    """A tree of two suites."""
    for name in ("policy", "world"):
        base = bases.get(name)
        Copy.of(base).write(tmp_path / "submissions")
    return tmp_path / "submissions"


def test_an_accepted_submission_is_one_line(tree: Path) -> None:
    (folder,) = (tree / "socialai@1").iterdir()
    assert call("check", str(folder), "--jobs", "1") == (0, f"socialai@1/{folder.name}: accepted (50 identical)\n")


def test_a_tree_is_checked_in_order(tree: Path) -> None:
    code, said = call("check", str(tree), "--jobs", "1")
    assert code == 0
    assert [line.split("/")[0] for line in said.splitlines()] == ["crafter@1", "socialai@1"]


def test_in_a_tree_the_later_of_two_equal_ones_is_refused(tree: Path) -> None:
    (folder,) = (tree / "socialai@1").iterdir()
    copy = Copy.of(folder)
    copy.data["run"]["id"] = "another"
    copy.write(tree)
    code, said = call("check", str(tree / "socialai@1"), "--jobs", "1")
    assert code == 1
    assert [line.rsplit(": ", 1)[1].split()[0] for line in said.splitlines() if line.startswith("socialai")] in (
        ["accepted", "REFUSED"],
    )
    assert said.count("refused: duplicate-result:") == 1


def test_one_folder_of_a_tree_is_compared_with_the_others(tree: Path) -> None:
    (folder,) = (tree / "socialai@1").iterdir()
    copy = Copy.of(folder)
    copy.data["run"]["id"] = "another"
    again = copy.write(tree)
    code, said = call("check", str(again), "--jobs", "1")
    assert code == 1
    assert "refused: duplicate-result:" in said


@pytest.mark.skipif(INSTALLED, reason="the extra 'atari' is installed here, and this is about its being missing")
def test_what_cannot_be_replayed_here_stops_nothing_else(tree: Path) -> None:
    theirs = sorted((Path(__file__).parents[2] / "submissions" / "atari@1").iterdir())[0]
    shutil.copytree(theirs, tree / "atari@1" / theirs.name)
    code, said = call("check", str(tree), "--jobs", "1")
    first, *rest, last = said.splitlines()
    assert code == 2
    assert first.startswith(f"atari@1/{theirs.name}: not checked: ")
    assert ["accepted" in line for line in rest] == [True, True]
    assert last.startswith("Error: 1 of 3 submissions could not be checked here: ")
    assert "pip install" in last
    code, said = call("check", str(tree), "--jobs", "1", "--json")
    assert code == 2
    report = json.loads(said[: said.rindex("}") + 1])
    assert [one["verdict"] for one in report["submissions"]] == ["unchecked", "accepted", "accepted"]


def test_an_interval_may_be_worded_otherwise(tree: Path) -> None:
    (folder,) = (tree / "socialai@1").iterdir()
    copy = Copy.of(folder)
    interval = copy.data["metrics"]["tasks"]["asocial-box"]["interval"]
    assert set(interval) & {"method", "none"}
    interval |= {name: "in words of an older version" for name, value in interval.items() if isinstance(value, str)}
    shutil.rmtree(folder)
    assert call("check", str(copy.write(tree)), "--jobs", "1")[0] == 0


def test_findings_stand_in_the_order_of_the_rules(tree: Path) -> None:
    (folder,) = (tree / "socialai@1").iterdir()
    copy = Copy.of(folder)
    copy.data["benchmark"]["digest"] = "0" * 64
    copy.metadata["submitter"] = "<b>x</b>"
    copy.readme_last = lambda data: data + b"x"
    shutil.rmtree(folder)
    changed = copy.write(tree)
    code, said = call("check", str(changed), "--json")
    report = json.loads(said)
    assert code == 1
    assert report["verdict"] == "refused"
    (one,) = report["submissions"]
    assert [finding["rule"] for finding in one["findings"]] == ["metadata-markup", "readme", "suite-digest"]
    assert one["episodes"] is None
    assert call("check", str(changed), "--json") == (code, said)


def test_nothing_of_a_submission_reaches_the_terminal_as_it_is(tree: Path) -> None:
    folder = tree / "socialai@1" / "\x1b[2J<img>"
    folder.mkdir()
    (folder / "\x1b]0;owned\x07.md").write_text("x")
    (folder / "result.json").write_text('{"\\u001b[31m": 1, "\\u202e": 2}')
    code, said = call("check", str(folder))
    assert code == 1
    assert said.replace("\n", "").isprintable()
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "words", [[], ["nowhere"], ["{tree}", "--changed", "a..b"], ["{tree}", "--against", "nowhere"]]
)
def test_what_makes_no_sense_is_one_line(words: list[str], tree: Path) -> None:
    code, said = call("check", *(word.format(tree=tree) for word in words))
    assert code == 2
    assert said.startswith("Error: ")
    assert said.count("\n") == 1


def test_a_folder_without_submissions_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, said = call("check", str(tmp_path / "empty"))
    assert code == 2
    assert "holds no submission" in said


def test_a_pull_request_is_checked_where_it_stands(tree: Path) -> None:
    root = tree.parent
    (folder,) = (tree / "socialai@1").iterdir()
    names = [path.relative_to(root) for path in sorted(folder.iterdir())]
    (root / "list").write_text("".join(f"A\t{name}\n" for name in names))
    words = ("check", "--changed-files", str(root / "list"), "--root", str(root), "--jobs", "1")
    code, said = call(*words)
    assert (code, said) == (0, f"socialai@1/{folder.name}: accepted (50 identical)\n")
    with (root / "list").open("a") as file:
        file.write("M\tembodibench/submissions/rules.py\n")
    code, said = call(*words)
    assert code == 1
    assert said.startswith(
        "refused: change-outside: embodibench/submissions/rules.py is not a file of a new submission"
    )


def test_a_branch_is_checked_from_git(tree: Path) -> None:
    root = tree.parent
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Start"]):
        _git(root, *words)
    _git(root, "switch", "-qc", "submission")
    shutil.rmtree(tree / "crafter@1")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "A submission")
    code, said = call("check", "--changed", "main...submission", "--root", str(root), "--jobs", "1")
    assert (code, said.split(": ")[1]) == (0, "accepted (50 identical)\n")


def _git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=The tests", "-c", "user.email=tests@example.org"]
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)
