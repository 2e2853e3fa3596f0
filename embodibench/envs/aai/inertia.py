"""Centre of mass and inertia of an object from its pieces, each of the same density."""

from __future__ import annotations

import numpy as np

from embodibench.envs.aai.body import triple
from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.objects import Piece
from embodibench.envs.aai.scene import Triple


def centre_of_mass(pieces: tuple[Piece, ...]) -> Triple:
    """In the object's frame, Unity's axes."""
    volumes = [_volume(piece) for piece in pieces]
    total = sum(volumes)
    middle = np.zeros(3)
    for piece, volume in zip(pieces, volumes, strict=True):
        middle += (np.array(piece.centre) + _lean(piece)) * (volume / total)
    return triple(middle)


def inverse_inertia(pieces: tuple[Piece, ...], mass: float) -> Floats:
    """(9,) row-major, about the centre of mass, in the object's frame with MuJoCo's axes (x, z, y of Unity)."""
    volumes = [_volume(piece) for piece in pieces]
    middle = np.array(centre_of_mass(pieces))
    total = np.zeros((3, 3))
    for piece, volume in zip(pieces, volumes, strict=True):
        share = mass * volume / sum(volumes)
        offset = np.array(piece.centre) + _lean(piece) - middle
        total += share * (
            _own(piece)
            + float(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]) * np.eye(3)
            - offset[:, None] * offset[None, :]
        )
    order = [0, 2, 1]
    return _inverse(total[order][:, order]).reshape(9)


def _volume(piece: Piece) -> float:
    return piece.size[0] * piece.size[1] * piece.size[2]


def _lean(piece: Piece) -> Floats:
    """Centroid of a piece from its box's centre: a wedge's is a third up and a third from its high face."""
    if piece.shape != "wedge":
        return np.zeros(3)
    return np.array([0.0, -piece.size[1] / 6, -piece.size[2] / 6])


def _own(piece: Piece) -> Floats:
    """Inertia of a piece of mass 1 about its centroid."""
    x, y, z = piece.size
    if piece.shape == "sphere":
        return np.eye(3) * (0.4 * (x / 2) * (x / 2))
    if piece.shape == "box":
        return np.diag(np.array([y * y + z * z, x * x + z * z, x * x + y * y]) / 12)
    # Right triangle in (y, z): second moments y^2/18 and z^2/18, product y z/36 (both legs lie on the low, back side).
    yy, zz, yz, xx = y * y / 18, z * z / 18, -y * z / 36, x * x / 12
    return np.array([[yy + zz, 0.0, 0.0], [0.0, xx + zz, -yz], [0.0, -yz, xx + yy]])


def _inverse(m: Floats) -> Floats:
    """By cofactors: LAPACK's last bit depends on the processor."""
    rows = [np.array([m[k, 0], m[k, 1], m[k, 2]]) for k in range(3)]
    columns = [_cross(rows[1], rows[2]), _cross(rows[2], rows[0]), _cross(rows[0], rows[1])]
    determinant = rows[0][0] * columns[0][0] + rows[0][1] * columns[0][1] + rows[0][2] * columns[0][2]
    inverse: Floats = np.stack(columns, axis=1) / determinant
    return inverse


def _cross(a: Floats, b: Floats) -> Floats:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
