"""Reward, health, goals, zones, blackouts and time: the rules of AAI 3.1.3 in numbers."""

from __future__ import annotations

import pytest

from embodibench.envs.aai.blackout import dark
from tests.envs.aai.builders import NOTHING, act, agent, arena, go, item, turn


def test_each_step_costs_three_fifths_of_a_thousandth_at_t_1000() -> None:
    world = arena(agent(), t=1000, settle=0)
    step = world.step(NOTHING)
    assert step.reward == pytest.approx(-0.6 / 1000)
    assert world.measures()["health"] == pytest.approx(100 - 0.06)


@pytest.mark.parametrize(("t", "steps"), [(250, 417), (30, 50)])
def test_an_episode_without_rewards_lasts_five_thirds_of_t_steps(t: int, steps: int) -> None:
    world = arena(agent(), t=t, settle=0)
    taken = 0
    while not world.episode.end:
        last = world.step(NOTHING)
        taken += 1
    assert taken == steps
    assert last.truncated and not last.terminated and last.info["end"] == "health"
    assert world.measures()["health"] == 0
    assert world.measures()["return"] == pytest.approx(-1.0, abs=1e-9)


def test_without_a_time_limit_nothing_decays() -> None:
    world = arena(agent(), t=0, settle=50)
    assert world.measures()["return"] == 0
    assert world.measures()["health"] == 100


@pytest.mark.parametrize("kind", ["GoodGoal", "GoodGoalBounce"])
def test_a_green_ball_brings_its_diameter_and_ends_the_episode(kind: str) -> None:
    world = arena(agent(20, 5), item(kind, (20, 0, 25), size=2.0, yaw=180.0))
    assert go(world, 30)
    assert world.measures()["return"] == pytest.approx(0.999 * 2)
    assert world.measures()["end"] == "goal"


@pytest.mark.parametrize("kind", ["BadGoal", "BadGoalBounce"])
def test_a_red_ball_takes_its_diameter_and_ends_the_episode(kind: str) -> None:
    world = arena(agent(20, 5), item(kind, (20, 0, 25), size=0.5, yaw=180.0))
    assert go(world, 30)
    assert world.measures()["return"] == pytest.approx(-0.999 * 0.5)
    assert world.measures()["end"] == "bad_goal"


def test_yellow_balls_disappear_and_the_last_one_ends_the_episode() -> None:
    world = arena(agent(20, 5), item("GoodGoalMulti", (20, 0, 10), (20, 0, 15), size=1.0))
    go(world, 9)
    assert world.measures()["collected"] == 1
    assert not world.episode.end
    assert len([solid for solid in world.scene().solids if solid.kind == "GoodGoalMulti"]) == 1
    assert go(world, 20)
    assert world.measures()["return"] == pytest.approx(2 * 0.999)


def test_with_a_green_ball_about_the_yellow_ones_alone_never_end_it() -> None:
    world = arena(
        agent(20, 5), item("GoodGoalMulti", (20, 0, 10), (20, 0, 15), size=1.0), item("GoodGoal", (30, 0, 30), size=1.0)
    )
    assert not go(world, 25)
    assert world.measures()["collected"] == 2


def test_the_green_ball_ends_it_whatever_is_left() -> None:
    world = arena(agent(20, 5), item("GoodGoal", (20, 0, 10), size=1.0), item("GoodGoalMulti", (30, 0, 30), size=1.0))
    assert go(world, 20)
    assert world.measures()["return"] == pytest.approx(0.999)


def test_health_is_clipped_at_a_hundred_and_the_return_is_not() -> None:
    world = arena(
        agent(20, 5), item("GoodGoalMulti", (20, 0, 10), size=5.0), item("GoodGoal", (1, 0, 1), size=1.0), t=1000
    )
    go(world, 9)
    assert world.measures()["return"] > 4.9
    assert 99 < float(str(world.measures()["health"])) <= 100


def test_a_death_zone_costs_one_and_ends_the_episode() -> None:
    world = arena(agent(20, 5), item("DeathZone", (20, 0, 12), size=(5, 0, 5)))
    assert go(world, 20)
    assert world.measures()["return"] == pytest.approx(-1)
    assert world.measures()["end"] == "death_zone"


