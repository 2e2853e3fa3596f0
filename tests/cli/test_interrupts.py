"""Ctrl-C while several processes work: one word, no traceback, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("--submissions", str(ROOT / "submissions"), "--verdicts", str(ROOT / "leaderboard" / "verdicts"))
COMMANDS = {
    "build": ("leaderboard", "build", "--out", "board", *PLACES),
    "verify": ("verify", str(next((ROOT / "submissions" / "aai40@1").glob("*walkthrough*")))),
}


def _children(pid: int) -> int:
    return len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def _alive(group: int) -> list[str]:
    """Processes of a group that still run; one that has ended may wait for its parent for ever."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(") ")
        except OSError:
            continue
        state, _, own = rest.split()[:3]
        if int(own) == group and state != "Z":
            found.append(name)
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc, which only Linux has")
@pytest.mark.parametrize("delay", [0.0, 0.3, 1.5])
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_ends_all_processes_quietly(name: str, delay: float, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "embodibench", *COMMANDS[name], "--jobs", "2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while _children(process.pid) < 2:
        assert process.poll() is None and time.monotonic() < deadline, "it started no processes"
        time.sleep(0.005)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert said.split() == ["Stopped."], said
    assert list(tmp_path.iterdir()) == []
    deadline = time.monotonic() + 10
    while alive := _alive(process.pid):
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)
