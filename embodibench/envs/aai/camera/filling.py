"""Which face each pixel shows: spans of faces against a buffer of inverse depths (both linear along a row)."""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.assembly import COLUMN, ROW, SCALE
from embodibench.envs.aai.camera.compiling import Floats, Whole, inlined, kernel
from embodibench.envs.aai.camera.surfaces import (
    BALL_FACE,
    F_DEPTH,
    F_EDGES,
    F_SPARE,
    FLAT_FACE,
    I_BOTTOM,
    I_SHAPE,
    I_TOP,
)

INNER_RADIUS = 1.0 - 2.0 * 0.107
"""Of a tube whose outer radius is 1 (facts: the wall is 10.7 percent of the outer diameter)."""


@inlined
def span(camera: Floats, faces: Floats, f: int, py: float, width: int) -> tuple[int, int]:
    """The columns first..last-1 of a flat face in the row at height py."""
    first, last = 0, width
    for k in range(4):
        e = F_EDGES + 3 * k
        a = faces[f, e]
        rest = faces[f, e + 1] * py + faces[f, e + 2]
        if a == 0.0:
            if rest < 0.0:
                last = 0
            continue
        # the first column at or right of the edge; a neighbour's edge is the negative and gives the same one
        edge = -rest / a / camera[SCALE] + camera[COLUMN]
        column = math.ceil(min(max(edge, 0.0), float(width)))
        if a > 0.0:
            first = max(first, column)
        else:
            last = min(last, column)
    return first, last


@inlined
def ball_depth(right: float, up: float, front: float, radius: float, px: float, py: float) -> float:
    """Inverse depth at which the ray (px, py, 1) enters the ball, or 0."""
    across = px * px + py * py + 1.0
    along = right * px + up * py + front
    apart = right * right + up * up + front * front - radius * radius
    under = along * along - across * apart
    if under < 0.0 or along <= 0.0 or apart <= 0.0:
        return 0.0
    return across / (along - math.sqrt(under))


@inlined
def tube_depth(faces: Floats, f: int, px: float, py: float, beyond: float) -> tuple[float, int]:
    """Depth at which the ray (px, py, 1) next meets a tube's outside, after the depth ``beyond``; or 0.

    Also which surface it is: 0 outer, 1 inner, 2 end.
    """
    ox, oy, oz = faces[f, 0], faces[f, 4], faces[f, 8]
    dx = faces[f, 1] * px + faces[f, 2] * py + faces[f, 3]
    dy = faces[f, 5] * px + faces[f, 6] * py + faces[f, 7]
    dz = faces[f, 9] * px + faces[f, 10] * py + faces[f, 11]
    half = faces[f, F_SPARE + 4]
    best, surface = math.inf, 0
    a, b = dx * dx + dy * dy, ox * dx + oy * dy
    square = ox * ox + oy * oy
    if a > 1e-12:
        under = b * b - a * (square - 1.0)
        if under > 0.0:
            t = (-b - math.sqrt(under)) / a
            if t > beyond and abs(oz + t * dz) <= half:
                best, surface = t, 0
        under = b * b - a * (square - INNER_RADIUS * INNER_RADIUS)
        if under > 0.0:
            t = (-b + math.sqrt(under)) / a
            if t > beyond and t < best and abs(oz + t * dz) <= half:
                best, surface = t, 1
    if abs(dz) > 1e-12:
        end = -half if dz > 0.0 else half
        t = (end - oz) / dz
        x, y = ox + t * dx, oy + t * dy
        ring = x * x + y * y
        if t > beyond and t < best and ring <= 1.0 and ring >= INNER_RADIUS * INNER_RADIUS:
            best, surface = t, 2
    if best == math.inf:
        return 0.0, 0
    return best, surface


@kernel
def fill(camera: Floats, faces: Floats, marks: Whole, count: int, top: int, near: Floats, shown: Whole) -> None:
    """Fill ``near`` (inverse depth, 0: nothing) and ``shown`` (face, -1: none), which hold the rows from ``top`` on."""
    near[:] = 0.0
    shown[:] = -1
    rows, width = near.shape
    scale, middle = camera[SCALE], camera[COLUMN]
    for f in range(count):
        shape = marks[f, I_SHAPE]
        for r in range(max(0, marks[f, I_TOP] - top), min(rows, marks[f, I_BOTTOM] - top)):
            py = (camera[ROW] - (top + r)) * scale
            if shape == FLAT_FACE:
                first, last = span(camera, faces, f, py, width)
                slope = faces[f, F_DEPTH] * scale
                start = faces[f, F_DEPTH + 1] * py + faces[f, F_DEPTH + 2] - slope * middle
                for i in range(first, last):
                    inverse = start + slope * i
                    if inverse > near[r, i]:
                        near[r, i] = inverse
                        shown[r, i] = f
                continue
            for i in range(width):
                px = (i - middle) * scale
                inverse = 0.0
                if shape == BALL_FACE:
                    s = F_SPARE
                    inverse = ball_depth(faces[f, s], faces[f, s + 1], faces[f, s + 2], faces[f, s + 3], px, py)
                else:
                    depth, _ = tube_depth(faces, f, px, py, 1e-9)
                    if depth > 0.0:
                        inverse = 1.0 / depth
                if inverse > near[r, i]:
                    near[r, i] = inverse
                    shown[r, i] = f
