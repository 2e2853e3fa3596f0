"""Metrics of a result: computed from its episodes when it is written, and again whenever it is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from embodibench.cards.suites import Suite
from embodibench.results.schema import Episode, Result
from embodibench.scoring import baselines, crafter, game_scores, pass_rates
from embodibench.scoring.compare_results import (
    HUMAN_TABLE,
    finished_scores,
    passed_trials,
    planned_trials,
    rewards,
    room_rates,
    unlocks,
)
from embodibench.scoring.interval import Estimate, Interval

SCORING_VERSION = 1
TOLERANCE = 1e-9
"""Relative difference up to which a metric counts as the same."""


def compute(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """The metrics of these episodes under the suite's scoring rule, as plain JSON data."""
    rules = {"atari": _atari, "crafter": _crafter, "pass_rate": _pass_rate, "socialai": _separate_tasks}
    rule = rules.get(suite.card.scoring)
    if rule is None:
        raise ValueError(f"no scoring rule '{suite.card.scoring}'")
    return {
        "scoring_version": SCORING_VERSION,
        "rule": suite.card.scoring,
        "episodes": _statuses(episodes),
        **rule(suite, episodes),
        "usage": _usage(episodes),
    }


def _atari(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """True scores per game, and their human-normalised interquartile mean, which only whole games can have."""
    finished = finished_scores(suite, episodes)
    planned = max(sum(suite.task(e.task).group == group for e in episodes) for group in finished)
    # The generator draws the interval alone, which is recomputed and never compared.
    rng = np.random.Generator(np.random.PCG64(SCORING_VERSION))
    summary = game_scores.summarise(finished, planned, HUMAN_TABLE, baselines.human_table(HUMAN_TABLE), rng)
    missing = [game.game for game in summary.games if len(game.scores) < game.planned]
    return {
        "primary": "iqm",
        "human_table": HUMAN_TABLE,
        "iqm": estimate_json(summary.iqm) if summary.iqm is not None else None,
        "iqm_missing": f"games of {', '.join(missing)} were broken off" if missing else "",
        "games": {
            game.game: {
                "scores": list(game.scores),
                "broken_off": game.planned - len(game.scores),
                "mean": game.raw.value if game.raw is not None else None,
                # Breaking off a bad game must not raise the mean of the others.
                "normalised": game.normalised.value if game.normalised and game.game not in missing else None,
            }
            for game in summary.games
        },
    }


def _crafter(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """Progress, Crafter score, reward and spectrum over all planned episodes; an error counts with what it unlocked."""
    table = unlocks(episodes)
    summary = crafter.summarise(table, len(episodes), rewards(episodes))
    return {
        "primary": "progress",
        "progress": estimate_json(summary.progress),
        "score": estimate_json(summary.score),
        "reward": estimate_json(summary.reward) if summary.reward is not None else None,
        "mean_unlocks": summary.mean_unlocks,
        "unlocked_in_union": int(table.any(axis=0).sum()),
        "spectrum": {row.achievement: row.episodes for row in summary.spectrum},
    }


def _pass_rate(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """Pass rates over planned trials: all tasks, those that the protocol can pass, and each group."""
    trials, passes = planned_trials(episodes), passed_trials(episodes)
    planned = np.array([trials[task] for task in trials])
    passed = np.array([passes[task] for task in trials])
    tasks = [suite.task(name) for name in trials]
    passable = [index for index, task in enumerate(tasks) if task.passable]
    metrics: dict[str, Any] = {
        "primary": "pass_rate",
        "pass_rate": _rate_json(pass_rates.pass_rate(passed, planned)),
    }
    if 0 < len(passable) < len(tasks):
        metrics["pass_rate_passable"] = _rate_json(pass_rates.pass_rate(passed[passable], planned[passable]))
    if all(task.group for task in tasks):
        groups = pass_rates.pass_rates_by_level(passed, planned, [str(task.group) for task in tasks])
        metrics["groups"] = {group: _rate_json(rate) for group, rate in groups.items()}
    metrics["tasks"] = {task: {"passed": passes[task], "planned": trials[task]} for task in trials}
    return metrics


def _separate_tasks(suite: Suite, episodes: Sequence[Episode]) -> dict[str, Any]:
    """Pass rate of each task over its rooms, and no figure over tasks: some of them share their worlds.

    Each trial of a task has a room of its own, so trials are independent and the interval is over rooms.
    """
    rates = room_rates(episodes)
    return {"primary": "tasks", "tasks": {task: _rate_json(rate) for task, rate in rates.items()}}


def _rate_json(rate: pass_rates.PassRate) -> dict[str, Any]:
    return {**estimate_json(rate.estimate), "passed": rate.passed, "planned": rate.planned, "tasks": rate.tasks}


def estimate_json(estimate: Estimate) -> dict[str, Any]:
    """An estimate as plain data: value, unit, n, and the interval or the reason why there is none."""
    interval = estimate.interval
    if isinstance(interval, Interval):
        bounds: dict[str, Any] = {
            "low": interval.low,
            "high": interval.high,
            "confidence": interval.confidence,
            "method": interval.method,
            "estimand": interval.estimand,
        }
    else:
        bounds = {"none": interval.reason}
    return {"value": estimate.value, "unit": estimate.unit, "n": estimate.n, "interval": bounds}


def _statuses(episodes: Sequence[Episode]) -> dict[str, int]:
    counts = {"planned": len(episodes), "ok": 0, "env_error": 0, "api_error": 0, "budget": 0}
    for episode in episodes:
        counts[episode.status] += 1
    return counts


def _usage(episodes: Sequence[Episode]) -> dict[str, Any]:
    """Steps, calls, tokens, cost and share of replies that did not parse; None where a part is unknown."""
    outcomes: dict[str, int] = {}
    for episode in episodes:
        for word, count in episode.calls.outcomes:
            outcomes[word] = outcomes.get(word, 0) + count
    usages = [episode.usage for episode in episodes]
    costs = [episode.cost for episode in episodes]
    known = [usage for usage in usages if usage is not None]
    whole = len(known) == len(usages)
    return {
        "steps": sum(episode.steps for episode in episodes),
        "calls": sum(len(episode.calls.prompts) for episode in episodes),
        "outcomes": dict(sorted(outcomes.items())),
        "input_tokens": sum(usage.input for usage in known) if whole else None,
        "cached_tokens": sum(usage.cached for usage in known) if whole else None,
        "output_tokens": sum(usage.output for usage in known) if whole else None,
        "cost": math.fsum(cost for cost in costs if cost is not None) if None not in costs else None,
    }


def disagreement(suite: Suite, result: Result) -> str:
    """The first metric of a result that does not follow from its episodes, as a sentence, or "".

    Intervals come from resampling, so they are recomputed and not compared: entries called ``interval`` are skipped.
    """
    return _difference(compute(suite, result.episodes), result.metrics, "metrics")


def _difference(right: Any, found: Any, where: str) -> str:
    if isinstance(right, dict):
        if not isinstance(found, dict) or set(right) != set(found):
            return f"{where} has other entries than its episodes give"
        for name in right:
            if name == "interval":
                continue
            inner = _difference(right[name], found[name], f"{where}.{name}")
            if inner:
                return inner
        return ""
    if isinstance(right, list):
        if not isinstance(found, list) or len(right) != len(found):
            return f"{where} has another length than its episodes give"
        pairs = enumerate(zip(right, found, strict=True))
        return next((text for i, (a, b) in pairs if (text := _difference(a, b, f"{where}[{i}]"))), "")
    if isinstance(right, float) and isinstance(found, (int, float)) and not isinstance(found, bool):
        # A whole number beyond the range of floats is nobody's metric.
        same = abs(found) < 1e300 and math.isclose(right, found, rel_tol=TOLERANCE, abs_tol=1e-12)
    else:
        same = type(right) is type(found) and right == found
    return "" if same else f"{where} is {found!r}, its episodes give {right!r}"
