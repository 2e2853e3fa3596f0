"""Whether the packages of the extra ``atari`` are there, and where: asked without importing them."""

from __future__ import annotations

import difflib
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from embodibench.errors import MissingExtraError, UsageError

NEWEST_PYTHON: Final = (3, 12)
"""The newest Python that the extra can be installed on: ocatari pins NumPy below 2, which has no builds above."""


def require(python: tuple[int, int] | None = None) -> None:
    """Nothing, when Atari worlds can be made here.

    Args:
        python: major and minor version; default: the running interpreter's.

    Raises:
        UsageError: this Python is too new for the extra.
        MissingExtraError: the extra is not installed.
    """
    running = sys.version_info[:2] if python is None else python
    if running > NEWEST_PYTHON:
        found = ".".join(map(str, running))
        raise UsageError(f"Atari worlds need Python 3.11 or 3.12, this is {found}: ocatari has no release for it")
    if any(find_spec(package) is None for package in ("ale_py", "ocatari")):
        raise MissingExtraError("the Atari world", "atari")


def rom(game: str) -> Path:
    """The ROM of a game inside the pinned wheel; ``ALE_ROMS_DIR``, which could name other files, is not looked at.

    Raises:
        UsageError: there is no such game; the message names the nearest.
    """
    folder = _folder("ale_py") / "roms"
    path = folder / f"{game}.bin"
    if not path.is_file():
        known = sorted(file.stem for file in folder.glob("*.bin"))
        raise UsageError(f"atari: there is no game '{game}'{_nearest(game, known)}")
    return path


def extractor(game: str) -> Path:
    """The file in which ocatari reads the objects of a game.

    Raises:
        UsageError: ocatari does not know the game's objects.
    """
    folder = _folder("ocatari") / "ram"
    path = folder / f"{game.replace('_', '')}.py"
    if not path.is_file():
        raise UsageError(f"atari: ocatari lists no objects for '{game}'")
    return path


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise MissingExtraError("the Atari world", "atari")
    return Path(spec.origin).parent


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; did you mean {', '.join(near)}?" if near else "; games are named like 'space_invaders'"
