"""What each kind of object looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from embodibench.envs.socialai.constants import RGB
from embodibench.envs.socialai.objects import (
    Apple,
    AppleGenerator,
    Door,
    Lever,
    LockableBox,
    Marble,
    RemoteDoor,
    Switch,
    Thing,
)
from embodibench.envs.socialai.shapes import Color, Tile

DARK: Final[Color] = (60, 62, 66)
STONE: Final[Color] = (105, 108, 112)
WOOD: Final[Color] = (150, 118, 78)
GOLD: Final[Color] = (235, 185, 40)
LEAF: Final[Color] = (40, 130, 50)
PAPER: Final[Color] = (250, 250, 248)
SILVER: Final[Color] = (170, 174, 180)
CORE: Final[Color] = (236, 222, 160)


def paint(tile: Tile, thing: Thing) -> None:
    """Draw an object on its tile."""
    _PAINTERS[thing.KIND](tile, thing)


def _wall(tile: Tile, thing: Thing) -> None:
    tile.box(0, 0, 1, 1, STONE)
    for top, shift in ((0.0, 0.0), (0.34, 0.25), (0.67, 0.0)):
        tile.box(0, top, 1, top + 0.04, DARK)
        for x in (0.25 + shift, 0.75 + shift):
            tile.box(x, top, x + 0.04, top + 0.34, DARK)


def _fence(tile: Tile, thing: Thing) -> None:
    for y in (0.28, 0.62):
        tile.box(0, y, 1, y + 0.1, WOOD)
    for x in (0.1, 0.42, 0.74):
        tile.box(x, 0.1, x + 0.16, 0.92, WOOD)


def _box(tile: Tile, thing: Thing) -> None:
    tile.box(0.1, 0.14, 0.9, 0.88, DARK)
    tile.box(0.15, 0.19, 0.85, 0.83, RGB[thing.color])
    tile.box(0.15, 0.38, 0.85, 0.44, DARK)
    if isinstance(thing, LockableBox) and thing.is_locked:
        tile.disc((0.5, 0.45), 0.14, DARK)
        tile.disc((0.5, 0.45), 0.08, RGB[thing.color])
        tile.box(0.34, 0.46, 0.66, 0.74, GOLD)
        tile.box(0.47, 0.53, 0.53, 0.66, DARK)
    else:
        tile.box(0.42, 0.36, 0.58, 0.56, GOLD)


def _switch(tile: Tile, thing: Thing) -> None:
    tile.box(0.22, 0.12, 0.78, 0.88, DARK)
    tile.box(0.27, 0.17, 0.73, 0.83, RGB[thing.color])
    tile.box(0.38, 0.25, 0.62, 0.75, DARK)
    on = isinstance(thing, Switch) and thing.is_on and thing.has_light
    tile.box(0.41, 0.28 if on else 0.5, 0.59, 0.5 if on else 0.72, GOLD if on else PAPER)


def _door(tile: Tile, thing: Thing) -> None:
    is_open = isinstance(thing, Door | RemoteDoor) and thing.is_open
    tile.box(0.02, 0.02, 0.98, 0.98, RGB[thing.color])
    if is_open:
        tile.box(0.12, 0.12, 0.98, 0.98, PAPER)
        return
    tile.box(0.1, 0.1, 0.9, 0.9, DARK)
    tile.box(0.15, 0.15, 0.85, 0.85, RGB[thing.color])
    if isinstance(thing, RemoteDoor):
        for x in (0.3, 0.47, 0.64):
            tile.box(x, 0.15, x + 0.07, 0.85, DARK)
    else:
        tile.disc((0.74, 0.52), 0.08, GOLD)


def _lever(tile: Tile, thing: Thing) -> None:
    on = isinstance(thing, Lever) and thing.is_on
    tile.box(0.12, 0.68, 0.88, 0.9, DARK)
    tile.box(0.17, 0.72, 0.83, 0.86, SILVER)
    stick = ((0.44, 0.72), (0.72, 0.24), (0.82, 0.3), (0.56, 0.74))
    if not on:
        stick = tuple((1 - x, y) for x, y in reversed(stick))  # type: ignore[assignment]
    tile.polygon(stick, DARK)
    tile.disc((0.76 if on else 0.24, 0.26), 0.17, DARK)
    tile.disc((0.76 if on else 0.24, 0.26), 0.13, RGB[thing.color])


def _generator(tile: Tile, thing: Thing) -> None:
    if isinstance(thing, AppleGenerator) and thing.by_marble:
        tile.disc((0.5, 0.5), 0.43, DARK)
        tile.disc((0.5, 0.5), 0.38, RGB[thing.color])
    else:
        tile.box(0.09, 0.09, 0.91, 0.91, DARK)
        tile.box(0.14, 0.14, 0.86, 0.86, RGB[thing.color])
    tile.disc((0.5, 0.54), 0.2, PAPER)
    tile.disc((0.5, 0.54), 0.15, RGB["red"])
    tile.box(0.48, 0.3, 0.53, 0.44, LEAF)


def _platform(tile: Tile, thing: Thing) -> None:
    tile.box(0.06, 0.06, 0.94, 0.94, RGB[thing.color])
    tile.box(0.14, 0.14, 0.86, 0.86, PAPER)
    for corner in ((0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)):
        tile.disc(corner, 0.07, RGB[thing.color])


def _marble(tile: Tile, thing: Thing) -> None:
    tile.disc((0.5, 0.5), 0.36, DARK)
    tile.disc((0.5, 0.5), 0.32, RGB[thing.color])
    tile.disc((0.39, 0.37), 0.09, PAPER)
    if isinstance(thing, Marble) and thing.moving is not None:
        tile.disc((0.61, 0.63), 0.06, PAPER)


def _tee(tile: Tile, thing: Thing) -> None:
    tile.box(0.25, 0.3, 0.75, 0.42, RGB[thing.color])
    tile.box(0.44, 0.3, 0.56, 0.8, RGB[thing.color])


def _apple(tile: Tile, thing: Thing) -> None:
    if isinstance(thing, Apple) and thing.eaten:
        tile.box(0.4, 0.28, 0.6, 0.82, CORE)
        tile.box(0.28, 0.26, 0.72, 0.36, RGB["yellow"])
        tile.box(0.28, 0.74, 0.72, 0.84, RGB["yellow"])
    else:
        tile.disc((0.5, 0.57), 0.32, DARK)
        tile.disc((0.5, 0.57), 0.28, RGB["red"])
        tile.disc((0.4, 0.47), 0.06, PAPER)
    tile.box(0.47, 0.1, 0.54, 0.32, WOOD)
    tile.disc((0.64, 0.2), 0.09, LEAF)


_PAINTERS: Final[Mapping[str, Callable[[Tile, Thing], None]]] = {
    "wall": _wall,
    "fence": _fence,
    "lockablebox": _box,
    "switch": _switch,
    "door": _door,
    "remotedoor": _door,
    "lever": _lever,
    "applegenerator": _generator,
    "generatorplatform": _platform,
    "marble": _marble,
    "marbletee": _tee,
    "apple": _apple,
}
