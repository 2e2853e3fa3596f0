"""A row of the board as the pages see it: where it stands in a table."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from embodibench.leaderboard.rows import Row

Group: TypeAlias = Literal["main", "text", "privileged"]
"""``privileged``: a policy that reads the world's state. ``text``: an agent that is told what a picture would show."""

GROUPS: dict[Group, str] = {
    "main": "Models and policies",
    "text": "Told in words what a picture would show (react-text): another task than seeing",
    "privileged": "Policies that read the state of the world: a bound, not a competitor",
}
TEXT_AGENTS = ("react-text",)


_FILE = re.compile(r"(?:\.gguf)?(?:@sha256:[0-9a-f]{16})?$", re.IGNORECASE)


def player(row: Row) -> str:
    """Who played, for tables and charts; a local file without its hash, which the page of the row tells."""
    return (row.provider == "local" and _FILE.sub("", row.player)) or row.player


def group(row: Row) -> Group:
    """The part of its table that a row stands in."""
    if row.privileged:
        return "privileged"
    return "text" if row.agent in TEXT_AGENTS else "main"


def tokens(row: Row) -> int | None:
    """Input and output tokens of all calls; None for a policy or where a part is unknown."""
    if row.policy or row.input_tokens is None or row.output_tokens is None:
        return None
    return row.input_tokens + row.output_tokens
