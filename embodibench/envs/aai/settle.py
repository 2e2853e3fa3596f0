"""Immovable things fall into place before the first step: straight down, onto whatever is below.

In Unity walls (10 t) and ramps (1 t) are dynamic bodies; nothing in the arena can move them once they rest. They are
spawned 2 cm above what carries them, or higher, and are at rest a moment later. Here they rest from the start. What
would tip over is left to the simulation (``topple.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from embodibench.envs.aai.body import Body
from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.overlap import Hull, hulls

GROUND: Final = -0.01
"""Height of the ground's top."""

LEVEL: Final = 0.004
"""Surfaces whose heights differ by less than this carry together."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Bodies after falling.

    Attributes:
        bodies: as spawned, with the centres of immovable ones lowered to where they rest.
        unstable: identities of immovable bodies that would not rest where they landed.
    """

    bodies: tuple[Body, ...]
    unstable: tuple[int, ...]


def settle(bodies: tuple[Body, ...]) -> Settled:
    """Drop every body that settles, lowest first. Balls carry nothing; boxes do, at the height they will drop to."""
    order = sorted(
        (body for body in bodies if body.kind.motion in ("fixed", "settles", "free") and not body.kind.ball),
        key=lambda body: (body.kind.motion != "fixed", body.centre[1] - body.size[1] / 2, body.identity),
    )
    support: list[Hull] = []
    moved: dict[int, Body] = {}
    unstable = []
    for body in order:
        if body.kind.motion == "fixed":
            support += hulls(body)
            continue
        resting, stable = _drop(body, support)
        support += hulls(resting)
        if body.kind.motion == "settles":
            moved[body.identity] = resting
            if not stable:
                unstable.append(body.identity)
    return Settled(tuple(moved.get(body.identity, body) for body in bodies), tuple(unstable))


def _drop(body: Body, support: list[Hull]) -> tuple[Body, bool]:
    base = body.centre[1] - body.size[1] / 2
    pieces = hulls(body)
    outlines = [_outline(piece) for piece in pieces]
    height, level = GROUND, True
    carriers: list[tuple[float, Floats, bool]] = []
    for other in support:
        if other.low[1] > base:
            continue
        for piece, outline in zip(pieces, outlines, strict=True):
            if piece.low[0] > other.high[0] or other.low[0] > piece.high[0]:
                continue
            if piece.low[2] > other.high[2] or other.low[2] > piece.high[2]:
                continue
            area = clip(outline, _outline(other))
            if len(area) < 3 or _extent(area) < 1e-6:
                continue
            top, flat = _top(other, area)
            if top <= base + LEVEL:
                carriers.append((top, area, flat))
                height = max(height, top)
    points = [area for top, area, flat in carriers if top > height - LEVEL]
    level = all(flat for top, _, flat in carriers if top > height - LEVEL)
    x, y, z = body.centre
    resting = replace(body, centre=(x, min(y, height + body.size[1] / 2), z))
    on_ground = height < GROUND + LEVEL
    if on_ground:
        return resting, True
    middle = _middle(body)
    return resting, level and _inside(np.concatenate(points), middle)


def _middle(body: Body) -> Floats:
    """Where its weight acts, seen from above: a ramp's is a sixth of its length towards its high face."""
    lean = -body.size[2] / 6 if body.kind.pieces(body.size)[0].shape == "wedge" else 0.0
    return np.array([body.centre[0] + lean * body.axes[2][0], body.centre[2] + lean * body.axes[2][2]])


def _outline(piece: Hull) -> Floats:
    """Convex outline seen from above, counter-clockwise in the (x, z) plane, (n, 2)."""
    return convex_outline(piece.vertices[:, [0, 2]])


def convex_outline(points: Floats) -> Floats:
    """Convex hull of points in the plane (n, 2), counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(z)) for x, z in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def half(walk: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for point in walk:
            while len(chain) > 1 and _cross(chain[-2], chain[-1], point) <= 1e-12:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def clip(subject: Floats, window: Floats) -> Floats:
    """What two convex outlines share (Sutherland and Hodgman)."""
    area = [(float(x), float(z)) for x, z in subject]
    corners = [(float(x), float(z)) for x, z in window]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        kept: list[tuple[float, float]] = []
        for one, two in zip(area, area[1:] + area[:1], strict=True):
            before, after = _cross(start, end, one), _cross(start, end, two)
            if before >= 0:
                kept.append(one)
            if (before >= 0) != (after >= 0):
                part = before / (before - after)
                kept.append((one[0] + part * (two[0] - one[0]), one[1] + part * (two[1] - one[1])))
        area = kept
        if not area:
            break
    return np.array(area).reshape(-1, 2)


def _cross(origin: tuple[float, float], one: tuple[float, float], two: tuple[float, float]) -> float:
    return (one[0] - origin[0]) * (two[1] - origin[1]) - (one[1] - origin[1]) * (two[0] - origin[0])


def _extent(area: Floats) -> float:
    rolled = np.roll(area, -1, axis=0)
    return float(abs((area[:, 0] * rolled[:, 1] - rolled[:, 0] * area[:, 1]).sum()) / 2)


def _top(other: Hull, area: Floats) -> tuple[float, bool]:
    """Highest point of a piece under an area, and whether it is flat there."""
    top = float(other.high[1])
    level = other.vertices[other.vertices[:, 1] > top - 1e-9]
    if len(convex_outline(level[:, [0, 2]])) >= 3:
        return top, True
    # A slope (ramp, or a tunnel's segment): the surface's height is linear over the piece.
    normal = next(n if n[1] > 0 else -n for n in other.normals if abs(n[1]) > 1e-6 and abs(abs(n[1]) - 1) > 1e-9)
    peak = level[0]
    heights = peak[1] - ((area[:, 0] - peak[0]) * normal[0] + (area[:, 1] - peak[2]) * normal[2]) / normal[1]
    return float(min(heights.max(), top)), False


def _inside(points: Floats, middle: Floats) -> bool:
    """Whether a point lies within the convex hull of points, with a millimetre to spare."""
    outline = [(float(x), float(z)) for x, z in convex_outline(points)]
    if len(outline) < 3:
        return False
    where = (float(middle[0]), float(middle[1]))
    for one, two in zip(outline, outline[1:] + outline[:1], strict=True):
        length = float(np.sqrt((two[0] - one[0]) ** 2 + (two[1] - one[1]) ** 2))
        if _cross(one, two, where) < 1e-3 * length:
            return False
    return True
