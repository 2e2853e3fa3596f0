"""Results beside published figures and beside each other: from episodes to the functions over arrays.

Episodes are those of one result file; every planned (task, trial) has one, whatever its status.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from embodibench.cards.suites import Suite
from embodibench.errors import ResultError, UsageError
from embodibench.results.schema import Episode
from embodibench.scoring import baselines, compare_suites, crafter, game_scores
from embodibench.scoring.comparison import ComparisonRow
from embodibench.scoring.interval import Estimate
from embodibench.scoring.paired import PairedComparison, compare_paired, compare_paired_values
from embodibench.scoring.pass_rates import PassRate, pass_rate, pass_rates_by_level

HUMAN_TABLE = "dqn-zoo"
"""The human table of Atari rows unless another is named."""

ATARI_REFERENCES = ("dqn-2015", "ppo", "rainbow", "agent57")
_SOCIALAI_TASKS = {
    "asocialbox": "AsocialBox",
    "colorboxes": "ColorBoxes",
    "colorboxesgeneralization": "ColorBoxes (generalization)",
    "generalization": "ColorBoxes (generalization)",
}


def beside_published(
    suite: Suite,
    episodes: Sequence[Episode],
    names: Sequence[str] | None = None,
    human_table: str = HUMAN_TABLE,
) -> tuple[ComparisonRow, ...]:
    """Rows that put a result beside published figures; empty where the suite has none.

    Args:
        names: references (``baselines.references(suite.card.name)``); None takes the suite's usual ones.
        human_table: for games.

    Raises:
        UsageError: for an unknown reference or human table.
    """
    name = suite.card.name
    if name == "crafter":
        chosen = compare_suites.CRAFTER_REFERENCES if names is None else names
        summary = crafter.summarise(unlocks(episodes), len(episodes), rewards(episodes))
        return compare_suites.crafter_rows(summary, chosen)
    if name == "aai40":
        chosen = compare_suites.AAI40_REFERENCES if names is None else names
        levels = {re.sub(r"^level-0*", "", group): rate for group, rate in group_rates(suite, episodes).items()}
        return compare_suites.aai40_rows({**levels, "all": _overall(episodes)}, chosen)
    if name == "socialai":
        rates = {_socialai_task(task): rate for task, rate in room_rates(episodes).items()}
        return compare_suites.socialai_rows(rates, names)
    if name == "atari":
        humans = baselines.human_table(human_table)
        scores = finished_scores(suite, episodes)
        planned = max(planned_trials(episodes).values())
        # Seeds are fixed: the bootstrap of the same result is the same; with few seeds it is not used at all.
        summary_of_games = game_scores.summarise(scores, planned, human_table, humans, np.random.default_rng(0))
        means = {game.game: game.normalised for game in summary_of_games.games if game.normalised is not None}
        return compare_suites.atari_rows(means, human_table, ATARI_REFERENCES if names is None else names)
    return ()


def beside_result(
    suite: Suite, first: Sequence[Episode], second: Sequence[Episode]
) -> dict[str, PairedComparison | Estimate]:
    """The differences of two results of a suite, first minus second.

    Returns:
        "all" -> a ``PairedComparison`` of pass rates, task by task; for crafter the ``Estimate`` of the difference of
        progress, in percent, world by world. For socialai each task has its own, room by room: they are never pooled.
        Empty for suites without a paired comparison (games).

    Raises:
        UsageError: the results do not hold the same trials.
    """
    one, two = ({(episode.task, episode.trial): episode for episode in episodes} for episodes in (first, second))
    if set(one) != set(two) or len(one) != len(first) or len(two) != len(second):
        raise UsageError("the two results do not hold the same trials, each once; compare whole runs of one suite")
    if any(one[key].seed != two[key].seed for key in one):
        raise UsageError("the two results were played with other seeds; compare runs of the same benchmark version")
    keys = sorted(one)
    if suite.card.scoring == "crafter":
        shares = [crafter.progress_by_episode(unlocks([episodes[key] for key in keys])) for episodes in (one, two)]
        return {"all": compare_paired_values(shares[0], shares[1], "percent")}
    if suite.card.scoring == "pass_rate":
        planned = planned_trials([one[key] for key in keys])
        passed = [passed_trials([episodes[key] for key in keys]) for episodes in (one, two)]
        rows = [[counts[task] for task in planned] for counts in passed]
        return {"all": compare_paired(rows[0], list(planned.values()), rows[1], list(planned.values()))}
    if suite.card.scoring == "socialai":
        rooms: dict[str, list[tuple[str, int]]] = {}
        for key in keys:
            rooms.setdefault(key[0], []).append(key)
        return {task: _paired_rooms(one, two, rooms[task]) for task in suite.card.tasks if task in rooms}
    return {}


def _paired_rooms(
    one: Mapping[tuple[str, int], Episode], two: Mapping[tuple[str, int], Episode], keys: Sequence[tuple[str, int]]
) -> PairedComparison:
    rows = [[int(side[key].status == "ok" and bool(side[key].success)) for key in keys] for side in (one, two)]
    return compare_paired(rows[0], [1] * len(keys), rows[1], [1] * len(keys), units="rooms")


def group_rates(suite: Suite, episodes: Sequence[Episode]) -> dict[str, PassRate]:
    """Pass rate of each group of tasks (level, case study), over the planned trials."""
    planned, passed = planned_trials(episodes), passed_trials(episodes)
    groups = [suite.task(task).group or task for task in planned]
    return pass_rates_by_level([passed[task] for task in planned], list(planned.values()), groups)


def room_rates(episodes: Sequence[Episode]) -> dict[str, PassRate]:
    """Pass rate of each task over its trials, where each trial has a room of its own and trials are independent."""
    solved: dict[str, list[int]] = {}
    for episode in episodes:
        solved.setdefault(episode.task, []).append(int(episode.status == "ok" and bool(episode.success)))
    return {task: pass_rate(found, [1] * len(found), units="rooms") for task, found in solved.items()}


def unlocks(episodes: Sequence[Episode]) -> NDArray[np.bool_]:
    """What each Crafter episode unlocked, shape (episodes, 22).

    Raises:
        ResultError: an episode's achievements are not a mapping from name to count.
    """
    table = np.zeros((len(episodes), len(crafter.ACHIEVEMENTS)), dtype=bool)
    for row, episode in zip(table, episodes, strict=True):
        counts = episode.measures.get("achievements", {})
        if not isinstance(counts, dict):
            raise ResultError(f"episode {episode.task} {episode.trial}: measure 'achievements' is not a mapping")
        row[:] = [bool(counts.get(name, 0)) for name in crafter.ACHIEVEMENTS]
    return table


def rewards(episodes: Sequence[Episode]) -> list[float]:
    """Sum of the rewards of each episode."""
    return [sum(value * count for value, count in episode.rewards) for episode in episodes]


def finished_scores(suite: Suite, episodes: Sequence[Episode]) -> dict[str, list[float]]:
    """Game -> true scores of its runs that came to the end of the game; a planned game without any has an empty list.

    Raises:
        ResultError: an episode's score is not a finite number.
    """
    scores: dict[str, list[float]] = {}
    for episode in episodes:
        runs = scores.setdefault(suite.task(episode.task).group or episode.task, [])
        ended = episode.status == "ok" and episode.measures.get("end") is not None
        if ended:
            score = episode.measures.get("score")
            if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
                raise ResultError(f"episode {episode.task} {episode.trial}: measure 'score' is not a finite number")
            runs.append(float(score))
    return scores


def _overall(episodes: Sequence[Episode]) -> PassRate:
    planned, passed = planned_trials(episodes), passed_trials(episodes)
    return pass_rate([passed[task] for task in planned], list(planned.values()))


def planned_trials(episodes: Sequence[Episode]) -> dict[str, int]:
    """Trials planned of each task, in the order of the result."""
    counts: dict[str, int] = {}
    for episode in episodes:
        counts[episode.task] = counts.get(episode.task, 0) + 1
    return counts


def passed_trials(episodes: Sequence[Episode]) -> dict[str, int]:
    """Trials passed of each task; an episode that ended in an error is none."""
    counts = dict.fromkeys(planned_trials(episodes), 0)
    for episode in episodes:
        counts[episode.task] += episode.status == "ok" and bool(episode.success)
    return counts


def _socialai_task(group: str) -> str:
    word = re.sub(r"[^a-z]", "", group.lower().replace("isation", "ization"))
    return _SOCIALAI_TASKS.get(word, group)
