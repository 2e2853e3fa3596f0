"""Reading and writing result files and transcripts. Everything that is read is hostile until checked."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

import zstandard
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from embodibench.canonical import Json, canonical_bytes
from embodibench.errors import ResultError
from embodibench.results.schema import (
    MAX_RESULT_BYTES,
    MAX_TRANSCRIPT_BYTES,
    Count,
    Hash,
    Result,
    TranscriptSection,
    Word,
)

MAX_DEPTH = 24
MAX_KEYS = 2_000
"""Keys of one object of a result file."""
MAX_TRANSCRIPT_CONTENT = 400_000_000
"""Bytes of a transcript when unpacked."""

COMPARABLE_DROPS: dict[str, tuple[str, ...]] = {
    "run": ("id", "created", "finished", "sessions", "lost"),
    "episodes": ("attempts", "times"),
}
"""The fields that may differ between two equal runs."""


def write_bytes(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` at one moment: written beside it, flushed to disk, renamed."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def result_bytes(result: Result) -> bytes:
    """The file form of a result: JSON with one episode a line, so that two results can be compared by eye."""
    data = result.model_dump(mode="json")
    episodes = data.pop("episodes")
    head = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
    rows = ",\n".join(json.dumps(e, ensure_ascii=False, separators=(",", ":"), allow_nan=False) for e in episodes)
    return (head[:-2] + ',\n "episodes": [\n' + rows + "\n ]\n}\n").encode("utf-8")


def read_result(path: Path) -> Result:
    """The result file at ``path``, or ``result.json`` in the folder ``path``; schema checked, metrics not.

    Raises:
        ResultError: missing, too large, not JSON, nested too deep, or not of the schema.
    """
    if path.is_dir():
        if (path / "run.json").is_file() and not (path / "result.json").is_file():
            raise ResultError(f"{path}: this run has not come to its end; go on with: embodibench resume {path}")
        path = path / "result.json"
    return parse_result(read_bounded(path, MAX_RESULT_BYTES, "a result"), str(path))


def parse_result(data: bytes, name: str) -> Result:
    """A result from the bytes of its file; ``name`` stands for the file in errors. Raises ResultError."""
    value = strict_json(data, name)
    _refuse_wide(value, name)
    try:
        return Result.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ResultError(f"{name}: {field}: {first['msg']}") from error


def _refuse_wide(value: Any, name: str) -> None:
    """Refuse objects with more keys than any result has: a validator takes its time with a million wrong ones."""
    if isinstance(value, dict):
        if len(value) > MAX_KEYS:
            raise ResultError(f"{name}: an object has {len(value):,} keys, at most {MAX_KEYS:,} are allowed")
        for part in value.values():
            _refuse_wide(part, name)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, (dict, list)):
                _refuse_wide(part, name)


def read_bounded(path: Path, limit: int, what: str) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes. Raises ResultError."""
    try:
        if not path.is_file():
            raise ResultError(f"{path}: there is no such file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > limit:
        raise ResultError(f"{path}: {what} may have at most {limit:,} bytes")
    return data


class JsonError(ResultError):
    """A file is not the JSON that it should be.

    Attributes:
        kind: ``encoding``, ``depth``, ``duplicate-key``, ``number`` or ``syntax``.
    """

    def __init__(self, kind: JsonFault, message: str) -> None:
        super().__init__(message)
        self.kind = kind


JsonFault: TypeAlias = Literal["encoding", "depth", "duplicate-key", "number", "syntax"]


def strict_json(data: bytes, name: str) -> Any:
    """JSON from bytes: UTF-8, no duplicate keys, no NaN or infinity, bounded depth.

    Raises:
        JsonError: it is not; ``name`` stands for the file in the message.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError("encoding", f"{name}: not UTF-8 at byte {error.start}") from error
    if _is_deep(text):
        raise JsonError("depth", f"{name}: nested deeper than {MAX_DEPTH} levels")
    try:
        value = json.loads(
            text, object_pairs_hook=_unique(name), parse_constant=_refuse_constant(name), parse_float=_finite(name)
        )
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except json.JSONDecodeError as error:
        raise JsonError("syntax", f"{name}:{error.lineno}: not valid JSON: {error.msg}") from error
    except UnicodeEncodeError as error:
        raise JsonError("encoding", f"{name}: a text holds half a character (a lone surrogate)") from error
    except RecursionError as error:
        raise JsonError("depth", f"{name}: nested too deep") from error
    except ValueError as error:
        raise JsonError("number", f"{name}: not valid JSON: {error}") from error


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[][{}]', re.DOTALL)
"""A string, its end missing or not, or a bracket: one pass over the text, whatever stands in it."""


def _is_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _TOKEN.finditer(text):
        char = match[0]
        if char in ("[", "{"):
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif char in ("]", "}"):
            depth -= 1
    return False


def _finite(name: str) -> Callable[[str], float]:
    """Reads a number; one such as 1e999 would else become infinity without a word."""

    def read(word: str) -> float:
        number = float(word)
        if not math.isfinite(number):
            raise JsonError("number", f"{name}: {word[:40]} is beyond the range of numbers")
        return number

    return read


def _unique(name: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key, count in Counter(keys).items() if count > 1)
            raise JsonError("duplicate-key", f"{name}: the key '{twice[:60]}' stands twice")
        return result

    return build


def _refuse_constant(name: str) -> Callable[[str], NoReturn]:
    def refuse(word: str) -> NoReturn:
        raise JsonError("number", f"{name}: {word} is not a finite number")

    return refuse


def comparable(result: Result) -> bytes:
    """The canonical bytes of a result without what may differ between two equal runs (``COMPARABLE_DROPS``)."""
    data: dict[str, Any] = result.model_dump(mode="json")
    for name in COMPARABLE_DROPS["run"]:
        data["run"].pop(name)
    for episode in data["episodes"]:
        for name in COMPARABLE_DROPS["episodes"]:
            episode.pop(name)
    return canonical_bytes(data)


class TranscriptLine(BaseModel):
    """One reply of a transcript. ``prompt`` is the short hash of its prompt; ``detail`` what the parsers made of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: Word
    trial: Count
    call: Count
    prompt: Hash
    text: str = Field(max_length=6_000_000)
    finish: Word = "stop"
    detail: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class PackedTranscript:
    """A transcript ready to be written: its section in the result, and its bytes."""

    section: TranscriptSection
    data: bytes


def pack_transcript(lines: Iterable[TranscriptLine]) -> PackedTranscript:
    """Compress transcript lines, given in plan order."""
    buffer = io.BytesIO()
    count = 0
    with zstandard.ZstdCompressor(level=10).stream_writer(buffer, closefd=False) as writer:
        for line in lines:
            row: Json = line.model_dump(mode="json")
            writer.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
            count += 1
    data = buffer.getvalue()
    sha256 = hashlib.sha256(data).hexdigest()
    return PackedTranscript(TranscriptSection(sha256=sha256, bytes=len(data), lines=count), data)


def read_transcript(path: Path, section: TranscriptSection | None = None) -> Iterator[TranscriptLine]:
    """The lines of a transcript, one at a time.

    Args:
        path: the ``.jsonl.zst`` file.
        section: what the result says of it; size and SHA-256 are then checked before anything is unpacked.

    Raises:
        ResultError: missing, not the file that the result names, too large when unpacked, or malformed.
    """
    data = read_bounded(path, MAX_TRANSCRIPT_BYTES, "a transcript")
    if section is not None and (len(data), hashlib.sha256(data).hexdigest()) != (section.bytes, section.sha256):
        raise ResultError(f"{path}: is not the transcript that the result names (SHA-256 differs)")
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(io.BytesIO(data)) as reader:
            yield from _lines(reader, str(path))
    except zstandard.ZstdError as error:
        raise ResultError(f"{path}: not a Zstandard file: {error}") from error


def _lines(reader: Any, name: str) -> Iterator[TranscriptLine]:
    total = 0
    number = 0
    rest = b""
    while chunk := reader.read(1 << 20):
        total += len(chunk)
        if total > MAX_TRANSCRIPT_CONTENT:
            raise ResultError(f"{name}: unpacks to more than {MAX_TRANSCRIPT_CONTENT:,} bytes")
        *rows, rest = (rest + chunk).split(b"\n")
        if len(rest) > 8_000_000:
            raise ResultError(f"{name}: line {number + len(rows) + 1} is too long")
        for row in rows:
            number += 1
            try:
                yield TranscriptLine.model_validate(strict_json(row, f"{name}: line {number}"))
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                raise ResultError(f"{name}: line {number}: {first['loc']}: {first['msg']}") from error
    if rest:
        raise ResultError(f"{name}: ends in the middle of a line")
