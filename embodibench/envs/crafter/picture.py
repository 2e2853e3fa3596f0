"""The picture: upstream's look at any size, with the same pixels in every process and on every processor.

The same textures, layers and blending as upstream's ``Env.render``, except that (1) the night noise comes from a
generator of its own, so drawing never changes the world and a step has one picture; (2) the vignette's exponentials
come from decimal arithmetic; (3) resizing and desaturation are whole-number or single-operation arithmetic instead of
Pillow's, with Pillow's results.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import crafter
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from embodibench.envs.base import Picture
from embodibench.envs.crafter.exact_math import precise
from embodibench.envs.crafter.grid import VIEW
from embodibench.envs.crafter.names import ITEMS, MATERIALS
from embodibench.envs.crafter.seeding import noise_seed
from embodibench.envs.crafter.simulation import Simulation

Floats = NDArray[np.float64]

GRID: Final = (9, 9)
"""Columns and rows of the picture: 9 x 7 cells of the world, and two rows of vitals and inventory."""

SMALLEST: Final = 18
"""The smallest height and width in pixels: two a cell, below which the digits vanish."""

_OUTSIDE: Final = 127
_NIGHT_COLOUR: Final = (0, 16, 64)
_SLEEP_COLOUR: Final = (0, 0, 16)


def draw(simulation: Simulation, height: int, width: int) -> Picture:
    """The picture at this step, height x width x 3. Margins that do not divide by nine stay black.

    Raises:
        ValueError: height or width is below 18 pixels.
    """
    if height < SMALLEST or width < SMALLEST:
        raise ValueError(f"a Crafter picture needs at least {SMALLEST} x {SMALLEST} pixels, not {height} x {width}")
    unit = (width // GRID[0], height // GRID[1])
    canvas = np.zeros((width, height, 3), np.uint8)
    left, top = (width - unit[0] * GRID[0]) // 2, (height - unit[1] * GRID[1]) // 2
    local, items = _local(simulation, unit), _items(simulation, unit)
    canvas[left : left + local.shape[0], top : top + local.shape[1]] = local
    top += local.shape[1]
    canvas[left : left + items.shape[0], top : top + items.shape[1]] = items
    return np.ascontiguousarray(canvas.transpose(1, 0, 2))


@cache
def _original(name: str) -> NDArray[np.uint8]:
    """A texture of the package, indexed [x, y], 3 or 4 channels."""
    path = Path(crafter.__file__).parent / "assets" / f"{name}.png"
    with Image.open(path) as image:
        return np.asarray(image).transpose(1, 0, 2)


@cache
def _texture(name: str, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A texture resized to its nearest pixels, as Pillow's NEAREST picks them."""
    original = _original(name)
    return original[np.ix_(*(_nearest(old, new) for old, new in zip(original.shape[:2], size, strict=True)))]


def _nearest(old: int, new: int) -> list[int]:
    """Which of ``old`` pixels each of ``new`` shows: the one under its centre.

    Pillow adds up the step from centre to centre, so where a centre falls on a border the sum's rounding decides.
    """
    step = old / new
    return [int(centre) for centre in accumulate([step] * (new - 1), initial=step * 0.5)]


@cache
def _tiles(unit: tuple[int, int]) -> NDArray[np.uint8]:
    """Every material's texture by code: codes x unit x unit x 3."""
    outside = np.full((*unit, 3), _OUTSIDE, np.uint8)
    return np.stack([outside, *(_texture(name, unit)[..., :3] for name in MATERIALS[1:])])


def _paste(canvas: NDArray[np.uint8], x: int, y: int, texture: NDArray[np.uint8]) -> None:
    """Lay a texture over the canvas, blending where it has an alpha channel (single precision, as upstream)."""
    width, height, channels = texture.shape
    region = canvas[x : x + width, y : y + height]
    if channels == 4:
        alpha = texture[..., 3:].astype(np.float32) / 255
        colour = texture[..., :3].astype(np.float32) / 255
        current = region.astype(np.float32) / 255
        texture = (255 * (alpha * colour + (1 - alpha) * current)).astype(np.uint8)
    region[:] = texture


