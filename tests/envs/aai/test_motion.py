"""How the agent moves: the law of AAI 3.1.3 in numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.envs.aai.builders import FORWARD, NOTHING, RIGHT, act, agent, arena, go, item, turn

GO_TABLE = {
    1: (0.10, 2.5, 0.26),
    2: (0.34, 4.7, 0.74),
    3: (0.70, 6.7, 1.33),
    4: (1.18, 8.6, 2.03),
    5: (1.77, 10.3, 2.82),
    7: (3.20, 13.2, 4.62),
    9: (4.95, 15.5, 6.67),
    10: (5.93, 16.6, 7.78),
    12: (8.04, 18.3, 10.12),
    15: (11.56, 20.4, 13.90),
    20: (18.09, 22.8, 20.75),
    25: (25.18, 24.2, 28.03),
    30: (32.61, 25.2, 35.57),
    35: (40.25, 25.7, 43.28),
}
"""Go(n) -> metres at the picture, speed there, metres after coasting, as derived from Unity's numbers alone."""

ARENA_TABLE = {
    1: (0.100, 2.48, 0.265),
    2: (0.340, 4.73, 0.743),
    3: (0.707, 6.77, 1.346),
    4: (1.188, 8.62, 2.050),
    5: (1.773, 10.30, 2.842),
    7: (3.218, 13.21, 4.650),
    9: (4.975, 15.60, 6.710),
    10: (5.953, 16.63, 7.820),
    12: (8.076, 18.41, 10.172),
    15: (11.610, 20.51, 13.976),
    20: (18.174, 22.90, 20.849),
    25: (25.295, 24.36, 28.161),
    30: (32.758, 25.26, 35.741),
    35: (40.431, 25.81, 43.486),
}
"""The same of this arena, where gravity is damped before the contact carries it (docs/arena.md says why)."""

DRAG = 1 - 1.6 * 0.02
FRICTION = 0.6 * 9.81 * 0.02
"""What sliding friction takes off the speed in one update of 0.02 s, if all of gravity presses on the ground."""


def run_by_law(steps: int, friction: float) -> tuple[float, float, float]:
    """Go(steps) on flat ground by the law of one update: push or quick stop, drag, friction."""
    way = speed = 0.0
    for _ in range(3 * steps):
        speed = (speed + 1.0) * DRAG - friction
        way += 0.02 * speed
    at_picture, speed_there = way, speed
    while speed > 0:
        speed = max(speed * 0.9 * DRAG - friction, 0.0)
        way += 0.02 * speed
    return at_picture, speed_there, way


def run_in_arena(steps: int) -> tuple[float, float, float]:
    """Go(steps) from rest along the diagonal, the only line that holds Go(35)."""
    world = arena(agent(1, 1, yaw=44))
    x, _, z = world.episode.position
    go(world, steps)
    there, speed = world.episode.position, world.episode.velocity
    act(world, NOTHING, 20)
    end = world.episode.position
    ways = [float(np.hypot(place[0] - x, place[2] - z)) for place in (there, end)]
    return ways[0], float(np.hypot(speed[0], speed[2])), ways[1]


@pytest.mark.parametrize("steps", GO_TABLE)
def test_the_derived_table_is_the_law_without_damped_gravity(steps: int) -> None:
    rounding = (0.0055, 0.055, 0.0055)  # of the last digit that is printed, and a little
    for value, published, half in zip(run_by_law(steps, FRICTION), GO_TABLE[steps], rounding, strict=True):
        assert value == pytest.approx(published, abs=half)


@pytest.mark.parametrize("steps", ARENA_TABLE)
def test_a_run_from_rest_is_the_law_with_damped_gravity(steps: int) -> None:
    run = run_in_arena(steps)
    assert run == pytest.approx(run_by_law(steps, FRICTION * DRAG), abs=1e-6)
    for value, stated, half in zip(run, ARENA_TABLE[steps], (0.0006, 0.006, 0.0006), strict=True):
        assert value == pytest.approx(stated, abs=half)


@pytest.mark.parametrize("steps", GO_TABLE)
def test_the_two_differ_by_half_a_percent_of_the_way(steps: int) -> None:
    for column in (0, 2):
        more = ARENA_TABLE[steps][column] - GO_TABLE[steps][column]
        assert -0.005 <= more <= 0.01 + 0.006 * GO_TABLE[steps][column]


def test_the_law_is_push_then_drag_then_friction() -> None:
    world = arena(agent(20, 1))
    place, speed = world.episode.position[2], 0.0
    for _ in range(10):
        world.step(FORWARD)
        for _ in range(3):
            speed = (speed + 1.0) * 0.968 - 0.6 * 9.81 * 0.02 * 0.968
            place += 0.02 * speed
        assert world.episode.velocity[2] == pytest.approx(speed, abs=1e-9)
        assert world.episode.position[2] == pytest.approx(place, abs=1e-9)


