"""What the board holds of one submission: its row, its episodes in both forms, and the files that are its alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from embodibench.canonical import Json
from embodibench.leaderboard.episodes import EpisodeBatch, episode_rows, pack
from embodibench.leaderboard.every_eval import every_eval_files
from embodibench.leaderboard.rows import Absent, Row
from embodibench.leaderboard.submission import Candidate, Standing, stand

SPACE = "space"
EVERY_EVAL = "every_eval_ever"


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """All of it.

    Attributes:
        files: path below the board's folder -> content.
    """

    row: Row
    episodes: EpisodeBatch
    files: dict[str, bytes]


@dataclass(frozen=True)
class Making:
    """How entries are made.

    Attributes:
        pages: makes the files of the site that are this submission's, by their path below it; None makes none.
        options: what the pages depend on beside the submission and the package.
    """

    pages: Callable[[Standing], dict[str, bytes]] | None = None
    options: Json = None


def make_entry(candidate: Candidate, making: Making) -> Entry | Absent:
    """The entry of a submission, or the reason why it has none."""
    found = stand(candidate)
    if isinstance(found, Absent):
        return found
    batch = pack(episode_rows(found.row, found.record, found.verdict, found.suite))
    files = {f"{EVERY_EVAL}/{name}": data for name, data in every_eval_files(found.row).items()}
    if making.pages is not None:
        files |= {f"{SPACE}/{name}": data for name, data in making.pages(found).items()}
    return Entry(found.row, batch, files)
