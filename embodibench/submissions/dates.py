"""Whether the times of a submission can be true: in order, not in the future, and while the model was served."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from datetime import UTC
from itertools import pairwise

from embodibench.cards.suites import Suite
from embodibench.models.table import model_table
from embodibench.results.schema import ModelSection, Result
from embodibench.submissions.findings import Finding
from embodibench.submissions.metadata import Metadata
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_DATED = re.compile(r"(?<![0-9])(20[0-9]{2})-?([01][0-9])-?([0-3][0-9])(?![0-9])")
DAY = datetime.timedelta(days=1)
SLACK = datetime.timedelta(seconds=5)
"""Times are rounded to seconds, and clocks are set while a run lasts."""
MANY_SESSIONS = 20
"""Each session may begin anew in the plan, so many of them leave room for a choice between runs."""
IN_FLIGHT = 16
"""Trials that may be open when a session dies; the next begins them again, and counts it as their first attempt."""


def date_findings(suite: Suite, result: Result, metadata: Metadata, now: datetime.datetime) -> Iterator[Finding]:
    """What cannot be in the times of a submission. ``now``: aware, the time of the check."""
    run = result.run
    created, finished = _stamp(run.created), _stamp(run.finished)
    if created is None or finished is None:
        yield found("date-form", f"run: {shown(run.created, 40)} to {shown(run.finished, 40)} are not two UTC times")
        return
    submitted = datetime.date.fromisoformat(metadata.date)
    if finished < created:
        yield found("date-order", f"the run ends at {run.finished}, before it begins at {run.created}")
    if submitted < finished.date():
        yield found("date-order", f"submitted on {metadata.date}, before the run ended at {run.finished}")
    # A submitter's day may have begun while it is still yesterday here.
    if submitted > (now + DAY / 2).date() or finished > now + DAY / 2:
        yield found(
            "date-future", f"submitted on {metadata.date}, run ended at {run.finished}; today is {now:%Y-%m-%d}"
        )
    first = min((change.date for change in suite.card.changelog), default="")
    if first and created.date() < datetime.date.fromisoformat(first) - DAY:
        yield found("date-suite", f"the run began at {run.created}, {suite.label} is of {first}")
    if result.model is not None:
        yield from _model_findings(result.model, created, finished)
    if run.sessions > MANY_SESSIONS:
        yield found("session-count", f"{run.sessions} sessions")
    yield from _episode_findings(result, created, finished)


def _model_findings(model: ModelSection, created: datetime.datetime, finished: datetime.datetime) -> Iterator[Finding]:
    """The model's dates: those in its ids, and its shutdown by the model table."""
    for name in dict.fromkeys((model.checkpoint, *model.returned)):
        day = _dated(name)
        if day is not None and created.date() < day - DAY:
            yield found("date-model", f"the run began on {created:%Y-%m-%d}, {shown(name, 80)} is of {day}")
            return
    if model.provider not in model_table().providers:
        return
    row = model_table().find(model.checkpoint, model.provider)
    if row is not None and row.shutdown is not None and model.base_url is None and finished.date() > row.shutdown + DAY:
        yield found(
            "date-model", f"the run ended on {finished:%Y-%m-%d}, {shown(row.name, 80)} was shut down on {row.shutdown}"
        )


def _episode_findings(result: Result, created: datetime.datetime, finished: datetime.datetime) -> Iterator[Finding]:
    starts: list[tuple[datetime.datetime, int]] = []
    for index, episode in enumerate(result.episodes):
        where = f"{shown(episode.task, 70)} trial {episode.trial}"
        start = _stamp(episode.times.started) if episode.times is not None else None
        if start is None or episode.times is None:
            yield found("episode-times", f"{where}: has no time at which it began")
            return
        try:
            end = start + datetime.timedelta(seconds=episode.times.seconds)
        except OverflowError:
            yield found("episode-times", f"{where}: ends at no time")
            return
        if start < created - SLACK or end > finished + SLACK:
            yield found("episode-times", f"{where}: was played from {episode.times.started}, not while the run lasted")
            return
        starts.append((start, index))
    yield from _order_findings(result, starts)


def _order_findings(result: Result, starts: Sequence[tuple[datetime.datetime, int]]) -> Iterator[Finding]:
    """A session begins its trials in the order of the plan, so the order turns back only where a new one begins."""
    in_time = sorted(starts)
    # Trials that begin in the same moments, or while a clock is set, turn nothing back.
    turns = [(one, two) for (then, one), (now, two) in pairwise(in_time) if two < one and now - then > SLACK]
    if len(turns) > result.run.sessions - 1:
        one = result.episodes[turns[-1][1]]
        yield found(
            "session-order",
            f"{shown(one.task, 70)} trial {one.trial} was played after trials that come later in the plan; with "
            f"{result.run.sessions} session(s) the order turns back {len(turns)} times",
        )
        return
    late = sum(result.episodes[index].attempts == 1 for index in _late([index for _, index in in_time]))
    if late > IN_FLIGHT:
        yield found(
            "session-retries",
            f"{late} trials were played at their first attempt after trials that come later in the plan",
        )


def _late(order: Sequence[int]) -> list[int]:
    """Trials that began after a later one of the plan."""
    latest, late = -1, []
    for index in order:
        if index < latest:
            late.append(index)
        latest = max(latest, index)
    return late


def _stamp(text: str) -> datetime.datetime | None:
    if not _STAMP.fullmatch(text):
        return None
    try:
        stamp = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
    # At the edges of the calendar no second can be taken away or added.
    return stamp if 2000 <= stamp.year < 3000 else None


def _dated(name: str) -> datetime.date | None:
    """The day that a model's id states, such as ``gpt-4o-2024-11-20`` or ``claude-haiku-4-5-20251001``."""
    for match in _DATED.finditer(name):
        try:
            return datetime.date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
    return None
