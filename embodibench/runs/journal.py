"""The journal of a run: append-only JSON lines. A reply is on disk before it is acted on.

Kinds of lines (``k``): ``session`` (a process started; with the transport of its model), ``intent`` (a call is about to
be made), ``reply`` (it brought a reply), ``failure`` (it brought none), ``done`` (an episode ended: its record and its
transcript lines).

An intent without reply or failure before the next session was in flight when the process died: a lost call.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from embodibench.errors import ResultError
from embodibench.models.base import CONTEXT_OVERFLOW, Reply, Usage

Key = tuple[str, int]


class Journal:
    """Appends lines. One writer at a time (the run's lock).

    A line that was appended survives the death of the process; once ``flushed`` returns it survives a power cut as
    well. Flushing is the slow part (0.05 to 5 ms, by the disk), so it is done beside the event loop, and one flush
    serves every episode that waits for one.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        _drop_torn_line(path)
        self._written = 0
        self._flushed = 0
        self._flushing = asyncio.Lock()

    def append(self, line: dict[str, Any]) -> None:
        """Hand one line to the operating system."""
        self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
        self._written += 1

    async def flushed(self) -> None:
        """Wait until everything appended so far is on disk."""
        target = self._written
        async with self._flushing:
            if self._flushed < target:
                reached = self._written
                await asyncio.to_thread(os.fdatasync, self._file.fileno())
                self._flushed = reached

    def close(self) -> None:
        """Flush and close the file."""
        os.fdatasync(self._file.fileno())
        self._file.close()


def _drop_torn_line(path: Path) -> None:
    """A line whose end never reached the disk was never acted on: cut it off."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            cut = file.read(end - start).rfind(b"\n")
            if cut >= 0:
                end = start + cut + 1
                break
            end = start
        if end < size:
            file.truncate(end)


def read(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The complete lines of a journal with their byte offsets. Raises ResultError for a line that is not JSON."""
    if not path.exists():
        return
    offset = 0
    with path.open("rb") as file:
        for row in file:
            if not row.endswith(b"\n"):
                return
            yield offset, _parse(row, path, offset)
            offset += len(row)


def prompts(path: Path) -> Iterator[str]:
    """Digests of the prompts that were answered, in the order of their replies."""
    return (line["prompt"] for _, line in read(path) if line["k"] == "reply")


def read_at(path: Path, offset: int) -> dict[str, Any]:
    """The line that starts at a byte offset."""
    with path.open("rb") as file:
        file.seek(offset)
        return _parse(file.readline(), path, offset)


def _parse(row: bytes, path: Path, offset: int) -> dict[str, Any]:
    try:
        line = json.loads(row)
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{path}: the journal is damaged at byte {offset}") from error
    if not isinstance(line, dict) or "k" not in line:
        raise ResultError(f"{path}: the journal is damaged at byte {offset}")
    return line


@dataclass(slots=True)
class Lost:
    """A call that was in flight when a process died."""

    key: Key
    call: int
    worst: float | None


@dataclass(slots=True)
class State:
    """What a journal says, without what finished episodes said.

    Attributes:
        done: unit -> offset and final status of its last ``done`` line.
        replies: unit -> call -> journaled reply line, for units that have not ended for good.
        attempts: unit -> how often it ended so far.
        sessions: processes that wrote the journal.
        calls: calls made in all, lost ones included.
        cost: what the replies cost in US dollars, lost calls not included; None when one is unknown.
        lost: calls in flight at a death.
        lost_costs: what the reply to the same question cost when it was asked again, by position in ``lost``.
    """

    done: dict[Key, tuple[int, str, str]] = field(default_factory=dict)
    replies: dict[Key, dict[int, dict[str, Any]]] = field(default_factory=dict)
    attempts: dict[Key, int] = field(default_factory=dict)
    sessions: int = 0
    calls: int = 0
    cost: float | None = 0.0
    lost: list[Lost] = field(default_factory=list)
    lost_costs: dict[int, float | None] = field(default_factory=dict)

    @property
    def lost_cost(self) -> float | None:
        """What the lost calls cost: as the same call cost when asked again, else the bound reserved for it."""
        total = 0.0
        for index, lost in enumerate(self.lost):
            cost = self.lost_costs.get(index, lost.worst)
            if cost is None:
                return None
            total += cost
        return total

    def is_final(self, key: Key) -> bool:
        """Whether the unit needs no further attempt."""
        if key not in self.done:
            return False
        _, status, end = self.done[key]
        return status == "ok" or (status == "budget" and end == "max_steps")


def scan(path: Path) -> State:
    """Read the journal of a run that nobody is playing at the moment: open intents at its end are lost calls.

    Raises:
        ResultError: the journal is damaged.
    """
    try:
        return _scan(path)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ResultError(f"{path}: the journal is damaged: a line lacks what it should hold ({error})") from error


def _scan(path: Path) -> State:
    state = State()
    open_intents: dict[tuple[Key, int], float | None] = {}
    lost_by_call: dict[tuple[Key, int], list[int]] = {}
    for offset, line in read(path):
        kind = line["k"]
        if kind == "session":
            state.sessions += 1
            _lose(state, open_intents, lost_by_call)
            continue
        key = (str(line["task"]), int(line["trial"]))
        if kind == "intent":
            state.calls += 1
            open_intents[key, line["call"]] = line["worst"]
        elif kind == "reply":
            open_intents.pop((key, line["call"]), None)
            state.replies.setdefault(key, {})[line["call"]] = line
            cost = line["reply"]["cost"]
            state.cost = None if state.cost is None or cost is None else state.cost + cost
            for index in lost_by_call.get((key, line["call"]), ()):
                state.lost_costs.setdefault(index, cost)
        elif kind == "failure":
            open_intents.pop((key, line["call"]), None)
        elif kind == "done":
            state.done[key] = (offset, line["episode"]["status"], line["episode"]["end"])
            state.attempts[key] = line["episode"]["attempts"]
            if state.is_final(key):
                state.replies.pop(key, None)
            elif line["episode"]["end"] == CONTEXT_OVERFLOW:
                _forget_overflow(state.replies.get(key, {}))
    _lose(state, open_intents, lost_by_call)
    return state


def _lose(
    state: State, open_intents: dict[tuple[Key, int], float | None], lost_by_call: dict[tuple[Key, int], list[int]]
) -> None:
    """A session has ended: what it had in flight is lost."""
    for (key, call), worst in open_intents.items():
        lost_by_call.setdefault((key, call), []).append(len(state.lost))
        state.lost.append(Lost(key, call, worst))
    open_intents.clear()


def _forget_overflow(replies: dict[int, dict[str, Any]]) -> None:
    """An episode that ended because prompts were too long is tried again from the first of them.

    By then the model's context may be larger, and everything after that call followed from its being too small.
    """
    first = min((call for call, line in replies.items() if line["reply"]["finish"] == CONTEXT_OVERFLOW), default=None)
    if first is not None:
        for call in [call for call in replies if call >= first]:
            del replies[call]


def reply_json(reply: Reply) -> dict[str, Any]:
    """A reply as a journal line keeps it."""
    return {
        "text": reply.text,
        "usage": reply.usage.to_json() if reply.usage else None,
        "cost": reply.cost,
        "returned_model": reply.returned_model,
        "finish": reply.finish,
        "sent": dict(reply.sent),
        "not_sent": dict(reply.not_sent),
        "attempts": reply.attempts,
        "seconds": round(reply.seconds, 6),
        "system_fingerprint": reply.system_fingerprint,
    }


def reply_from_json(value: dict[str, Any]) -> Reply:
    """The reply of a journal line."""
    usage = value["usage"]
    return Reply(**{**value, "usage": Usage.from_json(usage) if usage is not None else None})
