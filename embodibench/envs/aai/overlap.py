"""Whether convex pieces overlap: the test that decides where objects may be spawned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from embodibench.envs.aai.body import Axes, Body, triple
from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.objects import Piece
from embodibench.envs.aai.scene import Triple

TOLERANCE: Final = 1e-6
"""Pieces that overlap by less than this only touch."""


@dataclass(frozen=True, slots=True)
class Hull:
    """A convex piece in the world frame.

    Attributes:
        low, high: corners of its axis-aligned bounding box.
        vertices: (n, 3); a sphere has its centre alone.
        normals: (f, 3) face directions.
        edges: (e, 3) edge directions.
        radius: of a sphere, else 0.
    """

    low: Triple
    high: Triple
    vertices: Floats
    normals: Floats
    edges: Floats
    radius: float = 0.0


def hulls(body: Body) -> list[Hull]:
    """The pieces of an object as hulls."""
    return [hull(piece, *body.at(piece)) for piece in body.kind.pieces(body.size)]


def hull(piece: Piece, centre: Triple, axes: Axes) -> Hull:
    """One piece as a hull."""
    frame, middle, half = np.array(axes), np.array(centre), np.array(piece.size) / 2
    if piece.shape == "sphere":
        radius = float(half[0])
        return Hull(
            triple(middle - radius), triple(middle + radius), middle[None], np.zeros((0, 3)), np.zeros((0, 3)), radius
        )
    if piece.shape == "wedge":
        return _wedge(middle, half, frame)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64) * half
    return _convex(_turn(corners, frame) + middle, frame, frame)


def oriented_box(centre: Triple, half: Triple, axes: Axes) -> Hull:
    """A box as a hull."""
    return hull(Piece("box", (0.0, 0.0, 0.0), (2 * half[0], 2 * half[1], 2 * half[2])), centre, axes)


def overlap(first: Hull, second: Hull) -> bool:
    """Whether a box and any hull overlap by more than ``TOLERANCE``."""
    a, b, c, d = first.low, first.high, second.low, second.high
    if (
        a[0] > d[0] - TOLERANCE
        or c[0] > b[0] - TOLERANCE
        or a[2] > d[2] - TOLERANCE
        or c[2] > b[2] - TOLERANCE
        or a[1] > d[1] - TOLERANCE
        or c[1] > b[1] - TOLERANCE
    ):
        return False
    if second.radius:
        return _ball_overlap(second, first)
    crossed = np.cross(first.edges[:, None, :], second.edges[None, :, :]).reshape(-1, 3)
    lengths = np.sqrt(crossed[:, 0] * crossed[:, 0] + crossed[:, 1] * crossed[:, 1] + crossed[:, 2] * crossed[:, 2])
    crossed = crossed[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    for axis in np.concatenate([first.normals, second.normals, crossed]):
        one, other = along(first.vertices, axis), along(second.vertices, axis)
        if one.min() > other.max() - TOLERANCE or other.min() > one.max() - TOLERANCE:
            return False
    return True


def _ball_overlap(ball: Hull, solid: Hull) -> bool:
    """Sphere against box, by the box's nearest point."""
    middle = (solid.vertices.max(axis=0) + solid.vertices.min(axis=0)) / 2
    distance = 0.0
    for axis in solid.normals[:3]:
        half = float(np.abs(along(solid.vertices - middle, axis)).max())
        over = max(abs(float(along((ball.vertices - middle), axis)[0])) - half, 0.0)
        distance += over * over
    reach = ball.radius - TOLERANCE
    return distance < reach * reach


def along(points: Floats, axis: Floats) -> Floats:
    """Points (n, 3) projected on an axis. Written out: a matrix product's last bit depends on the processor."""
    projected: Floats = points[:, 0] * axis[0] + points[:, 1] * axis[1] + points[:, 2] * axis[2]
    return projected


def _convex(vertices: Floats, normals: Floats, edges: Floats) -> Hull:
    return Hull(triple(vertices.min(axis=0)), triple(vertices.max(axis=0)), vertices, normals, edges)


def _turn(points: Floats, frame: Floats) -> Floats:
    turned: Floats = points[:, :1] * frame[0] + points[:, 1:2] * frame[1] + points[:, 2:] * frame[2]
    return turned


def _wedge(middle: Floats, half: Floats, frame: Floats) -> Hull:
    signs = np.array([(x, y, z) for x in (-1, 1) for y, z in ((-1, -1), (1, -1), (-1, 1))], dtype=np.float64)
    slope = np.array([[0.0, half[2], half[1]], [0.0, -half[1], half[2]]])
    slope = slope / np.sqrt(slope[:, 1] * slope[:, 1] + slope[:, 2] * slope[:, 2])[:, None]
    directions = _turn(slope, frame)
    normals = np.concatenate([frame, directions[:1]])
    edges = np.concatenate([frame, directions[1:]])
    return _convex(_turn(signs * half, frame) + middle, normals, edges)
