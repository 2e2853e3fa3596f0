"""Running the command line as a user does: a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(*words: str, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """Start ``embodibench`` in a process of its own, which Ctrl-C reaches even if it is ignored here."""
    return subprocess.Popen(
        [sys.executable, "-m", "embodibench", *words],
        cwd=cwd,
        env=_environment(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def call(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``embodibench`` to its end."""
    process = start(*words, cwd=cwd, **environment)
    out, err = process.communicate(timeout=300)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def _environment(extra: dict[str, str]) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, **extra}
