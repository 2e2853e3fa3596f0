"""From placed bodies to a MuJoCo model for finding contacts, and to masses for solving them.

MuJoCo's x, y, z are Unity's x, z, y: swapping two axes turns Unity's left-handed frame into a right-handed one. The
frame of a moving body is at its centre of mass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from embodibench.envs.aai.body import UPRIGHT, Axes, Body, place, triple
from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.inertia import centre_of_mass, inverse_inertia
from embodibench.envs.aai.objects import Piece
from embodibench.envs.aai.objects.base import FRICTION
from embodibench.envs.aai.scene import Triple
from embodibench.envs.aai.settle import GROUND
from embodibench.envs.aai.spawn import SIDE
from embodibench.envs.aai.state import BALL, SOLID
from embodibench.envs.aai.tables import Integers

if TYPE_CHECKING:
    import mujoco

OFFSET: Final = 0.01
"""PhysX's contact offset of every collider: two of them make the gap of 0.02 at which things touch."""

SPIN: Final = 7.0
"""Unity's greatest spin of a body in rad/s. Balls are exempt: the recorded ones roll at 5/7 of their first speed."""


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A compiled model. Bodies are numbered: the agent first (if there is one), then ``free``.

    Attributes:
        model: MuJoCo's; used for its geometry alone.
        free: the bodies that move, in order.
        offsets: (free,) centre of mass in the body's own frame, Unity's axes.
        places: (bodies, 7) first centres of mass and quaternions, MuJoCo's axes.
        masses: (bodies,) inverse, 1/kg.
        inertias: (bodies, 9) inverse, in the body's frame.
        limits: (bodies,) greatest spin, 0 for none, -1 for the agent.
        owners: (geoms,) body, -1 for what stands still.
        frictions: (geoms,) of its material.
        kinds: (geoms,) ``state.SOLID`` or ``BALL``.
        numbers: (geoms,) number of the ball among the balls, else -1.
        balls: (balls, 2) number among the bodies, and geom.
    """

    model: mujoco.MjModel
    free: tuple[Body, ...]
    offsets: tuple[Triple, ...]
    places: Floats
    masses: Floats
    inertias: Floats
    limits: Floats
    owners: Integers
    frictions: Floats
    kinds: Integers
    numbers: Integers
    balls: Integers


def build(statics: Iterable[Body], free: tuple[Body, ...], agent: Triple | None) -> Built:
    """Compile a model of bodies that stand still, bodies that move, and the agent at a place, if any."""
    import mujoco

    meshes: dict[Triple, str] = {}
    world = [_plane("1 0 0 0 1 0", (0.0, 0.0, GROUND))]
    world += [_plane("0 1 0 0 0 1", (0.0, 0.0, 0.0)), _plane("0 -1 0 0 0 1", (SIDE, 0.0, 0.0))]
    world += [_plane("0 0 1 1 0 0", (0.0, 0.0, 0.0)), _plane("1 0 0 0 0 1", (0.0, SIDE, 0.0))]
    geoms = [(-1, FRICTION, SOLID, -1)] * 5
    for body in statics:
        for piece in body.kind.pieces(body.size):
            world.append(_geom(piece, *body.at(piece), meshes))
            geoms.append((-1, body.kind.friction, SOLID, -1))
    moving, places, masses, inertias, limits, offsets, balls = [], [], [], [], [], [], []
    if agent is not None:
        moving.append(_agent())
        places.append((*_swap(agent), 1.0, 0.0, 0.0, 0.0))
        masses.append(0.01)
        inertias.append(np.zeros(9))
        limits.append(-1.0)
        geoms.append((0, FRICTION, SOLID, -1))
    for body in free:
        pieces = body.kind.pieces(body.size)
        middle = centre_of_mass(pieces)
        shapes = []
        for piece in pieces:
            shapes.append(_geom(piece, triple(np.array(piece.centre) - np.array(middle)), UPRIGHT, meshes))
            if body.kind.ball:
                balls.append((len(places), len(geoms)))
            number = len(balls) - 1 if body.kind.ball else -1
            geoms.append((len(places), body.kind.friction, BALL if body.kind.ball else SOLID, number))
        moving.append(f"<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>{''.join(shapes)}</body>")
        centre, _ = place(Piece("box", middle, middle), body.centre, body.axes)
        places.append((*_swap(centre), *quaternion(body.axes)))
        masses.append(1.0 / body.kind.mass)
        inertias.append(inverse_inertia(pieces, body.kind.mass))
        limits.append(0.0 if body.kind.ball else SPIN)
        offsets.append(middle)
    xml = (
        '<mujoco><compiler balanceinertia="false"/><size memory="16M"/>'
        '<option><flag multiccd="enable"/></option>'
        f'<default><geom gap="{OFFSET}"/></default><asset>{"".join(meshes.values())}</asset>'
        f"<worldbody>{''.join(world)}{''.join(moving)}</worldbody></mujoco>"
    )
    table = np.array(geoms, dtype=np.float64)
    return Built(
        mujoco.MjModel.from_xml_string(xml),
        free,
        tuple(offsets),
        np.array(places, dtype=np.float64).reshape(-1, 7),
        np.array(masses, dtype=np.float64),
        np.array(inertias, dtype=np.float64).reshape(-1, 9),
        np.array(limits, dtype=np.float64),
        table[:, 0].astype(np.int64),
        table[:, 1].copy(),
        table[:, 2].astype(np.int64),
        table[:, 3].astype(np.int64),
        np.array(balls, dtype=np.int64).reshape(-1, 2),
    )


def pose(where: Floats, offset: Triple) -> tuple[Triple, Axes]:
    """Centre and axes, in Unity's frame, of a body whose centre of mass is at ``where`` (7,)."""
    a, b, c, d = (float(value) for value in where[3:7])
    x = (a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c))
    y = (2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b))
    z = (2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d)
    axes = (_swap(x), _swap(z), _swap(y))
    middle = _swap(triple(where[:3]))
    back = [offset[0] * axes[0][k] + offset[1] * axes[1][k] + offset[2] * axes[2][k] for k in range(3)]
    return (middle[0] - back[0], middle[1] - back[1], middle[2] - back[2]), axes


