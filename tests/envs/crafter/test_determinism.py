"""The same seed and actions give the same episode in every process."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.crafter_determinism import VARIANTS, first_difference, run
from embodibench.envs.base import Observation
from embodibench.envs.crafter.world import CrafterWorld

STEPS = 600


@pytest.fixture(scope="module")
def plain() -> list[str]:
    return run(VARIANTS[0], STEPS)


@pytest.mark.parametrize("variant", VARIANTS[1:], ids=lambda variant: variant.name)
def test_a_process_of_another_kind_plays_the_same_episode(variant, plain) -> None:  # type: ignore[no-untyped-def]
    assert len(plain) == STEPS + 1
    assert first_difference(plain, run(variant, STEPS)) is None


def test_looking_changes_nothing() -> None:
    chance = np.random.default_rng(4)
    blind, looking = CrafterWorld(), CrafterWorld()
    blind.reset(1003)
    observation: Observation = looking.reset(1003)
    for action in chance.integers(0, 6, 230).tolist():
        for _ in range(int(chance.integers(0, 3))):
            observation.render(int(chance.integers(18, 120)), int(chance.integers(18, 120)))
            observation.text()
            observation.objects()
        step = looking.step(action)
        observation = step.observation
        assert blind.step(action).reward == step.reward
        assert blind.fingerprint() == looking.fingerprint()
        if step.over:
            break
    # The night's noise, which upstream draws from the world, must have been drawn.
    assert looking.simulation.grid.daylight < 0.5


def test_a_world_can_be_reset_and_played_again() -> None:
    world = CrafterWorld()

    def play() -> list[bytes]:
        world.reset(1004)
        return [world.fingerprint() for action in (1, 1, 5, 3, 4, 6) * 10 if world.step(action)]

    assert play() == play()


def test_worlds_in_one_process_do_not_touch_each_other() -> None:
    alone, first, second = CrafterWorld(), CrafterWorld(), CrafterWorld()
    alone.reset(1005)
    first.reset(1005)
    second.reset(1006)
    for action in (1, 2, 5, 3, 4, 6) * 15:
        alone.step(action)
        first.step(action)
        second.step(5)
        assert alone.fingerprint() == first.fingerprint()
