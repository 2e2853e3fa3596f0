"""Upstream Crafter with its two sources of irreproducibility removed, and the comparison with ours."""

from __future__ import annotations

from typing import Any

import crafter
import numpy as np

from embodibench.envs.crafter.names import NOOP, SLEEP
from embodibench.envs.crafter.simulation import Simulation
from embodibench.envs.crafter.world import CrafterWorld


class SortedUpstream(crafter.Env):  # type: ignore[misc]
    """Balances creatures in the order of their positions and draws no picture, hence no night noise."""

    def _balance_chunk(self, chunk: Any, objs: Any) -> None:
        super()._balance_chunk(chunk, sorted(objs, key=lambda thing: tuple(thing.pos)))

    def _obs(self) -> None:
        return None


def things(world: Any) -> list[tuple[object, ...]]:
    """Every object of an upstream world or of ours, in turn order, with all its own attributes."""
    rows: list[tuple[object, ...]] = []
    for thing in world.objects:
        own = {
            name: tuple(int(n) for n in value) if name in ("pos", "facing") else value
            for name, value in vars(thing).items()
            if name not in ("world", "random", "player")
        }
        rows.append((type(thing).__name__, sorted(own.items())))
    return rows


def assert_same_state(upstream: Any, ours: Simulation) -> None:
    """Map, objects with every attribute and in turn order, chunk order and members, generator, counters."""
    theirs = upstream._world
    assert np.array_equal(theirs._mat_map, ours.grid.materials)
    assert things(theirs) == things(ours.grid)
    assert [(key[0], key[2]) for key in theirs.chunks] == [chunk.position for chunk in ours.grid.chunks]
    for members, chunk in zip(theirs.chunks.values(), ours.grid.chunks, strict=True):
        assert sorted(tuple(map(int, thing.pos)) for thing in members) == sorted(thing.pos for thing in chunk.members)
    left: Any = theirs.random.get_state()
    right: Any = ours.grid.random.get_state()
    assert np.array_equal(left[1], right[1])
    assert left[2:] == right[2:]
    # Upstream's daylight comes from the processor's own cosine, so its last bits vary; ours does not.
    assert abs(theirs.daylight - ours.grid.daylight) < 1e-12
    assert upstream._step == ours.steps


def keep_going(players: tuple[Any, Any], ours: Simulation, action: int) -> int:
    """Keep both players alive and, by turns, rich or poor, tired or not, so that every action gets to do something.

    Death would end the comparison, so a sleeper is woken when a foe or arrow comes and a step into lava becomes Noop.
    """
    number = ours.steps
    threatened = any(
        players[1].distance(thing) <= 3
        for thing in ours.grid.objects
        if type(thing).__name__ in ("Zombie", "Skeleton", "Arrow")
    )
    for player in players:
        player.inventory["health"] = 9
        player.sleeping = player.sleeping and not threatened
        if number % 7 == 0:
            player.inventory.update(food=9, drink=9)
        if number % 50 == 0:
            player.inventory.update(wood=9, stone=9, coal=5, iron=5, sapling=5, energy=9 - number // 50 % 8)
    if threatened and action == SLEEP:
        return NOOP
    x, y = ours.player.pos
    ahead = {1: (x - 1, y), 2: (x + 1, y), 3: (x, y - 1), 4: (x, y + 1)}
    return NOOP if action in ahead and ours.grid[ahead[action]][0] == "lava" else action


def side_by_side(seed: int, steps: int) -> int:
    """Play both worlds, comparing the whole state, rewards and ends at every step. Returns the steps played."""
    upstream, ours = SortedUpstream(seed=seed), CrafterWorld()
    upstream.reset()
    ours.reset(seed)
    assert_same_state(upstream, ours.simulation)
    chance = np.random.default_rng(seed)
    for number in range(1, steps + 1):
        action = int(chance.integers(17)) if chance.random() < 0.6 else int(chance.integers(1, 6))
        action = keep_going((upstream._player, ours.simulation.player), ours.simulation, action)
        # Upstream and ours remember the health of the step before in different places.
        upstream._last_health = 9
        _, reward, over, _ = upstream.step(action)
        step = ours.step(action)
        assert (reward, over) == (step.reward, step.over)
        assert_same_state(upstream, ours.simulation)
        if over:
            return number
    return steps
