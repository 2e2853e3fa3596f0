"""The Gymnasium side."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from embodibench.envs.socialai.gym_env import gym_id, register
from embodibench.envs.socialai.trees import names


@pytest.mark.filterwarnings("ignore")
def test_every_case_study_has_an_id_and_passes_gymnasiums_check() -> None:
    assert register() == register() == tuple(gym_id(name) for name in names())
    for name in names()[::20]:
        env = gymnasium.make(gym_id(name), render_mode="rgb_array")
        check_env(env.unwrapped, skip_render_check=True)
        observation, _ = env.reset(seed=3)
        again, _ = env.reset(seed=3)
        assert np.array_equal(observation["image"], again["image"])
        assert env.render().shape == (480, 480, 3)
        env.close()
