"""How well a drawn picture agrees with a recorded one: pure functions over two H x W x 3 arrays of bytes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.uint8]
Classes: TypeAlias = npt.NDArray[np.int8]

CLASSES = ("ground", "wall", "fence", "sky", "sun", "yellow", "green", "red", "carton", "zone")
UNSURE = -1


def classes(picture: Bytes) -> Classes:
    """Class of each pixel by its colour alone; what has none (dark joints) takes the nearest pixel's that has one."""
    from scipy import ndimage

    red, green, blue = (picture[..., c].astype(np.int32) for c in range(3))
    dark = np.maximum(np.maximum(red, green), blue) < 75
    found = np.full(red.shape, UNSURE, np.int8)

    def mark(name: str, mask: npt.NDArray[np.bool_]) -> None:
        found[mask & (found == UNSURE)] = CLASSES.index(name)

    def near(colour: tuple[int, int, int], reach: int) -> npt.NDArray[np.bool_]:
        apart = np.maximum(abs(red - colour[0]), np.maximum(abs(green - colour[1]), abs(blue - colour[2])))
        return np.asarray(apart <= reach)

    mark("wall", (green < 0.45 * np.minimum(red, blue)) & (blue > 60) & (np.minimum(red, blue) > 40))
    mark("sun", np.minimum(np.minimum(red, green), blue) > 240)
    mark("yellow", near((247, 220, 103), 22))
    mark("green", near((189, 225, 138), 22))
    mark("red", near((207, 89, 89), 22))
    mark("zone", (red - green > 45) & (red > 90) & (blue - green < 35) & ~dark)
    mark("sky", (blue - red > 50) & (blue > 120) & ~dark)
    mark("fence", (blue - red >= 17) & (red > 115) & ~dark)
    mark("ground", (red - blue >= 15) & (red > 75) & ~dark)
    mark("carton", (abs(red - blue) < 17) & (np.minimum(red, blue) > 125))
    nearest = ndimage.distance_transform_edt(found == UNSURE, return_distances=False, return_indices=True)
    filled: Classes = ndimage.median_filter(found[tuple(nearest)], size=3)
    return filled


def overlap(first: Classes, second: Classes, name: str) -> float:
    """Intersection over union of one class; NaN where it covers less than 1 in 400 pixels of both pictures."""
    code = CLASSES.index(name)
    a, b = first == code, second == code
    if max(a.sum(), b.sum()) * 400 < a.size:
        return float("nan")
    return float((a & b).sum() / max((a | b).sum(), 1))


def edge_distance(first: Classes, second: Classes) -> float:
    """Median distance in pixels from the first picture's class edges to the nearest edge of the second."""
    from scipy import ndimage

    def edges(found: Classes) -> npt.NDArray[np.bool_]:
        marked = np.zeros(found.shape, bool)
        marked[:, 1:] |= found[:, 1:] != found[:, :-1]
        marked[1:] |= found[1:] != found[:-1]
        return marked

    distance = ndimage.distance_transform_edt(~edges(second))
    return float(np.median(distance[edges(first)]))


def in_shadow(picture: Bytes) -> npt.NDArray[np.bool_]:
    """Whether a ground pixel is in shadow: the sun's yellow is missing (red over blue below 1.53)."""
    return np.asarray(picture[..., 0].astype(np.float64) < 1.53 * picture[..., 2])


def shadow_agreement(recorded: Bytes, drawn: Bytes, first: Classes, second: Classes) -> float:
    """Share of the pixels that are ground in both pictures which are in shadow in both or in neither."""
    ground = (first == CLASSES.index("ground")) & (second == CLASSES.index("ground"))
    if not ground.any():
        return float("nan")
    return float((in_shadow(recorded)[ground] == in_shadow(drawn)[ground]).mean())


def similarity(recorded: Bytes, drawn: Bytes, size: int = 128) -> float:
    """SSIM of the two grey pictures, area-downsampled to size x size (window 7, range 255)."""
    from skimage.metrics import structural_similarity

    def small(picture: Bytes) -> npt.NDArray[np.float64]:
        grey = picture.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
        step = grey.shape[0] // size
        return np.asarray(grey.reshape(size, step, size, step).mean(axis=(1, 3)))

    return float(structural_similarity(small(recorded), small(drawn), win_size=7, data_range=255))


def shades(picture: Bytes, found: Classes, least: float = 0.05) -> dict[str, npt.NDArray[np.float64]]:
    """Median colour of each class that covers a share ``least``, lit and shaded apart for ground, wall and fence."""
    dim = in_shadow(picture)
    red, blue = picture[..., 0].astype(np.int32), picture[..., 2].astype(np.int32)
    tone = {
        "ground": dim.astype(np.int8),
        "wall": np.where(red - blue < -25, 2, np.where(red < 238, 1, 0)).astype(np.int8),
        "fence": (red < 184).astype(np.int8),
    }
    medians = {}
    for code, name in enumerate(CLASSES):
        mask = found == code
        parts = tone.get(name)
        for part in range(1 if parts is None else 3):
            chosen = mask if parts is None else mask & (parts == part)
            if chosen.sum() >= least * chosen.size:
                medians[name if parts is None else f"{name} {part}"] = np.median(picture[chosen], axis=0)
    return medians


def spacing(profile: npt.NDArray[np.float64], low: int, high: int) -> float:
    """Lag in low..high, to a part of a sample, at which a profile with gaps (NaN) is most like itself."""
    centred = np.nan_to_num(profile - np.nanmean(profile))
    scores = np.array([np.dot(centred[:-lag], centred[lag:]) / (len(centred) - lag) for lag in range(low, high + 1)])
    best = int(np.argmax(scores[1:-1])) + 1
    left, middle, right = scores[best - 1 : best + 2]
    bend = left - 2 * middle + right
    return low + best + (0.5 * (left - right) / bend if bend else 0.0)
