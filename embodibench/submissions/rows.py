"""Whether the rows of a result are those that were planned, and whether their figures can be true."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.results.consistency import call_counts, is_empty
from embodibench.results.plan import is_partial, is_whole, plan
from embodibench.results.schema import Episode, Result, RunLimits
from embodibench.submissions.findings import Finding
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

MAX_EPISODE_STEPS = 20_000
"""Steps of an episode whose card states no budget."""
MAX_VALUE = 1e9
"""A reward or measure beyond this is no game's."""
MAX_WORDS = 300
"""Characters of what an interval says of itself."""
LONGEST_TOKEN = 128
"""Bytes of a reply that one token can stand for: the longest tokens of the vocabularies in use."""


def plan_findings(suite: Suite, result: Result) -> Iterator[Finding]:
    """Planned rows, limits, and the mark ``partial``."""
    planned = [unit.key for unit in plan(suite, RunLimits())]
    rows = [(episode.task, episode.trial) for episode in result.episodes]
    if rows != planned:
        yield found("planned-rows", _rows_problem(rows, planned))
        return
    broken = [episode for episode in result.episodes if episode.status != "ok"]
    try:
        whole = is_whole(suite, result.run.limits)
        marked = result.run.partial == is_partial(suite, result.run.limits, result.episodes)
    except UsageError:
        whole, marked = False, False
    if not whole:
        yield found("run-partial", "the run was limited, so it is not the whole suite")
    elif broken:
        first = broken[0]
        yield found(
            "run-partial",
            f"{len(broken)} of {len(rows)} episodes did not end by the rules; the first is {first.task} "
            f"trial {first.trial}: {first.status} ({shown(first.end, 40)})",
        )
    elif not marked:
        yield found("run-partial", "its mark 'partial' does not follow from its limits and episodes")


def _rows_problem(rows: list[tuple[str, int]], planned: list[tuple[str, int]]) -> str:
    there, due = set(rows), set(planned)
    twice = [key for key, count in Counter(rows).items() if count > 1]
    missing = [key for key in planned if key not in there]
    foreign = [key for key in rows if key not in due]
    for words, keys in (("stands twice", twice), ("is missing", missing), ("is not of this suite", foreign)):
        if keys:
            more = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
            return f"{shown(keys[0][0], 70)} trial {keys[0][1]} {words}{more}"
    return "the rows are not in the order of the plan"


def episode_findings(suite: Suite, result: Result) -> Iterator[Finding]:
    """What cannot be in single episodes; at most one finding of a rule and its first place."""
    told: set[str] = set()
    every = suite.card.protocol.fingerprint_every
    for episode in result.episodes:
        task = suite.task(episode.task)
        for rule, problem in _episode_problems(task, episode, every, result.run.sessions):
            if rule not in told:
                told.add(rule)
                yield found(rule, f"{episode.task} trial {episode.trial}: {problem}")


def _episode_problems(task: TaskCard, episode: Episode, every: int, sessions: int) -> Iterator[tuple[str, str]]:
    seed = task.seeds[episode.trial]
    if episode.seed != seed:
        yield "episode-seed", f"its seed is {episode.seed}, pinned is {seed}"
    problem = _lengths_problem(task, episode, every)
    if problem:
        yield "episode-lengths", problem
    problem = _values_problem(episode)
    if problem:
        yield "episode-values", problem
    if episode.attempts > sessions:
        yield "episode-attempts", f"{episode.attempts} attempts in {sessions} sessions"
    problem = _calls_problem(task, episode)
    if problem:
        yield "call-columns", problem
    yield from _token_problems(episode)


def steps_bound(task: TaskCard) -> int:
    """The most steps that an episode of a task can have, by its card."""
    return task.budgets.max_steps or MAX_EPISODE_STEPS


def _lengths_problem(task: TaskCard, episode: Episode, every: int) -> str:
    if episode.end == "not_started":
        return "" if is_empty(episode) and episode.status != "ok" else "it was never started, and yet holds something"
    actions = sum(count for _, count in episode.actions)
    rewards = sum(count for _, count in episode.rewards)
    flags = sum(count for _, count in episode.overridden)
    if not actions == rewards == episode.steps or flags not in (0, actions):
        return f"it has {actions} actions, {rewards} rewards and {flags} flags for {episode.steps} steps"
    if any(count < 1 for _, count in (*episode.actions, *episode.rewards, *episode.overridden)):
        return "its run-length codes have empty runs"
    if episode.steps > steps_bound(task):
        return f"it has {episode.steps} steps, at most {steps_bound(task)} are possible"
    due = 1 + episode.steps // every
    if len(episode.fingerprints) != due:
        return f"it has {len(episode.fingerprints)} fingerprints, {due} are due"
    return "" if episode.final else "it has no final fingerprint"


