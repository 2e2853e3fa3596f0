"""Our world is upstream's, apart from what made upstream impossible to replay."""

from __future__ import annotations

import crafter
import numpy as np
import opensimplex
import pytest
from crafter import constants

from embodibench.envs.crafter.daylight import daylight
from embodibench.envs.crafter.exact_math import exponential
from embodibench.envs.crafter.names import ACHIEVEMENTS, ACTION_NAMES, ITEMS, MATERIALS
from embodibench.envs.crafter.seeding import world_seed
from embodibench.envs.crafter.simplex import Noise
from embodibench.envs.crafter.simulation import Simulation
from embodibench.envs.crafter.world import CrafterWorld
from tests.envs.crafter.upstream import SortedUpstream, assert_same_state, side_by_side


def test_names_are_upstreams() -> None:
    spelled = [name.replace("_", " ").title() for name in constants.actions]
    compass = {"Left": "West", "Right": "East", "Up": "North", "Down": "South"}
    assert [" ".join(compass.get(word, word) for word in name.split()) for name in spelled] == list(ACTION_NAMES)
    assert list(ACHIEVEMENTS) == constants.achievements
    assert list(ITEMS) == list(constants.items)
    assert list(MATERIALS[1:]) == constants.materials


@pytest.mark.parametrize("seed", [*range(1000, 1010), 0, 1, 2**31 - 1])
def test_a_new_world_equals_upstreams_first_episode(seed: int) -> None:
    upstream = SortedUpstream(seed=seed)
    upstream.reset()
    assert_same_state(upstream, Simulation(seed))


@pytest.mark.parametrize("seed", [1000, 1001])
def test_the_state_stays_equal_to_upstreams_at_every_step(seed: int) -> None:
    assert side_by_side(seed, 400) == 400


def test_a_life_that_nobody_saves_is_upstreams_to_its_end() -> None:
    upstream, ours = SortedUpstream(seed=7), CrafterWorld()
    upstream.reset()
    ours.reset(7)
    chance = np.random.default_rng(7)
    for _ in range(1000):
        action = int(chance.integers(17))
        _, reward, over, info = upstream.step(action)
        step = ours.step(action)
        assert (reward, over) == (step.reward, step.over)
        assert info["achievements"] == ours.measures()["achievements"]
        if over:
            break
    assert step.terminated
    assert step.info["end"] == "death"
    assert_same_state(upstream, ours.simulation)


def test_the_time_limit_is_upstreams() -> None:
    upstream, ours = SortedUpstream(seed=3, length=20), CrafterWorld(length=20)
    upstream.reset()
    ours.reset(3)
    overs = [(upstream.step(0)[2], ours.step(0).over) for _ in range(20)]
    assert overs == [(False, False)] * 19 + [(True, True)]


def test_the_seed_is_that_of_the_tuple_hash() -> None:
    chance = np.random.default_rng(0)
    for seed, episode in chance.integers(0, 2**31, (2000, 2)).tolist():
        assert world_seed(seed, episode) == hash((seed, episode)) % (2**31 - 1)
    # Computed once on CPython 3.11; an interpreter with another hash must still play these worlds.
    seeds = (0, 1, 1000, 2**31 - 1)
    assert [world_seed(seed) for seed in seeds] == [1256191933, 535231920, 2092326143, 1691634666]


@pytest.mark.parametrize("seed", [0, 3, 2**31 - 2, -5])
def test_noise_has_the_bits_of_opensimplex(seed: int) -> None:
    chance = np.random.default_rng(abs(seed))
    count = 1500
    sizes = chance.choice([3, 5, 6, 7, 8, 9, 15], count)
    x = np.concatenate([chance.uniform(-50, 50, count), chance.integers(0, 128, count) / sizes])
    y = np.concatenate([chance.uniform(-50, 50, count), chance.integers(0, 128, count) / sizes])
    z = np.concatenate([chance.uniform(-50, 50, count), chance.integers(0, 9, count).astype(float)])
    theirs = opensimplex.OpenSimplex(seed)
    expected = [theirs.noise3(*point) for point in zip(x.tolist(), y.tolist(), z.tolist(), strict=True)]
    assert Noise(seed).at(x, y, z).tolist() == expected


def test_the_exponential_is_within_two_units_in_the_last_place() -> None:
    x = np.concatenate([np.linspace(-50, 50, 20001), np.linspace(-1, 1, 2001), [0.0, -700.0, 700.0]])
    exact = np.exp(x.astype(np.longdouble))
    error = np.abs(exponential(x).astype(np.longdouble) - exact) / np.spacing(exact.astype(np.float64))
    assert float(error.max()) < 2


def test_daylight_is_upstreams_and_far_from_every_threshold() -> None:
    env = crafter.Env(seed=0)
    ours = np.array([daylight(step) for step in range(10_001)])
    for step, light in enumerate(ours.tolist()):
        env._step = step
        env._update_time()
        assert abs(env._world.daylight - light) < 1e-12
    # The whole parts of the first two decide how many creatures a chunk holds; light 0.5 decides whether the picture
    # has noise. No step comes so near that the last bits of a cosine could matter.
    for decisive in (3.5 - 3 * ours, 1.5 + ours):
        assert np.abs(decisive - np.rint(decisive)).min() > 1e-6
    assert np.abs(ours - 0.5).min() > 1e-6
