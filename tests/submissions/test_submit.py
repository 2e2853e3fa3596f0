"""``submit``: what it writes, what it refuses, and that it leaves nothing half-written."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from embodibench.submissions import submit as submitting
from embodibench.submissions.metadata import parse_metadata
from tests.runs.command import ROOT
from tests.submissions.bases import STATEMENTS, Bases, call, play, submit_words


def test_a_submission_holds_the_run_and_what_was_said(bases: Bases) -> None:
    folder, run = bases.get("model"), bases.run("model")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.md", "metadata.yaml", "result.json", "transcript.jsonl.zst")
    ]
    for name in ("result.json", "transcript.jsonl.zst"):
        assert (folder / name).read_bytes() == (run / name).read_bytes()
    metadata = parse_metadata((folder / "metadata.yaml").read_bytes(), "metadata.yaml")
    assert (metadata.submitter, metadata.attempts, metadata.trained_on_suite) == ("The tests", 1, "no")
    assert folder.parts[-2:] == ("socialai@1", folder.name)
    assert folder.name.startswith(f"{metadata.date}_move-forward-turn-left-toggle-turn-right-i-wait_in-context_")
    assert folder.name.endswith(metadata.result[:8])


def test_it_says_what_comes_next(bases: Bases, tmp_path: Path) -> None:
    code, said = call(*submit_words(bases.run("policy"), tmp_path / "submissions", {}))
    assert code == 0
    copied = "mkdir -p submissions/socialai@1 && cp -r /"
    for words in ("git switch -c submission-", copied, "git add submissions/socialai@1/", "git push -u origin "):
        assert f"\n  {words}" in said


def test_without_a_terminal_what_is_missing_is_named(bases: Bases, tmp_path: Path) -> None:
    code, said = call("submit", str(bases.run("policy")), "--out", str(tmp_path / "out"), "--submitter", "A")
    assert code == 2
    assert said.splitlines()[-1].startswith(
        "Error: a submission needs --contact, --description, --attempts, --trained-"
    )
    assert not (tmp_path / "out").exists()


def test_on_a_terminal_it_asks(bases: Bases, tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "embodibench", "submit", str(bases.run("policy")), "--attempts", "2", "--jobs", "1"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    os.close(terminal)
    os.write(controller, "Zoë\nz@example.org\nThe random policy.\nperhaps\nunknown\n".encode())
    out, _ = process.communicate(timeout=120)
    os.close(controller)
    assert process.returncode == 0, out
    (file,) = tmp_path.glob("submissions/*/*/metadata.yaml")
    metadata = parse_metadata(file.read_bytes(), "metadata.yaml")
    assert (metadata.submitter, metadata.attempts, metadata.trained_on_suite) == ("Zoë", 2, "unknown")


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--attempts", "0"),
        ("--report", "http://x"),
        ("--model-repository", "x"),
        ("--date", "tomorrow"),
        ("--contact", ""),
    ],
)
def test_a_statement_that_is_none_names_its_flag(flag: str, value: str, bases: Bases, tmp_path: Path) -> None:
    code, said = call(*submit_words(bases.run("policy"), tmp_path / "out", {flag: value}))
    assert code == 2
    assert f"{flag}: " in said.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_a_key_in_a_statement_is_named_and_not_shown(bases: Bases, tmp_path: Path) -> None:
    key = "sk-ant-" + "api03-" + "x" * 40
    code, said = call(*submit_words(bases.run("policy"), tmp_path / "out", {"--description": f"Key {key}"}))
    assert code == 1
    assert "secret: metadata.yaml:" in said
    assert "an Anthropic key" in said
    assert key not in said
    assert not (tmp_path / "out").exists()


def test_a_partial_run_is_refused_with_the_reason(tmp_path: Path) -> None:
    play(tmp_path / "run", "--model", "policy/random", "--suite", "socialai", "--limit", "2")
    code, said = call(*submit_words(tmp_path / "run", tmp_path / "out", {}))
    assert code == 2
    assert "only whole runs can be submitted, and this one was limited (episodes)" in said
    assert not (tmp_path / "out").exists()


def test_a_run_of_ones_own_arenas_is_refused_with_the_reason(bases: Bases, tmp_path: Path) -> None:
    run = _changed(bases, tmp_path, lambda data: data["benchmark"].update(suite="my-arenas@1"))
    code, said = call(*submit_words(run, tmp_path / "out", {}))
    assert code == 2
    assert "only runs of the suites of this package can be submitted, not 'my-arenas@1'" in said


def test_an_unfinished_run_says_how_to_go_on(bases: Bases, tmp_path: Path) -> None:
    shutil.copytree(bases.run("policy"), tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    code, said = call(*submit_words(tmp_path / "run", tmp_path / "out", {}))
    assert code == 2
    assert f"embodibench resume {tmp_path / 'run'}" in said


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_what_is_no_run_is_one_line(name: str, tmp_path: Path) -> None:
    code, said = call(*submit_words(tmp_path / name, tmp_path / "out", {}))
    assert code == 2
    assert said.count("\n") == 1


def test_a_run_that_does_not_replay_is_not_written(bases: Bases, tmp_path: Path) -> None:
    def change(data: dict) -> None:  # type: ignore[type-arg]
        data["episodes"][0]["rewards"][0][0] += 1.0

    run = _changed(bases, tmp_path, change)
    code, said = call(*submit_words(run, tmp_path / "out", {}))
    assert code == 1
    assert "not written, since the check would refuse it: replay-world:" in said
    assert not (tmp_path / "out").exists()


def test_the_same_run_twice_is_refused(bases: Bases, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call(*submit_words(bases.run("policy"), out, {}))[0] == 0
    before = sorted(out.rglob("*"))
    code, said = call(*submit_words(bases.run("policy"), out, {}))
    assert code == 2
    assert "is there already" in said
    code, said = call(*submit_words(bases.run("policy"), out, {"--date": "2099-01-01"}))
    assert code == 1
    assert sorted(out.rglob("*")) == before


def test_a_disk_that_fails_leaves_nothing(bases: Bases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, data: bytes) -> None:
        if path.name == "README.md":
            raise OSError(28, "No space left on device", str(path))
        path.write_bytes(data)

    monkeypatch.setattr(submitting, "write_bytes", fail)
    code, said = call(*submit_words(bases.run("policy"), tmp_path / "deep" / "out", {}))
    assert code == 2
    assert "No space left on device" in said
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_line(bases: Bases, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    code, said = call(*submit_words(bases.run("policy"), tmp_path / "file", {}))
    assert code == 2
    assert "cannot be made" in said.splitlines()[-1]


def test_the_same_statements_give_the_same_bytes(bases: Bases, tmp_path: Path) -> None:
    words = {"--date": _date(bases)}
    contents = []
    for name in ("one", "two"):
        assert call(*submit_words(bases.run("policy"), tmp_path / name, words))[0] == 0
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()})
    assert contents[0] == contents[1]


def _date(bases: Bases) -> str:
    return bases.get("policy").name[:10]


def _changed(bases: Bases, place: Path, change: object) -> Path:
    """A copy of the policy's run, changed."""
    shutil.copytree(bases.run("policy"), place / "run")
    file = place / "run" / "result.json"
    data = json.loads(file.read_bytes())
    change(data)  # type: ignore[operator]
    file.write_text(json.dumps(data))
    return place / "run"


assert set(STATEMENTS) == {"--submitter", "--contact", "--description", "--attempts", "--trained-on-suite"}