def _local(simulation: Simulation, unit: tuple[int, int]) -> NDArray[np.uint8]:
    """The world around the player, indexed [x, y]."""
    player = simulation.player
    codes, things = simulation.grid.window(player.pos)
    cells = _tiles(unit)[np.frombuffer(codes, np.uint8).reshape(VIEW)]
    canvas = np.ascontiguousarray(cells.transpose(0, 2, 1, 3, 4)).reshape(VIEW[0] * unit[0], VIEW[1] * unit[1], 3)
    for index, thing in things:
        _paste(canvas, index // VIEW[1] * unit[0], index % VIEW[1] * unit[1], _texture(thing.texture, unit))
    lit = _light(canvas, simulation)
    if player.sleeping:
        lit = _tint(_desaturate(lit.astype(np.uint8), 0.0), _SLEEP_COLOUR)
    return lit.astype(np.uint8)


def _light(canvas: NDArray[np.uint8], simulation: Simulation) -> Floats:
    day = canvas.astype(np.float64)
    light = simulation.grid.daylight
    night = day
    if light < 0.5:
        mask = 2 * (0.5 - light) * _vignette(day.shape[0], day.shape[1])[..., None]
        random = np.random.RandomState(noise_seed(simulation.seed, simulation.steps))
        noise = 32 + 95 * random.random_sample(day.shape[:2])[..., None]
        night = (1 - mask) * day + mask * noise
    night = _tint(_desaturate(night.astype(np.uint8), 0.4), _NIGHT_COLOUR)
    return light * day + (1 - light) * night


def _desaturate(canvas: NDArray[np.uint8], amount: float) -> Floats:
    """Move each pixel towards its grey: amount 1 leaves it, 0 is grey. Pillow's luma and single-precision blend."""
    red, green, blue = (canvas[..., channel].astype(np.int32) for channel in range(3))
    grey = ((red * 19595 + green * 38470 + blue * 7471 + 32768) >> 16)[..., None].astype(np.float32)
    blended = grey + np.float32(amount) * (canvas.astype(np.float32) - grey)
    return blended.astype(np.uint8).astype(np.float64)


def _tint(canvas: Floats, colour: tuple[int, int, int]) -> Floats:
    return 0.5 * canvas + 0.5 * np.array(colour, np.float64)


@cache
def _vignette(width: int, height: int) -> Floats:
    """How much noise each pixel takes, width x height: 1 - exp(-2 (x**2 + y**2)), with x and y from -1 to 1."""
    return 1 - _bell(width)[:, None] * _bell(height)[None, :]


def _bell(count: int) -> Floats:
    """exp(-2 x**2) at ``count`` points from -1 to 1."""
    with localcontext(precise()):
        points = [Decimal(2 * i) / (count - 1) - 1 for i in range(count)]
        return np.array([float((-2 * x * x).exp()) for x in points])


def _items(simulation: Simulation, unit: tuple[int, int]) -> NDArray[np.uint8]:
    """Vitals and inventory: an icon and a digit for each item that is not zero, indexed [x, y]."""
    canvas = np.zeros((GRID[0] * unit[0], (GRID[1] - VIEW[1]) * unit[1], 3), np.uint8)
    inventory: dict[str, Any] = simulation.player.inventory
    for index, item in enumerate(ITEMS):
        amount = inventory[item]
        if amount < 1:
            continue
        column, row = index % GRID[0], index // GRID[0]
        for name, inset, share in ((item, 0.1, 0.8), (str(amount), 0.4, 0.6)):
            x, y = int(column * unit[0] + inset * unit[0]), int(row * unit[1] + inset * unit[1])
            _paste(canvas, x, y, _texture(name, (int(share * unit[0]), int(share * unit[1]))))
    return canvas
