"""From placed bodies to a MuJoCo model, and where its things are.

MuJoCo's x, y, z are Unity's x, z, y: swapping two axes turns Unity's left-handed frame into a right-handed one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from embodibench.envs.aai.body import Axes, Body, triple
from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.motion import TIMESTEP
from embodibench.envs.aai.objects import Piece
from embodibench.envs.aai.objects.base import FRICTION
from embodibench.envs.aai.scene import Triple
from embodibench.envs.aai.settle import GROUND
from embodibench.envs.aai.spawn import SIDE
from embodibench.envs.aai.state import AGENT, BALL, BOX, STATIC
from embodibench.envs.aai.tables import Integers

if TYPE_CHECKING:
    import mujoco

TOUCH: Final = 0.02
"""Two contact offsets of PhysX (0.01 each): at this gap things count as touching."""

NEVER: Final = 2.0
"""A margin no contact reaches: MuJoCo lists the agent's contacts with statics and balls, ``grip.py`` solves them."""

SPIN: Final = 7.0
"""Unity's greatest spin of a body in rad/s. Balls are exempt: the recorded ones roll at 5/7 of their first speed."""

SOFT: Final = 'solref="0.02 {damping}" solimp="0.9 0.95 0.001 0.5 1"'
"""Contact stiffness; the last 1 (a linear transition) keeps MuJoCo from calling pow()."""

