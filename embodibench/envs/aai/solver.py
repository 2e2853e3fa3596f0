# mypy: disable-error-code="misc, untyped-decorator"
"""Contact forces as PhysX finds them: projected Gauss-Seidel on speeds, one pass an update of 0.02 s.

MuJoCo lists the contacts, and could solve them; but its friction is a convex approximation, in which what slides at a
speed v rises at friction x v. At the speeds of this arena agent and boxes would fly. PhysX, which Unity uses, does this
(facts of AAI 3.1.3): contacts are listed at the start of an update, up to a gap of 0.02; a gap may be closed within the
update and no more; a penetration is pushed out at up to 10 m/s, and the speed of doing so is forgotten afterwards, so
nothing rebounds; friction is Coulomb's, with the average of two materials' coefficients; 12 passes with pushing out and
12 without.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.tables import Integers

UPDATE: Final = 0.02
ITERATIONS: Final = 12
PUSH_OUT: Final = 0.8
"""Share of a penetration that one update takes back."""
FASTEST_PUSH_OUT: Final = 10.0

SETTLED: Final = 1e-7
"""m/s; a pass that changes no contact's speed by more ends the passes."""

GAP, FRICTION, IMPULSE, WHERE, ROWS = 0, 1, 2, 5, 8
"""Places in a contact: gap, coefficient, impulses so far (normal, two tangents), point, then three rows."""
ROW: Final = 16
"""A row: direction 0..2, levers of the two bodies 3..8, both through the inverse inertia 9..14, effective mass 15."""
WIDTH: Final = ROWS + 3 * ROW


@njit(cache=True)
def turned_inertia(place: Floats, local: Floats, world: Floats) -> None:
    """Inverse inertia (9,) of a body turned by the quaternion in ``place[3:7]``, from the one in its own frame."""
    a, b, c, d = place[3], place[4], place[5], place[6]
    r = (
        (a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)),
        (2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)),
        (2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d),
    )
    for i in range(3):
        x = r[i][0] * local[0] + r[i][1] * local[3] + r[i][2] * local[6]
        y = r[i][0] * local[1] + r[i][1] * local[4] + r[i][2] * local[7]
        z = r[i][0] * local[2] + r[i][1] * local[5] + r[i][2] * local[8]
        for j in range(3):
            world[3 * i + j] = x * r[j][0] + y * r[j][1] + z * r[j][2]


@njit(cache=True)
def prepare(
    contact: Floats, first: int, second: int, centres: Floats, speeds: Floats, masses: Floats, inertias: Floats,
) -> None:  # fmt: skip
    """Fill the rows of a contact; its place is in ``WHERE``, its normal, from first to second body, in the first row.

    Bodies are numbers; -1 is what stands still.
    """
    nx, ny, nz = contact[ROWS], contact[ROWS + 1], contact[ROWS + 2]
    ax = ay = az = bx = by = bz = sx = sy = sz = 0.0
    if first >= 0:
        ax, ay, az = contact[WHERE] - centres[first, 0], contact[WHERE + 1] - centres[first, 1], 0.0
        az = contact[WHERE + 2] - centres[first, 2]
        sx -= speeds[first, 0] + speeds[first, 4] * az - speeds[first, 5] * ay
        sy -= speeds[first, 1] + speeds[first, 5] * ax - speeds[first, 3] * az
        sz -= speeds[first, 2] + speeds[first, 3] * ay - speeds[first, 4] * ax
    if second >= 0:
        bx, by, bz = contact[WHERE] - centres[second, 0], contact[WHERE + 1] - centres[second, 1], 0.0
        bz = contact[WHERE + 2] - centres[second, 2]
        sx += speeds[second, 0] + speeds[second, 4] * bz - speeds[second, 5] * by
        sy += speeds[second, 1] + speeds[second, 5] * bx - speeds[second, 3] * bz
        sz += speeds[second, 2] + speeds[second, 3] * by - speeds[second, 4] * bx
    along = sx * nx + sy * ny + sz * nz
    sx, sy, sz = sx - along * nx, sy - along * ny, sz - along * nz
    size = np.sqrt(sx * sx + sy * sy + sz * sz)
    if size < 1e-9:
        # Nothing slides: any direction in the plane does, and the axis least along the normal gives a safe one.
        if abs(nx) <= abs(ny) and abs(nx) <= abs(nz):
            sx, sy, sz = 1.0 - nx * nx, -nx * ny, -nx * nz
        elif abs(ny) <= abs(nz):
            sx, sy, sz = -ny * nx, 1.0 - ny * ny, -ny * nz
        else:
            sx, sy, sz = -nz * nx, -nz * ny, 1.0 - nz * nz
        size = np.sqrt(sx * sx + sy * sy + sz * sz)
    sx, sy, sz = sx / size, sy / size, sz / size
    contact[ROWS + ROW], contact[ROWS + ROW + 1], contact[ROWS + ROW + 2] = sx, sy, sz
    contact[ROWS + 2 * ROW] = ny * sz - nz * sy
    contact[ROWS + 2 * ROW + 1] = nz * sx - nx * sz
    contact[ROWS + 2 * ROW + 2] = nx * sy - ny * sx
    for r in range(3):
        o = ROWS + r * ROW
        dx, dy, dz = contact[o], contact[o + 1], contact[o + 2]
        inverse = 0.0
        if first >= 0:
            x, y, z = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
            contact[o + 3], contact[o + 4], contact[o + 5] = x, y, z
            inverse += masses[first]
            for k in range(3):
                turned = inertias[first, 3 * k] * x + inertias[first, 3 * k + 1] * y + inertias[first, 3 * k + 2] * z
                contact[o + 9 + k] = turned
                inverse += turned * contact[o + 3 + k]
        if second >= 0:
            x, y, z = by * dz - bz * dy, bz * dx - bx * dz, bx * dy - by * dx
            contact[o + 6], contact[o + 7], contact[o + 8] = x, y, z
            inverse += masses[second]
            for k in range(3):
                turned = inertias[second, 3 * k] * x + inertias[second, 3 * k + 1] * y + inertias[second, 3 * k + 2] * z
                contact[o + 12 + k] = turned
                inverse += turned * contact[o + 6 + k]
        contact[o + 15] = 1.0 / inverse
        contact[IMPULSE + r] = 0.0