def test_it_rests_on_the_ground_with_its_eye_half_a_unit_above() -> None:
    assert arena(agent()).episode.position[1] == pytest.approx(0.49, abs=1e-3)


def test_backward_is_the_mirror_of_forward() -> None:
    ahead, back = arena(agent(20, 20)), arena(agent(20, 20))
    go(ahead, 6)
    go(back, -6)
    assert ahead.episode.position[2] - 20 == pytest.approx(20 - back.episode.position[2], abs=1e-12)


def test_a_turning_step_turns_by_six_degrees_to_the_right() -> None:
    world = arena(agent(yaw=0))
    act(world, RIGHT)
    assert world.episode.yaw == pytest.approx(6.0)
    turn(world, -90)
    assert world.episode.yaw == pytest.approx(276.0)


def test_yaw_is_clockwise_from_ahead() -> None:
    world = arena(agent(20, 20, yaw=90))
    go(world, 5)
    x, _, z = world.episode.position
    assert x - 20 == pytest.approx(1.77, abs=0.02)
    assert z == pytest.approx(20, abs=1e-9)


def test_turning_brakes_and_running_on_does_not() -> None:
    braked, running = arena(agent()), arena(agent())
    go(braked, 9)
    go(running, 9)
    turn(braked, 30)
    go(running, 5)
    assert np.hypot(*braked.episode.velocity[::2]) < 4
    assert running.episode.velocity[2] > 17


def test_a_wall_stops_it_and_nothing_rebounds() -> None:
    world = arena(agent(20, 5), item("Wall", (20, 0, 20), size=(10, 3, 1)))
    go(world, 25)
    assert world.episode.position[2] == pytest.approx(20 - 0.4995 - 0.5, abs=0.02)
    act(world, NOTHING, 5)
    assert world.episode.velocity[2] == pytest.approx(0, abs=1e-6)


def test_a_thin_wall_is_not_run_through_at_full_speed() -> None:
    for distance in np.arange(20.0, 21.0, 0.1):
        world = arena(agent(20, 5), item("Wall", (20, 0, 5 + distance), size=(10, 3, 0.1)))
        go(world, 35)
        assert world.episode.position[2] < 5 + distance


def test_glass_is_as_solid_as_a_wall() -> None:
    world = arena(agent(20, 5), item("WallTransparent", (20, 0, 10), size=(10, 3, 1)))
    go(world, 20)
    assert world.episode.position[2] < 9.1


def test_the_fence_holds() -> None:
    world = arena(agent(20, 30))
    go(world, 30)
    assert world.episode.position[2] == pytest.approx(39.5, abs=0.05)


def test_a_ramp_is_climbed_from_its_low_side_only() -> None:
    ramp = item("Ramp", (20, 0, 20), size=(6, 2, 6))
    low = arena(agent(20, 30, yaw=180), ramp)
    high = arena(agent(20, 10, yaw=0), ramp)
    heights = []
    for _ in range(20):
        go(low, 1)
        heights.append(low.episode.position[1])
    go(high, 25)
    assert max(heights) > 2.2
    assert low.episode.position[2] < 16
    assert high.episode.position[1] == pytest.approx(0.49, abs=0.02)
    assert high.episode.position[2] < 17


@pytest.mark.parametrize(("yaw", "side"), [(90, (-1, 0)), (180, (0, 1)), (270, (1, 0))])
def test_a_ramps_yaw_turns_its_high_side_clockwise(yaw: int, side: tuple[int, int]) -> None:
    # At yaw 0 the high side is at -z. The climber starts at the low side, opposite to it.
    x, z = 20 - 9 * side[0], 20 - 9 * side[1]
    heading = {(-1, 0): 270, (0, 1): 0, (1, 0): 90}[side]
    world = arena(agent(x, z, yaw=heading), item("Ramp", (20, 0, 20), size=(6, 2, 6), yaw=yaw))
    highest = 0.0
    for _ in range(20):
        go(world, 1)
        highest = max(highest, world.episode.position[1])
    assert highest > 2.2


def test_in_the_air_there_is_no_push() -> None:
    world = arena(agent(20, 5, y=3), item("Wall", (20, 0, 5), size=(4, 3, 4)))
    assert world.episode.position[1] == pytest.approx(3 * 0.999 - 0.01 + 0.5, abs=0.01)
    turn(world, 180)
    turn(world, 180)
    go(world, 12)
    flying = [world.episode.velocity[2]]
    while world.episode.position[1] > 1.0:
        go(world, 1)
        flying.append(world.episode.velocity[2])
    assert len(flying) > 4
    assert all(after < before for before, after in pairwise(flying[2:-1]))


def test_a_tunnel_is_driven_through_and_its_side_is_not() -> None:
    tunnel = item("CylinderTunnel", (20, 0, 20), size=(4, 4, 6))
    through = arena(agent(20, 10), tunnel)
    go(through, 30)
    assert through.episode.position[2] > 30
    beside = arena(agent(10, 20, yaw=90), tunnel)
    go(beside, 30)
    assert beside.episode.position[0] < 18.5
