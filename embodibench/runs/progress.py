"""Progress of a run on standard error: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from embodibench.results.plan import Unit
from embodibench.results.schema import Episode
from embodibench.runs.budget import Budget

QUIET = 30.0
"""Seconds without a line after which a log is told that the model goes on answering."""


class Progress:
    """Tells how many episodes are done, what they cost, and how long the rest may take.

    Args:
        total: episodes of the run.
        done: episodes that earlier sessions finished.
        budget: is asked for calls and costs.
        priced: whether a model plays, so that calls and costs are worth showing.
    """

    def __init__(self, total: int, done: int, budget: Budget, *, priced: bool, stream: TextIO | None = None) -> None:
        self._total = total
        self._done = done
        self._before = done
        self._budget = budget
        self._priced = priced
        self._stream = stream if stream is not None else sys.stderr
        self._start = self._last = time.monotonic()
        self._live = self._stream.isatty()

    def started(self, unit: Unit) -> None:
        """An episode begins."""
        if self._live:
            self._write(f"\r\x1b[K{self._counter()} playing {unit.task.id} trial {unit.trial} ...", end="")

    def replied(self, unit: Unit, calls: int) -> None:
        """The model has replied to call ``calls`` of an episode: shown at once on a terminal, else now and then."""
        line = f"{self._counter()} playing {unit.task.id} trial {unit.trial}: call {calls}; {self._spent()}"
        if self._live:
            self._write(f"\r\x1b[K{line}", end="")
        elif time.monotonic() - self._last > QUIET:
            self._write(line)

    def ended(self, unit: Unit, episode: Episode) -> None:
        """An episode ended."""
        self._done += 1
        reward = sum(value * count for value, count in episode.rewards)
        parts = [f"{episode.steps} steps", f"return {reward:.2f}"]
        if episode.success is not None:
            parts.insert(0, "passed" if episode.success else "not passed")
        if self._priced:
            parts.append(f"{len(episode.calls.prompts)} calls")
        line = f"{self._counter()} {unit.task.id} trial {unit.trial}: {_ending(episode)}, {', '.join(parts)}"
        self._write(("\r\x1b[K" if self._live else "") + f"{line}; {self._totals()}")

    def _counter(self) -> str:
        return f"[{self._done}/{self._total}]"

    def _totals(self) -> str:
        parts = [self._spent()] if self._priced else []
        played = self._done - self._before
        left = (time.monotonic() - self._start) / played * (self._total - self._done) if played else 0.0
        parts.append(f"about {_duration(left)} left" if self._done < self._total else "all played")
        return ", ".join(parts)

    def _spent(self) -> str:
        unknown = f" and {self._budget.unpriced} calls of unknown price" if self._budget.unpriced else ""
        return f"{self._budget.calls} calls, ${self._budget.spent:.4f} so far{unknown}"

    def _write(self, text: str, end: str = "\n") -> None:
        self._last = time.monotonic()
        self._stream.write(text + end)
        self._stream.flush()


def _ending(episode: Episode) -> str:
    if episode.status == "ok":
        return episode.end
    return f"{episode.status} ({episode.end}{': ' + episode.error if episode.error else ''})"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
