"""Sixteen bytes over the whole state of an episode.

Everything that can change what comes next is hashed: the map, every object with its counters in the order in which
objects take their turn, the order in which chunks are balanced, the complete state of the generator, the player, and
what has been counted so far. What follows from these (which object stands where, who is in which chunk, how much of
each material a chunk holds, the light) is not hashed again.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final

from embodibench.envs.crafter.creatures import Arrow, Cow, Plant, Player, Skeleton, Zombie
from embodibench.envs.crafter.names import ACHIEVEMENTS, ITEMS
from embodibench.envs.crafter.simulation import Simulation

_PLAYER: Final = struct.Struct("<4d4i?")


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
        kind = type(thing)
        numbers.extend((_KIND[kind], *thing.pos, thing.inventory["health"], *_OWN[kind](thing)))
    for chunk in grid.chunks:
        numbers.extend(chunk.position)
    digest.update(struct.pack("<2i", len(numbers), len(grid.chunks)))
    digest.update(numbers.tobytes())
    digest.update(_player(player))
    digest.update(counted)
    return digest.digest()


_OWN: Final[Mapping[type[Any], Callable[[Any], tuple[int, ...]]]] = {
    Player: lambda thing: (),
    Cow: lambda thing: (),
    Zombie: lambda thing: (thing.cooldown,),
    Skeleton: lambda thing: (thing.reload,),
    Arrow: lambda thing: tuple(thing.facing),
    Plant: lambda thing: (thing.grown,),
}
"""The counters that each kind adds to kind, position and health; the player's own follow apart."""

_KIND: Final = {kind: number for number, kind in enumerate(_OWN)}


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
