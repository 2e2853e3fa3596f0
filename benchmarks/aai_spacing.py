"""Spacing of bricks, slabs and boards in recorded and drawn pictures: planes looked at square on, autocorrelated."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmarks import aai_agreement as agreement
from embodibench.envs.aai.camera import draw
from embodibench.envs.aai.scene import Scene

Bytes = npt.NDArray[np.uint8]
PER_UNIT = 60
TANGENT = 1.19175359259421


def flattened(
    picture: Bytes, scene: Scene, corner: tuple[float, float, float], u: tuple[float, float, float],
    v: tuple[float, float, float], width: float, height: float,
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Grey of a plane's rectangle, corner plus 0..width along u and 0..height along v, PER_UNIT samples a unit."""
    from scipy import ndimage

    along, up = np.meshgrid(
        (np.arange(int(width * PER_UNIT)) + 0.5) / PER_UNIT, (np.arange(int(height * PER_UNIT)) + 0.5) / PER_UNIT
    )
    x, y, z = (corner[k] + along * u[k] + up * v[k] - scene.eye[k] for k in range(3))
    ahead = x * scene.yaw_sin + z * scene.yaw_cos
    right = x * scene.yaw_cos - z * scene.yaw_sin
    size = picture.shape[0]
    scale = 0.5 * size / TANGENT
    with np.errstate(all="ignore"):
        column, row = right / ahead * scale + 0.5 * (size - 1), 0.5 * (size - 1) - y / ahead * scale
    inside = (ahead > 0.3) & (column >= 0) & (column <= size - 1) & (row >= 0) & (row <= size - 1)
    grey = picture.astype(np.float64).max(axis=2)
    values = np.full(along.shape, np.nan)
    values[inside] = ndimage.map_coordinates(grey, [row[inside], column[inside]], order=1)
    return values


def joints(plane: npt.NDArray[np.float64], axis: int) -> npt.NDArray[np.float64]:
    """Profile of dark lines square to the axis: how far below the neighbourhood each place is, on average."""
    from scipy import ndimage

    known = np.isnan(plane)
    filled = np.where(known, np.nanmedian(plane), plane)
    size = (1, 21) if axis == 1 else (21, 1)
    deep = np.where(known, np.nan, np.minimum(filled - ndimage.median_filter(filled, size=size), 0.0))
    with np.errstate(all="ignore"):
        return np.asarray(np.nanmean(deep, axis=1 - axis))


# name, turn, corner, u, v, width, height, axis, lags in units
PLANES = (
    ("bricks, length", 5, (0.03, 0.01, 10.0), (1, 0, 0), (0, 1, 0), 4.0, 0.31, 1, 0.5, 0.9),
    ("bricks, height", 5, (1.0, -0.01, 10.0), (1, 0, 0), (0, 1, 0), 3.0, 2.7, 0, 0.2, 0.5),
    ("bricks, length", 7, (11.0, 0.33, 9.99), (0, 0, -1), (0, 1, 0), 3.0, 0.31, 1, 0.5, 0.9),
    ("slabs, depth", 19, (19.0, -0.01, 1.0), (1, 0, 0), (0, 0, 1), 4.0, 5.0, 0, 0.5, 0.9),
    ("slabs, depth", 8, (7.0, -0.01, 4.5), (1, 0, 0), (0, 0, 1), 3.0, 4.6, 0, 0.5, 0.9),
    ("slabs, width", 16, (18.0, -0.01, 7.0), (1, 0, 0), (0, 0, 1), 4.5, 0.6, 1, 0.8, 1.3),
    ("fence boards", 9, (10.9, 1.5, -0.3), (-1, 0, 0), (0, 1, 0), 5.5, 2.5, 1, 0.6, 1.4),
    ("fence boards", 16, (24.5, 1.5, -0.3), (-1, 0, 0), (0, 1, 0), 6.5, 2.5, 1, 0.6, 1.4),
)


def spacings(pictures: dict[int, Bytes], scenes: dict[int, Scene]) -> list[tuple[str, float, float]]:
    """Print and return name, recorded and drawn spacing (units) of each plane."""
    found = []
    for name, turn, corner, u, v, width, height, axis, low, high in PLANES:
        lags = []
        for picture in (pictures[turn], draw(scenes[turn], 512, 512)):
            profile = joints(flattened(picture, scenes[turn], corner, u, v, width, height), axis)
            lags.append(agreement.spacing(profile, int(low * PER_UNIT), int(high * PER_UNIT)) / PER_UNIT)
        met = abs(lags[1] / lags[0] - 1) <= 0.05
        print(f"{name:15s} turn {turn:2d}: recorded {lags[0]:.3f} drawn {lags[1]:.3f} {'met' if met else 'MISSED'}")
        found.append((name, lags[0], lags[1]))
    return found
