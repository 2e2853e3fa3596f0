"""The arena under Gymnasium's own checker."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from embodibench.envs.aai import gym as arena_gym
from embodibench.errors import UsageError
from tests.envs.aai.builders import agent, item

ARENA = {
    "time_limit": 250,
    "items": [agent(20, 5), item("Wall", (10, 0, 20), size=4.0), item("GoodGoal", (20, 0, 12), size=1.0)],
}


@pytest.mark.parametrize("view", ["state", "rays"])
def test_it_passes_the_checker(view: str) -> None:
    arena_gym.register()
    arena_gym.register()
    env = gymnasium.make(arena_gym.ID, arena=ARENA, observation=view)
    check_env(env.unwrapped, skip_render_check=True)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([3, 3])
    env.close()


def test_the_same_seed_gives_the_same_episode() -> None:
    runs = []
    for _ in range(2):
        env = arena_gym.ArenaGym({"time_limit": 100, "items": [item("GoodGoal", yaw=None)]})
        observation, _ = env.reset(seed=7)
        runs.append([observation] + [env.step(np.array([1, k % 3]))[0] for k in range(20)])
    np.testing.assert_array_equal(runs[0], runs[1])


def test_the_state_is_health_own_velocity_and_place() -> None:
    env = arena_gym.ArenaGym({"time_limit": 0, "items": [agent(20, 20, yaw=90)]})
    env.reset(seed=1)
    for _ in range(5):
        state, *_ = env.step(np.array([1, 0]))
    assert state[0] == 100
    assert state[1] == pytest.approx(0, abs=1e-5)
    assert state[3] > 5
    assert state[4] > 20.5


def test_rays_meet_what_is_there() -> None:
    env = arena_gym.ArenaGym(ARENA, "rays", rays=3, angle=90)
    rays, _ = env.reset(seed=1)
    kinds = list(arena_gym.KINDS)
    assert rays[1, kinds.index("GoodGoal")] == 1
    assert rays[1, -1] * 60 == pytest.approx(12 - 5 - 0.4995, abs=0.01)
    assert rays[2, :-1].sum() == 0
    assert rays[2, -1] * 60 == pytest.approx(20 * 2**0.5, abs=0.01)


@pytest.mark.parametrize(("move", "terminated"), [(1, True), (0, False)])
def test_a_taken_goal_terminates_and_a_spent_health_truncates(move: int, terminated: bool) -> None:
    env = arena_gym.ArenaGym(ARENA | {"time_limit": 30})
    env.reset(seed=1)
    outcome = (False, False)
    while not any(outcome):
        outcome = env.step(np.array([move, 0]))[2:4]
    assert outcome == (terminated, not terminated)


def test_parameters_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match="state, rays or camera"):
        arena_gym.ArenaGym(ARENA, "smell")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="odd"):
        arena_gym.ArenaGym(ARENA, "rays", rays=4)
