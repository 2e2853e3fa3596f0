"""The random policy: any world that says what its actions are, every action alike, its stream alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from embodibench.agents import make_policy
from embodibench.agents.game import LiveGame, play
from embodibench.agents.policies.random import RandomPolicy
from embodibench.canonical import Json
from embodibench.cards.schema import Budgets, EnvironmentSection, Source, TaskCard
from embodibench.envs.base import Action, Observation, Step
from embodibench.errors import UsageError


class Clock:
    """A world that only counts its steps to 4000."""

    def __init__(self, **actions: Any) -> None:
        self.time = 0
        self.__dict__.update(actions)

    def reset(self, seed: int) -> Observation:
        self.time = 0
        return Observation()

    def step(self, action: Action) -> Step:
        self.time += 1
        return Step(Observation(), 0.0, truncated=self.time >= 4000)

    def fingerprint(self) -> bytes:
        return self.time.to_bytes(16, "little")

    def measures(self) -> Mapping[str, Json]:
        return {}

    def close(self) -> None:
        pass


def actions_of(environment: Any, *, trial: int = 0) -> list[Action]:
    card = TaskCard(
        id="clock",
        title="Clock",
        capability="Nothing.",
        environment=EnvironmentSection(kind="clock"),
        seeds=(1, 2),
        budgets=Budgets(),
        source=Source(work="This test"),
    )
    game = LiveGame(card, trial, environment, None, fingerprint_every=1000, stream="policy/random")
    trace = asyncio.run(play(RandomPolicy(), game))
    assert trace.status == "ok", trace.error
    return trace.actions


def test_every_action_is_as_likely() -> None:
    counts = Counter(actions_of(Clock(action_count=5)))
    assert set(counts) == set(range(5))
    # Four standard deviations around 800 of 4000.
    assert all(abs(count - 800) < 4 * np.sqrt(4000 * 0.2 * 0.8) for count in counts.values())


def test_branches_are_drawn_by_themselves() -> None:
    actions = actions_of(Clock(action_shape=(3, 2)))
    assert set(actions) == {(a, b) for a in range(3) for b in range(2)}
    assert all(type(part) is int for action in actions for part in action)  # type: ignore[union-attr]


def test_the_stream_depends_on_the_trial_alone() -> None:
    first = actions_of(Clock(action_count=17))
    assert actions_of(Clock(action_count=17)) == first
    assert actions_of(Clock(action_count=17), trial=1) != first


def test_a_world_without_action_space_is_refused_by_name() -> None:
    class Silent(Clock):
        pass

    class Game:
        environment = Silent()
        over = False

    with pytest.raises(UsageError, match="Silent"):
        asyncio.run(RandomPolicy().play(Game()))  # type: ignore[arg-type]


def test_it_is_found_by_name_for_every_world() -> None:
    assert isinstance(make_policy("random", "crafter"), RandomPolicy)
