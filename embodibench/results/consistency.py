"""Whether the parts of a result fit each other, before anything is replayed."""

from __future__ import annotations

from collections.abc import Iterator

from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.results.plan import is_partial, plan
from embodibench.results.schema import Episode, Result


def inconsistencies(suite: Suite, result: Result) -> Iterator[str]:
    """What does not fit, a sentence each: planned rows, the mark ``partial``, counts of calls and tokens."""
    try:
        planned = [unit.key for unit in plan(suite, result.run.limits)]
    except UsageError as error:
        yield f"its limits fit no plan: {error}"
        return
    found = [(episode.task, episode.trial) for episode in result.episodes]
    if len(set(found)) != len(found):
        yield "a (task, trial) stands twice"
    elif found != planned:
        yield f"it has {len(found)} episodes that are not the {len(planned)} planned ones, in their order"
    if result.run.partial != is_partial(suite, result.run.limits, result.episodes):
        yield "its mark 'partial' does not follow from its limits and episodes"
    if (result.model is None) != result.agent.name.startswith("policy/"):
        yield "a policy plays without a model, an agent with one"
    for episode in result.episodes:
        problem = call_counts(episode)
        if problem:
            yield f"task {episode.task} trial {episode.trial}: {problem}"
    calls = sum(len(episode.calls.prompts) for episode in result.episodes)
    if result.transcript is not None and result.transcript.lines != calls:
        yield f"its transcript is said to have {result.transcript.lines} lines for {calls} calls"


def call_counts(episode: Episode) -> str:
    """What does not fit in the calls of an episode, or ""."""
    calls = episode.calls
    count = len(calls.prompts)
    columns = (
        len(calls.replies),
        len(calls.input_tokens),
        len(calls.output_tokens),
        sum(n for _, n in calls.outcomes),
        sum(n for _, n in calls.steps),
    )
    if any(column != count for column in columns):
        return f"the columns of its {count} calls have other lengths"
    known = [tokens for tokens in calls.input_tokens if tokens is not None]
    if episode.usage is not None and len(known) == count and sum(known) != episode.usage.input:
        return "its input tokens are not the sum over its calls"
    known = [tokens for tokens in calls.output_tokens if tokens is not None]
    if episode.usage is not None and len(known) == count and sum(known) != episode.usage.output:
        return "its output tokens are not the sum over its calls"
    return ""


def is_empty(episode: Episode) -> bool:
    """Whether an episode that was never started holds nothing."""
    nothing = (
        *(episode.actions, episode.rewards, episode.overridden, episode.fingerprints),
        *(episode.final, episode.measures, episode.calls.prompts, episode.calls.replies),
    )
    return episode.steps == 0 and not episode.success and not any(nothing)
