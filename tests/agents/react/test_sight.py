"""What players without eyes are told is what the picture shows, and nothing else."""

from __future__ import annotations

import math
from typing import Any

import pytest

from embodibench import envs
from embodibench.agents.react.sight import SIDE, View, degrees, look, tangent
from embodibench.agents.react.words import describe
from tests.agents.react.arenas import AGENT, arena, ball, played

WALL = {"kind": "Wall", "positions": [[20, 0, 10]], "sizes": [[8, 4, 1]], "colors": [[0, 0, 255]], "rotations": [0]}


def view(*items: dict[str, Any], yaw: float = 0, blackouts: tuple[int, ...] = (), height: float = 0) -> View:
    agent = {**AGENT, "rotations": [yaw], "positions": [[20, height, 5]]}
    world: Any = envs.make("aai", {"time_limit": 250, "items": [agent, *items], "blackouts": list(blackouts)})
    world.reset(1)
    return look(world.scene())


@pytest.mark.parametrize("side", [64, 256, SIDE])
def test_no_bearing_lies_near_a_rounding_edge(side: int) -> None:
    for place in range(side):
        angle = math.degrees(math.atan(tangent(place, side)))
        assert abs(angle - math.floor(angle) - 0.5) > 1e-6
        assert degrees(side)[place] == round(angle)


@pytest.mark.parametrize(("x", "z"), [(20, 15), (25, 15), (15, 12), (22, 35), (12, 15)])
def test_a_ball_is_told_with_its_bearing_distance_and_size(x: float, z: float) -> None:
    (seen,) = view(ball(x, z, size=1)).sightings
    angle = math.degrees(math.atan2(x - 20, z - 5))
    distance = math.hypot(x - 20, z - 5)
    assert seen.bearing == pytest.approx(angle, abs=1.5)
    assert seen.distance == pytest.approx(distance - 0.5, abs=0.05)
    assert seen.right - seen.left == pytest.approx(2 * math.degrees(math.asin(0.5 / distance)), abs=2)


@pytest.mark.parametrize("yaw", [0, 90, 180, 270, 36])
def test_bearings_turn_with_the_player(yaw: float) -> None:
    turn = math.radians(yaw + 20)
    (seen,) = view(ball(20 + 4 * math.sin(turn), 5 + 4 * math.cos(turn)), yaw=yaw).sightings
    assert seen.bearing == pytest.approx(20, abs=2)


def test_what_stands_behind_a_wall_or_the_player_is_not_told() -> None:
    hidden = view(WALL, ball(20, 15))
    assert [seen.kind for seen in hidden.sightings] == ["Wall"]
    assert [seen.kind for seen in view(ball(20, 1)).sightings] == []


def test_what_stands_behind_a_transparent_wall_is_told_with_the_wall() -> None:
    glass = {**WALL, "kind": "WallTransparent"}
    assert [seen.kind for seen in view(glass, ball(20, 15)).sightings] == ["WallTransparent", "GoodGoal"]


def test_nothing_is_told_in_the_dark() -> None:
    assert describe(view(ball(20, 15), blackouts=(0, 100))) == "It is dark. You see nothing."


def test_distances_are_to_the_side_that_is_seen() -> None:
    (wall,) = view(WALL).sightings
    assert wall.distance == pytest.approx(4.5, abs=0.02)
    assert view().fence == pytest.approx(35, abs=0.01)
    assert view(yaw=90).fence == pytest.approx(20, abs=0.01)


def test_the_words_name_kinds_as_the_prompt_does() -> None:
    words = describe(view(WALL, ball(17, 8, "GoodGoalMulti"), ball(23, 8, "BadGoal")))
    assert words.split("\n")[0].startswith("- ")
    assert "yellow ball: " in words
    assert "red ball: " in words
    assert "blue wall: straight ahead, 4.5 away" in words


def test_many_objects_are_counted_not_listed() -> None:
    posts = {
        "kind": "Wall",
        "positions": [[6 + 2 * k, 0, 20] for k in range(14)],
        "sizes": [[1, 1, 1]] * 14,
        "colors": [[153, 153, 153]] * 14,
        "rotations": [0] * 14,
    }
    words = describe(view(posts, ball(20, 12)))
    # One of the fourteen stands behind the ball.
    assert "- farther away: 1 x grey wall" in words
    assert words.startswith("- green ball")


def test_react_text_sends_words_and_examples_and_plays_by_the_same_rules() -> None:
    trace, prompts = played(arena(ball(20, 38)), "react-text", "I will look. Turn(30)", "Go(1);")
    assert trace.opening_steps == 49
    assert [message.role for message in prompts[0]] == ["user", "assistant"] * 3 + ["user"]
    assert prompts[0][-1].text.count("This is what you see:") == 3
    assert "green ball: straight ahead, 32.5 away" in prompts[0][-1].text
    assert trace.actions[49:54] == [1] * 5
    assert not [part for message in prompts[1] for part in message.parts if not hasattr(part, "text")]
