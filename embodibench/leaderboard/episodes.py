"""Rows of the table ``episodes``: one per planned trial of a submission on the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import zstandard

from embodibench.cards.suites import Suite
from embodibench.leaderboard.records import Record, Verdict
from embodibench.leaderboard.rows import Row

if TYPE_CHECKING:
    import pyarrow

COLUMNS: dict[str, str] = {
    "suite": "string",
    "submission": "string",
    "row": "string",
    "player": "string",
    "agent": "string",
    "task": "string",
    "group": "string",
    "trial": "int32",
    "seed": "int64",
    "status": "string",
    "end": "string",
    "success": "bool",
    "steps": "int32",
    "reward": "float64",
    "measures": "string",
    "world": "string",
    "protocol": "string",
    "calls": "int32",
    "invalid": "int32",
    "input_tokens": "int64",
    "cached_tokens": "int64",
    "output_tokens": "int64",
    "cost": "float64",
    "attempts": "int32",
    "final": "string",
}
"""Name -> type, in order. ``row`` is ``Row.id``; ``measures`` is JSON; ``world`` and ``protocol`` are the words of the
verdict; ``invalid`` counts replies whose outcome is another than ``ok``; ``final`` is the fingerprint at the end."""


@dataclass(frozen=True)
class EpisodeBatch:
    """Episodes of some rows, in both forms of the table.

    Attributes:
        count: how many.
        arrow: an Arrow IPC stream.
        lines: a Zstandard frame of JSON lines; frames one after another are a file again.
    """

    count: int
    arrow: bytes
    lines: bytes


def episode_rows(row: Row, record: Record, verdict: Verdict, suite: Suite | None) -> list[tuple[Any, ...]]:
    """The rows of a submission, each in the order of ``COLUMNS``."""
    words = {(one.task, one.trial): one for one in verdict.episodes}
    groups = {task.id: task.group for task in suite.tasks} if suite is not None else {}
    about = (row.suite, row.submission, row.id, row.player, row.agent)
    rows: list[tuple[Any, ...]] = []
    for episode in record.episodes:
        word = words.get((episode.task, episode.trial))
        usage = episode.usage
        tokens = (usage.input, usage.cached, usage.output) if usage is not None else (None, None, None)
        rows.append(
            (
                *about,
                episode.task,
                groups.get(episode.task),
                episode.trial,
                episode.seed,
                episode.status,
                episode.end,
                episode.success,
                episode.steps,
                episode.total,
                msgspec.json.encode(episode.measures, order="sorted").decode("utf-8"),
                word.world if word is not None else None,
                word.protocol if word is not None else None,
                len(episode.calls.prompts),
                sum(count for outcome, count in episode.calls.outcomes if outcome != "ok"),
                *tokens,
                episode.cost,
                episode.attempts,
                episode.final,
            )
        )
    return rows


@lru_cache(maxsize=1)
def episode_schema() -> pyarrow.Schema:
    """The Arrow schema of the table."""
    import pyarrow

    types = {"bool": pyarrow.bool_(), "string": pyarrow.string(), "int32": pyarrow.int32()}
    types |= {"int64": pyarrow.int64(), "float64": pyarrow.float64()}
    return pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])


def pack(rows: Iterable[tuple[Any, ...]]) -> EpisodeBatch:
    """Rows in both forms."""
    import pyarrow

    rows = list(rows)
    schema = episode_schema()
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(COLUMNS)
    arrays = [pyarrow.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)]
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, schema) as writer:
        writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
    names = tuple(COLUMNS)
    encoder = msgspec.json.Encoder()
    text = b"".join(encoder.encode(dict(zip(names, row, strict=True))) + b"\n" for row in rows)
    lines = zstandard.ZstdCompressor(level=3).compress(text) if rows else b""
    return EpisodeBatch(len(rows), sink.getvalue().to_pybytes(), lines)
