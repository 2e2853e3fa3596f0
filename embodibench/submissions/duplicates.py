"""A submission beside the others of its suite: results and plays that stand twice.

What can be seen: the same play under another name; an episode that stands in two results; the same result again. What
cannot: a splice of runs of which none was submitted, with times made to fit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from embodibench.errors import ResultError
from embodibench.results.files import read_bounded, strict_json
from embodibench.results.schema import MAX_RESULT_BYTES
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import NAME, Submission
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

LENGTH, VARIETY = 4, 20
"""Two equal plays are not chance when so many different sequences of so many runs of actions stand in them. A loop,
however long, has few; a short episode has few, too."""
CALLS, TOKENS = 3, 15
"""Equal replies that are not chance either: as many, of as many tokens on average."""


@dataclass(frozen=True, slots=True)
class Play:
    """One episode, as far as it is compared.

    Attributes:
        actions: digest of the executed actions.
        replies: digest of the replies; of nothing for a policy.
        times: when it began, and how long it took.
        varied: its actions are so varied that two equal ones are not chance.
        wordy: its replies are so long that two equal ones are not chance.
    """

    actions: str
    replies: str
    times: tuple[Any, Any]
    varied: bool
    wordy: bool


@dataclass(frozen=True)
class Other:
    """Another submission: who played, and what."""

    name: str
    model: str
    agent: str
    plays: Mapping[tuple[str, int], Play]

    @property
    def player(self) -> tuple[str, str]:
        return self.model, self.agent


def duplicate_findings(submission: Submission, against: Path, before: str | None = None) -> Iterator[Finding]:
    """What a submission shares with others of its suite in the folder ``against``.

    ``before``: only with those whose folder's name sorts before this one.
    """
    mine = _other(submission.path.name, submission.result.model_dump(mode="json"))
    same_player = 0
    for other in _others(against / submission.result.benchmark.suite, submission.path, before):
        same_player += other.player == mine.player
        finding = _compare(mine, other)
        if finding is not None:
            yield finding
    if submission.metadata.attempts < same_player + 1:
        yield found(
            "attempts-count",
            f"attempts: {submission.metadata.attempts}, and {same_player} submissions of this player stand beside it",
        )


def _compare(mine: Other, other: Other) -> Finding | None:
    """The gravest thing that two results share, or None."""
    keys = [key for key in mine.plays if key in other.plays]
    same = [key for key in keys if _plays(mine, key) == _plays(other, key)]
    where = shown(other.name, 130)
    if len(same) == len(keys) == len(mine.plays) and mine.player == other.player:
        return found("duplicate-result", f"the same player has played exactly this: {where}")
    if mine.model != other.model:
        alike = [key for key in keys if mine.plays[key].actions == other.plays[key].actions]
        telling = [key for key in alike if _is_telling(mine.plays[key], other.plays[key])]
        if telling and (mine.model or other.model):
            return found("duplicate-play", f"{_places(telling)}: the same play as in {where}, under another model")
        if 2 * len(alike) >= len(mine.plays):
            return found(
                "duplicate-short", f"{_places(alike)}: short plays, the same as in {where} under another model"
            )
    if mine.model or other.model or mine.agent != other.agent:
        reused = [key for key in same if mine.plays[key].times == other.plays[key].times]
        if reused:
            return found("episode-reused", f"{_places(reused)}: the same episode, to the second, stands in {where}")
    return None


def _is_telling(mine: Play, other: Play) -> bool:
    return mine.varied or (mine.wordy and mine.replies == other.replies)


def _plays(one: Other, key: tuple[str, int]) -> tuple[str, str]:
    return one.plays[key].actions, one.plays[key].replies


def _places(keys: list[tuple[str, int]]) -> str:
    more = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
    return f"{shown(keys[0][0], 70)} trial {keys[0][1]}{more}"


def _others(folder: Path, own: Path, before: str | None) -> Iterator[Other]:
    """The other submissions of a suite. One that cannot be read is nobody's duplicate."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not NAME.fullmatch(path.name) or path.resolve() == own.resolve():
            continue
        if before is not None and path.name >= before:
            continue
        try:
            file = path / "result.json"
            if not file.is_symlink():
                yield _other(path.name, strict_json(read_bounded(file, MAX_RESULT_BYTES, "a result"), str(file)))
        except (ResultError, KeyError, TypeError, ValueError, AttributeError):
            continue


def _other(name: str, data: Mapping[str, Any]) -> Other:
    """From plain data, without the schema: a tree may hold thousands."""
    model = data["model"]
    # A gateway puts names of its own before a model's.
    asked = "" if model is None else str(model["checkpoint"]).rpartition("/")[2].lower()
    plays = {(str(row["task"]), int(row["trial"])): _play(row) for row in data["episodes"]}
    return Other(name, asked, str(data["agent"]["name"]), plays)


def _play(row: Mapping[str, Any]) -> Play:
    actions, calls, times = row["actions"], row["calls"], row["times"] or {}
    tokens = [count for count in calls["output_tokens"] if count is not None]
    wordy = len(calls["replies"]) >= CALLS and sum(tokens) >= TOKENS * len(calls["replies"])
    return Play(
        _digest(actions),
        _digest(calls["replies"]),
        (times.get("started"), times.get("seconds")),
        _variety(actions) >= VARIETY,
        wordy,
    )


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode("utf-8")).hexdigest()


def _variety(runs: Sequence[Any]) -> int:
    """Different sequences of ``LENGTH`` runs."""
    words = [json.dumps(run) for run in runs]
    return len({tuple(words[start : start + LENGTH]) for start in range(len(words) - LENGTH + 1)})
