"""From the metrics of a result to the scores of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from embodibench.cards.suites import Suite
from embodibench.leaderboard.records import Episode, Record
from embodibench.leaderboard.rows import Kind, Score
from embodibench.results.schema import Episode as FullEpisode
from embodibench.scoring import crafter
from embodibench.scoring.compare_results import passed_trials, unlocks
from embodibench.scoring.metrics import compute, estimate_json

ONE_TASK = "trials of one task say nothing of others"
OLD_VERSION = "of another benchmark version, whose intervals this package does not compute"


def current_metrics(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """The metrics of these episodes, intervals included, as ``scoring.metrics.compute`` gives them."""
    # It reads fields that the light episodes have under the same names; the tests compare the two.
    return compute(suite, cast(Sequence[FullEpisode], episodes))


def old_metrics(record: Record) -> dict[str, Any]:
    """The metrics of a result whose version this package has no cards of, as the file has them, without intervals.

    Its values were checked when the verdict was written; nobody has checked its intervals.
    """
    return cast(dict[str, Any], _without_intervals(record.metrics))


def _without_intervals(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: {"none": OLD_VERSION} if key == "interval" else _without_intervals(part) for key, part in value.items()
        }
    return value


def scores(metrics: dict[str, Any], episodes: Sequence[Episode]) -> tuple[Score, ...]:
    """The scores of a result with these metrics and episodes, the overall one first."""
    rules = {"pass_rate": _pass_rate, "socialai": _tasks, "crafter": _crafter, "atari": _atari}
    return tuple(rules[metrics["rule"]](metrics, episodes))


def _pass_rate(metrics: dict[str, Any], episodes: Sequence[Episode]) -> Iterator[Score]:
    yield _score("overall", "pass_rate", metrics["pass_rate"])
    if "pass_rate_passable" in metrics:
        yield _score("passable", "pass_rate_passable", metrics["pass_rate_passable"])
    for name, rate in metrics.get("groups", {}).items():
        yield _score("group", name, rate)
    for name, counts in metrics["tasks"].items():
        passed, planned = counts["passed"], counts["planned"]
        value = passed / planned
        yield Score("task", name, value, "fraction", planned, reason=ONE_TASK, passed=passed, planned=planned)


def _tasks(metrics: dict[str, Any], episodes: Sequence[Episode]) -> Iterator[Score]:
    for name, rate in metrics["tasks"].items():
        yield _score("task", name, rate)


def _crafter(metrics: dict[str, Any], episodes: Sequence[Episode]) -> Iterator[Score]:
    yield _score("overall", "progress", metrics["progress"])
    yield _score("other", "score", metrics["score"])
    if metrics["reward"] is not None:
        yield _score("other", "reward", metrics["reward"])
    table = unlocks(cast(Sequence[FullEpisode], episodes))
    for row in crafter.summarise(table, len(episodes)).spectrum:
        figure = {**estimate_json(row.estimate), "passed": row.episodes, "planned": row.planned}
        yield _score("achievement", row.achievement, figure)


def _atari(metrics: dict[str, Any], episodes: Sequence[Episode]) -> Iterator[Score]:
    if metrics["iqm"] is not None:
        yield _score("overall", "iqm", metrics["iqm"])
    else:
        yield Score("overall", "iqm", None, "fraction", 0, reason=metrics["iqm_missing"])
    for name, game in metrics["games"].items():
        runs = tuple(game["scores"])
        yield Score(
            "game",
            name,
            game["mean"],
            "points",
            len(runs),
            reason=_why_not(len(runs), game["broken_off"]),
            planned=len(runs) + game["broken_off"],
            normalised=game["normalised"],
            runs=runs,
        )


def _why_not(runs: int, broken_off: int) -> str:
    if not runs:
        return "no run came to the end of the game"
    return f"{broken_off} runs were broken off" if broken_off else f"{runs} runs; see them one by one"


def _score(kind: Kind, name: str, figure: dict[str, Any]) -> Score:
    bounds = figure["interval"]
    return Score(
        kind,
        name,
        figure["value"],
        figure["unit"],
        figure["n"],
        low=bounds.get("low"),
        high=bounds.get("high"),
        reason=bounds.get("none", ""),
        method=bounds.get("method", ""),
        passed=figure.get("passed"),
        planned=figure.get("planned"),
    )


def units(suite: Suite, episodes: Sequence[Episode]) -> tuple[tuple[float, ...], ...]:
    """What is paired between two rows, a list for each paired comparison of the suite.

    Passes of each task, in the card's order; of each room of a task of SocialAI; percent of the achievements in each
    world of Crafter; nothing for games, whose runs are not paired.
    """
    ordered = cast(
        Sequence[FullEpisode], sorted(episodes, key=lambda one: (suite.card.tasks.index(one.task), one.trial))
    )
    if suite.card.scoring == "crafter":
        return (tuple(float(share) for share in crafter.progress_by_episode(unlocks(ordered))),)
    if suite.card.scoring == "pass_rate":
        return (tuple(float(passed) for passed in passed_trials(ordered).values()),)
    if suite.card.scoring == "socialai":
        rooms: dict[str, list[float]] = {}
        for episode in ordered:
            rooms.setdefault(episode.task, []).append(float(episode.status == "ok" and bool(episode.success)))
        return tuple(tuple(solved) for solved in rooms.values())
    return ()
