"""The tables of the leaderboard as Parquet and JSON: rows, episodes, baselines, tasks.

The same content gives the same bytes: no clock, no path of this machine, no order of a set.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec
import pyarrow
import pyarrow.parquet

from embodibench.cards import suites
from embodibench.leaderboard.episodes import EpisodeBatch, episode_schema
from embodibench.leaderboard.rows import Row, Score
from embodibench.scoring import baselines

TABLES = ("rows", "episodes", "baselines", "tasks")
"""Names of the tables: each is a configuration of the dataset and the files ``data/NAME.parquet`` and JSON."""

GROUP_ROWS = 50_000
"""Episodes of a row group at least; what is held in memory before it is written."""

GROUP_RECORDS = 2_000
"""Records of a row group of the other tables."""

_TEXT, _BOOL = pyarrow.string(), pyarrow.bool_()
_INT, _REAL = pyarrow.int64(), pyarrow.float64()

SCORE = pyarrow.struct(
    [
        ("kind", _TEXT),
        ("name", _TEXT),
        ("value", _REAL),
        ("unit", _TEXT),
        ("n", _INT),
        ("low", _REAL),
        ("high", _REAL),
        ("reason", _TEXT),
        ("method", _TEXT),
        ("passed", _INT),
        ("planned", _INT),
        ("normalised", _REAL),
        ("runs", pyarrow.list_(_REAL)),
    ]
)
"""A score, as ``rows.Score`` has it."""

_ROW_TYPES: dict[str, pyarrow.DataType] = {
    "returned": pyarrow.list_(_TEXT),
    "policy": _BOOL,
    "pinned": _BOOL,
    "privileged": _BOOL,
    "transcript": _BOOL,
    "invalid_share": _REAL,
    "cost": _REAL,
    **dict.fromkeys(("agent_version", "attempts", "episodes", "ok", "steps", "calls"), _INT),
    **dict.fromkeys(("input_tokens", "cached_tokens", "output_tokens"), _INT),
}
_HEADLINE = {"value": _REAL, "unit": _TEXT, "low": _REAL, "high": _REAL, "reason": _TEXT, "n": _INT}
_JSON_FIELDS = ("replayed", "statuses", "outcomes")
_LEFT_OUT = ("units", "scores")


def rows_schema() -> pyarrow.Schema:
    """Columns of ``rows``: the fields of ``Row`` but its units, the primary score as columns, and all scores as a list.

    Mappings (``replayed``, ``statuses``, ``outcomes``) are JSON texts.
    """
    fields = [(name, _ROW_TYPES.get(name, _TEXT)) for name in _row_fields()]
    fields += [(f"primary_{name}", kind) for name, kind in _HEADLINE.items()]
    return pyarrow.schema([*fields, ("scores", pyarrow.list_(SCORE))])


BASELINES = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("suite", "task", "name", "label", "kind", "measure")),
        *((name, _REAL) for name in ("value", "spread", "q25", "median", "q75")),
        ("n", _INT),
        *((name, _TEXT) for name in ("n_of", "unit", "protocol", "caveat", "source")),
    ]
)
"""Columns of ``baselines``, as ``scoring.baselines.Figure`` has them."""

TASKS = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("suite", "interface", "digest", "id", "title", "capability", "group")),
        ("environment", _TEXT),
        ("parameters", _TEXT),
        ("seeds", pyarrow.list_(_INT)),
        ("max_steps", _INT),
        ("max_calls", _INT),
        ("success_measure", _TEXT),
        ("success_at_least", _REAL),
        ("passable", _BOOL),
        ("notes", pyarrow.list_(_TEXT)),
        *((name, _TEXT) for name in ("source", "doi", "url", "upstream", "upstream_sha256", "licence")),
    ]
)
"""Columns of ``tasks``: the task cards; ``parameters`` of the world as JSON."""


def row_record(row: Row) -> dict[str, Any]:
    """A row as plain data, in the columns of ``rows_schema``."""
    record: dict[str, Any] = {name: getattr(row, name) for name in _row_fields()}
    for name in _JSON_FIELDS:
        record[name] = _json(record[name])
    primary = row.primary_score
    for name in _HEADLINE:
        record[f"primary_{name}"] = getattr(primary, name) if primary is not None else None
    record["scores"] = [_score_record(score) for score in row.scores]
    return record


def baseline_records() -> list[dict[str, Any]]:
    """The published figures of every suite that has some."""
    records = []
    for suite in baselines.SUITES:
        for figure in baselines.figures(suite):
            record = dataclasses.asdict(figure)
            quartiles = record.pop("quartiles") or (None, None, None)
            records.append({**record, **dict(zip(("q25", "median", "q75"), quartiles, strict=True))})
    return records


def task_records() -> list[dict[str, Any]]:
    """The task cards of every suite of this package."""
    records = []
    for suite in (suites.load(name) for name in suites.names()):
        for task in suite.tasks:
            success = task.success
            record = {
                "suite": suite.label,
                "interface": suite.card.interface,
                "digest": suite.digest,
                **{name: getattr(task, name) for name in ("id", "title", "capability", "group", "passable")},
                "environment": task.environment.kind,
                "parameters": _json(task.environment.parameters),
                "seeds": list(task.seeds),
                "max_steps": task.budgets.max_steps,
                "max_calls": task.budgets.max_calls,
                "success_measure": success.measure if success is not None else None,
                "success_at_least": float(success.at_least) if success is not None else None,
                "notes": list(task.notes),
                "source": task.source.work,
                "upstream_sha256": task.source.sha256,
                **{name: getattr(task.source, name) for name in ("doi", "url", "upstream", "licence")},
            }
            records.append(record)
    return records


def write_tables(folder: Path, rows: Sequence[Row]) -> None:
    """Write ``rows``, ``baselines`` and ``tasks`` into ``folder``, in both forms."""
    write_table(folder / "rows", rows_schema(), map(row_record, rows))
    write_table(folder / "baselines", BASELINES, baseline_records())
    write_table(folder / "tasks", TASKS, task_records())


def write_table(stem: Path, schema: pyarrow.Schema, records: Iterable[dict[str, Any]]) -> None:
    """Write ``<stem>.parquet`` and ``<stem>.json``: an array with a record a line, keys in the order of the columns.

    Records are taken some at a time, so that memory does not grow with the table.
    """
    encoder = msgspec.json.Encoder()
    todo, first = iter(records), True
    with (
        pyarrow.parquet.ParquetWriter(stem.with_suffix(".parquet"), schema, compression="zstd") as parquet,
        stem.with_suffix(".json").open("wb") as file,
    ):
        file.write(b"[")
        while part := list(islice(todo, GROUP_RECORDS)):
            parquet.write_table(pyarrow.Table.from_pylist(part, schema=schema))
            for record in part:
                file.write(b"\n" if first else b",\n")
                file.write(encoder.encode({name: record[name] for name in schema.names}))
                first = False
        file.write(b"\n]\n")


class EpisodeWriter:
    """Writes the table ``episodes`` while it is read: a row group at a time, and JSON lines beside it.

    Args:
        folder: gets ``episodes.parquet`` and ``episodes.jsonl.zst``.
    """

    def __init__(self, folder: Path) -> None:
        self.count = 0
        self._parquet = pyarrow.parquet.ParquetWriter(folder / "episodes.parquet", episode_schema(), compression="zstd")
        self._lines: BinaryIO = (folder / "episodes.jsonl.zst").open("wb")
        self._held: list[pyarrow.RecordBatch] = []
        self._rows = 0

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._parquet.close()
        self._lines.close()

    def add(self, batch: EpisodeBatch) -> None:
        """The next episodes."""
        self._held += pyarrow.ipc.open_stream(batch.arrow)
        self._lines.write(batch.lines)
        self._rows += batch.count
        self.count += batch.count
        if self._rows >= GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            table = pyarrow.Table.from_batches(self._held, schema=episode_schema())
            self._parquet.write_table(table.combine_chunks(), row_group_size=self._rows)
        self._held, self._rows = [], 0


def _row_fields() -> list[str]:
    return [field.name for field in dataclasses.fields(Row) if field.name not in _LEFT_OUT]


def _score_record(score: Score) -> dict[str, Any]:
    return {field: getattr(score, field) for field in Score.__slots__}


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
