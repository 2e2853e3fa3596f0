"""The world plays ALE's v5 games, and ends, counts and refuses as its contract says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from embodibench.envs.atari.world import AtariWorld
from embodibench.envs.base import Observation
from tests.envs.atari.extra import GAMES, needs_atari

pytestmark = needs_atari


def actions(game: str, count: int, steps: int) -> list[int]:
    """Random actions, each held for 1 to 8 steps, so that things happen."""
    rng = np.random.default_rng(len(game))
    held = np.repeat(rng.integers(count, size=steps), rng.integers(1, 9, size=steps))
    return [int(action) for action in held[:steps]]


@pytest.mark.parametrize("game", GAMES)
def test_the_game_is_that_of_the_v5_environment(game: str) -> None:
    import ale_py
    import gymnasium

    gymnasium.register_envs(ale_py)
    theirs = gymnasium.make(f"ALE/{game.capitalize()}-v5")
    world = AtariWorld(game)
    for seed in (0, 7):
        picture, _ = theirs.reset(seed=seed)
        seen: Observation = world.reset(seed)
        for action in actions(game, world.action_count, 800):
            assert np.array_equal(seen.render(210, 160), picture)
            picture, reward, terminated, truncated, _ = theirs.step(action)
            step = world.step(action)
            seen = step.observation
            assert (step.reward, step.terminated, step.truncated) == (reward, terminated, truncated)
            if step.over:
                break
    assert theirs.unwrapped.get_action_meanings() == list(world.action_names)


def test_the_frame_cap_truncates_and_does_not_terminate() -> None:
    """OCAtari 2.2.1 returns the two swapped."""
    world = AtariWorld("freeway", frame_cap=400)
    world.reset(1)
    for _ in range(99):
        assert not world.step(0).over
    step = world.step(0)
    assert (step.truncated, step.terminated, step.info["end"]) == (True, False, "frame_cap")
    assert world.measures()["frames"] == 400


def test_a_game_that_is_over_terminates() -> None:
    world = AtariWorld("seaquest")
    world.reset(1)
    step = world.step(0)
    while not step.over:
        step = world.step(5)
    assert (step.truncated, step.terminated, step.info["end"]) == (False, True, "game_over")
    assert world.measures()["lives"] == 0


def test_rewards_add_up_to_the_score_of_the_game() -> None:
    world = AtariWorld("seaquest")
    world.reset(3)
    total = 0.0
    for action in actions("seaquest", world.action_count, 400):
        total += world.step(action).reward
    assert world.measures()["score"] == total > 0
    assert f"Score {int(total)}." in world.describe()


def test_steps_outside_of_an_episode_and_wrong_actions_are_refused() -> None:
    world = AtariWorld("freeway", frame_cap=8)
    with pytest.raises(RuntimeError, match="reset"):
        world.step(0)
    with pytest.raises(ValueError, match="seed"):
        world.reset(-1)
    world.reset(1)
    for wrong in (3, -1, True, 0.0, (0,)):
        with pytest.raises(ValueError, match=r"0\.\.2"):
            world.step(wrong)  # type: ignore[arg-type]
    world.step(0)
    assert world.step(0).truncated
    with pytest.raises(RuntimeError, match="ended"):
        world.step(0)
    world.close()
    for call in (world.fingerprint, world.measures, world.describe, lambda: world.reset(1)):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_looking_changes_nothing() -> None:
    world = AtariWorld("seaquest")
    seen: Observation = world.reset(5)
    for action in actions("seaquest", world.action_count, 60):
        seen = world.step(action).observation
    before = world.fingerprint()
    seen.render(84, 84)
    assert seen.text() == seen.text()
    assert seen.objects() == seen.objects()
    assert world.fingerprint() == before


def test_a_picture_of_twice_the_size_doubles_every_pixel() -> None:
    seen = AtariWorld("skiing").reset(1)
    small = seen.render(210, 160)
    assert np.array_equal(seen.render(420, 320), small.repeat(2, axis=0).repeat(2, axis=1))
    assert seen.render(1, 1).shape == (1, 1, 3)


def test_hidden_classes_are_in_no_view() -> None:
    shown, hiding = AtariWorld("skiing"), AtariWorld("skiing", hidden=["Clock"])
    assert "Clock" in shown.reset(1).text()
    seen = hiding.reset(1)
    assert "Clock" not in seen.text()
    assert all(thing["class"] != "Clock" for thing in seen.objects())


def test_nothing_has_moved_when_an_episode_begins() -> None:
    for game in GAMES:
        for thing in AtariWorld(game).reset(4).objects():
            assert (thing["x"], thing["y"]) == (thing["prev_x"], thing["prev_y"])


def test_objects_are_plain_numbers_and_words() -> None:
    def only_plain(value: Any) -> bool:
        return type(value) in (int, str, bool, type(None)) or (
            type(value) is list and all(type(part) is int for part in value)
        )

    for game in GAMES:
        world = AtariWorld(game)
        world.reset(2)
        for action in actions(game, world.action_count, 150):
            for thing in world.step(action).observation.objects():
                assert all(only_plain(value) for value in thing.values()), thing


@pytest.mark.parametrize("game", ["breakout", "space_invaders", "ms_pacman", "boxing"])
def test_another_game_needs_nothing_but_its_name(game: str) -> None:
    world = AtariWorld(game)
    world.reset(1)
    for action in actions(game, world.action_count, 200):
        if world.step(action).over:
            break
    assert len(world.things()) > 1
