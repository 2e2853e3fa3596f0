"""What the arena's camera shows, as data: objects by kind, bearing, distance and apparent size.

It is read off the identity buffer of the picture, so what the picture does not show is not there. Bearings and sizes
are functions of pixel columns and rows, and distances are exact arithmetic, so the same scene gives the same words
everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.aai.scene import Scene, Solid, Triple

SIDE: Final = 512
"""Pixels of the picture that is read, each way: the one that is shown to models with eyes."""
TANGENT: Final = 1.1917535925942100
"""Of half the field of view, 50 degrees."""
SEE_THROUGH: Final = frozenset(("DeathZone", "HotZone", "WallTransparent", "CylinderTunnelTransparent"))


@dataclass(frozen=True, slots=True)
class Sighting:
    """One object in the picture.

    Attributes:
        solid: the piece that its middle pixel shows.
        bearing: of the middle of its pixels, whole degrees, right is positive.
        left, right: bearings of its outermost pixels.
        low, high: whole degrees of elevation of its lowest and highest pixels; 0 is eye level.
        distance: over the ground, in the direction of the middle pixel, to the piece, in arena units.
        pixels: how many show it.
    """

    solid: Solid
    bearing: int
    left: int
    right: int
    low: int
    high: int
    distance: float
    pixels: int

    @property
    def kind(self) -> str:
        """Object kind by its Animal-AI name."""
        return self.solid.kind


@dataclass(frozen=True, slots=True)
class View:
    """One look.

    Attributes:
        sightings: nearest first.
        fence: distance to the fence straight ahead, where the picture shows it there; else None.
        dark: the light is off; nothing is seen.
    """

    sightings: tuple[Sighting, ...] = ()
    fence: float | None = None
    dark: bool = False


def look(scene: Scene, side: int = SIDE) -> View:
    """What a picture of ``side`` x ``side`` pixels shows."""
    if scene.dark:
        return View(dark=True)
    from embodibench.envs.aai import camera

    behind = camera.identities(scene, side, side, through=True)
    buffers = [behind]
    if any(solid.kind in SEE_THROUGH for solid in scene.solids):
        buffers.append(camera.identities(scene, side, side))
    pieces: dict[int, list[Solid]] = {}
    for solid in scene.solids:
        pieces.setdefault(solid.identity, []).append(solid)
    seen = []
    for identity, rows, columns in _regions(buffers):
        seen.append(_sighting(scene, pieces[identity], rows, columns, side))
    seen.sort(key=lambda sighting: (sighting.distance, sighting.solid.identity))
    middle = behind[side // 2, side // 2]
    return View(tuple(seen), _to_fence(scene) if middle == camera.FENCE else None)


def _regions(buffers: list[NDArray[np.int32]]) -> Iterable[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Identity, rows and columns (by column, then row) of everything that is shown in any buffer."""
    done: set[int] = set()
    for buffer in buffers:
        flat = buffer.T.ravel()
        places = np.flatnonzero(flat >= 0)
        order = places[np.argsort(flat[places], kind="stable")]
        names, starts = np.unique(flat[order], return_index=True)
        for name, region in zip(names.tolist(), np.split(order, starts[1:]), strict=False):
            if name not in done:
                done.add(name)
                yield name, region % buffer.shape[0], region // buffer.shape[0]


def _sighting(
    scene: Scene, pieces: list[Solid], rows: NDArray[np.int64], columns: NDArray[np.int64], side: int
) -> Sighting:
    angles = degrees(side)
    column = int(columns[len(columns) // 2])
    inside = rows[columns == column]
    row = int(inside[len(inside) // 2])
    distance, solid = min(
        ((_distance(scene, piece, _ray(scene, row, column, side)), piece) for piece in pieces), key=lambda pair: pair[0]
    )
    return Sighting(
        solid=solid,
        bearing=angles[column],
        left=angles[int(columns[0])],
        right=angles[int(columns[-1])],
        low=-angles[int(rows.max())],
        high=-angles[int(rows.min())],
        distance=distance,
        pixels=len(rows),
    )


@cache
def degrees(side: int) -> tuple[int, ...]:
    """The bearing of each pixel column (right is positive), or the depression of each row, in whole degrees.

    No column of the sizes in use lies within 1e-6 of a rounding edge (a test looks), so no processor rounds otherwise.
    """
    return tuple(round(math.degrees(math.atan(tangent(place, side)))) for place in range(side))


def tangent(place: int, side: int) -> float:
    """Of the angle at which a column or row is seen."""
    return (2 * place + 1 - side) / side * TANGENT


def _ray(scene: Scene, row: int, column: int, side: int) -> Triple:
    right, up = tangent(column, side), -tangent(row, side)
    x = right * scene.yaw_cos + scene.yaw_sin
    z = scene.yaw_cos - right * scene.yaw_sin
    return x, up, z


def _distance(scene: Scene, solid: Solid, ray: Triple) -> float:
    """Over the ground to where a ray meets the piece; to a ball's surface, and to the centre of what it just misses."""
    offset = tuple(eye - centre for eye, centre in zip(scene.eye, solid.centre, strict=True))
    length = math.sqrt(ray[0] * ray[0] + ray[2] * ray[2])
    if solid.shape == "sphere":
        return max(0.0, math.sqrt(_dot(offset, offset)) - 0.5 * solid.size[0])
    enter, leave = 0.0, math.inf
    for axis, size in zip(solid.axes, solid.size, strict=True):
        start, speed = _dot(offset, axis), _dot(ray, axis)
        if speed == 0.0:
            continue
        near, far = sorted(((-0.5 * size - start) / speed, (0.5 * size - start) / speed))
        enter, leave = max(enter, near), min(leave, far)
    return enter * length if enter <= leave else math.sqrt(_dot(offset, offset))


def _to_fence(scene: Scene) -> float:
    """Straight ahead to the sides of the arena, 40 x 40."""
    ways = []
    for place, speed in ((scene.eye[0], scene.yaw_sin), (scene.eye[2], scene.yaw_cos)):
        if speed > 0.0:
            ways.append((40.0 - place) / speed)
        elif speed < 0.0:
            ways.append(-place / speed)
    return max(0.0, min(ways))


def _dot(a: Any, b: Any) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
