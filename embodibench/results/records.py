"""From the trace of a game to the episode record of a result."""

from __future__ import annotations

from embodibench.agents.trace import CallTrace, Trace
from embodibench.cards.schema import Success, TaskCard
from embodibench.errors import CardError
from embodibench.models.base import Usage
from embodibench.results import runlength
from embodibench.results.schema import CallsRecord, Episode, Times, UsageRecord


def episode_record(
    task: TaskCard, trial: int, trace: Trace, *, attempts: int = 1, times: Times | None = None
) -> Episode:
    """The record of one episode."""
    flags = [False] * len(trace.actions)
    for step in trace.overridden:
        flags[step] = True
    return Episode.model_validate(
        {
            "task": task.id,
            "trial": trial,
            "seed": task.seeds[trial],
            "status": trace.status,
            "end": trace.end,
            "error": trace.error[:2000] if trace.error else None,
            "steps": len(trace.actions),
            "actions": runlength.encode(trace.actions),
            "rewards": runlength.encode(trace.rewards),
            "overridden": runlength.encode(flags) if trace.overridden else [],
            "fingerprints": trace.fingerprints,
            "final": trace.final,
            "success": succeeded(task.success, trace),
            "measures": trace.measures,
            "opening_steps": trace.opening_steps,
            "calls": calls_record(trace.calls),
            "usage": total_usage(trace.calls),
            "cost": total_cost(trace.calls),
            "attempts": attempts,
            "times": times,
        }
    )


def succeeded(rule: Success | None, trace: Trace) -> bool | None:
    """Whether the pass rule holds; None without a rule; False for every episode that ended in an error.

    Raises:
        CardError: the rule names a measure that the world does not report.
    """
    if rule is None:
        return None
    if trace.status != "ok":
        return False
    value = trace.measures.get(rule.measure)
    if not isinstance(value, (bool, int, float)):
        raise CardError(f"success.measure: the world reports no number called '{rule.measure}'")
    return float(value) >= rule.at_least


def calls_record(calls: list[CallTrace]) -> CallsRecord:
    """The model calls of an episode as columns."""
    return CallsRecord(
        prompts=tuple(call.prompt for call in calls),
        replies=tuple(call.reply for call in calls),
        outcomes=tuple(runlength.encode(call.outcome for call in calls)),
        steps=tuple(runlength.encode(call.steps for call in calls)),
        input_tokens=tuple(call.usage.input if call.usage else None for call in calls),
        output_tokens=tuple(call.usage.output if call.usage else None for call in calls),
    )


def total_usage(calls: list[CallTrace]) -> UsageRecord | None:
    """The sum of the calls' usage, or None when one of them is unknown."""
    total = Usage()
    for call in calls:
        if call.usage is None:
            return None
        total = total + call.usage
    return UsageRecord.model_validate(total.to_json())


def total_cost(calls: list[CallTrace]) -> float | None:
    """The sum of the calls' costs in US dollars, or None when one of them is unknown."""
    total = 0.0
    for call in calls:
        if call.cost is None:
            return None
        total += call.cost
    return total
