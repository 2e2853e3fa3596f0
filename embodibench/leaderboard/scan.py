"""Reading a whole tree of submissions with several processes, in order and with bounded memory."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from embodibench.errors import MissingExtraError, UsageError
from embodibench.leaderboard.rows import Absent, Row, Rows
from embodibench.processes import processes
from embodibench.submissions.check import submissions_in

try:
    from embodibench.leaderboard.entry import Entry, Making, make_entry
    from embodibench.leaderboard.episodes import EpisodeBatch
    from embodibench.leaderboard.kept import Kept
    from embodibench.leaderboard.submission import Candidate, look
except ImportError as error:
    raise MissingExtraError("the leaderboard", "board") from error

CHUNK = 16
"""Folders that a process reads at a time, at most."""
AHEAD = 3
"""Chunks that wait for a process, for each; what was read and not yet written is bounded by it."""


@dataclass(frozen=True)
class Reading:
    """How submissions are read.

    Attributes:
        verdicts: folder of verdict files.
        making: how entries are made.
        kept: entries of earlier builds; None where none are kept.
        board: folder that gets the files of the entries; None where they are not wanted.
    """

    verdicts: Path
    making: Making = field(default_factory=Making)
    kept: Kept | None = None
    board: Path | None = None


@dataclass(frozen=True)
class _Chunk:
    """What a process found in some folders."""

    hashes: tuple[str, ...]
    rows: tuple[Row, ...]
    absent: tuple[Absent, ...]
    batches: tuple[EpisodeBatch, ...]


def scan(
    submissions: Path,
    reading: Reading,
    *,
    jobs: int = 2,
    each: Callable[[EpisodeBatch], None] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Rows:
    """Read a tree of submissions.

    Args:
        submissions: tree ``<suite>@<N>/<folder>``.
        jobs: processes.
        each: is called with the episodes of each row, in the order of the folders' names.
        watch: is called with how many submissions were read, and how many there are.

    Raises:
        UsageError: there is no such tree, nothing in it, no folder of verdicts, or a verdict file cannot be read.
    """
    if not submissions.is_dir():
        raise UsageError(f"{submissions}: there is no such folder of submissions")
    folders = [folder for folder in submissions_in(submissions) if not folder.name.startswith(".")]
    if not folders:
        raise UsageError(f"{submissions}: holds no submissions <suite>@<N>/<folder>")
    if not reading.verdicts.is_dir():
        raise UsageError(f"{reading.verdicts}: there is no such folder of verdicts")
    if folders == [submissions]:
        raise UsageError(f"{submissions}: is one submission; name the folder that holds <suite>@<N>/<folder>")
    # Few submissions are spread over all processes, too: drawing the pictures of one takes a minute.
    size = min(CHUNK, max(1, len(folders) // (jobs * AHEAD)))
    chunks = [folders[start : start + size] for start in range(0, len(folders), size)]
    rows: list[Row] = []
    absent: list[Absent] = []
    hashes: set[str] = set()
    for done, chunk in enumerate(_read(chunks, reading, jobs), start=1):
        rows += chunk.rows
        absent += chunk.absent
        hashes.update(chunk.hashes)
        if each is not None:
            for batch in chunk.batches:
                each(batch)
        if watch is not None:
            watch(min(done * size, len(folders)), len(folders))
    found = {path.stem for path in reading.verdicts.glob("*.json")}
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


def _read(chunks: Sequence[Sequence[Path]], reading: Reading, jobs: int) -> Iterator[_Chunk]:
    """The chunks in order; in this process where there is little to do."""
    if jobs == 1 or len(chunks) < 2:
        yield from (_read_chunk(chunk, reading) for chunk in chunks)
        return
    with processes(jobs, _rarely_collect) as submit:
        waiting: deque[Future[_Chunk]] = deque()
        for chunk in chunks:
            waiting.append(submit(_read_chunk, chunk, reading))
            if len(waiting) >= jobs * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _rarely_collect() -> None:
    """A result is thousands of small objects and no cycle: looking for cycles took longer than reading it."""
    gc.freeze()
    gc.set_threshold(500_000, 50, 100)


def _read_chunk(folders: Sequence[Path], reading: Reading) -> _Chunk:
    hashes: list[str] = []
    rows: list[Row] = []
    absent: list[Absent] = []
    batches: list[EpisodeBatch] = []
    for folder in folders:
        sha256, found = look(folder, reading.verdicts)
        entry = _entry(found, reading) if isinstance(found, Candidate) else found
        hashes.append(sha256)
        if isinstance(entry, Absent):
            absent.append(entry)
            continue
        rows.append(entry.row)
        batches.append(entry.episodes)
        if reading.board is not None:
            _write(reading.board, entry)
    return _Chunk(tuple(hashes), tuple(rows), tuple(absent), tuple(batches))


def _entry(candidate: Candidate, reading: Reading) -> Entry | Absent:
    """From an earlier build, or made now."""
    if reading.kept is None:
        return make_entry(candidate, reading.making)
    path = reading.kept.path(candidate)
    entry: Entry | Absent | None = reading.kept.read(path)
    if entry is None:
        entry = make_entry(candidate, reading.making)
        if isinstance(entry, Entry):
            reading.kept.write(path, entry)
    return entry


def _write(board: Path, entry: Entry) -> None:
    for name, data in entry.files.items():
        path = board / name
        try:
            path.write_bytes(data)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
