"""The scripted Crafter player: what it reaches, that it only reads, and that it decides alike everywhere."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from embodibench import envs
from embodibench.agents import make_policy
from embodibench.agents.game import LiveGame, play
from embodibench.agents.policies.crafter_scripted import Planner, ScriptedPolicy
from embodibench.agents.policies.crafter_survey import Survey
from embodibench.cards.schema import Budgets, EnvironmentSection, Source, TaskCard
from embodibench.envs.crafter.names import ACHIEVEMENTS
from embodibench.envs.crafter.world import CrafterWorld

ROOT = Path(__file__).resolve().parents[3]
SUITE_SEEDS = range(1000, 1010)
LENGTH = 900
"""Steps of each of their episodes here; lives go on for thousands."""


@dataclass(frozen=True)
class Life:
    """One episode of the scripted player."""

    unlocked: frozenset[str]
    steps: int
    nights: int
    slept: int


def live(seed: int, length: int) -> Life:
    world = CrafterWorld(length)
    world.reset(seed)
    planner = Planner()
    nights = slept = 0
    dark = False
    over = False
    while not over:
        simulation = world.simulation
        slept += simulation.player.sleeping
        nights += simulation.grid.daylight < 0.1 and not dark
        dark = simulation.grid.daylight < 0.1
        over = world.step(planner.decide(Survey(simulation))).over
    measures = world.measures()
    first = measures["first_unlock"]
    assert isinstance(first, dict)
    return Life(frozenset(first), simulation.steps, nights, slept)


@pytest.fixture(scope="module")
def lives() -> list[Life]:
    return [live(seed, LENGTH) for seed in SUITE_SEEDS]


def test_it_unlocks_twelve_on_average_and_eighteen_in_the_union(lives: list[Life]) -> None:
    assert sum(len(life.unlocked) for life in lives) / len(lives) >= 12
    union = frozenset().union(*(life.unlocked for life in lives))
    assert union <= set(ACHIEVEMENTS)
    assert len(union) >= 18


def test_it_can_live_through_nights_asleep() -> None:
    life = live(1004, 1600)
    assert life.steps == 1600
    assert life.nights >= 4
    assert life.slept >= 200
    assert len(life.unlocked) == len(ACHIEVEMENTS)


def trace(seed: int, steps: int) -> str:
    """A digest of the actions and of the state after each."""
    world = CrafterWorld(steps)
    world.reset(seed)
    planner = Planner()
    digest = hashlib.sha256()
    over = False
    while not over:
        action = planner.decide(Survey(world.simulation))
        over = world.step(action).over
        digest.update(bytes([action]) + world.fingerprint())
    return digest.hexdigest()


def test_it_decides_alike_in_every_process() -> None:
    program = "from tests.agents.policies.test_crafter_scripted import trace; print(trace(1002, 300))"
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        result = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert result.stdout.strip() == trace(1002, 300)


class _Forbidden:
    """A generator that must not be looked at."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(f"the policy reads the world's generator ({name})")


def test_it_reads_the_world_only_and_never_its_generator() -> None:
    world = CrafterWorld(400)
    world.reset(1004)
    planner = Planner()
    grid = world.simulation.grid
    over = False
    while not over:
        before = world.fingerprint()
        generator, grid.random = grid.random, _Forbidden()  # type: ignore[assignment]
        action = planner.decide(Survey(world.simulation))
        grid.random = generator
        assert world.fingerprint() == before
        over = world.step(action).over


def test_it_plays_a_task_card_to_its_end() -> None:
    card = TaskCard(
        id="short-life",
        title="A short life",
        capability="Nothing.",
        environment=EnvironmentSection(kind="crafter", parameters={"length": 120}),
        seeds=(1000,),
        budgets=Budgets(),
        source=Source(work="This test"),
    )
    world = envs.make("crafter", card.environment.parameters)
    game = LiveGame(card, 0, world, None, fingerprint_every=10, stream="policy/scripted")
    trace = asyncio.run(play(make_policy("scripted", "crafter"), game))
    assert (trace.status, trace.end, len(trace.actions)) == ("ok", "time_limit", 120)
    assert trace.measures["steps"] == 120


def test_it_is_found_by_name_and_labelled_privileged() -> None:
    policy = make_policy("scripted", "crafter")
    assert isinstance(policy, ScriptedPolicy)
    assert policy.identity.privileged
    assert policy.identity.name == "policy/scripted"
