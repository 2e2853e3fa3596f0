"""The fingerprint covers the whole state: whatever is changed, it changes.

The fields are found by walking the objects themselves, so a field that is added later is changed here too, and fails
this test until it is hashed, or is named below as something that follows from hashed fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from embodibench.envs.crafter.creatures import Arrow, Cow, Plant, Skeleton, Zombie
from embodibench.envs.crafter.grid import SIZE, Cell, Grid
from embodibench.envs.crafter.names import ACHIEVEMENTS
from embodibench.envs.crafter.world import CrafterWorld
from tests.envs.crafter.scenery import add, meadow

DERIVED = {
    "Grid": {
        "_cells": "the bytes under ``materials``, and a margin that stays empty",
        "_occupants": "from every object's position",
        "_all_chunks": "counts from the materials, members from the positions",
        "daylight": "from the step",
    },
    "object": {
        "world": "the grid",
        "random": "the grid's generator",
        "player": "the player",
        "removed": "an object in the grid is never removed",
    },
}
"""What is not changed by itself, and what it follows from."""

Change = Callable[[], Callable[[], None]]
"""Changes something and returns what changes it back."""


def world_with_everything() -> CrafterWorld:
    """A world that holds every kind of object and has counted something."""
    world = meadow()
    player = world.simulation.player
    add(world, Cow, 3, 0)
    add(world, Cow, 30, 0)
    add(world, Zombie, 5, 5, player)
    add(world, Skeleton, 7, -7, player)
    add(world, Arrow, 2, 9, Cell((1, 0)))
    add(world, Plant, -4, 1)
    player.inventory.update(wood=3, energy=8)
    for action in (8, 6, 1, 5):
        world.step(action)
    assert world.measures()["overridden"]
    return world


def setter(owner: Any, name: str, value: Any) -> Change:
    def change() -> Callable[[], None]:
        old = getattr(owner, name)
        setattr(owner, name, value)
        return lambda: setattr(owner, name, old)

    return change


def item_setter(owner: dict[Any, Any], key: Any, value: Any) -> Change:
    def change() -> Callable[[], None]:
        old = dict(owner)
        owner[key] = value
        return lambda: restore(owner, old)

    return change


def restore(owner: dict[Any, Any], old: dict[Any, Any]) -> None:
    owner.clear()
    owner.update(old)


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if value is None:
        return "something"
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "!"
    if isinstance(value, tuple) and len(value) == 2:
        return Cell((value[0] + 1, value[1]))
    raise TypeError(f"teach this test how to change a {type(value).__name__}")


def mapping(path: str, values: dict[Any, Any]) -> Iterator[tuple[str, Change]]:
    for key in values:
        yield f"{path}[{key}]", item_setter(values, key, other(values[key]))


def fields(path: str, owner: Any, skip: dict[str, str]) -> Iterator[tuple[str, Change]]:
    """A change of every attribute that holds a plain value or a mapping of them."""
    for name, value in vars(owner).items():
        if name in skip:
            continue
        if isinstance(value, dict):
            yield from mapping(f"{path}.{name}", value)
        else:
            yield f"{path}.{name}", setter(owner, name, other(value))


def reorder(values: dict[Any, Any], index: int) -> Change:
    """Put the entry at an index last."""

    def change() -> Callable[[], None]:
        old = dict(values)
        key = list(values)[index]
        values[key] = values.pop(key)
        return lambda: restore(values, old)

    return change


def generator_changes(grid: Grid) -> Iterator[tuple[str, Change]]:
    """A change of every part of the generator's state: its words, its place in them, the cached normal."""

    def set_state(**parts: Any) -> Change:
        def change() -> Callable[[], None]:
            old, new = grid.random.get_state(legacy=False), grid.random.get_state(legacy=False)
            for name, value in parts.items():
                (new["state"] if name in new["state"] else new)[name] = value
            grid.random.set_state(new)
            return lambda: grid.random.set_state(old)

        return change

    state = grid.random.get_state(legacy=False)
    assert set(state) == {"bit_generator", "state", "has_gauss", "gauss"}
    assert set(state["state"]) == {"key", "pos"}
    for word in range(len(state["state"]["key"])):
        key = state["state"]["key"].copy()
        key[word] ^= 1 << (word % 32)
        yield f"random.key[{word}]", set_state(key=key)
    yield "random.pos", set_state(pos=(state["state"]["pos"] + 1) % 624)
    yield "random.has_gauss", set_state(has_gauss=1)
    yield "random.gauss", set_state(gauss=0.5)


