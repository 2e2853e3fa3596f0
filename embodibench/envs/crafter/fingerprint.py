"""Sixteen bytes over the whole state of an episode.

Everything that can change what comes next is hashed: the map, every object with its counters in the order in which
objects take their turn, the order in which chunks are balanced, the complete state of the generator, the player, and
what has been counted so far. What follows from these (which object stands where, who is in which chunk, how much of
each material a chunk holds, the light) is not hashed again.
"""

from __future__ import annotations

import struct
from array import array
from hashlib import blake2b
from typing import Any

from crafter import objects

from embodibench.envs.crafter.names import ACHIEVEMENTS, ITEMS
from embodibench.envs.crafter.simulation import Simulation

_PLAYER = struct.Struct("<4d4i?")


def fingerprint(simulation: Simulation, counted: bytes) -> bytes:
    """16 bytes (BLAKE2b) over the simulation and ``counted``, the bookkeeping of whoever runs it."""
    grid, player = simulation.grid, simulation.player
    # The legacy dictionary form carries the whole state: 624 words, the place in them, and the cached normal.
    generator = grid.random.get_state(legacy=False)
    state = generator["state"]
    digest = blake2b(digest_size=16)
    digest.update(grid.materials.tobytes())
    digest.update(state["key"].tobytes())
    digest.update(
        struct.pack("<3qd", simulation.seed, simulation.steps, state["pos"], generator["gauss"])
        + bytes([generator["has_gauss"]])
    )
    numbers = array("i")
    for thing in grid.objects:
        numbers.extend(_describe(thing))
    for chunk in grid.chunks:
        numbers.extend(chunk.position)
    digest.update(struct.pack("<2i", len(numbers), len(grid.chunks)))
    digest.update(numbers.tobytes())
    digest.update(_player(player))
    digest.update(counted)
    return digest.digest()


def _describe(thing: Any) -> tuple[int, ...]:
    """Kind, position, health and the counters of its kind."""
    x, y = thing.pos
    health = thing.inventory["health"]
    match thing:
        case objects.Cow():
            return (1, x, y, health)
        case objects.Zombie():
            return (2, x, y, health, thing.cooldown)
        case objects.Skeleton():
            return (3, x, y, health, thing.reload)
        case objects.Arrow():
            return (4, x, y, health, *thing.facing)
        case objects.Plant():
            return (5, x, y, health, thing.grown)
        case objects.Player():
            return (6, x, y, health)
    raise TypeError(f"no fingerprint for a {type(thing).__name__}")


def _player(player: Any) -> bytes:
    counters = _PLAYER.pack(
        player._hunger,
        player._thirst,
        player._fatigue,
        player._recover,
        *player.facing,
        player._last_health,
        len(player.action),
        player.sleeping,
    )
    counts = array("i", [player.inventory[name] for name in ITEMS])
    counts.extend(player.achievements[name] for name in ACHIEVEMENTS)
    action: str = player.action
    return counters + action.encode() + counts.tobytes()
