"""Where things are put: order, clipping, random draws, overlap, and how walls come to rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodibench.envs.aai.spawn import spawn
from embodibench.envs.aai.spec import ArenaSpec
from embodibench.envs.aai.world import ArenaWorld
from embodibench.errors import UsageError
from tests.envs.aai.builders import agent, arena, item


def layout(*items: object, seed: int = 1):  # type: ignore[no-untyped-def]
    """What spawning makes of items."""
    return spawn(ArenaSpec.model_validate({"time_limit": 0, "items": items}), np.random.default_rng(seed))


def test_given_sizes_are_clipped_and_shrunk_by_a_thousandth() -> None:
    (wall,) = layout(item("Wall", (20, 0, 20), size=(50.0, 0.05, 2.0)), agent(1, 1)).bodies
    assert wall.size == pytest.approx((40 * 0.999, 0.1 * 0.999, 2 * 0.999))


def test_random_sizes_lie_between_the_limits_and_are_not_shrunk() -> None:
    boxes = layout(*[item("Cardbox1", (5 * k + 5, 0, 30), size=-1.0) for k in range(1)], agent(1, 1)).bodies
    assert all(0.5 <= extent <= 10 for box in boxes for extent in box.size)


def test_a_balls_diameter_is_its_x_size() -> None:
    (ball,) = layout(item("GoodGoal", (20, 0, 20), size=(2.0, 0.0, 9.0)), agent(1, 1)).bodies
    assert ball.size == pytest.approx((1.998,) * 3)


def test_an_objects_base_is_a_centimetre_above_its_height() -> None:
    (ball,) = layout(item("GoodGoal", (20, 3, 20), size=1.0), agent(1, 1)).bodies
    assert ball.centre[1] == pytest.approx(3 + 0.4995 + 0.01)


def test_a_negative_height_is_the_ground() -> None:
    (ball,) = layout(item("GoodGoal", (20, -1, 20), size=1.0), agent(1, 1)).bodies
    assert ball.centre[1] == pytest.approx(0.5095)


def test_a_negative_coordinate_is_drawn_alone() -> None:
    places = {
        layout(item("GoodGoal", (7, 0, -1), size=1.0), agent(1, 1), seed=seed).bodies[0].centre for seed in range(20)
    }
    assert {place[0] for place in places} == {7.0}
    assert len({place[2] for place in places}) == 20
    assert all(0.4995 <= place[2] <= 40 - 0.4995 for place in places)


def test_lists_are_padded_with_random_up_to_the_longest() -> None:
    entry = {"kind": "GoodGoalMulti", "positions": [[5, 0, 5]], "sizes": [[1, 1, 1]] * 3}
    found = layout(entry, agent(35, 35)).bodies
    assert len(found) == 3
    assert found[0].centre[0] == 5


def test_an_item_without_lists_is_one_random_object() -> None:
    assert len(layout({"kind": "GoodGoal"}, agent(1, 1)).bodies) == 1


def test_what_overlaps_is_left_out_and_listed() -> None:
    world = arena(agent(1, 1), item("Wall", (20, 0, 20), (20, 0, 21), (30, 0, 30), size=4.0))
    assert world.measures()["unplaced"] == ["1.1"]
    assert len(world.scene().solids) == 2


def test_unplaced_goals_are_not_counted() -> None:
    world = arena(agent(20, 5), item("GoodGoalMulti", (20, 0, 8), (20, 0, 8.5), size=1.0), settle=0)
    while not world.step(3).over:
        pass
    assert world.measures()["end"] == "goal"


def test_things_that_touch_do_not_overlap() -> None:
    assert not layout(item("Wall", (10, 0, 20), (12, 0, 20), size=2.0), agent(1, 1)).unplaced


def test_the_agent_is_placed_first_even_when_listed_last() -> None:
    found = layout(item("Wall", (20, 0, 20), size=4.0), agent(20, 20))
    assert found.unplaced == ((0, 0),)


def test_without_an_agent_it_is_put_where_nothing_is_not_even_a_zone() -> None:
    zone = item("DeathZone", (20, 0, 20), size=(40.0, 0.5, 20.0))
    for seed in range(30):
        found = layout(zone, seed=seed)
        assert not 9.5 < found.agent.centre[2] < 30.5


def test_zones_keep_nothing_else_away_and_may_overlap_anything() -> None:
    zone = item("HotZone", (20, 0, 20), size=(40.0, 0.5, 40.0))
    assert not layout(zone, item("Wall", (20, 0, 20), size=2.0), zone, agent(1, 1)).unplaced


def test_what_sticks_out_of_the_arena_is_left_out() -> None:
    assert layout(item("Wall", (0.5, 0, 20), size=4.0), agent(30, 30)).unplaced == ((0, 0),)


def test_bars_are_tested_by_their_long_bar_alone() -> None:
    # The U's feet would overlap the wall; its long bar, turned by the built-in yaw, does not.
    u = item("UObject", (20, 0, 20), size=(5.0, 1.0, 6.0))
    wall = item("Wall", (22.9, 0, 17), size=1.0)
    assert not layout(wall, u, agent(1, 1)).unplaced
    assert layout(u, wall, agent(1, 1)).unplaced == ((1, 0),)


def test_a_full_arena_without_room_for_the_agent_is_an_error() -> None:
    with pytest.raises(UsageError, match="no free place"):
        layout(item("Wall", (20, 0, 20), size=(40.0, 5.0, 40.0)))


def test_the_same_seed_gives_the_same_arena_and_another_one_another() -> None:
    entry = {"kind": "GoodGoalMulti", "sizes": [[1, 1, 1]] * 5}
    assert layout(entry, seed=3).bodies == layout(entry, seed=3).bodies
    assert layout(entry, seed=3).bodies != layout(entry, seed=4).bodies


def test_walls_stacked_by_the_author_come_to_rest_on_each_other() -> None:
    world = arena(agent(1, 1), item("Wall", (20, 0, 20), (20, 1, 20), (20, 5, 20), size=1.0))
    tops = [solid.centre[1] + solid.size[1] / 2 for solid in world.scene().solids]
    assert tops == pytest.approx([0.999 * k - 0.01 for k in (1, 2, 3)])


def test_a_plank_across_two_posts_rests_on_both() -> None:
    posts = item("Wall", (15, 0, 20), (25, 0, 20), size=(0.5, 2.0, 0.5))
    world = arena(agent(1, 1), posts, item("Wall", (20, 2, 20), size=(12.0, 0.2, 0.5)))
    plank = world.scene().solids[2]
    assert plank.centre[1] == pytest.approx(2 * 0.999 - 0.01 + 0.0999)
    assert plank.axes[1] == (0.0, 1.0, 0.0)


def test_a_plank_across_posts_of_two_heights_tips_onto_the_lower() -> None:
    posts = item("Wall", (15, 0, 20), (25, 0, 20), size=(0.5, 2.0, 0.5))
    posts["sizes"] = [[0.5, 1.0, 0.5], [0.5, 2.0, 0.5]]
    world = arena(agent(1, 1), posts, item("Wall", (20, 2, 20), size=(12.0, 0.2, 0.5)))
    plank = world.scene().solids[2]
    assert plank.axes[0][1] == pytest.approx(0.0995, abs=0.03)
    assert plank.centre[1] == pytest.approx(1.6, abs=0.1)


def test_a_tower_on_its_edge_falls() -> None:
    world = arena(
        agent(1, 1),
        item("Wall", (20, 0, 20), size=(1.0, 0.5, 0.5)),
        item("Wall", (20, 0.5, 20.4), size=(1.0, 6.0, 1.0)),
    )
    tower = world.scene().solids[1]
    assert abs(tower.axes[1][1]) < 0.3


def test_parameters_that_are_no_arena_are_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match="time_limit"):
        ArenaWorld(-1, [])
    with pytest.raises(UsageError, match="did you mean: Wall"):
        ArenaWorld(0, [{"kind": "Wal"}])
    with pytest.raises(UsageError, match="finite"):
        ArenaWorld(0, [{"kind": "Wall", "rotations": [float("nan")]}])


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Wall", "Ramp", "Cardbox1", "GoodGoal", "UObject", "CylinderTunnel", "HotZone"]),
            st.floats(-1, 45),
            st.floats(-1, 12),
            st.floats(-1, 45),
            st.floats(-1, 400),
            st.floats(-1, 12),
        ),
        max_size=8,
    ),
    st.integers(0, 2**31 - 1),
)
def test_any_arena_starts_finite_and_inside(
    entries: list[tuple[str, float, float, float, float, float]], seed: int
) -> None:
    items = [item(kind, (x, y, z), size=size, yaw=yaw) for kind, x, y, z, yaw, size in entries]
    world = ArenaWorld(0, [agent(20, 20), *items])
    world.reset(seed)
    for action in (0, 3, 4, 5, 6):
        world.step(action)
    for solid in world.scene().solids:
        assert np.isfinite([*solid.centre, *solid.size, *solid.colour]).all()
        assert -3 < solid.centre[0] < 43
        assert -3 < solid.centre[2] < 43