def _values_problem(episode: Episode) -> str:
    if any(abs(value) > MAX_VALUE for value, _ in episode.rewards):
        return "a reward is larger than any game has"
    if not _is_modest(episode.measures):
        return "a measure is larger than any game has"
    if (episode.cost or 0.0) > MAX_VALUE or (episode.times is not None and episode.times.seconds > MAX_VALUE):
        return "its cost or time is larger than any episode has"
    return ""


def _is_modest(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_modest, value.values()))
    if isinstance(value, list):
        return all(map(_is_modest, value))
    return not isinstance(value, (int, float)) or abs(value) <= MAX_VALUE


def _calls_problem(task: TaskCard, episode: Episode) -> str:
    calls = episode.calls
    problem = call_counts(episode)
    if problem and "tokens" not in problem:
        return problem
    if any(count < 1 for _, count in (*calls.outcomes, *calls.steps)):
        return "its run-length codes have empty runs"
    followed = sum(steps * count for steps, count in calls.steps)
    if episode.opening_steps + followed != episode.steps and calls.prompts:
        return f"{episode.opening_steps} opening steps and {followed} after calls are not its {episode.steps} steps"
    budget = task.budgets.max_calls
    if budget is not None and len(calls.prompts) > budget:
        return f"it has {len(calls.prompts)} calls, at most {budget} are allowed"
    return ""


def _token_problems(episode: Episode) -> Iterator[tuple[str, str]]:
    problem = call_counts(episode)
    usage = episode.usage
    if problem and "tokens" in problem:
        yield "token-sums", problem
    elif usage is None and None not in (*episode.calls.input_tokens, *episode.calls.output_tokens):
        yield "token-sums", "every call has its tokens, and their sum is said to be unknown"
    elif usage is not None:
        if None in (*episode.calls.input_tokens, *episode.calls.output_tokens):
            yield "token-sums", "a call has unknown tokens, and their sum is said to be known"
        elif usage.reasoning > usage.output:
            yield "token-sums", f"{usage.reasoning} reasoning tokens are more than all {usage.output} output tokens"
        elif usage.cache_write_hour > usage.cache_write:
            yield "token-sums", "more tokens stay in the cache for an hour than were written to it"
    overflow = _overflowed(episode)
    blank = [i for i, count in enumerate(episode.calls.input_tokens) if count == 0 and i not in overflow]
    if blank:
        yield "token-counts", f"call {blank[0]} has a prompt of no tokens"


def _overflowed(episode: Episode) -> set[int]:
    """Calls whose prompt was too long, so that nothing was counted."""
    words = [word for word, count in episode.calls.outcomes for _ in range(min(count, len(episode.calls.prompts)))]
    return {index for index, word in enumerate(words) if word == "overflow"}


def metric_findings(suite: Suite, result: Result) -> Iterator[Finding]:
    """Metrics that do not follow from the episodes."""
    from embodibench.scoring.metrics import compute, disagreement

    try:
        difference = disagreement(suite, result)
        difference = difference or _strange_interval(compute(suite, result.episodes), result.metrics, "metrics")
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
        difference = f"the metrics cannot be computed from its episodes: {type(error).__name__}: {error}"
    if difference:
        yield found("metrics", difference)


def _strange_interval(right: Any, found: Any, where: str) -> str:
    """An interval that is none. Its bounds come from resampling and its words change with the package: not compared."""
    if isinstance(right, dict):
        if where.endswith(".interval"):
            return "" if _is_interval(right, found) else f"{where} is none"
        pairs = ((f"{where}.{name}", part, found[name]) for name, part in right.items())
        return next((text for name, a, b in pairs if (text := _strange_interval(a, b, name))), "")
    return ""


def _is_interval(right: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether ``found`` has the parts of ``right``: bounds and words of their kind, everything else equal."""
    if set(right) != set(found):
        return False
    bounds = [found[name] for name in ("low", "high") if name in right]
    words = {name for name, part in right.items() if isinstance(part, str)}
    return (
        all(isinstance(bound, float) and abs(bound) <= MAX_VALUE for bound in bounds)
        and bounds == sorted(bounds)
        and all(isinstance(found[name], str) and shown(found[name], MAX_WORDS) == found[name] for name in words)
        and all(found[name] == right[name] for name in set(right) - words - {"low", "high"})
    )


def fewest_tokens(text: str) -> int:
    """The fewest tokens that a text can have."""
    return math.ceil(len(text.encode("utf-8")) / LONGEST_TOKEN)
