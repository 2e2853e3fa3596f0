"""The world an episode begins in: terrain from noise, then the first creatures. Upstream's rules (``worldgen``).

Draw for draw as upstream, so a world equals upstream's cell by cell and leaves the generator in the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.crafter.creatures import Cow, Player, Skeleton, Zombie
from embodibench.envs.crafter.exact_math import exponential
from embodibench.envs.crafter.grid import CODES, Grid
from embodibench.envs.crafter.simplex import Noise

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Layers:
    """What decides each cell's material; every array is size x size, indexed [x, y]."""

    start: Floats
    water: Floats
    mountain: Floats
    cave: Floats
    horizontal: Floats
    vertical: Floats
    coal: Floats
    iron: Floats
    lava: Floats
    sand: Floats
    trees: Floats


def _layers(size: int, home: tuple[int, int], seed: int) -> _Layers:
    x, y = (axis.astype(np.float64) for axis in np.meshgrid(np.arange(size), np.arange(size), indexing="ij"))
    wanted: Sequence[tuple[Floats, Floats, int, int]] = (
        (x, y, 8, 3),
        (x, y, 3, 15),
        (x, y, 3, 5),
        (x, y, 0, 15),
        (x, y, 0, 5),
        (x, y, 6, 7),
        (2 * x, y / 5, 7, 3),
        (x / 5, 2 * y, 7, 3),
        (x, y, 1, 8),
        (x, y, 2, 6),
        (x, y, 6, 5),
        (x, y, 4, 9),
        (x, y, 5, 7),
    )
    points = [
        np.concatenate([(a / scale).ravel() for a, _, _, scale in wanted]),
        np.concatenate([(b / scale).ravel() for _, b, _, scale in wanted]),
        np.repeat([float(z) for _, _, z, _ in wanted], size * size),
    ]
    near, water_15, water_5, mountain_15, mountain_5, cave, horizontal, vertical, coal, iron, lava, sand, trees = (
        Noise(seed).at(*points).reshape(len(wanted), size, size)
    )
    east, south = x - home[0], y - home[1]
    start = 4 - np.sqrt(east * east + south * south)
    start = start + 2 * near
    start = 1 / (1 + exponential(-start))
    water = (water_15 + 0.15 * water_5) + 0.1
    water = water - 2 * start
    mountain = (mountain_15 + 0.3 * mountain_5) / (1 + 0.3)
    mountain = mountain - (4 * start + 0.3 * water)
    return _Layers(start, water, mountain, cave, horizontal, vertical, coal, iron, lava, sand, trees)


def generate(grid: Grid, player: Player) -> None:
    """Fill an empty grid that holds only the player: first every material, then creatures on what can be walked on."""
    seed = int(grid.random.randint(0, 2**31 - 1))
    layers = _layers(grid.size, player.pos, seed)
    tunnels = _place_materials(grid, layers)
    _place_creatures(grid, player, tunnels)


def _place_materials(grid: Grid, layers: _Layers) -> NDArray[np.bool_]:
    """Set every material. Returns where the tunnels are, size x size."""
    mountain, water = layers.mountain, layers.water
    # A cell whose material is certain holds its code; elsewhere the code of the ore or tree that is drawn for comes
    # as a bit, because upstream draws only where the noise allows it, column by column.
    material = np.full(mountain.shape, CODES["grass"], dtype=np.uint8)
    grassland_draws = layers.trees > 0
    wet = water > 0.3
    shore = (water > 0.25) & (water <= 0.35) & (layers.sand > -0.2)
    material[wet] = CODES["water"]
    material[shore] = CODES["sand"]

    start = layers.start > 0.5
    rock = ~start & (mountain > 0.15)
    cave = (layers.cave > 0.15) & (mountain > 0.3)
    horizontal = ~cave & (layers.horizontal > 0.4)
    vertical = ~cave & ~horizontal & (layers.vertical > 0.4)
    open_rock = cave | horizontal | vertical
    lava = (mountain > 0.3) & (layers.lava > 0.35)
    material[rock] = CODES["stone"]
    material[rock & lava] = CODES["lava"]
    material[rock & open_rock] = CODES["path"]
    material[start] = CODES["grass"]

    ore_draws = rock & ~open_rock
    tree_draws = ~start & ~rock & ~wet & ~shore & grassland_draws
    coal, iron, diamond = layers.coal > 0, layers.iron > 0.4, mountain > 0.18
    uniform = grid.random.random_sample
    for x, y in np.argwhere(tree_draws | (ore_draws & (coal | iron | diamond))).tolist():
        if tree_draws[x, y]:
            if uniform() > 0.8:
                material[x, y] = CODES["tree"]
        elif coal[x, y] and uniform() > 0.85:
            material[x, y] = CODES["coal"]
        elif iron[x, y] and uniform() > 0.75:
            material[x, y] = CODES["iron"]
        elif diamond[x, y] and uniform() > 0.994:
            material[x, y] = CODES["diamond"]
    grid.fill(material)
    return np.asarray(rock & (horizontal | vertical), dtype=np.bool_)


def _place_creatures(grid: Grid, player: Player, tunnels: NDArray[np.bool_]) -> None:
    uniform = grid.random.random_sample
    home_x, home_y = player.pos
    grass, path, sand = CODES["grass"], CODES["path"], CODES["sand"]
    for x, column in enumerate(grid.materials.tolist()):
        for y, code in enumerate(column):
            if code not in (grass, path, sand):
                continue
            distance_squared = (x - home_x) ** 2 + (y - home_y) ** 2
            if distance_squared > 3**2 and code == grass and uniform() > 0.985:
                grid.add(Cow(grid, (x, y)))
            elif distance_squared > 10**2 and uniform() > 0.993:
                grid.add(Zombie(grid, (x, y), player))
            elif code == path and tunnels[x, y] and uniform() > 0.95:
                grid.add(Skeleton(grid, (x, y), player))
