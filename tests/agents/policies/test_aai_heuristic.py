"""The policy that acts only on what the picture shows."""

from __future__ import annotations

import pytest

from embodibench import agents
from tests.agents.react.arenas import arena, ball, played


@pytest.mark.parametrize(("x", "z"), [(20, 20), (30, 15), (5, 30), (20, 1), (36, 2)])
def test_it_finds_a_ball_in_an_open_arena(x: float, z: float) -> None:
    trace, _ = played(arena(ball(x, z)), agents.make_policy("heuristic", "aai"))
    assert trace.end == "goal"


def test_it_takes_yellow_balls_before_green_ones() -> None:
    trace, _ = played(arena(ball(20, 12), ball(26, 16, "GoodGoalMulti")), agents.make_policy("heuristic", "aai"))
    assert trace.measures["eaten"] == 2


def test_it_goes_around_a_red_ball() -> None:
    trace, _ = played(arena(ball(20, 20), ball(20, 12, "BadGoal")), agents.make_policy("heuristic", "aai"))
    assert trace.end == "goal"


def test_it_does_nothing_in_the_dark_and_plays_alike_each_time() -> None:
    dark, _ = played(arena(ball(20, 12), blackouts=[0, 2000]), agents.make_policy("heuristic", "aai"))
    assert set(dark.actions) == {0}
    task = arena(ball(20, 2), {"kind": "Wall", "positions": [[20, 0, 12]], "sizes": [[20, 2, 1]], "rotations": [0]})
    first, _ = played(task, agents.make_policy("heuristic", "aai"))
    second, _ = played(task, agents.make_policy("heuristic", "aai"))
    assert first.actions == second.actions
