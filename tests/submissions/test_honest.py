"""Honest submissions pass: every kind of player, by the documented path, and what submitters may say of themselves."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from embodibench.submissions.check import check_submission
from tests.models.server import KEY, Provider, words_of
from tests.submissions.bases import Bases, Copy, call, play, play_and_submit, submit_words
from tests.submissions.hostile_costs import priced
from tests.submissions.hostile_times import FORM, shift, spread

SCRIPTS = "stub/Go(200);Turn(90);Go(200);Turn(90);Go(200);"
PLAYED = {
    "expert": ("--model", "policy/expert", "--suite", "socialai"),
    "asocial": ("--model", "policy/asocial", "--suite", "socialai"),
    "school": ("--model", "policy/expert", "--suite", "socialai-school"),
    "walkthrough": ("--model", "policy/walkthrough", "--suite", "aai40"),
    "react": ("--model", SCRIPTS, "--suite", "aai40"),
    "react-text": ("--model", SCRIPTS, "--suite", "aai40", "--agent", "react-text"),
    "spring": ("--model", "stub/Noop,Sleep", "--suite", "crafter", "--agent", "spring-direct"),
    "option": (
        "--model",
        "stub/toggle,go",
        "--suite",
        "socialai",
        "--agent",
        "in-context",
        "--option",
        "parser=mention",
    ),
}
"""Whole runs beside those of ``bases.RUNS``: the random policy on two suites, and the agents in-context and direct."""


MAYBE = {"changed-code"}
"""Warnings that depend on where the tests run."""


@pytest.mark.parametrize("name", PLAYED)
def test_a_whole_run_is_accepted(name: str, tmp_path: Path) -> None:
    """``submit`` checks what it writes, and leaves nothing behind that the check refuses."""
    folder = play_and_submit(tmp_path, *PLAYED[name])
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_games_are_accepted_too(tmp_path: Path) -> None:
    pytest.importorskip("ocatari", reason="the extra 'atari' is not installed")
    assert play_and_submit(tmp_path, "--model", "policy/random", "--suite", "atari").is_dir()


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_a_model_behind_a_server_is_accepted(dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{dialect.upper()}_API_KEY", KEY)
    with Provider(words_of("move forward", "turn left", "toggle")) as provider:
        url = provider.openai_url if dialect == "openai" else provider.url
        words = ("--model", f"{dialect}/test-model", "--base-url", url, "--suite", "socialai", "--concurrency", "16")
        folder = play_and_submit(tmp_path, *words)
    checked = check_submission(folder, jobs=1)
    assert checked.accepted, checked.findings
    assert {finding.rule for finding in checked.findings} - MAYBE == {"model-unknown"}


def test_a_run_that_was_stopped_and_resumed_is_accepted(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play(out, "--model", "stub/toggle,move forward,turn right", "--suite", "socialai", "--max-calls", "150")
    code, said = call(*submit_words(out, tmp_path / "submissions", {}))
    assert code == 2
    assert f"embodibench resume {out}" in said
    assert call("resume", str(out))[0] == 0
    code, said = call(*submit_words(out, tmp_path / "submissions", {}))
    assert code == 0, said


def test_a_recording_is_accepted_and_said_to_be_one(bases: Bases, tmp_path: Path) -> None:
    recording = tmp_path / "transcript.jsonl.zst"
    shutil.copy(bases.get("model") / recording.name, recording)
    folder = play_and_submit(tmp_path, "--model", f"recording/{recording}", "--suite", "socialai")
    checked = check_submission(folder, against=bases.get("model").parent.parent, jobs=1)
    assert checked.accepted, checked.findings
    assert {finding.rule for finding in checked.findings} - MAYBE == {"model-unasked", "duplicate-short"}


# What may be so: the run as it is, with one thing that is said or measured otherwise.


@dataclass(frozen=True)
class Honest:
    change: Callable[[Copy], None]
    base: str = "policy"
    warns: tuple[str, ...] = ()


def _says(**fields: object) -> Honest:
    return Honest(lambda copy: copy.metadata.update(fields))


def _resumed(copy: Copy) -> None:
    """A second session an hour later, which tried again what had failed."""
    spread(copy)
    copy.data["run"]["sessions"] = 2
    later = datetime.datetime.strptime(copy.data["run"]["finished"], FORM)
    for minute, index in enumerate((3, 17, 40)):
        started = (later + minute * datetime.timedelta(minutes=1)).strftime(FORM)
        copy.episodes[index] |= {"attempts": 2, "times": {"started": started, "seconds": 30.0}}
    copy.data["run"]["finished"] = (later + datetime.timedelta(minutes=5)).strftime(FORM)


def _elsewhere(copy: Copy) -> None:
    """Another platform, on which fingerprints differ and nothing else does."""
    copy.data["environment"] |= {"os": "Darwin", "machine": "arm64"}
    copy.episodes[0]["final"] = "0" * 32


def _gateway(copy: Copy) -> None:
    copy.data["model"] |= {"provider": "openai", "requested": "org/model:free", "checkpoint": "org/model:free"}
    copy.data["model"] |= {"base_url": "https://gateway.example.org/v1", "returned": ["org/model"]}
    for episode in copy.episodes:
        episode["cost"] = None


def _silent(copy: Copy) -> None:
    """A server that tells no tokens."""
    for episode in copy.episodes:
        calls = len(episode["calls"]["prompts"])
        episode["calls"] |= {"input_tokens": [None] * calls, "output_tokens": [None] * calls}
        episode["usage"] = None


def _submitted_later(copy: Copy) -> None:
    shift(copy, -datetime.timedelta(hours=20))


def _local_file(copy: Copy) -> None:
    name = "Small-1B.Q4.gguf@sha256:0123456789abcdef"
    copy.data["model"] |= {"provider": "local", "requested": "small", "checkpoint": name, "returned": [name]}


HONEST = {
    "accents": _says(submitter="Équipe Zoë Ångström-Núñez"),
    "east asian": _says(submitter="東京ロボットLab 김철수", contact="连系@example.cn"),
    "cyrillic": _says(submitter="Группа Юлии Щербаковой", description="Случайная политика."),
    "right to left": _says(submitter="فريق الاختبار", description="בדיקה"),
    "devanagari": _says(submitter="परीक्षण दल"),
    "signs": _says(
        submitter="R&D 2 (Team #1) *best* _lab_ [x] |y|",
        description="Cost < $5, 3 > 2; `code`, a\n\n# heading\n- list\n1. one\n<3 https://example.org/a?b=c&d=e 🚀",
    ),
    "open weights": _says(
        model_repository="org/model-7B", report="https://example.org/paper.pdf", attempts=3, trained_on_suite="unknown"
    ),
    "resumed": Honest(_resumed),
    "later": Honest(_submitted_later),
    "elsewhere": Honest(_elsewhere, warns=("replay-fingerprint",)),
    "dirty": Honest(
        lambda copy: copy.data["benchmark"].update(git_dirty=True, git_commit="a" * 40), warns=("changed-code",)
    ),
    "stopped often": Honest(lambda copy: copy.data["run"].update(sessions=21), warns=("session-count",)),
    "local file": Honest(_local_file, "model"),
    "priced": Honest(priced, "model"),
    "gateway": Honest(_gateway, "model", ("model-unknown", "model-returned")),
    "silent": Honest(_silent, "model", ("model-unasked",)),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_may_be_so_is_accepted(name: str, bases: Bases, tmp_path: Path) -> None:
    honest = HONEST[name]
    copy = Copy.of(bases.get(honest.base))
    honest.change(copy)
    checked = check_submission(copy.write(tmp_path / "submissions"), jobs=1)
    assert checked.accepted, checked.findings
    assert {finding.rule for finding in checked.findings} == set(honest.warns)
