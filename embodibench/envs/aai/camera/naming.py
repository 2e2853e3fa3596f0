"""The identity of what each pixel shows."""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.assembly import COLUMN, COSINE, ROW, SCALE, SINE
from embodibench.envs.aai.camera.compiling import Floats, Whole, kernel
from embodibench.envs.aai.camera.layers import LAYERS, gather_row
from embodibench.envs.aai.camera.sky import DISC_INSIDE, DISC_OUTSIDE
from embodibench.envs.aai.camera.surfaces import I_IDENTITY, SKY
from embodibench.envs.aai.camera.surfaces import SUN as SUN_DISC

SUN_COSINE = 0.5 * (DISC_OUTSIDE + DISC_INSIDE)


@kernel
def name_pixels(
    camera: Floats, sun: Floats, faces: Floats, marks: Whole, opaque: int, total: int, top: int, near: Floats,
    shown: Whole, buffer: Whole, depths: Floats,
) -> None:  # fmt: skip
    """Write identities and distances of the rows from ``top`` on; faces opaque..total-1 are translucent, in front.

    ``depths`` takes how far from the eye each pixel's surface is, 0 for the sky.
    """
    rows, width = near.shape
    layer_near, layer_face = np.empty((width, LAYERS)), np.empty((width, LAYERS), np.int32)
    layer_count = np.zeros(width, np.int32)
    for r in range(rows):
        j = top + r
        py = (camera[ROW] - j) * camera[SCALE]
        if total > opaque:
            gather_row(camera, faces, marks, opaque, total, j, near[r], layer_near, layer_face, layer_count)
        for i in range(width):
            px = (i - camera[COLUMN]) * camera[SCALE]
            f, inverse = shown[r, i], near[r, i]
            if layer_count[i] > 0:
                f, inverse = layer_face[i, 0], layer_near[i, 0]
            if f >= 0:
                buffer[j, i] = marks[f, I_IDENTITY]
                depths[j, i] = math.sqrt(px * px + py * py + 1.0) / inverse
                continue
            depths[j, i] = 0.0
            x, z = camera[COSINE] * px + camera[SINE], camera[COSINE] - camera[SINE] * px
            toward = x * sun[0] + py * sun[1] + z * sun[2]
            square = x * x + py * py + z * z
            inside = toward > 0.0 and toward * toward > SUN_COSINE * SUN_COSINE * square
            buffer[j, i] = SUN_DISC if inside else SKY
