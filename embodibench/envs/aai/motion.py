# mypy: disable-error-code="misc, untyped-decorator"
"""The agent's law of motion and the rules of the arena: one environment step in one compiled call.

MuJoCo finds all contacts and moves boxes and balls. The rest is Unity's and is here: push, quick stop, drag, what
counts as touching, and in ``rules.py`` and ``grip.py`` health, reward and the agent's contacts with what stands still.
Bodies are integrated here too: MuJoCo's own update of rotations calls libm, whose last bit varies between processors.

Facts of AAI 3.1.3: an update is 0.02 s, a step is three of them; the push is 50 m/s^2, the drag 1.6.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.grip import MOST, grip
from embodibench.envs.aai.native import call, call_skip, double_at, int_at, pointer_at
from embodibench.envs.aai.rules import book_zones, earn, leave, swallow
from embodibench.envs.aai.state import AGENT, BALL, COUNT, END, GOING, GROUNDED, RATE, REWARD, STATIC, UPWARD, YAW
from embodibench.envs.aai.tables import Integers

UPDATES: Final = 3
SUBSTEPS: Final = 2
TIMESTEP: Final = 0.01
UPDATE: Final = 0.02
PUSH: Final = 1.0
"""Speed gained in one update, m/s."""
QUICK_STOP: Final = 0.9
FALL: Final = 9.81 * UPDATE
"""Speed that gravity adds in one update. PhysX damps after it."""
DRAG: Final = 1.0 - 1.6 * UPDATE
SPIN_DRAG: Final = 1.0 - 0.05 * UPDATE
RECOIL: Final = 1.0 / 101.0
"""Share of its speed towards a ball of 1 kg that the agent of 100 kg loses by hitting it."""
POSITION_STAGE: Final = 1
"""MuJoCo's mjSTAGE_POS: positions and contacts are up to date."""


@njit(cache=True)
def integrate(qpos: Floats, qvel: Floats, q: int, v: int, limit: float) -> None:
    """Move a free body by one substep. ``limit``: greatest spin in rad/s, 0 for none."""
    for k in range(3):
        qpos[q + k] += TIMESTEP * qvel[v + k]
    wx, wy, wz = qvel[v + 3], qvel[v + 4], qvel[v + 5]
    square = wx * wx + wy * wy + wz * wz
    if limit > 0.0 and square > limit * limit:
        scale = limit / np.sqrt(square)
        wx *= scale
        wy *= scale
        wz *= scale
        qvel[v + 3], qvel[v + 4], qvel[v + 5] = wx, wy, wz
        square = limit * limit
    half = square * (0.25 * TIMESTEP * TIMESTEP)
    sine = 1.0 + half * (-1.0 / 6.0 + half * (1.0 / 120.0 + half * (-1.0 / 5040.0 + half / 362880.0)))
    cosine = 1.0 + half * (-0.5 + half * (1.0 / 24.0 + half * (-1.0 / 720.0 + half / 40320.0)))
    scale = 0.5 * TIMESTEP * sine
    x, y, z = wx * scale, wy * scale, wz * scale
    a, b, c, d = qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6]
    e = a * cosine - b * x - c * y - d * z
    f = a * x + b * cosine + c * z - d * y
    g = a * y - b * z + c * cosine + d * x
    h = a * z + b * y - c * x + d * cosine
    norm = np.sqrt(e * e + f * f + g * g + h * h)
    qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6] = e / norm, f / norm, g / norm, h / norm


@njit(cache=True)
def drive(speed: Floats, yaws: Floats, integers: Integers, move: int, turn: int) -> None:
    """What acts on the agent at the start of an update: push or quick stop, turn, gravity, drag. MuJoCo's axes."""
    if integers[GROUNDED]:
        if move == 0:
            for k in range(3):
                speed[k] *= QUICK_STOP
        else:
            push = PUSH if move == 1 else -PUSH
            speed[0] += push * yaws[1, integers[YAW]]
            speed[1] += push * yaws[0, integers[YAW]]
    if turn == 1:
        integers[YAW] = (integers[YAW] + 1) % 180
    elif turn == 2:
        integers[YAW] = (integers[YAW] + 179) % 180
    speed[2] -= FALL
    for k in range(3):
        speed[k] *= DRAG


