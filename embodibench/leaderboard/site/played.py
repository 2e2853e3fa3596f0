"""The part of a result that a page shows, read fast: a verdict vouches for its bytes (``leaderboard.records``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from embodibench.errors import ResultError
from embodibench.leaderboard.records import Calls, Verdict, decode, vouched
from embodibench.leaderboard.rows import Row


class Played(msgspec.Struct, frozen=True):
    """``results.schema.Episode`` without its fingerprints and usage."""

    task: str
    trial: int
    seed: int
    status: str
    end: str
    steps: int
    actions: tuple[tuple[int | tuple[int, ...], int], ...]
    rewards: tuple[tuple[float, int], ...]
    success: bool | None
    measures: dict[str, Any]
    calls: Calls
    error: str | None = None

    @property
    def total(self) -> float:
        """The sum of the rewards."""
        return float(sum(value * count for value, count in self.rewards))


class _Record(msgspec.Struct, frozen=True):
    episodes: tuple[Played, ...]


def read_played(row: Row, verdicts: Path) -> tuple[tuple[Played, ...], Verdict]:
    """The episodes of a row and the verdict on them.

    Raises:
        ResultError: the result or its verdict is not there, or not what the row was made from.
    """
    path = Path(row.path) / "result.json"
    sha256, found = vouched(path, verdicts)
    if found is None or sha256 != row.result_sha256:
        raise ResultError(f"{path}: changed since it was read")
    return decode(found.data, _Record, str(path)).episodes, found.verdict
