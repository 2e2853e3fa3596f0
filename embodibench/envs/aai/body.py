"""An object in its place: kind, size, pose and colour, and its pieces in the world frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from embodibench.envs.aai.exact import Floats, direction
from embodibench.envs.aai.objects import Kind, Piece
from embodibench.envs.aai.scene import Solid, Triple

Axes: TypeAlias = tuple[Triple, Triple, Triple]

UPRIGHT: Final[Axes] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Body:
    """One placed instance.

    Attributes:
        identity: its number in spawn order.
        kind: what it is.
        size: full extents, clipped and shrunk.
        centre: of its frame, Unity's axes.
        axes: local x, y, z in the world frame (the built-in yaw is in them).
        colour: red, green, blue, 0..255.
        heading: cosine and sine of the yaw alone, without the built-in one: the direction of a bouncing goal's kick.
    """

    identity: int
    kind: Kind
    size: Triple
    centre: Triple
    axes: Axes
    colour: Triple
    heading: tuple[float, float] = (1.0, 0.0)

    def at(self, piece: Piece) -> tuple[Triple, Axes]:
        """Centre and axes of one of its pieces in the world frame."""
        return place(piece, self.centre, self.axes)

    def solids(self, centre: Triple, axes: Axes) -> tuple[Solid, ...]:
        """What is drawn of it when its frame is there."""
        return tuple(
            Solid(self.identity, self.kind.name, piece.shape, where, piece.size, turned, self.colour)
            for piece in self.kind.looks(self.size)
            for where, turned in (place(piece, centre, axes),)
        )


def yaw_axes(degrees: float) -> Axes:
    """Axes of an upright object turned clockwise, seen from above, from +z."""
    cos, sin = direction(degrees)
    return (cos, 0.0, -sin), (0.0, 1.0, 0.0), (sin, 0.0, cos)


def place(piece: Piece, centre: Triple, axes: Axes) -> tuple[Triple, Axes]:
    """Centre and axes of a piece whose object's frame is at ``centre`` with ``axes``."""
    frame = np.array(axes)
    offset = np.array(piece.centre)
    where = np.array(centre) + (offset[0] * frame[0] + offset[1] * frame[1] + offset[2] * frame[2])
    cos, sin = piece.roll
    rows = (cos * frame[0] + sin * frame[1], cos * frame[1] - sin * frame[0], frame[2])
    return triple(where), (triple(rows[0]), triple(rows[1]), triple(rows[2]))


def triple(vector: Floats) -> Triple:
    """Three plain floats."""
    return float(vector[0]), float(vector[1]), float(vector[2])
