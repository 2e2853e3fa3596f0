"""What an object kind is: its limits, its mass, and the convex pieces it is made of.

Local frames are Unity's: x to the right, y up, z ahead. An object's origin is the centre of its nominal box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from embodibench.envs.aai.scene import Shape, Triple

Motion: TypeAlias = Literal["fixed", "settles", "free", "zone", "agent"]

SHRINK = 0.999
"""Given sizes are multiplied by this, so that pieces that should touch do not overlap (facts of AAI 3.1.3)."""

LIFT = 0.01
"""Height above y = 0 at which the base of every object is spawned; the ground's top is at -0.01."""

FRICTION = 0.6
"""Unity's default, static and dynamic; two materials are averaged."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One convex part.

    Attributes:
        shape: ``box``, ``wedge`` or ``sphere`` (see ``scene.Solid``), or ``tube``, which is drawn and never simulated.
        centre: in the object's frame.
        size: full extents.
        roll: cosine and sine of a turn about the local z axis, from x towards y.
    """

    shape: Shape
    centre: Triple
    size: Triple
    roll: tuple[float, float] = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Kind:
    """An object kind; a plain box unless a subclass says otherwise.

    Attributes:
        name: by Animal-AI 3.x.
        smallest, largest: sizes are clipped to these, axis by axis.
        motion: ``fixed`` (static in Unity too), ``settles`` (10 t or 1 t: it falls into place, then nothing the agent
            can do moves it), ``free``, ``zone`` (a trigger), ``agent``.
        mass: in kg; 0 where it has no meaning.
        friction: Coulomb coefficient of its own material.
        aliases: names of later versions.
        built_in_yaw: degrees that add to the yaw of the file.
        own_colour: the arena's colour is ignored.
        yaw_range: a random yaw is uniform in [0, this) degrees.
    """

    name: str
    smallest: Triple
    largest: Triple
    motion: Motion
    mass: float = 0.0
    friction: float = FRICTION
    aliases: tuple[str, ...] = ()
    built_in_yaw: float = 0.0
    own_colour: bool = False
    yaw_range: float = 360.0

    @property
    def ball(self) -> bool:
        """Whether it is a sphere whose diameter is the x size."""
        return False

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        """The convex parts that collide."""
        return (Piece("box", (0.0, 0.0, 0.0), size),)

    def looks(self, size: Triple) -> tuple[Piece, ...]:
        """The parts that are drawn."""
        return self.pieces(size)

    def bounds(self, size: Triple) -> Triple:
        """Half extents that the spawning test uses: of the first collider, at the built-in yaw of the prefab."""
        x, y, z = size
        return x / 2, y / 2, z / 2

    def centre_height(self, y: float, size: Triple) -> float:
        """Height of the centre when spawned for a y position of the file."""
        return max(y, 0.0) + size[1] / 2 + LIFT
