"""Digests of what a board is made with, by which things made earlier are known to be still right."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import distributions
from pathlib import Path

from embodibench.data_files import folder as data_folder

DATA = ("tasks", "baselines", "leaderboard/cards", "leaderboard/site")
"""Data folders of the package."""

WORLDS = ("envs", "canonical.py", "leaderboard/site/pictures.py")
"""Parts of the package that a picture of a world is drawn by."""


@lru_cache(maxsize=1)
def package_state() -> str:
    """Of the package's code and data, of Python, and of every installed distribution."""
    return _digest(source for name in (".", *DATA) for source in sources(name))


@lru_cache(maxsize=1)
def worlds_state() -> str:
    """Of what pictures are drawn by: the worlds' code, Python, and every installed distribution."""
    return _digest(source for name in WORLDS for source in sources(name))


def sources(name: str) -> Iterator[tuple[str, Path]]:
    """Name and path of every file of a part of the package, or of one of its data folders; sorted."""
    place = data_folder(name) if name in DATA else Path(__file__).parents[1] / name
    for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if path.is_file() and "__pycache__" not in path.parts:
            yield f"{name}/{path.relative_to(place).as_posix()}", path


def _digest(files: Iterator[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, path in files:
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    installed = {f"{one.metadata['Name']}=={one.version}" for one in distributions()}
    digest.update("\n".join([platform.python_version(), *sorted(installed)]).encode())
    return digest.hexdigest()[:32]
