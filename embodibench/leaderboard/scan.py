"""Reading a whole tree of submissions with several processes, in order and with bounded memory."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from embodibench.errors import MissingExtraError, UsageError
from embodibench.leaderboard.rows import Absent, Row, Rows
from embodibench.submissions.check import submissions_in

try:
    from embodibench.leaderboard.episodes import EpisodeBatch, pack
    from embodibench.leaderboard.submission import read_folder
except ImportError as error:
    raise MissingExtraError("the leaderboard", "board") from error

CHUNK = 16
"""Folders that a process reads at a time."""
AHEAD = 3
"""Chunks that wait for a process, for each; what was read and not yet written is bounded by it."""


@dataclass(frozen=True)
class _Chunk:
    """What a process found in some folders."""

    hashes: tuple[str, ...]
    rows: tuple[Row, ...]
    absent: tuple[Absent, ...]
    batch: EpisodeBatch | None


def scan(
    submissions: Path,
    verdicts: Path,
    *,
    jobs: int = 2,
    each: Callable[[EpisodeBatch], None] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Rows:
    """As ``rows.read_rows`` says."""
    if not submissions.is_dir():
        raise UsageError(f"{submissions}: there is no such folder of submissions")
    folders = [folder for folder in submissions_in(submissions) if not folder.name.startswith(".")]
    if folders == [submissions]:
        raise UsageError(f"{submissions}: is one submission; name the folder that holds <suite>@<N>/<folder>")
    chunks = [folders[start : start + CHUNK] for start in range(0, len(folders), CHUNK)]
    rows: list[Row] = []
    absent: list[Absent] = []
    hashes: set[str] = set()
    for done, chunk in enumerate(_read(chunks, verdicts, jobs, each is not None), start=1):
        rows += chunk.rows
        absent += chunk.absent
        hashes.update(chunk.hashes)
        if each is not None and chunk.batch is not None:
            each(chunk.batch)
        if watch is not None:
            watch(min(done * CHUNK, len(folders)), len(folders))
    found = {path.stem for path in verdicts.glob("*.json")} if verdicts.is_dir() else set()
    return Rows(
        tuple(sorted(rows, key=_place)),
        tuple(sorted(absent, key=lambda one: one.submission)),
        tuple(sorted(found - hashes)),
    )


def _place(row: Row) -> tuple[str, bool, float, str]:
    """Best first inside a suite. Not a ranking: rows whose intervals overlap are not called different."""
    score = row.primary_score
    value = score.value if score is not None else None
    return row.suite, value is None, -(value or 0.0), row.submission


def _read(chunks: Sequence[Sequence[Path]], verdicts: Path, jobs: int, episodes: bool) -> Iterator[_Chunk]:
    """The chunks in order; in this process where there is little to do."""
    if jobs == 1 or len(chunks) < 2:
        yield from (_read_chunk(chunk, verdicts, episodes) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_rarely_collect) as pool:
        waiting: deque[Future[_Chunk]] = deque()
        todo = iter(chunks)
        try:
            for chunk in todo:
                waiting.append(pool.submit(_read_chunk, chunk, verdicts, episodes))
                if len(waiting) >= jobs * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _rarely_collect() -> None:
    """A result is thousands of small objects and no cycle: looking for cycles took longer than reading it."""
    gc.freeze()
    gc.set_threshold(500_000, 50, 100)


def _read_chunk(folders: Sequence[Path], verdicts: Path, episodes: bool) -> _Chunk:
    found = [read_folder(folder, verdicts) for folder in folders]
    batch = pack(row for one in found for row in one.episodes) if episodes else None
    return _Chunk(
        tuple(one.sha256 for one in found),
        tuple(one.row for one in found if one.row is not None),
        tuple(one.absent for one in found if one.absent is not None),
        batch,
    )
