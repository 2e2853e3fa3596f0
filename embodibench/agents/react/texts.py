"""The prompt texts of the family, which stand as files in ``prompts/``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The text called ``name``.

    Raises:
        FileNotFoundError: there is none.
    """
    return files("embodibench.agents.react").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")


def opening(sense: str) -> str:
    """The instructions for a player with eyes (``picture``) or without (``text``)."""
    see = {"picture": "see", "text": "read of"}[sense]
    told = {name: text(f"{name}_{sense}") for name in ("sense", "doubt", "example")}
    return text("game").format(see=see, **told)
