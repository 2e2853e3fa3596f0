"""The agent's texts, each a file in ``prompts``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The text ``prompts/NAME.txt``, without white space at its ends; line breaks are spaces, but the context's."""
    written = files("embodibench.agents.spring").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8").strip()
    return written if name == "context" else " ".join(written.split())
