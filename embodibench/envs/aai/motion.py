# mypy: disable-error-code="misc, untyped-decorator"
"""The agent's law of motion and an environment step: three updates of 0.02 s in one compiled call.

MuJoCo keeps the geometry and finds contacts. Everything that moves is moved here, in Unity's order: push or quick stop,
turn, gravity, drag, contacts (``solver.py``), places; then zones, goals and flags (``rules.py``). No call of libm is on
the way, because its last bit varies between processors: rotations are advanced by a polynomial.

Facts of AAI 3.1.3: the agent's push is 50 m/s^2, its drag 1.6; it does not rotate by itself. Other bodies have no drag
but 0.05 of their spin. Axes are MuJoCo's (z up).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.native import call, double_at, int_at, pointer_at
from embodibench.envs.aai.rules import book_zones, earn, leave, swallow
from embodibench.envs.aai.solver import FRICTION, GAP, ROWS, WHERE, prepare, solve, turned_inertia
from embodibench.envs.aai.state import BALL, COUNT, END, GOING, GROUNDED, RATE, REWARD, UPWARD, YAW
from embodibench.envs.aai.tables import Integers

INLINED: Final = "da38a8f04c11a345b6f5dfe959224b67648d208179f0a82f767d8bdd541f3356"
"""SHA-256 of native.py, rules.py, solver.py and state.py, whose code is compiled into this file's functions.

Numba keeps compiled functions for as long as their own file is the same. This line changes with the others (a test sees
to it), so that no stale machine code is used after one of them has changed.
"""

UPDATES: Final = 3
UPDATE: Final = 0.02
PUSH: Final = 1.0
"""Speed gained in one update, m/s."""
QUICK_STOP: Final = 0.9
FALL: Final = 9.81 * UPDATE
DRAG: Final = 1.0 - 1.6 * UPDATE
SPIN_DRAG: Final = 1.0 - 0.05 * UPDATE
DROWSY: Final = 20
"""Updates (0.4 s) of hardly moving after which PhysX puts a body to sleep: it is left out until something wakes it."""
RESTLESS: Final = 2 * 0.005
"""Square of the speed, m/s, at which a body counts as moving (PhysX's threshold of 0.005 for energy over mass)."""
AGENT: Final = 0
"""The agent's number among the bodies."""


@njit(cache=True)
def drive(speed: Floats, yaws: Floats, integers: Integers, move: int, turn: int) -> None:
    """What acts on the agent alone at the start of an update: push or quick stop, and turn."""
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


@njit(cache=True)
def accelerate(speeds: Floats, limits: Floats, present: Integers, idle: Integers) -> None:
    """Gravity, then drag, then the limit of the spin. ``limits``: rad/s, 0 for none, -1 for the agent."""
    for k in range(len(speeds)):
        v = speeds[k]
        if present[k] == 0 or idle[k] >= DROWSY:
            v[:] = 0.0
            continue
        v[2] -= FALL
        if limits[k] < 0.0:
            for j in range(3):
                v[j] *= DRAG
                v[3 + j] = 0.0
            continue
        square = 0.0
        for j in range(3, 6):
            v[j] *= SPIN_DRAG
            square += v[j] * v[j]
        if limits[k] > 0.0 and square > limits[k] * limits[k]:
            scale = limits[k] / np.sqrt(square)
            for j in range(3, 6):
                v[j] *= scale


@njit(cache=True)
def integrate(place: Floats, moving: Floats) -> None:
    """Move a body by one update: centre 0..2, quaternion 3..6. The rotation is a Taylor polynomial, then normalised."""
    for k in range(3):
        place[k] += UPDATE * moving[k]
    wx, wy, wz = moving[3], moving[4], moving[5]
    half = (wx * wx + wy * wy + wz * wz) * (0.25 * UPDATE * UPDATE)
    sine = 1.0 + half * (-1.0 / 6.0 + half * (1.0 / 120.0 + half * (-1.0 / 5040.0 + half / 362880.0)))
    cosine = 1.0 + half * (-0.5 + half * (1.0 / 24.0 + half * (-1.0 / 720.0 + half / 40320.0)))
    scale = 0.5 * UPDATE * sine
    x, y, z = wx * scale, wy * scale, wz * scale
    a, b, c, d = place[3], place[4], place[5], place[6]
    e = cosine * a - x * b - y * c - z * d
    f = cosine * b + x * a + y * d - z * c
    g = cosine * c - x * d + y * a + z * b
    h = cosine * d + x * c - y * b + z * a
    norm = np.sqrt(e * e + f * f + g * g + h * h)
    place[3], place[4], place[5], place[6] = e / norm, f / norm, g / norm, h / norm


@njit(cache=True)
def rouse(data: int, offsets: Integers, owners: Integers, limits: Floats, idle: Integers) -> None:
    """Wake what the agent or a moving body touches, and what touches that, before contacts are solved."""
    count = int_at(data + offsets[0])
    geoms = pointer_at(data + offsets[1]) + offsets[5]
    changed = idle.max() >= DROWSY
    while changed:
        changed = False
        for k in range(count):
            one, two = owners[int_at(geoms + k * offsets[2])], owners[int_at(geoms + k * offsets[2] + 4)]
            if one < 0 or two < 0:
                continue
            if idle[one] >= DROWSY and (limits[two] < 0.0 or idle[two] <= 1):
                idle[one] = 1
                changed = True
            elif idle[two] >= DROWSY and (limits[one] < 0.0 or idle[one] <= 1):
                idle[two] = 1
                changed = True


@njit(cache=True)
def doze(speeds: Floats, masses: Floats, local: Floats, limits: Floats, idle: Integers) -> None:
    """Count the updates in which each body hardly moved."""
    for k in range(len(speeds)):
        v = speeds[k]
        if limits[k] < 0.0:
            continue
        # The radius of gyration of a body, roughly: the trace of its inertia over its mass.
        spin = masses[k] * 3.0 / (local[k, 0] + local[k, 4] + local[k, 8])
        energy = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + spin * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5])
        if energy > RESTLESS:
            idle[k] = 0
        elif idle[k] < DROWSY:
            idle[k] += 1


