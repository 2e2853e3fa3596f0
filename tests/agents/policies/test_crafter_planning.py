"""The pieces the scripted Crafter player plans with, on hand-made worlds."""

from __future__ import annotations

import pytest

from embodibench.agents.policies.crafter_moves import DO, NOOP, PLACE_STONE, enter, go, press, put, use
from embodibench.agents.policies.crafter_scripted import Planner, incoming
from embodibench.agents.policies.crafter_shelter import find_room
from embodibench.agents.policies.crafter_survey import Survey, ahead, steps_between
from embodibench.envs.crafter.creatures import Arrow, Plant, Zombie
from embodibench.envs.crafter.grid import SIZE, Cell
from embodibench.envs.crafter.names import ACTION_NAMES
from embodibench.envs.crafter.world import CrafterWorld
from tests.envs.crafter.scenery import HOME, add, meadow
from tests.envs.crafter.scenery import put as set_material

WEST, EAST, NORTH, SOUTH = (ACTION_NAMES.index(f"Move {way}") for way in ("West", "East", "North", "South"))


def cell(east: int, south: int) -> int:
    """The index of a cell by its offset from the player."""
    return (HOME[0] + east) * SIZE + HOME[1] + south


def survey(world: CrafterWorld) -> Survey:
    return Survey(world.simulation)


def test_it_goes_around_what_it_cannot_dig_and_through_what_it_can() -> None:
    world = meadow()
    for south in range(-2, 3):
        set_material(world, "stone", 1, south)
    found = survey(world).nearest([cell(2, 0)])
    assert found is not None
    around = found[2]
    world.simulation.player.inventory["wood_pickaxe"] = 1
    found = survey(world).nearest([cell(2, 0)])
    assert found is not None
    assert (around, found[1], found[2]) == (8, cell(1, 0), 4)
    # Turn, dig, walk.
    assert [world.step(go(survey(world), [cell(2, 0)]) or NOOP) and action for action in range(3)] == [0, 1, 2]
    assert world.simulation.player.pos == (HOME[0] + 1, HOME[1])


def test_it_never_presses_towards_lava() -> None:
    world = meadow()
    for east, south in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        set_material(world, "lava", east, south)
    assert [press(survey(world), direction) for direction in range(4)] == [NOOP] * 4
    assert go(survey(world), [cell(5, 0)]) is None


def test_it_turns_to_what_it_uses() -> None:
    world = meadow()
    set_material(world, "water", -1, 0)
    assert use(survey(world), [cell(-1, 0)]) == WEST
    world.step(WEST)
    assert use(survey(world), [cell(-1, 0)]) == DO


def test_a_free_cell_is_filled_right_after_walking_towards_it() -> None:
    world = meadow()
    world.simulation.player.inventory["stone"] = 1
    target = cell(2, 0)
    for _ in range(12):
        action = put(survey(world), target, PLACE_STONE)
        assert action is not None
        world.step(action)
        if survey(world).is_material(target, "stone"):
            return
    pytest.fail("the stone was not placed")


def test_the_player_can_get_off_the_cell_it_fills() -> None:
    world = meadow()
    world.simulation.player.inventory["stone"] = 1
    for _ in range(6):
        action = put(survey(world), cell(0, 0), PLACE_STONE)
        assert action is not None
        world.step(action)
    assert survey(world).is_material(cell(0, 0), "stone")


@pytest.mark.parametrize("walls", [False, True])
def test_a_room_is_closed_on_all_sides_before_it_sleeps(walls: bool) -> None:
    world = meadow()
    if walls:
        for south in (-1, 1):
            for east in range(-2, 3):
                set_material(world, "tree", east, south)
    player = world.simulation.player
    player.inventory.update(stone=9, wood_pickaxe=1, energy=2)
    planner = Planner()
    for _ in range(60):
        world.step(planner.decide(survey(world)))
        if player.sleeping:
            break
    assert player.sleeping
    # Flood from the player: what a creature could walk on around it is the room alone.
    seen, queue = {survey(world).pos}, [survey(world).pos]
    while queue:
        at = queue.pop()
        for direction in range(4):
            neighbour = ahead(at, direction)
            if neighbour is not None and neighbour not in seen and survey(world).is_open(neighbour):
                seen.add(neighbour)
                queue.append(neighbour)
        assert len(seen) <= 4
    assert len(seen) == (2 if walls else 4)
    assert 9 - player.inventory["stone"] == (2 if walls else 8)


def test_without_stones_there_is_no_room_in_the_open() -> None:
    world = meadow()
    ways, _ = survey(world).reach(limit=10)
    assert find_room(survey(world), ways) is None


def test_an_arrow_that_will_hit_is_seen_coming() -> None:
    world = meadow()
    add(world, Arrow, 2, 0, Cell((-1, 0)))
    assert incoming(survey(world), cell(0, 0), 2) == cell(1, 0)
    assert incoming(survey(world), cell(0, 0), 1) is None
    assert incoming(survey(world), cell(0, 1), 2) is None
    set_material(world, "tree", 1, 0)
    assert incoming(survey(world), cell(0, 0), 2) is None


def test_it_hits_the_zombie_beside_it() -> None:
    world = meadow()
    zombie = add(world, Zombie, 0, 1, world.simulation.player)
    assert Planner().decide(survey(world)) == DO
    world.simulation.grid.move(zombie, (HOME[0] - 1, HOME[1]))
    assert Planner().decide(survey(world)) == WEST


def test_the_fence_of_a_growing_plant_is_left_alone() -> None:
    world = meadow()
    plant = add(world, Plant, 4, 0)
    set_material(world, "stone", 3, 0)
    world.simulation.player.inventory["wood_pickaxe"] = 1
    assert not survey(world).can_dig(cell(3, 0))
    plant.grown = 301
    assert survey(world).can_dig(cell(3, 0))


def test_directions_and_distances() -> None:
    assert [ahead(0, direction) for direction in range(4)] == [None, SIZE, None, 1]
    assert steps_between(cell(0, 0), cell(-3, 2)) == 5
    world = meadow()
    assert enter(survey(world), cell(0, -1)) == NORTH
    assert [enter(survey(world), cell(*offset)) for offset in ((1, 0), (0, 1))] == [EAST, SOUTH]