def quaternion(axes: Axes) -> tuple[float, float, float, float]:
    """MuJoCo's quaternion of an object's Unity axes (Shepperd's method, square roots only)."""
    x, y, z = _swap(axes[0]), _swap(axes[2]), _swap(axes[1])
    squares = (
        1 + x[0] + y[1] + z[2],
        1 + x[0] - y[1] - z[2],
        1 - x[0] + y[1] - z[2],
        1 - x[0] - y[1] + z[2],
    )
    largest = squares.index(max(squares))
    sums = (
        (squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]),
        (y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]),
        (z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]),
        (x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]),
    )[largest]
    size = float(np.sqrt(sum(value * value for value in sums)))
    return sums[0] / size, sums[1] / size, sums[2] / size, sums[3] / size


def _plane(axes: str, where: Triple) -> str:
    return f'<geom type="plane" size="0 0 1" pos="{_numbers(where)}" xyaxes="{axes}"/>'


def _agent() -> str:
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    return f'<body>{slides}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="sphere" size="0.5"/></body>'


def _geom(piece: Piece, centre: Triple, axes: Axes, meshes: dict[Triple, str]) -> str:
    half = _swap((piece.size[0] / 2, piece.size[1] / 2, piece.size[2] / 2))
    where = f'pos="{_numbers(_swap(centre))}"'
    if piece.shape == "sphere":
        return f'<geom type="sphere" size="{half[0]!r}" {where}/>'
    if piece.shape == "box":
        return f'<geom type="box" size="{_numbers(half)}" {where} {_turn(axes)}/>'
    if piece.size not in meshes:
        corners = [(x, y, z) for x in (-1, 1) for y, z in ((-1, -1), (1, -1), (-1, 1))]
        vertices = " ".join(_numbers((x * half[0], z * half[1], y * half[2])) for x, y, z in corners)
        meshes[piece.size] = f'<mesh name="w{len(meshes)}" vertex="{vertices}"/>'
    name = f"w{list(meshes).index(piece.size)}"
    return f'<geom type="mesh" mesh="{name}" {where} {_turn(axes)}/>'


def _swap(vector: Triple) -> Triple:
    return vector[0], vector[2], vector[1]


def _turn(axes: Axes) -> str:
    """Unity's axes as MuJoCo's ``xyaxes``: its local y is Unity's local z."""
    return f'xyaxes="{_numbers(_swap(axes[0]))} {_numbers(_swap(axes[2]))}"'


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)
