"""What a horizontal ray from the agent's eye meets first, from the scene alone."""

from __future__ import annotations

from embodibench.envs.aai.scene import Scene, Solid, Triple
from embodibench.envs.aai.spawn import SIDE

FLAT = 1e-12


def cast(scene: Scene, x: float, z: float, reach: float) -> tuple[str | None, float]:
    """Kind and distance of the first thing along the unit direction (x, 0, z); (None, distance) for the fence.

    Heights count: what lies below or above the eye is not met.
    """
    eye = scene.eye
    nearest, kind = min(reach, _fence(eye[0], x), _fence(eye[2], z)), None
    for solid in scene.solids:
        distance = _ball(solid, eye, x, z) if solid.shape == "sphere" else _convex(solid, eye, x, z)
        if distance is not None and distance < nearest:
            nearest, kind = distance, solid.kind
    return kind, nearest


def _fence(place: float, direction: float) -> float:
    if abs(direction) < FLAT:
        return float("inf")
    return ((SIDE if direction > 0 else 0.0) - place) / direction


def _ball(solid: Solid, eye: Triple, x: float, z: float) -> float | None:
    dx, dy, dz = (solid.centre[k] - eye[k] for k in range(3))
    along = dx * x + dz * z
    radius = solid.size[0] / 2
    left = radius * radius - (dx * dx + dy * dy + dz * dz - along * along)
    if left < 0 or along + float(left**0.5) < 0:
        return None
    return max(along - float(left**0.5), 0.0)


def _convex(solid: Solid, eye: Triple, x: float, z: float) -> float | None:
    """Box, wedge (a box cut by its slope), or tube."""
    offset = [eye[k] - solid.centre[k] for k in range(3)]
    start = [sum(axis[k] * offset[k] for k in range(3)) for axis in solid.axes]
    ray = [axis[0] * x + axis[2] * z for axis in solid.axes]
    half = [extent / 2 for extent in solid.size]
    planes = [(axis, sign) for axis in range(3) for sign in (1.0, -1.0)]
    limits = [(sign * ray[axis], half[axis] - sign * start[axis]) for axis, sign in planes]
    if solid.shape == "wedge":
        rise = half[2] * ray[1] + half[1] * ray[2]
        limits.append((rise, -(half[2] * start[1] + half[1] * start[2])))
    if solid.shape == "tube":
        return _tube(start, ray, half)
    enter, leave = 0.0, float("inf")
    for speed, room in limits:
        if abs(speed) < FLAT:
            if room < 0:
                return None
        elif speed > 0:
            leave = min(leave, room / speed)
        else:
            enter = max(enter, room / speed)
    return enter if enter <= leave else None


def _tube(start: list[float], ray: list[float], half: list[float]) -> float | None:
    """First meeting with the shell between the outer ellipse and 0.786 of it, within the length."""
    hits = []
    for part in (1.0, 0.786):
        a = (ray[0] / half[0]) ** 2 + (ray[1] / half[1]) ** 2
        b = start[0] * ray[0] / half[0] ** 2 + start[1] * ray[1] / half[1] ** 2
        c = (start[0] / half[0]) ** 2 + (start[1] / half[1]) ** 2 - part * part
        left = b * b - a * c
        if a > FLAT and left >= 0:
            root = float(left**0.5)
            hits += [t for t in ((-b - root) / a, (-b + root) / a) if t >= 0]
    if abs(ray[2]) > FLAT:
        for end in (-half[2], half[2]):
            t = (end - start[2]) / ray[2]
            size = ((start[0] + t * ray[0]) / half[0]) ** 2 + ((start[1] + t * ray[1]) / half[1]) ** 2
            if t >= 0 and 0.786**2 <= size <= 1:
                hits.append(t)
    inside = [t for t in hits if abs(start[2] + t * ray[2]) <= half[2] + 1e-9]
    return min(inside) if inside else None
