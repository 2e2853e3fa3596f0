"""The contract of the Crafter environment: actions, rewards, ends, sleep, measures and errors."""

from __future__ import annotations

import json

import pytest

from embodibench import envs
from embodibench.envs.base import Environment
from embodibench.envs.crafter.names import ACHIEVEMENTS, ACTION_NAMES
from embodibench.envs.crafter.world import CrafterWorld
from embodibench.errors import UsageError

NOOP, DO, SLEEP = (ACTION_NAMES.index(name) for name in ("Noop", "Do", "Sleep"))
WEST, PLACE_STONE, PLACE_TABLE = (ACTION_NAMES.index(name) for name in ("Move West", "Place Stone", "Place Table"))


@pytest.fixture
def world() -> CrafterWorld:
    world = CrafterWorld()
    world.reset(1000)
    return world


def test_it_is_an_environment_and_is_made_from_a_card() -> None:
    world = envs.make("crafter", {"length": 5})
    assert isinstance(world, Environment)
    assert isinstance(world, CrafterWorld)
    world.reset(0)
    assert [world.step(NOOP).truncated for _ in range(5)] == [False] * 4 + [True]


@pytest.mark.parametrize("length", [0, -1, 2.5, "100", True, None])
def test_a_length_that_is_no_number_of_steps_is_refused(length: object) -> None:
    with pytest.raises(UsageError, match="length"):
        CrafterWorld(length=length)  # type: ignore[arg-type]


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(UsageError, match="size"):
        envs.make("crafter", {"size": 64})


@pytest.mark.parametrize("seed", [-1, 2**31, 1.0, True, "7"])
def test_a_seed_out_of_range_is_refused(seed: object) -> None:
    with pytest.raises(ValueError, match="seed"):
        CrafterWorld().reset(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [-1, 17, 1.0, True, (1,), "Do", None])
def test_what_is_no_action_is_refused_and_changes_nothing(world: CrafterWorld, action: object) -> None:
    before = world.fingerprint()
    with pytest.raises(ValueError, match="action"):
        world.step(action)  # type: ignore[arg-type]
    assert world.fingerprint() == before


def test_stepping_before_reset_and_after_close_is_an_error(world: CrafterWorld) -> None:
    with pytest.raises(RuntimeError, match="reset"):
        CrafterWorld().step(NOOP)
    world.close()
    with pytest.raises(RuntimeError, match="reset"):
        world.step(NOOP)


def test_death_ends_the_episode(world: CrafterWorld) -> None:
    player = world.simulation.player
    player.inventory["health"] = 1
    player._recover = -15
    player.inventory["food"] = player.inventory["drink"] = 0
    step = world.step(NOOP)
    assert (step.terminated, step.truncated, step.over) == (True, False, True)
    assert step.info["end"] == "death"
    assert step.reward == pytest.approx(-0.1)
    assert world.measures()["end"] == "death"
    with pytest.raises(RuntimeError, match="ended"):
        world.step(NOOP)


def test_death_on_the_last_step_is_a_death() -> None:
    world = CrafterWorld(length=1)
    world.reset(1000)
    x, y = world.simulation.player.pos
    world.simulation.grid[x - 1, y] = "lava"
    step = world.step(WEST)
    assert (step.terminated, step.truncated, step.info["end"]) == (True, False, "death")


def test_the_time_limit_ends_the_episode() -> None:
    world = CrafterWorld(length=2)
    world.reset(1000)
    assert "end" not in world.step(NOOP).info
    step = world.step(NOOP)
    assert (step.terminated, step.truncated, step.info["end"]) == (False, True, "time_limit")
    with pytest.raises(RuntimeError, match="ended"):
        world.step(NOOP)


def test_an_unlocked_achievement_is_told_and_rewarded_once(world: CrafterWorld) -> None:
    player = world.simulation.player
    player.inventory.update(wood=4, stone=1)
    front = (player.pos[0] + player.facing[0], player.pos[1] + player.facing[1])
    world.simulation.grid[front] = "grass"
    step = world.step(PLACE_TABLE)
    assert step.info["unlocked"] == ["place_table"]
    assert step.reward == 1.0
    world.simulation.grid[front] = "grass"
    again = world.step(PLACE_TABLE)
    assert again.info["unlocked"] == []
    assert again.reward == 0.0
    measures = world.measures()
    assert measures["achievements"]["place_table"] == 2  # type: ignore[index,call-overload]
    assert measures["unlocked"] == 1
    assert measures["first_unlock"] == {"place_table": 1}
    assert measures["return"] == 1.0
    assert measures["steps"] == 2


def test_two_achievements_in_one_step_reward_one_as_upstream(world: CrafterWorld) -> None:
    player = world.simulation.player
    player.sleeping = True
    player.inventory["stone"] = 1
    world.simulation.grid[player.pos[0] + player.facing[0], player.pos[1] + player.facing[1]] = "grass"
    step = world.step(PLACE_STONE)
    assert step.info["unlocked"] == ["place_stone", "wake_up"]
    assert step.reward == 1.0


def test_a_sleepers_action_is_overridden_until_it_is_rested(world: CrafterWorld) -> None:
    player = world.simulation.player
    player.inventory["energy"] = 8
    assert not world.step(SLEEP).info["overridden"]
    assert player.sleeping
    facing = player.facing
    moved = world.step(WEST)
    assert moved.info["overridden"]
    assert player.facing == facing
    for harmless in (NOOP, SLEEP):
        assert not world.step(harmless).info["overridden"]
    player.inventory["energy"] = 9
    awake = world.step(WEST)
    assert not awake.info["overridden"]
    assert awake.info["unlocked"] == ["wake_up"]
    assert player.facing == (-1, 0)
    assert world.measures()["overridden"] == 1


def test_measures_are_plain_json_and_name_every_achievement(world: CrafterWorld) -> None:
    world.step(DO)
    measures = world.measures()
    assert json.loads(json.dumps(measures)) == measures
    assert list(measures["achievements"]) == list(ACHIEVEMENTS)  # type: ignore[arg-type]
    assert measures["end"] is None


def test_reset_begins_anew(world: CrafterWorld) -> None:
    fresh = world.fingerprint()
    for action in (SLEEP, WEST, DO):
        world.step(action)
    assert world.fingerprint() != fresh
    world.reset(1000)
    assert world.fingerprint() == fresh
    assert world.measures()["steps"] == 0
