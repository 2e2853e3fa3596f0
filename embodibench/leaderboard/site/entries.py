"""A row of the board as the pages see it: where it stands in a table, and what it reached on each unit of a pairing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias, cast

from embodibench.cards.suites import Suite
from embodibench.leaderboard.rows import Row
from embodibench.results.files import read_bounded
from embodibench.results.schema import MAX_RESULT_BYTES, Episode
from embodibench.scoring import compare_results, crafter

Group: TypeAlias = Literal["main", "text", "privileged"]
"""``privileged``: a policy that reads the world's state. ``text``: an agent that is told what a picture would show."""

GROUPS: dict[Group, str] = {
    "main": "Models and policies",
    "text": "Told in words what a picture would show (react-text): another task than seeing",
    "privileged": "Policies that read the state of the world: a bound, not a competitor",
}
TEXT_AGENTS = ("react-text",)


def group(row: Row) -> Group:
    """The part of its table that a row stands in."""
    if row.privileged:
        return "privileged"
    return "text" if row.agent in TEXT_AGENTS else "main"


def tokens(row: Row) -> int | None:
    """Input and output tokens of all calls; None for a policy or where a part is unknown."""
    if row.policy or row.input_tokens is None or row.output_tokens is None:
        return None
    return row.input_tokens + row.output_tokens


def units_of(suite: Suite, row: Row) -> tuple[tuple[float, ...], ...]:
    """What is paired between two rows, one list for each of ``pairs.comparisons``.

    Passes of each task in the card's order, which the row holds; for SocialAI and Crafter its result is read.

    Raises:
        ResultError: the result cannot be read.
    """
    if suite.card.scoring == "pass_rate":
        passed = {score.name: score.passed for score in row.of_kind("task")}
        return (tuple(float(passed.get(task) or 0) for task in suite.card.tasks),)
    if suite.card.scoring == "atari":
        return ()
    from embodibench.leaderboard.records import Record, decode

    path = Path(row.path) / "result.json"
    record = decode(read_bounded(path, MAX_RESULT_BYTES, "a result"), Record, str(path))
    # The light episodes have the fields that are read here under the same names.
    return units(suite, cast(Sequence[Episode], record.episodes))


def units(suite: Suite, episodes: Sequence[Episode]) -> tuple[tuple[float, ...], ...]:
    """The same from episodes: passes of each task, of each room of a task of SocialAI, percent of the achievements in
    each world of Crafter; nothing for games, whose runs are not paired."""
    ordered = sorted(episodes, key=lambda episode: (suite.card.tasks.index(episode.task), episode.trial))
    if suite.card.scoring == "crafter":
        return (tuple(float(share) for share in crafter.progress_by_episode(compare_results.unlocks(ordered))),)
    if suite.card.scoring == "pass_rate":
        return (tuple(float(passed) for passed in compare_results.passed_trials(ordered).values()),)
    if suite.card.scoring == "socialai":
        rooms: dict[str, list[float]] = {}
        for episode in ordered:
            rooms.setdefault(episode.task, []).append(float(episode.status == "ok" and bool(episode.success)))
        return tuple(tuple(solved) for solved in rooms.values())
    return ()
