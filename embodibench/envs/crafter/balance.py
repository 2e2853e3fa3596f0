"""Spawning and despawning of creatures, chunk by chunk. Upstream's rules (``Env._balance_chunk``).

Upstream picks the creature that despawns from a set ordered by memory address. Here creatures stand in the order of
their positions; no two share one, so there are no ties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np

from embodibench.envs.crafter.creatures import Cow, Player, Skeleton, Zombie
from embodibench.envs.crafter.grid import CODES, Chunk, Grid

EVERY: Final = 10
"""Steps between two rounds of balancing."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """How many creatures of a kind a chunk should hold.

    Attributes:
        kind: the class that is counted.
        make: a new one, from grid, position and player.
        ground: what it spawns on.
        spawn_distance, despawn_distance: steps from the player at which it may appear or vanish.
        spawn_chance, despawn_chance: of one try, 0..1.
        bounds: fewest and most, from the cells of its ground in the chunk and from the light; whole parts count.
    """

    kind: type[Any]
    make: Callable[[Grid, Any, Player], Any]
    ground: str
    spawn_distance: int
    despawn_distance: int
    spawn_chance: float
    despawn_chance: float
    bounds: Callable[[int, float], tuple[float, float]]


_RULES: Final = (
    _Rule(Zombie, Zombie, "grass", 6, 0, 0.3, 0.4, lambda cells, light: _zombies(cells, light)),
    _Rule(Skeleton, Skeleton, "path", 7, 7, 0.1, 0.1, lambda cells, light: (0 if cells < 6 else 1, 2)),
    _Rule(
        Cow,
        lambda grid, pos, player: Cow(grid, pos),
        "grass",
        5,
        5,
        0.01,
        0.1,
        lambda cells, light: (0 if cells < 30 else 1, 1.5 + light),
    ),
)


def _zombies(cells: int, light: float) -> tuple[float, float]:
    most = 3.5 - 3 * light
    return (0 if cells < 50 else most, most)


def balance(grid: Grid, player: Player) -> None:
    """One round over every chunk that an object has ever entered, in the order of first entry."""
    for chunk in list(grid.chunks):
        for rule in _RULES:
            _apply(rule, grid, chunk, player)


def _apply(rule: _Rule, grid: Grid, chunk: Chunk, player: Player) -> None:
    random = grid.random
    count = sum(isinstance(thing, rule.kind) for thing in chunk.members)
    fewest, most = rule.bounds(chunk.counts[CODES[rule.ground]], grid.daylight)
    if count < int(fewest) and random.uniform() < rule.spawn_chance:
        region = grid.materials[chunk.west : chunk.east, chunk.north : chunk.south]
        cells = np.argwhere(region == CODES[rule.ground])
        x, y = cells[random.randint(0, len(cells))].tolist()
        pos = (chunk.west + x, chunk.north + y)
        if grid[pos][1] is None and player.distance(pos) >= rule.spawn_distance:
            grid.add(rule.make(grid, pos, player))
    elif count > int(most) and random.uniform() < rule.despawn_chance:
        creatures = sorted((thing for thing in chunk.members if isinstance(thing, rule.kind)), key=attrgetter("pos"))
        chosen = creatures[random.randint(0, count)]
        if player.distance(chosen.pos) >= rule.despawn_distance:
            grid.remove(chosen)
