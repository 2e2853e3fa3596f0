"""What the text observation says, on hand-made worlds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodibench.envs.base import Observation
from embodibench.envs.crafter.creatures import Arrow, Cow, Plant, Skeleton, Zombie
from embodibench.envs.crafter.names import ACTION_NAMES, ITEMS, KINDS, MATERIALS
from embodibench.envs.crafter.world import CrafterObservation, CrafterWorld
from tests.envs.crafter.scenery import add, meadow, put


def observe(world: CrafterWorld) -> Any:
    """The observation of a world as it stands, without stepping it."""
    return CrafterObservation(world.simulation, None)


def test_a_whole_observation() -> None:
    world = meadow()
    put(world, "tree", -2, 0)
    put(world, "water", 3, -2)
    put(world, "stone", 0, 1)
    add(world, Cow, -1, 3)
    add(world, Zombie, 4, 3, world.simulation.player)
    world.simulation.player.inventory.update(health=7, food=6, drink=5, energy=4, wood=2, wood_pickaxe=1)
    assert observe(world).text() == "\n".join(
        [
            "Last action: none yet.",
            "In view, the nearest of each kind:",
            "- grass: 1 step north",
            "- stone: 1 step south",
            "- tree: 2 steps west",
            "- cow: 4 steps south-west",
            "- water: 5 steps north-east",
            "- zombie: 7 steps south-east",
            "You face stone (south).",
            "Vitals: health 7/9, food 6/9, drink 5/9, energy 4/9.",
            "Inventory: 2 wood, 1 wood pickaxe.",
        ]
    )


def test_the_last_action_is_named() -> None:
    world = meadow()
    for action, name in enumerate(ACTION_NAMES[:6]):
        assert world.step(action).observation.text().startswith(f"Last action: {name}.\n")


@pytest.mark.parametrize(
    ("east", "south", "where"),
    [
        (0, -1, "1 step north"),
        (0, -3, "3 steps north"),
        (4, 0, "4 steps east"),
        (-4, 0, "4 steps west"),
        (0, 3, "3 steps south"),
        (1, -1, "2 steps north-east"),
        (4, -3, "7 steps north-east"),
        (4, 1, "5 steps south-east"),
        (-1, 3, "4 steps south-west"),
        (-4, -3, "7 steps north-west"),
    ],
)
def test_distance_counts_steps_and_direction_is_one_of_eight(east: int, south: int, where: str) -> None:
    world = meadow()
    put(world, "diamond", east, south)
    assert f"- diamond: {where}\n" in observe(world).text()


@pytest.mark.parametrize(("east", "south"), [(5, 0), (-5, 0), (0, 4), (0, -4)])
def test_nothing_beyond_nine_by_seven_is_seen(east: int, south: int) -> None:
    world = meadow()
    put(world, "diamond", east, south)
    assert "diamond" not in observe(world).text()


def test_only_the_nearest_of_a_kind_is_named() -> None:
    world = meadow()
    put(world, "iron", 3, 0)
    put(world, "iron", -1, -1)
    put(world, "iron", 4, 3)
    assert observe(world).text().count("iron") == 1
    assert "- iron: 2 steps north-west\n" in observe(world).text()


def test_of_two_equally_near_the_northern_then_the_western_is_named() -> None:
    world = meadow()
    put(world, "coal", 0, 2)
    put(world, "coal", 2, 0)
    assert "- coal: 2 steps east\n" in observe(world).text()
    put(world, "coal", -2, 0)
    assert "- coal: 2 steps west\n" in observe(world).text()
    put(world, "coal", 1, -1)
    assert "- coal: 2 steps north-east\n" in observe(world).text()


def test_an_object_hides_its_ground_and_the_players_own_ground_is_not_named() -> None:
    world = meadow()
    put(world, "path", 0, 0)
    put(world, "sand", 2, 0)
    add(world, Cow, 2, 0)
    text = observe(world).text()
    assert "path" not in text
    assert "sand" not in text
    assert "- cow: 2 steps east\n" in text


def test_every_creature_is_named_and_plants_by_their_ripeness() -> None:
    world = meadow()
    player = world.simulation.player
    add(world, Skeleton, 1, 0, player)
    add(world, Arrow, 2, 0, (1, 0))
    add(world, Zombie, 3, 0, player)
    plant = add(world, Plant, 0, 1)
    text = observe(world).text()
    for line in ("skeleton: 1 step east", "arrow: 2 steps east", "zombie: 3 steps east", "plant: 1 step south"):
        assert f"- {line}\n" in text
    assert "You face plant (south)." in text
    plant.grown = 301
    assert "- ripe plant: 1 step south\n" in observe(world).text()
    assert "You face ripe plant (south)." in observe(world).text()


def test_the_edge_of_the_world_is_no_thing_but_can_be_faced() -> None:
    world = meadow()
    player = world.simulation.player
    world.simulation.grid.move(player, (0, 63))
    text = observe(world).text()
    assert "You face the edge of the world (south)." in text
    assert text.count("\n- ") == 1


def test_darkness_takes_nothing_from_the_text() -> None:
    world = meadow()
    put(world, "tree", 4, 3)
    by_day = observe(world).text()
    world.simulation.grid.daylight = 0.0
    assert observe(world).text() == by_day


def test_a_sleeper_sees_nothing_but_knows_its_vitals() -> None:
    world = meadow()
    put(world, "tree", 1, 0)
    world.simulation.player.sleeping = True
    assert observe(world).text() == "\n".join(
        [
            "Last action: none yet.",
            "You are asleep and see nothing.",
            "Vitals: health 9/9, food 9/9, drink 9/9, energy 9/9.",
            "Inventory: empty.",
        ]
    )
    (agent,) = observe(world).objects()
    assert agent["sleeping"] is True
    assert "faces" not in agent


def test_objects_are_the_text_as_plain_data() -> None:
    world = meadow()
    put(world, "table", -3, 1)
    world.simulation.player.inventory["stone_sword"] = 1
    agent, *things = observe(world).objects()
    assert agent == {
        "kind": "agent",
        "last_action": None,
        "sleeping": False,
        "vitals": {"health": 9, "food": 9, "drink": 9, "energy": 9},
        "inventory": {"stone_sword": 1},
        "faces": "grass",
        "facing": "south",
    }
    assert things == [
        {"kind": "grass", "distance": 1, "direction": "north", "east": 0, "south": -1},
        {"kind": "table", "distance": 4, "direction": "south-west", "east": -3, "south": 1},
    ]
    json.dumps([agent, *things])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 16), min_size=1, max_size=60))
def test_text_and_objects_agree_and_name_only_what_exists(seed: int, actions: list[int]) -> None:
    world = CrafterWorld()
    observation: Observation = world.reset(seed)
    for action in actions:
        step = world.step(action)
        observation = step.observation
        if step.over:
            break
    agent, *things = observation.objects()
    text = observation.text()
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    steps = ["step" if thing["distance"] == 1 else "steps" for thing in things]
    assert lines == [
        f"- {thing['kind']}: {thing['distance']} {word} {thing['direction']}"
        for thing, word in zip(things, steps, strict=True)
    ]
    kinds = [str(thing["kind"]) for thing in things]
    assert len(set(kinds)) == len(kinds)
    assert set(kinds) <= set(KINDS) - {MATERIALS[0]}
    assert [thing["distance"] for thing in things] == sorted(int(str(thing["distance"])) for thing in things)
    assert isinstance(agent["inventory"], dict)
    assert set(agent["inventory"]) <= set(ITEMS)
    assert f"{agent['last_action']}" in ACTION_NAMES
