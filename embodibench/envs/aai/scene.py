"""What stands where at one moment: the arena's state in the terms of whoever draws or describes it.

The physics writes scenes, the renderer, the map and the text view read them. Coordinates are Unity's: x to the right
and z ahead on the ground, y up, left-handed; the interior is [0, 40] x [0, 40] and the ground's top is at y = -0.01.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Shape: TypeAlias = Literal["box", "wedge", "sphere", "tube"]
Triple: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Solid:
    """One convex piece of an object, or a tube.

    Attributes:
        identity: number of the object in its episode, from 0 in spawn order. Pieces of one object (the bars of an L)
            share it, and it stays the same while the object exists.
        kind: the object kind, by its Animal-AI 3.x name. Zones and transparent walls are known by it.
        shape: ``box``; ``wedge`` (a ramp: high face at local -z, low edge at local +z, base at the bottom);
            ``sphere``; ``tube`` (axis along local z, wall 10.7 percent of the outer diameter, open ends).
        centre: of the bounding box of the piece, world frame.
        size: full extents along the local axes; a sphere's diameter three times.
        axes: the local x, y and z axes as unit vectors in the world frame.
        colour: red, green, blue in 0..255 (gamma-encoded) from the arena; ignored for kinds that have their own.
    """

    identity: int
    kind: str
    shape: Shape
    centre: Triple
    size: Triple
    axes: tuple[Triple, Triple, Triple]
    colour: Triple


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to see.

    Attributes:
        solids: all pieces in spawn order; what has been eaten is gone. The agent is not among them.
        eye: the agent's centre, which is the camera's place.
        yaw_cos, yaw_sin: of the agent's yaw (clockwise from +z): it looks along (yaw_sin, 0, yaw_cos).
        dark: the light is off, and a picture is black.
    """

    solids: tuple[Solid, ...]
    eye: Triple
    yaw_cos: float
    yaw_sin: float
    dark: bool = False
