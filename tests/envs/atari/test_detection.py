"""Objects are those of the package ocatari, without its faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from embodibench.envs.atari import views
from embodibench.envs.atari.detection import Detector
from embodibench.envs.atari.world import AtariWorld
from tests.envs.atari.extra import GAMES, needs_atari
from tests.envs.atari.test_world import actions

pytestmark = needs_atari

STEPS = 3000


@pytest.mark.skipif(
    int(np.__version__.split(".")[0]) >= 2,
    reason="plain OCAtari 2.2.1 is wrong on NumPy 2",
)
@pytest.mark.parametrize("game", GAMES)
def test_objects_are_those_of_plain_ocatari(game: str) -> None:
    ocatari = pytest.importorskip("ocatari.core", reason="plain OCAtari cannot be imported here (window system)")
    theirs = ocatari.OCAtari(
        f"ALE/{game.capitalize()}-v5", mode="ram", hud=True, obs_mode="ori", create_buffer_stacks=[]
    )
    world = AtariWorld(game)
    seed = 0
    done = True
    for action in actions(game, world.action_count, STEPS):
        if done:
            theirs.reset(seed=seed)
            world.reset(seed)
            seed += 1
        done = world.step(action).over
        theirs.step(action)
        expected = tuple(views.plain(thing) for thing in theirs.objects if thing)
        assert world.things() == expected


@pytest.mark.parametrize("game", ["pong", "boxing"])
def test_two_episodes_in_one_process_do_not_see_each_other(game: str) -> None:
    """Boxing is one of the games whose file keeps what it saw in module globals."""

    def play(world: AtariWorld, seed: int) -> Any:
        world.reset(seed)
        for action in actions(game, world.action_count, 300):
            yield world.step(action).observation.text()

    alone = [list(play(AtariWorld(game), seed)) for seed in (1, 2)]
    side_by_side = list(zip(play(AtariWorld(game), 1), play(AtariWorld(game), 2), strict=True))
    assert [list(texts) for texts in zip(*side_by_side, strict=True)] == alone


def test_the_second_episode_of_a_world_is_like_that_of_a_fresh_one() -> None:
    used, fresh = AtariWorld("boxing"), AtariWorld("boxing")
    used.reset(9)
    for action in actions("boxing", used.action_count, 200):
        used.step(action)
    used.reset(4)
    fresh.reset(4)
    for action in actions("boxing", used.action_count, 100):
        used.step(action)
        fresh.step(action)
    assert used.fingerprint() == fresh.fingerprint()
    assert used.describe() == fresh.describe()


def test_making_worlds_does_not_add_objects() -> None:
    """OCAtari 2.2.1 has a mutable default argument that grows with every environment."""
    counts = []
    for _ in range(3):
        world = AtariWorld("seaquest")
        world.reset(1)
        counts.append((len(world.things()), len(Detector("seaquest", np.zeros(128, dtype=np.int64)).slots)))
    assert len(set(counts)) == 1


def test_bytes_near_the_top_of_their_range_do_not_wrap_around() -> None:
    """A formation at column 250 has its second enemy at column 10, not out of range as uint8 arithmetic has it."""
    memory = np.zeros(128, dtype=np.int64)
    memory[30:34] = 250
    memory[36:40] = 7
    seen = Detector("seaquest", memory).visible()
    columns = sorted({int(thing.x) for thing in seen if thing.category in ("Shark", "Submarine")})
    assert columns == [10, 26]


def test_a_car_left_of_the_screen_has_a_negative_column() -> None:
    """On NumPy 2 with uint8 it would stand at column 253."""
    cars = [thing for thing in Detector("freeway", np.zeros(128, dtype=np.int64)).visible() if thing.category == "Car"]
    assert {int(car.x) for car in cars} == {-3}
