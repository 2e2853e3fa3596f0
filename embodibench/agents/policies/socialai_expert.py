"""policy/expert for the SocialAI School: it knows the rules and reads the whole state, and shows what can be solved.

It is labelled privileged. It needs no cue, since it knows which object is right; it waits for a partner where a partner
is needed, imitates a demonstration instead of taking what it exposes, and steals only while nobody looks. Before it
begins it rehearses its plan on a copy of the episode, and varies when it starts and from where it steals until one
variant succeeds in time: peers walk about and stand in the way.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.agents.policies.socialai_plans import Plan
from embodibench.canonical import Json
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.language import NO_NOUN, NO_TEMPLATE
from embodibench.envs.socialai.parameters import ADVERSARIAL
from embodibench.envs.socialai.world import SocialAIWorld

MAX_DELAY: Final = 8


@dataclass(frozen=True, slots=True)
class Variant:
    """How a plan is carried out; see ``Plan``."""

    delay: int = 0
    side: int | None = None
    shy: bool = False

    def plan(self, episode: Episode) -> Plan:
        """The plan for an episode."""
        return Plan(episode, delay=self.delay, side=self.side, shy=self.shy)


def variants(episode: Episode) -> Iterator[Variant]:
    """What to try, the plainest first."""
    yield Variant()
    if episode.parameters.kind == ADVERSARIAL:
        for side in range(4):
            yield Variant(side=side)
    else:
        yield Variant(shy=True)
    for delay in range(1, MAX_DELAY + 1):
        yield Variant(delay)


def rehearsed(episode: Episode, limit: int | None) -> Plan:
    """The first plan that succeeds within ``limit`` actions on a copy of the episode; the plainest when none does."""
    allowed = episode.max_steps - episode.steps if limit is None else limit
    for variant in variants(episode):
        trial = copy.deepcopy(episode)
        plan = variant.plan(trial)
        for _ in range(allowed):
            trial.step(plan.next(), NO_TEMPLATE, NO_NOUN)
            if trial.outcome:
                break
        if trial.outcome == "apple":
            return variant.plan(episode)
    return Plan(episode)


class ExpertPolicy:
    """Plays to the end of the episode."""

    identity: Final = AgentIdentity(name="policy/expert", version=1, privileged=True)

    async def play(self, game: Game) -> None:
        """Act until the episode ends."""
        budgets = game.task.get("budgets")
        limit = budgets.get("max_steps") if isinstance(budgets, dict) else None
        plan = rehearsed(
            cast(SocialAIWorld, game.environment).episode, limit - game.steps if isinstance(limit, int) else None
        )
        while not game.over:
            game.act(plan.next())

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None