BODY_DAMPING: Final = 2.0
SHOVE_DAMPING: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A compiled model.

    Attributes:
        model: MuJoCo's.
        free: the bodies that move, in order.
        owners: (geoms,) ``state.STATIC``, ``BALL``, ``BOX`` or ``AGENT``.
        numbers: (geoms,) number of the ball among the balls, -1 for others.
        addresses: (free bodies, 3) in qpos, in qvel, number of the ball or -1.
        limits: (free bodies,) greatest spin, 0 for none.
        geoms: (balls,) geom numbers.
    """

    model: mujoco.MjModel
    free: tuple[Body, ...]
    owners: Integers
    numbers: Integers
    addresses: Integers
    limits: Floats
    geoms: Integers


def build(statics: Iterable[Body], free: tuple[Body, ...], agent: Triple | None) -> Built:
    """Compile a model of bodies that stand still, bodies that move, and the agent at a place, if any."""
    import mujoco

    meshes: dict[tuple[float, ...], str] = {}
    world, bodies, pairs = [_plane("0 0 1", (0.0, 0.0, GROUND))], [], []
    for normal, place in (("1 0 0", 0.0), ("-1 0 0", SIDE)):
        world.append(_plane(normal, (place, 0.0, 0.0)))
    for normal, place in (("0 1 0", 0.0), ("0 -1 0", SIDE)):
        world.append(_plane(normal, (0.0, place, 0.0)))
    owners, numbers = [STATIC] * 5, [-1] * 5
    for body in statics:
        for piece in body.kind.pieces(body.size):
            where, axes = body.at(piece)
            world.append(_geom(piece, where, axes, meshes, ""))
            owners.append(STATIC)
            numbers.append(-1)
    first_dof, first_coordinate = 0, 0
    if agent is not None:
        bodies.append(_agent(agent))
        owners.append(AGENT)
        numbers.append(-1)
        first_dof = first_coordinate = 3
    addresses, limits = [], []
    geoms: list[int] = []
    cardboxes: list[str] = []
    for number, body in enumerate(free):
        shapes = []
        pieces = body.kind.pieces(body.size)
        volume = sum(piece.size[0] * piece.size[1] * piece.size[2] for piece in pieces)
        for part, piece in enumerate(pieces):
            name = f"b{number}_{part}"
            share = body.kind.mass * (piece.size[0] * piece.size[1] * piece.size[2]) / volume
            shapes.append(_geom(piece, piece.centre, _IDENTITY, meshes, _material(body, name, share)))
            if body.kind.ball:
                numbers.append(len(geoms))
                geoms.append(len(owners))
            else:
                numbers.append(-1)
                if agent is not None:
                    pairs.append(_pair("agent", name, (body.kind.friction + FRICTION) / 2, SHOVE_DAMPING, TOUCH))
                if body.kind.friction < FRICTION:
                    pairs += [_pair(other, name, body.kind.friction, BODY_DAMPING, 0.0) for other in cardboxes]
                    cardboxes.append(name)
            owners.append(BALL if body.kind.ball else BOX)
        addresses.append(
            (first_coordinate + 7 * number, first_dof + 6 * number, len(geoms) - 1 if body.kind.ball else -1)
        )
        limits.append(0.0 if body.kind.ball else SPIN)
        bodies.append(
            f'<body pos="{_numbers(_swap(body.centre))}" {_turn(body.axes)}><freejoint/>{"".join(shapes)}</body>'
        )
    xml = (
        f'<mujoco><compiler autolimits="true" balanceinertia="false"/><size memory="64M"/>'
        f'<option timestep="{TIMESTEP}" cone="elliptic" impratio="1" gravity="0 0 -9.81" tolerance="1e-10"/>'
        f'<default><geom {SOFT.format(damping=BODY_DAMPING)} friction="{FRICTION} 0.005 0.0001"/></default>'
        f"<asset>{''.join(meshes.values())}</asset>"
        f"<worldbody>{''.join(world)}{''.join(bodies)}</worldbody><contact>{''.join(pairs)}</contact></mujoco>"
    )
    return Built(
        mujoco.MjModel.from_xml_string(xml),
        free,
        np.array(owners, dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        np.array(addresses, dtype=np.int64).reshape(-1, 3),
        np.array(limits, dtype=np.float64),
        np.array(geoms, dtype=np.int64),
    )


_IDENTITY: Final[Axes] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _plane(normal: str, place: Triple) -> str:
    axes = {"0 0 1": "1 0 0 0 1 0", "1 0 0": "0 1 0 0 0 1", "-1 0 0": "0 -1 0 0 0 1"}
    axes |= {"0 1 0": "0 0 1 1 0 0", "0 -1 0": "1 0 0 0 0 1"}
    return f'<geom type="plane" size="0 0 1" pos="{_numbers(place)}" xyaxes="{axes[normal]}"/>'


def _agent(centre: Triple) -> str:
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    return (
        f'<body gravcomp="1">{slides}<inertial pos="0 0 0" mass="100" diaginertia="10 10 10"/>'
        f'<geom name="agent" type="sphere" size="0.5" condim="1" priority="2" margin="{-NEVER}" '
        f'gap="{TOUCH + NEVER}"/></body>'
    )


def _material(body: Body, name: str, mass: float) -> str:
    slippery = f'priority="1" friction="{(body.kind.friction + FRICTION) / 2} 0.005 0.0001"'
    return f'name="{name}" mass="{mass!r}" {slippery if body.kind.friction < FRICTION else ""}'


def _pair(one: str, two: str, friction: float, damping: float, touch: float) -> str:
    return (
        f'<pair geom1="{one}" geom2="{two}" condim="3" friction="{friction} {friction} 0.005 0.0001 0.0001" '
        f'gap="{touch}" {SOFT.format(damping=damping)}/>'
    )


def _geom(piece: Piece, centre: Triple, axes: Axes, meshes: dict[tuple[float, ...], str], more: str) -> str:
    half = tuple(extent / 2 for extent in _swap(piece.size))
    where = f'pos="{_numbers(_swap(centre))}"'
    if piece.shape == "sphere":
        return f'<geom type="sphere" size="{half[0]!r}" {where} {more}/>'
    if piece.shape == "box":
        return f'<geom type="box" size="{_numbers(half)}" {where} {_turn(axes)} {more}/>'
    if piece.size not in meshes:
        corners = [(x, y, z) for x in (-1, 1) for y, z in ((-1, -1), (1, -1), (-1, 1))]
        vertices = " ".join(_numbers((x * half[0], z * half[1], y * half[2])) for x, y, z in corners)
        meshes[piece.size] = f'<mesh name="w{len(meshes)}" vertex="{vertices}"/>'
    name = f"w{list(meshes).index(piece.size)}"
    return f'<geom type="mesh" mesh="{name}" {where} {_turn(axes)} {more}/>'


def _swap(vector: Triple) -> Triple:
    return vector[0], vector[2], vector[1]


def _turn(axes: Axes) -> str:
    """Unity's axes as MuJoCo's ``xyaxes``: its local y is Unity's local z."""
    return f'xyaxes="{_numbers(_swap(axes[0]))} {_numbers(_swap(axes[2]))}"'


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def pose(qpos: Floats, address: int) -> tuple[Triple, Axes]:
    """Centre and axes, in Unity's frame, of a free body."""
    a, b, c, d = (float(value) for value in qpos[address + 3 : address + 7])
    x = (a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c))
    y = (2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b))
    z = (2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d)
    return _swap(triple(qpos[address : address + 3])), (_swap(x), _swap(z), _swap(y))
