"""From what the user asked for to who plays."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from embodibench import agents
from embodibench.agents.base import Agent
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.models.base import Identity, Parameters
from embodibench.results.schema import Prices
from embodibench.runs.directory import Request
from embodibench.runs.execute import Player


@dataclass(frozen=True)
class Cast:
    """A player, and what to tell the user about it.

    Attributes:
        prices: the table that costs are computed with; None for a policy or a model that costs nothing.
        warnings: sentences for the user.
    """

    player: Player
    identity: Identity | None
    prices: Prices | None = None
    warnings: tuple[str, ...] = ()


def parameters_of(suite: Suite) -> Parameters:
    """The sampling parameters that the suite's protocol asks for."""
    sampling = suite.card.protocol.sampling
    return Parameters(sampling.max_tokens, sampling.temperature, sampling.seed, sampling.stop)


def cast(request: Request, suite: Suite, today: datetime.date) -> Cast:
    """Who plays this request.

    Raises:
        UsageError: the model, policy or agent is unknown or cannot play; the message names the nearest.
    """
    if request.model.startswith("policy/"):
        if request.agent is not None:
            raise UsageError("--agent does not go with a policy: a policy stands in for agent and model")
        if request.base_url is not None:
            raise UsageError("--base-url does not go with a policy: a policy asks no model")
        if request.options:
            raise UsageError("--option does not go with a policy: it takes none")
        kind = suite.tasks[0].environment.kind
        policy = agents.make_policy(request.model.removeprefix("policy/"), kind)
        return Cast(Player(policy, None, parameters_of(suite)), None)
    from embodibench.models.resolve import resolve

    agent = make_agent(request, suite)
    resolved = resolve(request.model, today=today, base_url=request.base_url)
    prices = resolved.choice.prices.to_json()
    return Cast(
        Player(agent, resolved.model, parameters_of(suite)),
        resolved.model.identity,
        Prices.model_validate(prices) if prices else None,
        resolved.warnings,
    )


def make_agent(request: Request, suite: Suite) -> Agent:
    """The agent that was asked for, or the one that the suite prescribes."""
    protocol = suite.card.protocol
    name = request.agent or protocol.agent
    agents.refuse_other_world(name, suite.tasks[0].environment.kind)
    options = {**(protocol.options if name == protocol.agent else {}), **request.options}
    return agents.make(name, options)
