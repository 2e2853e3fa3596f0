"""Hostile submissions: each is a valid one with one change and all else made to fit, and is refused by its own rule."""

from __future__ import annotations

import json
import shutil
import signal
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from embodibench.submissions.check import check_submission
from tests.submissions import (  # noqa: F401 - each fills the list
    hostile_costs,
    hostile_files,
    hostile_results,
    hostile_texts,
    hostile_times,
    hostile_transcripts,
)
from tests.submissions.bases import Bases, Copy
from tests.submissions.hostile import HOSTILE, Hostile

LONGEST = 10
"""Seconds of processor time that a hostile submission may take."""


def test_there_are_enough_and_none_has_the_name_of_another() -> None:
    names = Counter(case.name for case in HOSTILE)
    assert len(names) == len(HOSTILE) >= 60


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_it_is_refused_by_its_own_rule(case: Hostile, bases: Bases, tmp_path: Path) -> None:
    copy = Copy.of(bases.get(case.base))
    case.change(copy)
    folder = copy.write(tmp_path / "submissions")
    against = tmp_path / "others"
    for name in case.beside:
        other = bases.get(name)
        shutil.copytree(other, against / other.parent.name / other.name)
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        checked = check_submission(folder, against=against, jobs=1)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    refusing = {finding.rule for finding in checked.findings if finding.gravity == "refuse"}
    assert refusing == {case.rule}, checked.findings
    assert all(finding.message.isprintable() and "<" not in finding.message for finding in checked.findings)


@pytest.mark.parametrize("base", ["policy", "model", "world", "long"])
def test_without_a_change_it_is_accepted(base: str, bases: Bases, tmp_path: Path) -> None:
    """The red team's changes are what is refused, not the way in which they are written."""
    copy = Copy.of(bases.get(base))
    copy.data["benchmark"] = json.loads((copy.base / "result.json").read_bytes())["benchmark"]
    folder = copy.write(tmp_path / "submissions")
    written, original = ({path.name: path.read_bytes() for path in place.iterdir()} for place in (folder, copy.base))
    assert (folder.name, written) == (copy.base.name, original)
    assert check_submission(folder, jobs=1).accepted


def _too_long(number: int, frame: FrameType | None) -> None:
    raise AssertionError(f"the check has taken {LONGEST} seconds of processor time")