@njit(cache=True)
def gather(
    data: int, offsets: Integers, places: Floats, speeds: Floats, owners: Integers, frictions: Floats, masses: Floats,
    inertias: Floats, idle: Integers, contacts: Floats, pairs: Integers,
) -> int:  # fmt: skip
    """Prepare the contacts MuJoCo lists; how many. ``owners``: geom -> body, -1 for what stands still."""
    count = int_at(data + offsets[0])
    base = pointer_at(data + offsets[1]) - offsets[2]
    used = 0
    for _ in range(count):
        base += offsets[2]
        one, two = int_at(base + offsets[5]), int_at(base + offsets[5] + 4)
        if used == len(pairs):
            break
        # What sleeps stands still for what only rests on it.
        first = owners[one] if owners[one] >= 0 and idle[owners[one]] < DROWSY else -1
        second = owners[two] if owners[two] >= 0 and idle[owners[two]] < DROWSY else -1
        if first < 0 and second < 0:
            continue
        for j in range(3):
            contacts[used, ROWS + j] = double_at(base + offsets[4] + 8 * j)
            contacts[used, WHERE + j] = double_at(base + offsets[6] + 8 * j)
        contacts[used, GAP] = double_at(base + offsets[3])
        contacts[used, FRICTION] = 0.5 * (frictions[one] + frictions[two])
        pairs[used, 0], pairs[used, 1], pairs[used, 2], pairs[used, 3] = first, second, one, two
        prepare(contacts[used], first, second, places, speeds, masses, inertias)
        used += 1
    return used


@njit(cache=True)
def touch(
    contacts: Floats, pairs: Integers, count: int, integers: Integers, kinds: Integers, numbers: Integers,
    touching: Integers, hit: Integers,
) -> None:  # fmt: skip
    """Note what the agent touches (gaps below 0.02 at the start of an update) and whether something carries it."""
    for k in range(count):
        if pairs[k, 1] == AGENT:
            other, up = pairs[k, 2], contacts[k, ROWS + 2]
        elif pairs[k, 0] == AGENT:
            other, up = pairs[k, 3], -contacts[k, ROWS + 2]
        else:
            continue
        touching[other] = 2
        integers[UPWARD] = 1 if up > 1e-6 else 0
        if up > 1e-6:
            integers[GROUNDED] = 1
        if kinds[other] == BALL:
            hit[numbers[other]] = 1


@njit(cache=True)
def update(
    functions: Integers, model: int, data: int, offsets: Integers, qpos: Floats, places: Floats, speeds: Floats,
    present: Integers, idle: Integers, owners: Integers, frictions: Floats, masses: Floats, local: Floats,
    limits: Floats, inertias: Floats, moving: Floats, contacts: Floats, pairs: Integers,
) -> int:  # fmt: skip
    """Accelerate, find and solve contacts, and move everything by 0.02 s; how many contacts there were."""
    accelerate(speeds, limits, present, idle)
    start = 0
    for k in range(len(places)):
        if limits[k] < 0.0:
            for j in range(3):
                qpos[j] = places[k, j]
            start = 3
            continue
        for j in range(7):
            qpos[start + j] = places[k, j]
        start += 7
        turned_inertia(places[k], local[k], inertias[k])
    call(functions[0], model, data)
    call(functions[1], model, data)
    rouse(data, offsets, owners, limits, idle)
    count = gather(data, offsets, places, speeds, owners, frictions, masses, inertias, idle, contacts, pairs)
    solve(contacts, pairs, count, speeds, moving, masses)
    for k in range(len(places)):
        if present[k] == 1 and idle[k] < DROWSY:
            integrate(places[k], moving[k])
    doze(speeds, masses, local, limits, idle)
    return int(count)


@njit(cache=True)
def advance(
    functions: Integers, model: int, data: int, offsets: Integers, qpos: Floats, contype: Integers,
    conaffinity: Integers, floats: Floats, integers: Integers, touching: Integers, places: Floats, speeds: Floats,
    present: Integers, idle: Integers, yaws: Floats, owners: Integers, frictions: Floats, kinds: Integers,
    numbers: Integers, masses: Floats, local: Floats, limits: Floats, rewards: Floats, rules: Integers, balls: Integers,
    zones: Floats, inertias: Floats, moving: Floats, contacts: Floats, pairs: Integers, hit: Integers, move: int,
    turn: int,
) -> None:  # fmt: skip
    """One environment step: three updates, or fewer if the episode ends. Everything is changed in place."""
    floats[REWARD] = 0.0
    start = np.empty(3)
    for _ in range(UPDATES):
        if floats[RATE] > 0.0:
            earn(floats, integers, -floats[RATE])
            if integers[END] != GOING:
                break
        drive(speeds[AGENT], yaws, integers, move, turn)
        for k in range(3):
            start[k] = places[AGENT, k]
        count = update(
            functions, model, data, offsets, qpos, places, speeds, present, idle, owners, frictions, masses, local,
            limits, inertias, moving, contacts, pairs,
        )  # fmt: skip
        touch(contacts, pairs, count, integers, kinds, numbers, touching, hit)
        integers[COUNT] += 1
        book_zones(zones, start, floats, integers)
        if swallow(floats, integers, present, hit, rewards, rules, balls, contype, conaffinity):
            idle[:] = 0
        leave(kinds, numbers, present, balls, touching, integers)
        if integers[END] != GOING:
            break
