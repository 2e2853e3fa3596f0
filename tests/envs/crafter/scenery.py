"""Small hand-made Crafter worlds."""

from __future__ import annotations

from typing import Any

import numpy as np

from embodibench.envs.crafter.grid import CODES, SIZE
from embodibench.envs.crafter.world import CrafterWorld

HOME = (32, 32)
"""Where the player stands: the middle of the world."""


def meadow() -> CrafterWorld:
    """A world of grass that holds nothing but the player, who faces south."""
    world = CrafterWorld()
    world.reset(0)
    grid = world.simulation.grid
    for thing in grid.objects:
        if thing is not world.simulation.player:
            grid.remove(thing)
    grid.fill(np.full((SIZE, SIZE), CODES["grass"], np.uint8))
    return world


def put(world: CrafterWorld, material: str, east: int, south: int) -> None:
    """Set the material of a cell by its offset from the player."""
    x, y = world.simulation.player.pos
    world.simulation.grid[x + east, y + south] = material


def add(world: CrafterWorld, kind: Any, east: int, south: int, *arguments: Any) -> Any:
    """Add an object by its offset from the player."""
    x, y = world.simulation.player.pos
    thing = kind(world.simulation.grid, (x + east, y + south), *arguments)
    world.simulation.grid.add(thing)
    return thing
