"""What a pull request may change: one new submission folder, as git tells it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from embodibench.errors import UsageError
from embodibench.submissions.changes import Change, from_file, from_git, judge

FOLDER = "submissions/socialai@1/2026-12-01_policy_random_0123abcd"
ADDED = [Change(f"{FOLDER}/{name}", "A", "100644") for name in ("README.md", "metadata.yaml", "result.json")]


def _rules(*more: Change) -> set[str]:
    return {finding.rule for finding in judge([*ADDED, *more]).findings}


def test_one_new_folder_is_taken() -> None:
    judged = judge(ADDED)
    assert judged.folder == Path(FOLDER)
    assert judged.findings == ()


@pytest.mark.parametrize(
    "path",
    [
        "embodibench/submissions/rules.py",
        ".github/workflows/submission-check.yml",
        "leaderboard/verdicts/" + "0" * 64 + ".json",
        "submissions/README.md",
        f"{FOLDER}/setup.py",
        f"{FOLDER}/logs/result.json",
        f"{FOLDER}/../../../README.md",
        f"/{FOLDER}/result.json",
        f"{FOLDER}/result.json\n",
        "submissions/socialai@1/..",
        "submissions/../submissions/socialai@1/result.json",
        "submissions/Socialai@1/2026-12-01_policy_random_0123abcd/result.json",
        "submissions/socialai@1/2026-12-01_policy_random_0123abcd\u200b/result.json",
        "submissions/crafter@1/2026-12-01_policy_random_0123abcd/result.json",
        "submissions/socialai@1/2026-12-02_policy_random_0123abcd/result.json",
        "",
    ],
)
def test_a_path_outside_of_it_is_refused(path: str) -> None:
    assert _rules(Change(path, "A", "100644")) == {"change-outside"}


@pytest.mark.parametrize("status", ["M", "D", "R", "T", "C", "U"])
def test_a_file_that_is_not_new_is_refused(status: str) -> None:
    assert _rules(Change(f"{FOLDER}/transcript.jsonl.zst", status, "100644")) == {"change-of-old"}


@pytest.mark.parametrize("mode", ["120000", "160000", "100755", "040000"])
def test_a_file_that_is_not_plain_is_refused(mode: str) -> None:
    assert _rules(Change(f"{FOLDER}/transcript.jsonl.zst", "A", mode)) == {"change-mode"}


def test_no_change_is_no_submission() -> None:
    assert [finding.rule for finding in judge([]).findings] == ["change-outside"]


def test_a_thousand_bad_paths_are_not_told_one_by_one() -> None:
    assert len(judge([Change(f"x{n}", "A") for n in range(1000)]).findings) == 5


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit, ``main``."""
    _git(tmp_path, "init", "-q", "-b", "main")
    _git(tmp_path, "config", "user.email", "tests@example.org")
    _git(tmp_path, "config", "user.name", "The tests")
    (tmp_path / "code.py").write_text("print()\n")
    _commit(tmp_path)
    return tmp_path


def test_git_tells_what_was_added(repository: Path) -> None:
    _add(repository)
    _commit(repository)
    judged = judge(from_git(repository, "main~1..main"))
    assert (judged.folder, judged.findings) == (Path(FOLDER), ())


def test_git_tells_since_when_branches_parted(repository: Path) -> None:
    _git(repository, "switch", "-qc", "submission")
    _add(repository)
    _commit(repository)
    _git(repository, "switch", "-q", "main")
    (repository / "code.py").write_text("print(1)\n")
    _commit(repository)
    assert judge(from_git(repository, "main...submission")).findings == ()
    assert {finding.rule for finding in judge(from_git(repository, "main..submission")).findings} == {"change-outside"}


def test_git_tells_links_programs_and_renames(repository: Path) -> None:
    _add(repository)
    (repository / FOLDER / "README.md").unlink()
    (repository / FOLDER / "README.md").symlink_to("/etc/passwd")
    (repository / FOLDER / "result.json").chmod(0o755)
    _commit(repository)
    modes = {change.path.rpartition("/")[2]: change.mode for change in from_git(repository, "main~1..main")}
    assert modes == {"README.md": "120000", "result.json": "100755", "metadata.yaml": "100644"}
    _git(repository, "mv", FOLDER, FOLDER.replace("0123", "3210"))
    _commit(repository)
    assert {change.status for change in from_git(repository, "main~1..main")} == {"A", "D"}


def test_git_tells_names_as_they_are(repository: Path) -> None:
    name = repository / "submissions" / "a\tb\n\udcff"
    name.parent.mkdir()
    name.write_text("x")
    _commit(repository)
    judged = judge(from_git(repository, "main~1..main"))
    assert [finding.rule for finding in judged.findings] == ["change-outside"]
    assert judged.findings[0].message.isprintable()


@pytest.mark.parametrize(
    "words", ["main", "--output=x..main", "main..nowhere", "a..b..c", "main..;id", "..", "$(id)..main"]
)
def test_what_is_no_range_is_a_mistake(words: str, repository: Path) -> None:
    with pytest.raises(UsageError):
        from_git(repository, words)


def test_a_list_of_changes_is_read_in_both_forms(tmp_path: Path) -> None:
    raw = f":000000 100644 0000000 1234567 A\t{FOLDER}/result.json\n"
    (tmp_path / "raw").write_text(raw)
    (tmp_path / "status").write_text(f"A\t{FOLDER}/result.json\nR100\told\tnew\n")
    assert from_file(tmp_path / "raw") == (Change(f"{FOLDER}/result.json", "A", "100644"),)
    assert from_file(tmp_path / "status")[1].status == "R"
    (tmp_path / "other").write_text("result.json\n")
    with pytest.raises(UsageError, match="other:1"):
        from_file(tmp_path / "other")


def _add(repository: Path) -> None:
    (repository / FOLDER).mkdir(parents=True)
    for change in ADDED:
        (repository / change.path).write_text("x\n")


def _commit(repository: Path) -> None:
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "A change")


def _git(repository: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(repository), *words], check=True, capture_output=True)
