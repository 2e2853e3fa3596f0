"""Paving, bricks, boards: patterns worked out where they are looked at, averaged over a pixel's footprint.

Measured figures: joints, courses and tones of the recorded pictures; nothing is copied out of them.
"""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.compiling import Floats, inlined

SLAB_ROW = 0.70
SLAB_COLUMN = 1.05
SLAB_ROWS = 12
SLAB_COLUMNS = 8
ROW_JOINT = 0.385
COLUMN_JOINT = 0.052
STONE_JOINT = 0.0195

BRICK_LENGTH = 5.56 / 8
BRICK_HEIGHT = 4.0 / 12
UPRIGHT_MORTAR = 0.023
LEVEL_MORTAR = 0.011

RIM = 0.125
PANEL_TONE = 0.71
"""Of a grey box: its rim's width as a share of the face's side, and the panel's light as a share of the rim's."""

BLUR = 2.0
"""Footprints are this much wider than a pixel, as the recorded pictures' textures are (they were filtered smooth)."""


@inlined
def hashed(a: int, b: int, salt: int) -> float:
    """A number in [0, 1) that depends on two whole numbers and nothing else."""
    n = (a * 0x27D4EB2D + b * 0x165667B1 + salt * 0x1B873593) & 0xFFFFFFFF
    n = ((n ^ (n >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    n = ((n ^ (n >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return float((n ^ (n >> 15)) & 0xFFFF) / 65536.0


@inlined
def drawn(x: float, period: float, width: float) -> float:
    """Length of the lines of this width, centred on multiples of the period, that lie between 0 and x (signed)."""
    turn = x / period + 0.5
    whole = math.floor(turn)
    inside = (turn - whole - 0.5) * period
    return whole * width + min(max(inside, -0.5 * width), 0.5 * width)


@inlined
def lines(x: float, footprint: float, period: float, width: float) -> float:
    """Share of the footprint around x that lines of this width, centred on multiples of the period, cover."""
    half = 0.5 * max(footprint, 0.004)
    return (drawn(x + half, period, width) - drawn(x - half, period, width)) / (2.0 * half)


@inlined
def paving(x: float, z: float, across: float, along: float) -> tuple[float, float, float]:
    """Tone 0..1 and grain of the slab at the ground's (x, z), and the footprint's share of joint."""
    across, along = BLUR * across, BLUR * along
    course = math.floor((z - ROW_JOINT) / SLAB_ROW)
    row = course % SLAB_ROWS
    place = x - COLUMN_JOINT - (0.5 * SLAB_COLUMN if row & 1 else 0.0)
    column = math.floor(place / SLAB_COLUMN) % SLAB_COLUMNS
    pick = hashed(row, column, 1)
    tone = pick * (0.4 + 0.6 * pick)
    # worn stone: a faint relief that ends where pixels grow wider than it
    close = min(max(1.0 - 6.0 * max(across, along), 0.0), 1.0)
    grain = 1.0
    if close > 0.0:
        grain = 1.0 + close * 0.03 * cloud(3.1 * x + 7.0 * pick, 3.7 * z + 5.0 * pick)
    joint = lines(z - ROW_JOINT, along, SLAB_ROW, STONE_JOINT)
    upright = lines(place, across, SLAB_COLUMN, STONE_JOINT)
    # far away a pixel holds several slabs: their mean tone, and both courses' joints
    far = min(max(1.6 * along / SLAB_ROW - 0.5, 0.0), 1.0)
    tone += far * (0.4 - tone)
    upright += far * (STONE_JOINT / SLAB_COLUMN - upright)
    return tone, grain, joint + upright - joint * upright


@inlined
def bricks(u: float, v: float, across: float, along: float) -> float:
    """Share of mortar in a footprint of a brick face, u from its left edge, v from its base."""
    across, along = BLUR * across, BLUR * along
    course = math.floor(v / BRICK_HEIGHT)
    shift = 0.0 if course & 1 else 0.5 * BRICK_LENGTH
    level = lines(v, along, BRICK_HEIGHT, LEVEL_MORTAR)
    upright = lines(u - shift, across, BRICK_LENGTH, UPRIGHT_MORTAR)
    far = min(max(1.6 * along / BRICK_HEIGHT - 0.5, 0.0), 1.0)
    upright += far * (UPRIGHT_MORTAR / BRICK_LENGTH - upright)
    return level + upright - level * upright


@inlined
def seams(q: float, across: float, drawn_seams: Floats, per_unit: int) -> float:
    """Share of dark seam between a fence's boards around q, from a table of the seams' length up to each place."""
    half = 0.5 * max(1.3 * across, 0.01)
    last = drawn_seams.shape[0] - 2
    low = min(max((q - half) * per_unit, 0.0), last + 0.999)
    high = min(max((q + half) * per_unit, 0.0), last + 0.999)
    i, j = int(low), int(high)
    start = drawn_seams[i] + (low - i) * (drawn_seams[i + 1] - drawn_seams[i])
    end = drawn_seams[j] + (high - j) * (drawn_seams[j + 1] - drawn_seams[j])
    return float((end - start) / (2.0 * half))


@inlined
def wave(t: float) -> float:
    """A smooth wave of period 1 between -1 and 1, from parabolas."""
    f = t - math.floor(t)
    return 16.0 * f * (0.5 - f) if f < 0.5 else -16.0 * (f - 0.5) * (1.0 - f)


@inlined
def cloud(u: float, v: float) -> float:
    """A slow drift between -1 and 1 over the plane, for fog and plaster."""
    bend = 0.35 * wave(0.23 * v + 0.11)
    return 0.5 * wave(0.31 * u + bend) * wave(0.27 * v + 0.4 * wave(0.17 * u)) + 0.5 * wave(0.61 * u - 0.47 * v + bend)


@inlined
def panels(u: float, v: float, across: float, along: float, width: float, height: float) -> float:
    """Tone of a grey box's face: 1 on its rim, less on the inset panel, darker on the panel's upper and left lip."""
    rim_u, rim_v = RIM * width, RIM * height
    soft_u, soft_v = max(across, 0.004), max(along, 0.004)
    inside_u = min(max(min(u - rim_u, width - rim_u - u) / soft_u + 0.5, 0.0), 1.0)
    inside_v = min(max(min(v - rim_v, height - rim_v - v) / soft_v + 0.5, 0.0), 1.0)
    return 1.0 - (1.0 - PANEL_TONE) * inside_u * inside_v


@inlined
def fog(x: float, z: float, red: bool) -> float:
    """How much a zone's fog hides: clouds that stand over the ground's (x, z)."""
    drift = cloud(x, z)
    return 0.78 + 0.15 * drift if red else 0.52 + 0.10 * drift
