"""Which translucent faces stand in front of each pixel of a row, nearest first."""

from __future__ import annotations

from embodibench.envs.aai.camera.assembly import COLUMN, ROW, SCALE
from embodibench.envs.aai.camera.compiling import Floats, Whole, inlined, kernel
from embodibench.envs.aai.camera.filling import ball_depth, span, tube_depth
from embodibench.envs.aai.camera.surfaces import (
    BALL_FACE,
    F_DEPTH,
    F_SPARE,
    FLAT_FACE,
    I_BOTTOM,
    I_SHAPE,
    I_TOP,
)

LAYERS = 8
"""Translucent faces kept per pixel."""


@inlined
def keep_layer(layer_near: Floats, layer_face: Whole, layer_count: Whole, i: int, inverse: float, f: int) -> None:
    """Sort a translucent face into its pixel's list, nearest first; the farthest of too many is dropped."""
    n = layer_count[i]
    if n == LAYERS:
        if inverse <= layer_near[i, n - 1]:
            return
        n -= 1
    while n > 0 and layer_near[i, n - 1] < inverse:
        layer_near[i, n], layer_face[i, n] = layer_near[i, n - 1], layer_face[i, n - 1]
        n -= 1
    layer_near[i, n], layer_face[i, n] = inverse, f
    layer_count[i] = min(layer_count[i] + 1, LAYERS)


@kernel
def gather_row(
    camera: Floats, faces: Floats, marks: Whole, opaque: int, total: int, j: int, near: Floats,
    layer_near: Floats, layer_face: Whole, layer_count: Whole,
) -> None:  # fmt: skip
    """Collect the translucent faces opaque..total-1 in front of each pixel of row j (inverse depths ``near``)."""
    scale, middle = camera[SCALE], camera[COLUMN]
    py = (camera[ROW] - j) * scale
    width = near.shape[0]
    layer_count[:] = 0
    for f in range(opaque, total):
        if j < marks[f, I_TOP] or j >= marks[f, I_BOTTOM]:
            continue
        if marks[f, I_SHAPE] == FLAT_FACE:
            first, last = span(camera, faces, f, py, width)
            for i in range(first, last):
                px = (i - middle) * scale
                inverse = faces[f, F_DEPTH] * px + faces[f, F_DEPTH + 1] * py + faces[f, F_DEPTH + 2]
                if inverse > near[i]:
                    keep_layer(layer_near, layer_face, layer_count, i, inverse, f)
            continue
        for i in range(width):
            px = (i - middle) * scale
            if marks[f, I_SHAPE] == BALL_FACE:
                s = F_SPARE
                inverse = ball_depth(faces[f, s], faces[f, s + 1], faces[f, s + 2], faces[f, s + 3], px, py)
                if inverse > near[i]:
                    keep_layer(layer_near, layer_face, layer_count, i, inverse, f)
                continue
            # a tube shows its near outside and, through it or its mouth, its far inside
            beyond = 1e-9
            for _ in range(2):
                depth, _surface = tube_depth(faces, f, px, py, beyond)
                if depth <= 0.0 or 1.0 / depth <= near[i]:
                    break
                keep_layer(layer_near, layer_face, layer_count, i, 1.0 / depth, f)
                beyond = depth * (1.0 + 1e-9)
