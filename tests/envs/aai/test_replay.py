"""The recorded Unity run, turns 0-21: health after every turn, and places fitted to the recorded pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from embodibench.envs.aai.importer import read_arena
from embodibench.envs.aai.world import ArenaWorld
from tests.envs.aai.builders import NOTHING, act, go, turn
from tests.envs.aai.test_motion import ARENA_TABLE, GO_TABLE

TURNS = (
    ("go", 3, 96.9, 2.01, 2.73, 0),
    ("go", -3, 96.7, 2.01, 2.92, 0),
    ("turn", 30, 96.4, 2.00, 2.73, 30),
    ("turn", -30, 96.1, 2.01, 2.72, 0),
    ("go", 9, 95.6, 1.98, 7.71, 0),
    ("turn", 90, 94.7, 1.99, 9.42, 90),
    ("go", 9, 94.1, 6.97, 9.42, 90),
    ("turn", 90, 93.2, 8.70, 9.41, 180),
    ("go", 10, 92.6, 8.71, 3.46, 180),
    ("turn", -90, 91.7, 8.62, 1.60, 90),
    ("go", 9, 91.2, 13.71, 1.61, 90),
    ("turn", -90, 90.3, 15.42, 1.58, 0),
    ("go", 9, 89.7, 15.44, 6.59, 0),
    ("turn", 90, 88.8, 15.48, 8.30, 90),
    ("go", 7, 88.4, 18.62, 8.32, 90),
    ("turn", 90, 87.5, 20.07, 8.32, 180),
    ("turn", 30, 87.2, 20.04, 8.30, 210),
    ("go", 5, 100.0, 19.19, 6.78, 210),
    ("turn", -90, 99.1, 18.65, 5.88, 120),
    ("go", 9, 99.9, 22.53, 3.55, 120),
    ("turn", 45, 99.5, 22.49, 3.54, 162),
)
"""Script, health as it was shown, x, z and yaw fitted to the picture."""

FREE_RUNS = (5, 7, 13)
"""Turns with Go(9) from rest on free ground, each followed by a Turn in which it coasts to its end."""

EATEN_ON = {18: 1, 20: 2}


def test_recorded_runs_go_as_far_as_this_arenas_and_further_than_the_derived_table_says() -> None:
    ways = []
    for number in FREE_RUNS:
        before, after = TURNS[number - 2], TURNS[number]
        ways.append(max(abs(after[3] - before[3]), abs(after[4] - before[4])))
    mean = sum(ways) / len(ways)
    assert mean == pytest.approx(ARENA_TABLE[9][2], abs=0.02)
    assert mean > GO_TABLE[9][2] + 0.03


@pytest.mark.reference
def test_the_recorded_run_is_reproduced(reference_data: Path) -> None:
    spec = read_arena(reference_data / "aai" / "replay" / "arena.yaml").spec
    world = ArenaWorld(spec.time_limit, [item.model_dump() for item in spec.items])
    world.reset(0)
    act(world, NOTHING, 49)
    eaten, squares = 0, 0.0
    for number, (command, amount, health, x, z, yaw) in enumerate(TURNS, start=1):
        (go if command == "go" else turn)(world, amount)
        eaten = EATEN_ON.get(number, eaten)
        place = world.episode.position
        assert world.episode.health == pytest.approx(health, abs=0.051), number
        assert world.episode.eaten == eaten, number
        assert (place[0], place[2]) == pytest.approx((x, z), abs=0.1), number
        assert world.episode.yaw == pytest.approx(yaw, abs=1e-9), number
        squares += (place[0] - x) ** 2 + (place[2] - z) ** 2
    assert (squares / len(TURNS)) ** 0.5 < 0.035
