"""Where the data that ships with the package lives: task cards and baseline figures."""

from __future__ import annotations

from pathlib import Path


def folder(name: str) -> Path:
    """The data folder ``name`` (``tasks`` or ``baselines``): inside an installed package, else of the source tree.

    Raises:
        FileNotFoundError: neither exists, so the installation is broken.
    """
    package = Path(__file__).parent
    for place in (package / "data" / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the data folder '{name}' is missing from this installation of embodibench")
