"""How boxes and balls behave: flung, not pushed; nothing bounces; what stands stays."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.aai.builders import NOTHING, act, agent, arena, go, item, place_of, speed_of

TEN_SECONDS = 167


def test_a_ball_on_a_thin_post_stays_for_ten_seconds_until_it_is_touched() -> None:
    world = arena(
        agent(20, 5), item("Wall", (20, 0, 20), size=(0.2, 1, 0.2)), item("GoodGoalMulti", (20, 1, 20), size=1.0)
    )
    start = place_of(world, "GoodGoalMulti")
    act(world, NOTHING, TEN_SECONDS)
    assert place_of(world, "GoodGoalMulti") == pytest.approx(start, abs=0.005)
    assert start[1] == pytest.approx(0.999 - 0.01 + 0.4995, abs=0.01)
    flung = arena(
        agent(20, 5),
        item("Wall", (20, 0, 20), size=(0.2, 1, 0.2)),
        item("BadGoal", (20, 1, 20), size=1.0),
        item("Cardbox2", (20, 0, 10), size=1.8),
    )
    go(flung, 14)
    act(flung, NOTHING, 80)
    assert place_of(flung, "BadGoal")[1] < 0.6


def test_a_pile_of_four_and_two_boxes_stands_for_ten_seconds() -> None:
    floor = [(32.3, 0.0, 16.0), (34.5, 0.0, 16.0), (36.6, 0.0, 16.0), (38.8, 0.0, 16.0)]
    pile = item("Cardbox2", *floor, size=2.0)
    top = item("Cardbox2", (33.2, 2.1, 16.0), (37.7, 2.1, 16.0), size=2.0, yaw=45.0)
    world = arena(agent(5, 5), pile, top)
    before = {identity: pose[0] for identity, pose in world.episode.poses().items()}
    act(world, NOTHING, TEN_SECONDS)
    for identity, (place, axes) in world.episode.poses().items():
        assert place[0] == pytest.approx(before[identity][0], abs=0.01)
        assert place[2] == pytest.approx(before[identity][2], abs=0.01)
        assert axes[1][1] == pytest.approx(1.0, abs=1e-4)


def test_a_box_is_flung_at_about_the_agents_speed_and_nearly_keeps_it_waiting() -> None:
    world = arena(agent(20, 5), item("Cardbox2", (20, 0, 15), size=1.0))
    go(world, 14)
    fastest = max(np.hypot(*speed_of(world, "Cardbox2")[::2]), 0.0)
    assert 15 < fastest < 25
    assert world.episode.velocity[2] > 15
    assert place_of(world, "Cardbox2")[2] > world.episode.position[2] + 0.9


def test_a_box_that_was_flung_stops_at_the_fence_without_coming_back() -> None:
    world = arena(agent(20, 5), item("Cardbox2", (20, 0, 15), size=1.0))
    go(world, 14)
    act(world, NOTHING, TEN_SECONDS)
    assert place_of(world, "Cardbox2")[2] > 36
    assert max(abs(value) for value in speed_of(world, "Cardbox2")) < 0.01


def test_a_box_that_slides_does_not_lift_off() -> None:
    world = arena(agent(20, 5), item("Cardbox2", (20, 0, 15), size=(3.0, 0.5, 3.0)))
    go(world, 14)
    highest = 0.0
    for _ in range(60):
        act(world, NOTHING)
        highest = max(highest, place_of(world, "Cardbox2")[1])
    assert highest < 0.6


def test_a_kicked_ball_starts_at_ten_and_ends_rolling_at_five_sevenths_of_it() -> None:
    world = arena(agent(1, 1), item("GoodGoalBounce", (10, 0, 4), size=2.0), settle=0)
    act(world, NOTHING)
    assert speed_of(world, "GoodGoalBounce")[2] == pytest.approx(10 - 3 * 0.02 * 0.6 * 9.81, abs=0.25)
    act(world, NOTHING, 16)
    assert speed_of(world, "GoodGoalBounce")[2] == pytest.approx(50 / 7, abs=0.1)
    act(world, NOTHING, 30)
    # Drag of the spin alone, 0.05 a second.
    assert speed_of(world, "GoodGoalBounce")[2] == pytest.approx(50 / 7, abs=0.35)


def test_a_kick_goes_along_the_yaw_clockwise() -> None:
    world = arena(agent(1, 1), item("GoodGoalMultiBounce", (10, 0, 20), size=2.0, yaw=90.0), settle=1)
    x, _, z = speed_of(world, "GoodGoalMultiBounce")
    assert x > 9
    assert z == pytest.approx(0, abs=0.01)


def test_a_rolling_ball_loses_its_speed_into_a_wall_and_keeps_the_rest() -> None:
    world = arena(
        agent(1, 1), item("BadGoalBounce", (10, 0, 10), size=2.0, yaw=45.0), item("Wall", (20, 0, 20), size=(40, 3, 1))
    )
    act(world, NOTHING, 10)
    along = speed_of(world, "BadGoalBounce")[0]
    act(world, NOTHING, 15)
    x, y, z = speed_of(world, "BadGoalBounce")
    assert place_of(world, "BadGoalBounce")[2] == pytest.approx(20 - 0.4995 - 0.999, abs=0.05)
    assert z == pytest.approx(0, abs=0.05)
    # Friction of the hit takes up to 0.6 of what the wall takes, until the ball rolls on both.
    assert 0.6 * along < x < along
    assert abs(y) < 0.3 * along


def test_balls_are_solid_and_roll_when_boxes_push_them() -> None:
    world = arena(agent(20, 5), item("Cardbox1", (20, 0, 12), size=1.0), item("GoodGoal", (20, 0, 20), size=1.0))
    go(world, 10)
    act(world, NOTHING, 30)
    assert place_of(world, "GoodGoal")[2] > 21


@pytest.mark.parametrize("kind", ["UObject", "LObject", "LObject2"])
def test_objects_of_bars_rest_flat(kind: str) -> None:
    world = arena(agent(2, 2), item(kind, (20, 0, 20), size=(4, 1, 8)))
    act(world, NOTHING, 50)
    (place, axes), *_ = world.episode.poses().values()
    assert place[1] == pytest.approx(0.4895, abs=0.005)
    assert axes[1][1] == pytest.approx(1, abs=1e-6)


def test_a_u_at_rotation_0_opens_towards_minus_z() -> None:
    # Built-in yaw of 90: local +x, where the feet point, becomes -z.
    world = arena(agent(2, 2), item("UObject", (20, 0, 20), size=(5, 1, 6)))
    feet = [solid for solid in world.scene().solids if solid.kind == "UObject"][1:]
    assert all(foot.centre[2] < 19 for foot in feet)
    assert sorted(round(foot.centre[0]) for foot in feet) == [17, 23]


def test_a_sleeping_box_falls_when_what_carries_it_is_knocked_away() -> None:
    world = arena(
        agent(20, 5), item("Cardbox2", (20, 0, 15), size=1.5), item("Cardbox2", (20, 1.6, 15), size=1.0), settle=60
    )
    go(world, 14)
    act(world, NOTHING, 60)
    assert place_of(world, "Cardbox2", 1)[1] < 1.0
