"""Replies out of a transcript: what a model said before is said again to the same prompts.

A transcript has one JSON object a line, ``{"task", "trial", "call", "prompt", "text", "finish"}``, where ``prompt`` is
``prompt_digest`` of the messages. It comes from strangers too, so sizes are bounded while it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from embodibench.canonical import short_hash
from embodibench.errors import ResultError
from embodibench.models.base import Identity, Message, ModelError, Parameters, Reply, prompt_digest

MAX_BYTES = 256 * 1024 * 1024
"""Bytes of a transcript after decompression; a submission's 25 MB of zstd hold less."""

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line."""

_DIGEST = re.compile("[0-9a-f]{64}")
_FINISHES = ("stop", "length", "refusal", "tool_call", "other")


class RecordedModel:
    """Answers a prompt with the reply that was recorded for it. Implements ``Model``.

    A prompt that was asked several times gets its replies in the order of the recording. Two tasks that ask the same
    prompt share them, so their replies are equal in number and kind although not always in place.

    Args:
        replies: prompt digest, text and finish, in the order of the recording.
        identity: which recording.
    """

    def __init__(self, replies: Sequence[tuple[str, str, str]], identity: Identity) -> None:
        self._identity = identity
        self._replies: dict[str, deque[tuple[str, str]]] = {}
        for prompt, text, finish in replies:
            self._replies.setdefault(_key(prompt), deque()).append((text, finish))

    @classmethod
    def open(cls, path: Path) -> RecordedModel:
        """Read a transcript, plain or compressed with zstd (``.zst``).

        Raises:
            ResultError: it cannot be read; the message names file and line.
        """
        return cls([_reply(path, number, line) for number, line in _lines(path)], recorded_identity(path))

    def skip(self, prompts: Iterable[str]) -> None:
        """Pass over a reply for each of these prompts (digests): an earlier session of the run was given it."""
        for prompt in prompts:
            if replies := self._replies.get(_key(prompt)):
                replies.popleft()

    @property
    def identity(self) -> Identity:
        """Which recording this is."""
        return self._identity

    async def generate(self, messages: Sequence[Message], parameters: Parameters, *, cache_key: str = "") -> Reply:
        """The next reply that was recorded for this prompt.

        Raises:
            ModelError: ``exhausted``, when there is none (any more).
        """
        prompt = short_hash(prompt_digest(messages))
        replies = self._replies.get(prompt)
        if not replies:
            why = "was never asked" if replies is None else "has no more replies"
            raise ModelError(
                "exhausted", f"{self._identity.checkpoint}: the prompt {prompt[:12]} {why} in this recording"
            )
        text, finish = replies.popleft()
        return Reply(text, cost=0.0, finish=finish)

    def worst_cost(self, messages: Sequence[Message], parameters: Parameters) -> float | None:
        """Nothing."""
        return 0.0

    async def close(self) -> None:
        """Nothing to release."""


def _key(prompt: str) -> str:
    """Transcripts name a prompt by its short hash; a recording made elsewhere may hold the whole digest."""
    return short_hash(prompt) if _DIGEST.fullmatch(prompt) else prompt


def recorded_identity(path: Path) -> Identity:
    """The identity of a recording: its file's name and digest, since a path says nothing on another machine.

    Raises:
        ResultError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror or error}") from error
    return Identity("recording", str(path), f"{path.name}@sha256:{sha256[:16]}")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line numbers from 1, and lines without their ends; empty ones are left out."""
    import zstandard

    try:
        with path.open("rb") as file:
            plain: Any = file
            if path.suffix == ".zst":
                plain = io.BufferedReader(zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file))
            size = number = 0
            while line := plain.readline(MAX_LINE + 1):
                number += 1
                size += len(line)
                if len(line) > MAX_LINE or size > MAX_BYTES:
                    raise ResultError(f"{path}, line {number}: longer than a transcript may be")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror or error}") from error
    except zstandard.ZstdError as error:
        raise ResultError(f"{path}: not a zstd file: {error}") from error


def _reply(path: Path, number: int, line: bytes) -> tuple[str, str, str]:
    try:
        row = json.loads(line)
        prompt, text, finish = row["prompt"], row["text"], row.get("finish", "stop")
        if not (isinstance(prompt, str) and isinstance(text, str) and isinstance(finish, str)):
            raise TypeError("prompt, text and finish must be strings")
        text.encode("utf-8")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ResultError(f"{path}, line {number}: not a line of a transcript: {error!r:.200}") from error
    return prompt, text, finish if finish in _FINISHES else "other"