@njit(cache=True)
def _speed(c: Floats, o: int, first: int, second: int, speeds: Floats) -> float:
    """Relative speed of the two bodies along the row at ``o``."""
    total = 0.0
    if second >= 0:
        total += c[o] * speeds[second, 0] + c[o + 1] * speeds[second, 1] + c[o + 2] * speeds[second, 2]
        total += c[o + 6] * speeds[second, 3] + c[o + 7] * speeds[second, 4] + c[o + 8] * speeds[second, 5]
    if first >= 0:
        total -= c[o] * speeds[first, 0] + c[o + 1] * speeds[first, 1] + c[o + 2] * speeds[first, 2]
        total -= c[o + 3] * speeds[first, 3] + c[o + 4] * speeds[first, 4] + c[o + 5] * speeds[first, 5]
    return total


@njit(cache=True)
def _push(c: Floats, o: int, first: int, second: int, speeds: Floats, masses: Floats, impulse: float) -> None:
    """Apply an impulse along the row at ``o``."""
    if second >= 0:
        m = masses[second] * impulse
        for k in range(3):
            speeds[second, k] += m * c[o + k]
            speeds[second, 3 + k] += impulse * c[o + 12 + k]
    if first >= 0:
        m = masses[first] * impulse
        for k in range(3):
            speeds[first, k] -= m * c[o + k]
            speeds[first, 3 + k] -= impulse * c[o + 9 + k]


@njit(cache=True)
def _sweep(contacts: Floats, pairs: Integers, count: int, speeds: Floats, masses: Floats, out: bool) -> float:
    """One pass: each normal speed to its bound, then each friction into its cone. Returns the greatest change, m/s."""
    one, two = ROWS + ROW, ROWS + 2 * ROW
    change = 0.0
    for k in range(count):
        c, first, second = contacts[k], pairs[k, 0], pairs[k, 1]
        gap = c[GAP]
        if gap > 0.0:
            bound = -gap / UPDATE
        elif out:
            bound = min(FASTEST_PUSH_OUT, -gap * PUSH_OUT / UPDATE)
        else:
            bound = 0.0
        before = c[IMPULSE]
        after = max(0.0, before + (bound - _speed(c, ROWS, first, second, speeds)) * c[ROWS + 15])
        if after != before:
            c[IMPULSE] = after
            _push(c, ROWS, first, second, speeds, masses, after - before)
            change = max(change, abs(after - before) / c[ROWS + 15])
        if after == 0.0 and c[IMPULSE + 1] == 0.0 and c[IMPULSE + 2] == 0.0:
            continue
        x = c[IMPULSE + 1] - _speed(c, one, first, second, speeds) * c[one + 15]
        y = c[IMPULSE + 2] - _speed(c, two, first, second, speeds) * c[two + 15]
        size, limit = np.sqrt(x * x + y * y), c[FRICTION] * after
        if size > limit:
            x, y = x * (limit / size), y * (limit / size)
        x_change, y_change = x - c[IMPULSE + 1], y - c[IMPULSE + 2]
        if x_change != 0.0:
            _push(c, one, first, second, speeds, masses, x_change)
            change = max(change, abs(x_change) / c[one + 15])
        if y_change != 0.0:
            _push(c, two, first, second, speeds, masses, y_change)
            change = max(change, abs(y_change) / c[two + 15])
        c[IMPULSE + 1], c[IMPULSE + 2] = x, y
    return change


@njit(cache=True)
def solve(contacts: Floats, pairs: Integers, count: int, speeds: Floats, moving: Floats, masses: Floats) -> None:
    """Solve an update.

    Args:
        contacts: (n, WIDTH) prepared contacts, of which ``count`` are in use.
        pairs: (n, 2) bodies of each; -1 is what stands still.
        speeds: (bodies, 6) linear and angular, world frame; in: after forces; out: what the bodies keep.
        moving: (bodies, 6) out: what they move with during the update.
        masses: (bodies,) inverse.
    """
    for _ in range(ITERATIONS):
        if _sweep(contacts, pairs, count, speeds, masses, True) < SETTLED:
            break
    for k in range(len(speeds)):
        for j in range(6):
            moving[k, j] = speeds[k, j]
    for _ in range(ITERATIONS):
        if _sweep(contacts, pairs, count, speeds, masses, False) < SETTLED:
            break