@njit(cache=True)
def touch(
    data: int,
    offsets: Integers,
    speed: Floats,
    planes: Floats,
    integers: Integers,
    owners: Integers,
    numbers: Integers,
    touching: Integers,
    hit: Integers,
) -> int:
    """Read what the agent touches at the start of an update (gaps below 0.02); how many planes hold it."""
    count = int_at(data + offsets[0])
    contact = pointer_at(data + offsets[1])
    held = 0
    for k in range(count):
        base = contact + k * offsets[2]
        one, two = int_at(base + offsets[5]), int_at(base + offsets[5] + 4)
        if owners[one] == AGENT:
            other, sign = two, -1.0
        elif owners[two] == AGENT:
            other, sign = one, 1.0
        else:
            continue
        nx = sign * double_at(base + offsets[4])
        ny = sign * double_at(base + offsets[4] + 8)
        nz = sign * double_at(base + offsets[4] + 16)
        touching[other] = 2
        integers[UPWARD] = 1 if nz > 1e-6 else 0
        if nz > 1e-6:
            integers[GROUNDED] = 1
        if owners[other] == BALL:
            hit[numbers[other]] = 1
            towards = speed[0] * nx + speed[1] * ny + speed[2] * nz
            if towards < 0.0:
                speed[0] -= RECOIL * towards * nx
                speed[1] -= RECOIL * towards * ny
                speed[2] -= RECOIL * towards * nz
        elif owners[other] == STATIC and held < MOST:
            planes[held, 0], planes[held, 1], planes[held, 2] = nx, ny, nz
            planes[held, 3] = double_at(base + offsets[3])
            held += 1
    return held


@njit(cache=True)
def move_bodies(
    functions: Integers,
    model: int,
    data: int,
    qpos: Floats,
    qvel: Floats,
    qacc: Floats,
    warm: Floats,
    bodies: Integers,
    limits: Floats,
    alive: Integers,
) -> None:
    """One substep, contacts being known. ``bodies``: addresses in qpos and qvel, number of the ball or -1."""
    call_skip(functions[1], model, data, POSITION_STAGE, 1)
    for k in range(len(qvel)):
        warm[k] = qacc[k]
        qvel[k] += TIMESTEP * qacc[k]
    for k in range(len(bodies)):
        if bodies[k, 2] < 0 or alive[bodies[k, 2]]:
            integrate(qpos, qvel, bodies[k, 0], bodies[k, 1], limits[k])
        else:
            qvel[bodies[k, 1] : bodies[k, 1] + 6] = 0.0


@njit(cache=True)
def fall(
    functions: Integers,
    model: int,
    data: int,
    qpos: Floats,
    qvel: Floats,
    qacc: Floats,
    warm: Floats,
    bodies: Integers,
    limits: Floats,
    alive: Integers,
) -> None:
    """One substep of a model without an agent."""
    call(functions[0], model, data)
    move_bodies(functions, model, data, qpos, qvel, qacc, warm, bodies, limits, alive)


@njit(cache=True)
def advance(
    functions: Integers,
    model: int,
    data: int,
    offsets: Integers,
    qpos: Floats,
    qvel: Floats,
    qacc: Floats,
    warm: Floats,
    contype: Integers,
    conaffinity: Integers,
    floats: Floats,
    integers: Integers,
    touching: Integers,
    alive: Integers,
    yaws: Floats,
    owners: Integers,
    numbers: Integers,
    bodies: Integers,
    limits: Floats,
    rewards: Floats,
    rules: Integers,
    geoms: Integers,
    zones: Floats,
    move: int,
    turn: int,
) -> None:
    """One environment step: three updates, or fewer if the episode ends. Everything is changed in place."""
    floats[REWARD] = 0.0
    moving, start = np.empty(3), np.empty(3)
    planes = np.empty((MOST, 8))
    hit = np.zeros(len(alive), dtype=np.int64)
    for _ in range(UPDATES):
        if floats[RATE] > 0.0:
            earn(floats, integers, -floats[RATE])
            if integers[END] != GOING:
                break
        speed = qvel[:3]
        drive(speed, yaws, integers, move, turn)
        for k in range(len(bodies)):
            for j in range(bodies[k, 1] + 3, bodies[k, 1] + 6):
                qvel[j] *= SPIN_DRAG
        for k in range(3):
            start[k] = qpos[k]
        call(functions[0], model, data)
        held = touch(data, offsets, speed, planes, integers, owners, numbers, touching, hit)
        grip(speed, moving, planes, held)
        if len(bodies) == 0:
            for k in range(3):
                qpos[k] += UPDATE * moving[k]
        else:
            for k in range(3):
                kept = speed[k]
                speed[k] = moving[k]
                moving[k] = kept - moving[k]
            for substep in range(SUBSTEPS):
                if substep > 0:
                    call(functions[0], model, data)
                move_bodies(functions, model, data, qpos, qvel, qacc, warm, bodies, limits, alive)
                for k in range(3):
                    qpos[k] += TIMESTEP * speed[k]
            for k in range(3):
                speed[k] += moving[k]
        integers[COUNT] += 1
        book_zones(zones, start, floats, integers)
        swallow(floats, integers, alive, hit, rewards, rules, geoms, contype, conaffinity)
        leave(owners, numbers, alive, touching, integers)
        if integers[END] != GOING:
            break