def grid_changes(grid: Grid) -> Iterator[tuple[str, Change]]:
    known = {"random", "materials", "_objects", "chunks", *DERIVED["Grid"]}
    unknown = set(vars(grid)) - known
    assert not unknown, f"new fields of the grid: hash them or name them as derived: {unknown}"
    yield from generator_changes(grid)
    for index in range(0, len(grid._objects) - 1):
        yield f"order of object {index}", reorder(grid._objects, index)
    for index in range(0, len(grid.chunks) - 1):
        yield f"order of chunk {index}", reorder(grid.chunks, index)
    for index, thing in enumerate(grid.objects):
        yield from fields(f"object {index} {type(thing).__name__}", thing, DERIVED["object"])


def changes(world: CrafterWorld) -> Iterator[tuple[str, Change]]:
    """Every change that is made, by name."""
    simulation = world.simulation
    yield from fields("simulation", simulation, {"grid": "below", "player": "an object of the grid"})
    yield from fields("world", world, {"_simulation": "above"})
    for name in ACHIEVEMENTS:
        if name not in world._first:
            yield f"world._first[{name}]", item_setter(world._first, name, 1)
    yield from grid_changes(simulation.grid)


NAMES = [name for name, _ in changes(world_with_everything())]


def test_the_walk_finds_what_is_known_to_matter() -> None:
    for name in (
        "simulation.steps",
        "simulation.seed",
        "world._overridden",
        "world._return",
        "world._end",
        "world._length",
        "world._last_action",
        "world._first[place_table]",
        "object 0 Player._hunger",
        "object 0 Player._thirst",
        "object 0 Player._fatigue",
        "object 0 Player._recover",
        "object 0 Player._last_health",
        "object 0 Player.sleeping",
        "object 0 Player.facing",
        "object 0 Player.action",
        "object 0 Player.inventory[wood]",
        "object 0 Player.achievements[wake_up]",
        "object 1 Cow.inventory[health]",
        "object 3 Zombie.cooldown",
        "object 4 Skeleton.reload",
        "object 5 Arrow.facing",
        "object 6 Plant.grown",
        "random.key[623]",
    ):
        assert name in NAMES


def test_the_same_state_has_the_same_fingerprint() -> None:
    assert world_with_everything().fingerprint() == world_with_everything().fingerprint()
    assert len(world_with_everything().fingerprint()) == 16


@pytest.mark.parametrize("group", ["simulation", "world", "object", "order", "random"])
def test_every_field_that_is_changed_changes_it(group: str) -> None:
    world = world_with_everything()
    untouched = world.fingerprint()
    seen = {untouched}
    wanted = [(name, change) for name, change in changes(world) if name.startswith(group)]
    assert wanted
    for name, change in wanted:
        undo = change()
        fingerprint = world.fingerprint()
        assert fingerprint not in seen, f"{name} is not in the fingerprint"
        seen.add(fingerprint)
        undo()
        assert world.fingerprint() == untouched, f"{name} was not changed back"


def test_an_object_that_goes_changes_it() -> None:
    world = world_with_everything()
    seen = {world.fingerprint()}
    for count, thing in enumerate(world.simulation.grid.objects[1:], start=2):
        world.simulation.grid.remove(thing)
        seen.add(world.fingerprint())
        assert len(seen) == count


def test_every_cell_is_covered() -> None:
    world = world_with_everything()
    grid = world.simulation.grid
    seen = {world.fingerprint()}
    for x, y in np.ndindex(SIZE, SIZE):
        before = grid[x, y][0]
        assert before is not None
        grid[x, y] = "sand" if before != "sand" else "path"
        seen.add(world.fingerprint())
        grid[x, y] = before
    assert len(seen) == SIZE * SIZE + 1


def test_the_player_counts_in_halves_and_so_does_the_fingerprint() -> None:
    world = world_with_everything()
    before = world.fingerprint()
    world.simulation.player._hunger += 0.5
    assert world.fingerprint() != before