@pytest.mark.parametrize(("t", "loss"), [(250, 2.64), (1000, 0.66)])
def test_in_a_hot_zone_health_falls_eleven_times_as_fast(t: int, loss: float) -> None:
    world = arena(agent(20, 20), item("HotZone", (20, 0, 20), size=(10, 0, 10)), t=t)
    before = world.episode.health
    act(world, NOTHING)
    assert before - world.episode.health == pytest.approx(loss)


def test_a_hot_zone_costs_at_least_a_thousandth_each_update() -> None:
    world = arena(agent(20, 20), item("HotZone", (20, 0, 20), size=(10, 0, 10)), t=0, settle=1)
    assert world.step(NOTHING).reward == pytest.approx(-0.003)


def test_a_platform_of_0_2_is_a_safe_bridge_over_a_death_zone_and_one_of_0_1_is_not() -> None:
    for height, safe in ((0.2, True), (0.1, False)):
        world = arena(
            agent(20, 2, y=height),
            item("Wall", (20, 0, 20), size=(4, height, 39)),
            item("DeathZone", (20, 0, 20), size=(20, 0, 10)),
        )
        go(world, 22)
        assert (world.episode.end == "") is safe


def test_a_frame_of_the_blackouts_is_five_updates_long() -> None:
    # [15, 60] is dark for the steps 25..100.
    states = {step: dark((15, 60), 3 * step) for step in (0, 24, 25, 99, 100, 400)}
    assert states == {0: False, 24: False, 25: True, 99: True, 100: False, 400: False}


def test_a_negative_frame_is_a_period() -> None:
    # Each phase is 33.3 steps long.
    assert [dark((-20,), 3 * step) for step in (33, 34, 66, 67, 100, 101)] == [False, True, True, False, True, True]


def test_an_odd_number_of_frames_leaves_it_dark() -> None:
    frames = (50, 55, 75, 80, 100, 105, 115, 120, 125, 130, 135)
    assert not dark(frames, 3 * 83)
    assert dark(frames, 3 * 84)
    assert not dark(frames, 3 * 92)
    assert dark(frames, 3 * 225)
    assert dark(frames, 3 * 4000)


def test_an_arena_may_start_dark() -> None:
    world = arena(agent(), blackouts=(0, 50), settle=0)
    assert world.scene().dark
    act(world, NOTHING, 84)
    assert not world.scene().dark


def test_the_reward_counts_the_ball_in_the_update_after_its_gap_closed() -> None:
    # Touching starts at a gap of 0.02: an agent that stands 0.01 away has the ball in its first update.
    world = arena(agent(20, 10), item("GoodGoal", (20, 0, 11.0095), size=1.0), settle=0)
    assert world.step(NOTHING).over


def test_stepping_after_the_end_and_before_the_reset_is_an_error() -> None:
    world = arena(agent(20, 5), item("DeathZone", (20, 0, 5), size=(5, 0, 5)), settle=0)
    assert world.step(NOTHING).info["end"] == "death_zone"
    with pytest.raises(RuntimeError, match="ended"):
        world.step(NOTHING)
    with pytest.raises(RuntimeError, match="reset"):
        type(world)(0, []).step(NOTHING)


@pytest.mark.parametrize("action", [-1, 9, True, 1.5, (1, 2), "forward"])
def test_an_action_that_is_none_is_refused(action: object) -> None:
    world = arena(agent())
    with pytest.raises(ValueError, match=r"0\.\.8"):
        world.step(action)  # type: ignore[arg-type]


def test_move_and_turn_combine() -> None:
    world = arena(agent(20, 20))
    world.step(3 * 1 + 1)
    assert world.episode.yaw == pytest.approx(6)
    assert world.episode.velocity[2] > 1


def test_turning_is_possible_in_the_air() -> None:
    world = arena(agent(20, 20, y=5), settle=0)
    turn(world, 30)
    assert world.episode.yaw == pytest.approx(30)
    assert world.episode.position[1] > 4
