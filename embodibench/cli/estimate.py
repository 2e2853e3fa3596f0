"""What ``eval --dry-run`` prints: calls, tokens and cost that a run is expected to take."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import click

from embodibench.cards.suites import Suite
from embodibench.models.base import Usage
from embodibench.results.plan import Unit
from embodibench.runs.directory import Request
from embodibench.runs.players import cast, make_agent


def print_estimate(request: Request, suite: Suite, units: Sequence[Unit]) -> None:
    """Print the expectation. No key is needed, and nothing is asked."""
    tasks = len({unit.task.id for unit in units})
    click.echo(f"{suite.label}: {len(units)} episodes of {tasks} {'task' if tasks == 1 else 'tasks'}")
    if request.model.startswith("policy/"):
        cast(request, suite, date.today())
        click.echo("A policy makes no model calls and costs nothing.")
        return
    from embodibench.models.resolve import choose

    choice = choose(request.model, today=date.today(), base_url=request.base_url)
    agent = make_agent(request, suite)
    calls = input_tokens = output_tokens = 0
    costs: list[float | None] = []
    least_costs: list[float | None] = []
    for unit in units:
        expected = agent.expected(unit.task.model_dump(mode="json"))
        if expected is None:
            continue
        count = expected.calls
        if request.limits.max_steps is not None:
            count = min(count, request.limits.max_steps * expected.calls_per_step)
        if unit.task.budgets.max_calls is not None:
            count = min(count, unit.task.budgets.max_calls)
        calls += count
        input_tokens += count * expected.input_tokens
        output_tokens += count * expected.output_tokens
        # One call is priced and multiplied: prices rise with the length of a request, not of a run.
        one = Usage(input=expected.input_tokens, output=expected.output_tokens)
        costs.append(_times(choice.prices.cost(one), count))
        cached = Usage(input=expected.input_tokens, cached=expected.cached_tokens, output=expected.output_tokens)
        least_costs.append(_times(choice.prices.cost(cached), count))
    click.echo(f"expected calls:         {calls:,}")
    click.echo(f"expected input tokens:  {input_tokens:,}")
    click.echo(f"expected output tokens: {output_tokens:,}")
    cost, least = _total(costs), _total(least_costs)
    shown = "unknown price" if cost is None else f"${cost:,.2f} without cache discounts"
    click.echo(f"expected cost:          {shown}")
    if cost is not None and least is not None and least < cost:
        click.echo(f"                        ${least:,.2f} if the provider caches every marked prefix")
    for warning in choice.warnings:
        click.echo(f"Note: {warning}")


def _times(cost: float | None, count: int) -> float | None:
    return None if cost is None else cost * count


def _total(costs: list[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
