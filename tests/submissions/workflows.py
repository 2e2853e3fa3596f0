"""The workflows as data, and their steps carried out on this machine."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "workflows"


def workflow(name: str) -> dict[str, Any]:
    """A workflow; YAML reads its key ``on`` as true."""
    data: dict[Any, Any] = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
    data["on"] = data.pop(True)
    return data


def step(name: str, job: str, called: str) -> dict[str, Any]:
    """One step of a job, by its name."""
    return next(one for one in workflow(name)["jobs"][job]["steps"] if one.get("name") == called)


def run_step(
    place: Path, one: dict[str, Any], event: dict[str, str], **environment: str
) -> subprocess.CompletedProcess[str]:
    """Carry out the ``run`` of a step in ``place``, with its ``env`` filled in from ``event``: expression -> value."""
    env = (
        {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: event[m[1]], str(value)) for name, value in one["env"].items()}
        if "env" in one
        else {}
    )
    programs = place / ".programs"
    programs.mkdir(exist_ok=True)
    for name in ("python", "python3"):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        (programs / name).chmod(0o755)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", one["run"]],
        cwd=place,
        env={
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            **env,
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
