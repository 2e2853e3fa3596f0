"""Walls and ramps that do not rest where they land are simulated until they lie still, before the first step."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from embodibench.envs.aai.body import Body
from embodibench.envs.aai.memory import addresses, library
from embodibench.envs.aai.model import build, pose
from embodibench.envs.aai.motion import update
from embodibench.envs.aai.scratch import scratch

LONGEST: Final = 1000
"""Updates: 20 s."""

MOST: Final = 60

STILL: Final = 0.01
"""Speed, in m/s and rad/s, below which everything counts as lying still."""


def topple(bodies: tuple[Body, ...], unstable: tuple[int, ...]) -> tuple[Body, ...]:
    """Bodies in their places after the unstable ones have fallen.

    What falls weighs as much as what it falls on, and may knock it over, so all walls and ramps take part (the nearest
    to a falling one, where there are more than ``MOST``).
    """
    loose = _loose(bodies, set(unstable))
    if not loose:
        return bodies
    import mujoco

    statics = [body for body in bodies if body.kind.motion in ("fixed", "settles") and body.identity not in loose]
    built = build(statics, tuple(body for body in bodies if body.identity in loose), None)
    data = mujoco.MjData(built.model)
    native = library()
    places, speeds = built.places.copy(), np.zeros((len(built.places), 6))
    present = np.ones(len(places), dtype=np.int64)
    idle = np.zeros(len(places), dtype=np.int64)
    room = scratch(len(places))
    quiet = 0
    for _ in range(LONGEST):
        update(
            native.functions,
            *addresses(built.model, data),
            native.offsets,
            data.qpos,
            places,
            speeds,
            present,
            idle,
            built.owners,
            built.frictions,
            built.masses,
            built.inertias,
            built.limits,
            *room,
        )
        quiet = quiet + 1 if np.abs(speeds).max() < STILL else 0
        if quiet == 20:
            break
    fallen = {}
    for number, body in enumerate(built.free):
        centre, axes = pose(places[number], built.offsets[number])
        fallen[body.identity] = replace(body, centre=centre, axes=axes)
    return tuple(fallen.get(body.identity, body) for body in bodies)


def _loose(bodies: tuple[Body, ...], unstable: set[int]) -> set[int]:
    """The bodies that take part, if any is unstable."""
    if not unstable:
        return set()
    settled = [body for body in bodies if body.kind.motion == "settles"]
    falling = [body for body in settled if body.identity in unstable]

    def remoteness(body: Body) -> tuple[float, int]:
        gaps = [_gap(body, other) for other in falling]
        return min(gaps), body.identity

    return {body.identity for body in sorted(settled, key=remoteness)[: max(MOST, len(falling))]}


def _gap(one: Body, two: Body) -> float:
    """Square of the distance of two centres, seen from above."""
    dx, dz = one.centre[0] - two.centre[0], one.centre[2] - two.centre[2]
    return dx * dx + dz * dz
