"""What a run tells while it goes on: every reply on a terminal, and in a log a line before it looks dead."""

from __future__ import annotations

import io

import pytest

from embodibench.cards import suites
from embodibench.results.plan import Unit
from embodibench.runs import progress
from embodibench.runs.budget import Budget


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def unit() -> Unit:
    return Unit(suites.load("crafter").tasks[0], 0)


def test_terminal_shows_each_reply_on_one_line(unit: Unit) -> None:
    stream = Terminal()
    shown = progress.Progress(3, 1, Budget(calls=7, spent=0.25), priced=True, stream=stream)
    shown.replied(unit, 4)
    shown.replied(unit, 5)
    assert stream.getvalue().count("\n") == 0
    assert stream.getvalue().endswith(f"\r\x1b[K[1/3] playing {unit.task.id} trial 0: call 5; 7 calls, $0.2500 so far")


def test_log_is_told_only_after_a_silence(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    shown = progress.Progress(3, 0, Budget(), priced=True, stream=stream)
    shown.replied(unit, 1)
    assert stream.getvalue() == ""
    monkeypatch.setattr(progress, "QUIET", 0.0)
    shown.replied(unit, 2)
    assert stream.getvalue() == f"[0/3] playing {unit.task.id} trial 0: call 2; 0 calls, $0.0000 so far\n"
