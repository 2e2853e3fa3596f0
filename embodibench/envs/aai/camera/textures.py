"""Paving, bricks, boards: patterns worked out where they are looked at, averaged over a pixel's footprint.

Measured figures: joints, courses and tones of the recorded pictures; nothing is copied out of them.
"""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.compiling import inlined

SLAB_ROW = 0.70
SLAB_COLUMN = 1.05
SLAB_ROWS = 12
SLAB_COLUMNS = 8
ROW_JOINT = 0.37
COLUMN_JOINT = 0.05
STONE_JOINT = 0.035

BRICK_LENGTH = 5.56 / 8
BRICK_HEIGHT = 4.0 / 12
MORTAR = 0.022


@inlined
def hashed(a, b, salt):
    """A number in [0, 1) that depends on two whole numbers and nothing else."""
    n = (a * 0x27D4EB2D + b * 0x165667B1 + salt * 0x1B873593) & 0xFFFFFFFF
    n = ((n ^ (n >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    n = ((n ^ (n >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return float((n ^ (n >> 15)) & 0xFFFF) / 65536.0


@inlined
def drawn(x, period, width):
    """Length of the lines of this width, centred on multiples of the period, that lie between 0 and x (signed)."""
    turn = x / period + 0.5
    whole = math.floor(turn)
    inside = (turn - whole - 0.5) * period
    return whole * width + min(max(inside, -0.5 * width), 0.5 * width)


@inlined
def lines(x, footprint, period, width):
    """Share of the footprint around x that lines of this width, centred on multiples of the period, cover."""
    half = 0.5 * max(footprint, 0.004)
    return (drawn(x + half, period, width) - drawn(x - half, period, width)) / (2.0 * half)


@inlined
def paving(x, z, across, along):
    """Tone of the slab at the ground's (x, z), and the share of joint in a footprint of across by along."""
    course = math.floor((z - ROW_JOINT) / SLAB_ROW)
    row = int(course) % SLAB_ROWS
    shift = COLUMN_JOINT + (0.5 * SLAB_COLUMN if row & 1 else 0.0)
    place = x - shift
    column = int(math.floor(place / SLAB_COLUMN)) % SLAB_COLUMNS
    tone = hashed(row, column, 1)
    joint = lines(z - ROW_JOINT, along, SLAB_ROW, STONE_JOINT)
    upright = lines(place, across, SLAB_COLUMN, STONE_JOINT)
    return tone, joint + upright - joint * upright


@inlined
def bricks(u, v, across, along):
    """Share of mortar in a footprint of a brick face, u from its left edge, v from its base."""
    course = int(math.floor(v / BRICK_HEIGHT))
    shift = 0.5 * BRICK_LENGTH if course & 1 else 0.0
    level = lines(v, along, BRICK_HEIGHT, MORTAR)
    upright = lines(u - shift, across, BRICK_LENGTH, MORTAR)
    return level + upright - level * upright


@inlined
def wave(t):
    """A smooth wave of period 1 between -1 and 1, from parabolas."""
    f = t - math.floor(t)
    return 16.0 * f * (0.5 - f) if f < 0.5 else -16.0 * (f - 0.5) * (1.0 - f)


@inlined
def cloud(u, v):
    """A slow drift between -1 and 1 over the plane, for fog and plaster."""
    bend = 0.35 * wave(0.23 * v + 0.11)
    return 0.5 * wave(0.31 * u + bend) * wave(0.27 * v + 0.4 * wave(0.17 * u)) + 0.5 * wave(0.61 * u - 0.47 * v + bend)
