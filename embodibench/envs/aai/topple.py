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

STILL: Final = 0.01
"""Speed, in m/s and rad/s, below which everything counts as lying still."""


def topple(bodies: tuple[Body, ...], unstable: tuple[int, ...]) -> tuple[Body, ...]:
    """Bodies in their places after the unstable ones, and what stands on them, have fallen."""
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
    """The unstable bodies and every settled one whose base is above the lowest of them and whose box is near one."""
    loose = set(unstable)
    settled = [body for body in bodies if body.kind.motion == "settles"]
    grown = True
    while grown:
        grown = False
        for body in settled:
            if body.identity in loose:
                continue
            if any(_rests_on(body, other) for other in settled if other.identity in loose):
                loose.add(body.identity)
                grown = True
    return loose


def _rests_on(upper: Body, lower: Body) -> bool:
    base, top = upper.centre[1] - upper.size[1] / 2, lower.centre[1] + lower.size[1] / 2
    reach = [(size[0] * size[0] + size[2] * size[2]) for size in (upper.size, lower.size)]
    dx, dz = upper.centre[0] - lower.centre[0], upper.centre[2] - lower.centre[2]
    near = float(np.sqrt(reach[0]) + np.sqrt(reach[1])) / 2
    return abs(base - top) < 0.01 and dx * dx + dz * dz < near * near
