"""OpenSimplex noise in three dimensions over whole arrays, bit for bit as the package ``opensimplex`` 0.4.5.1.

Upstream calls that package point by point: a tenth of a second a world where numba is installed, more than a second
where it is not, and another noise should the package change. Here all points go at once, in the same order of IEEE
additions and multiplications, so each value has the same bits.

The algorithm (Kurt Spencer, 2014) skews space so that lattice points are whole numbers, finds in which of three
bodies of the unit cube a point lies (two corner tetrahedra, one octahedron), and sums kernels centred on that body's
corners and on two extra lattice points near by.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

_STRETCH: Final = -1.0 / 6
_SQUISH: Final = 1.0 / 3
_NORM: Final = 103
_WORD: Final = 2**64
_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407

_LOWER: Final = (((0, 0, 0), 0), ((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1))
_UPPER: Final = (((1, 1, 0), 2), ((1, 0, 1), 2), ((0, 1, 1), 2), ((1, 1, 1), 3))
_MIDDLE: Final = (
    ((1, 0, 0), 1),
    ((0, 1, 0), 1),
    ((0, 0, 1), 1),
    ((1, 1, 0), 2),
    ((1, 0, 1), 2),
    ((0, 1, 1), 2),
)
"""Corners of the three bodies in the order in which they are summed: offset from the cube's origin, and how many
squish constants their distance loses (the sum of the offset)."""


_LOWER_NEAR: Final = 0
_LOWER_FAR: Final = 8
_UPPER_NEAR: Final = 16
_UPPER_FAR: Final = 24
_MIDDLE_CASES: Final = 32
_CASES: Final = _MIDDLE_CASES + 8 * 32
"""Where the cases of each body begin in the table of extra points; a case is found from the two closest corners,
each three bits: 1 for x, 2 for y, 4 for z."""


def _gradients() -> Ints:
    """24 x 3: (+-11, +-4, +-4) and its rotations, in the package's order of signs."""
    signs = ((-1, 1, 1), (1, 1, 1), (-1, -1, 1), (1, -1, 1), (-1, 1, -1), (1, 1, -1), (-1, -1, -1), (1, -1, -1))
    rows = [
        tuple(sign * (11 if axis == long else 4) for axis, sign in enumerate(corner))
        for corner in signs
        for long in range(3)
    ]
    return np.array(rows, dtype=np.int64)


def _permutation(seed: int) -> Ints:
    """A permutation of 0..255 by a 64-bit linear congruential generator."""

    def advance(state: int) -> int:
        state = (state * _MULTIPLIER + _INCREMENT) % _WORD
        return state - _WORD if state >= _WORD // 2 else state

    state = seed
    for _ in range(3):
        state = advance(state)
    source = list(range(256))
    permutation = [0] * 256
    for i in range(255, -1, -1):
        state = advance(state)
        chosen = (state + 31) % (i + 1)
        permutation[i] = source[chosen]
        source[chosen] = source[i]
    return np.array(permutation, dtype=np.int64)


def _extra_lower_near(c: int) -> list[list[int]]:
    """Extra points of the lower tetrahedron when the cube's origin is one of the two closest corners."""
    x, y, z = c & 1, c & 2, c & 4
    first = [1 if x else -1, 1 if y else 0, 1 if z else 0]
    second = [1 if x else 0, 1 if y else 0, 1 if z else -1]
    if not y:
        (first if x else second)[1] -= 1
    return [[*first, 0, 0, 0, 0], [*second, 0, 0, 0, 0]]


def _extra_lower_far(c: int) -> list[list[int]]:
    bits = [c & 1, c >> 1 & 1, c >> 2 & 1]
    return [[*bits, 2, 0, 0, 0], [*(1 if bit else -1 for bit in bits), 1, 0, 0, 0]]


def _extra_upper_near(c: int) -> list[list[int]]:
    """Extra points of the upper tetrahedron when the cube's far corner is one of the two closest."""
    x, y, z = c & 1, c & 2, c & 4
    first = [2 if x else 0, 1 if y else 0, 1 if z else 0, 3, 0, 0, 0]
    second = [1 if x else 0, 1 if y else 0, 2 if z else 0, 3, 0, 0, 0]
    if y:
        (second if x else first)[5] = 1
    return [first, second]


def _extra_upper_far(c: int) -> list[list[int]]:
    bits = [c & 1, c >> 1 & 1, c >> 2 & 1]
    return [[*bits, 1, 0, 0, 0], [*(2 * bit for bit in bits), 2, 0, 0, 0]]


def _extra_middle(a: int, b: int, a_far: bool, b_far: bool) -> list[list[int]]:
    """Extra points of the octahedron for its two closest points and on which side each lies."""
    if a_far and b_far:
        axis = _first_axis(a & b)
        return [[1, 1, 1, 3, 0, 0, 0], [*(2 if i == axis else 0 for i in range(3)), 2, 0, 0, 0]]
    if not a_far and not b_far:
        axis = _first_axis(~(a | b))
        return [[0, 0, 0, 0, 0, 0, 0], [*(-1 if i == axis else 1 for i in range(3)), 1, 0, 0, 0]]
    far, near = (a, b) if a_far else (b, a)
    missing, shared = _first_axis(~far), _first_axis(near)
    first = [*(-1 if i == missing else 1 for i in range(3)), 1, 0, 0, 0]
    return [first, [0, 0, 0, 2, *(2 if i == shared else 0 for i in range(3))]]


def _first_axis(bits: int) -> int:
    return 0 if bits & 1 else 1 if bits & 2 else 2


def _extra_table() -> Ints:
    """Extra points for every case, cases x 2 points x 7: offset (3), squishes, offset subtracted last (3).

    The last three columns exist because the package subtracts some offsets after the squish constant, which rounds
    differently.
    """
    table = np.zeros((_CASES, 2, 7), dtype=np.int64)
    for c in (1, 2, 4):
        table[_LOWER_NEAR + c] = _extra_lower_near(c)
        table[_UPPER_FAR + c] = _extra_upper_far(c)
    for c in (3, 5, 6):
        table[_LOWER_FAR + c] = _extra_lower_far(c)
        table[_UPPER_NEAR + c] = _extra_upper_near(c)
    for a in (1, 3, 4, 6):
        for b in (1, 2, 5, 6):
            for a_far in (0, 1):
                for b_far in (0, 1):
                    case = _MIDDLE_CASES + a * 32 + b * 4 + a_far * 2 + b_far
                    table[case] = _extra_middle(a, b, bool(a_far), bool(b_far))
    return table


def _lower_case(x: Floats, y: Floats, z: Floats) -> Ints:
    """Case of each point of the lower tetrahedron, from its place in the unit cube."""
    a, b = x, y
    replace_b = (a >= b) & (z > b)
    replace_a = (a < b) & (z > a)
    a_point, b_point = np.where(replace_a, 4, 1), np.where(replace_b, 4, 2)
    a, b = np.where(replace_a, z, a), np.where(replace_b, z, b)
    rest = 1 - ((x + y) + z)
    near = (rest > a) | (rest > b)
    case: Ints = np.where(near, _LOWER_NEAR + np.where(b > a, b_point, a_point), _LOWER_FAR + (a_point | b_point))
    return case


def _upper_case(x: Floats, y: Floats, z: Floats) -> Ints:
    """Case of each point of the upper tetrahedron, from its place in the unit cube."""
    a, b = x, y
    replace_b = (a <= b) & (z < b)
    replace_a = (a > b) & (z < a)
    a_point, b_point = np.where(replace_a, 3, 6), np.where(replace_b, 3, 5)
    a, b = np.where(replace_a, z, a), np.where(replace_b, z, b)
    rest = 3 - ((x + y) + z)
    near = (rest < a) | (rest < b)
    case: Ints = np.where(near, _UPPER_NEAR + np.where(b < a, b_point, a_point), _UPPER_FAR + (a_point & b_point))
    return case


def _middle_case(x: Floats, y: Floats, z: Floats) -> Ints:
    """Case of each point of the octahedron, from its place in the unit cube."""
    p1, p2, p3 = x + y, x + z, y + z
    a_far, b_far, c_far = p1 > 1, p2 > 1, p3 > 1
    a, b = np.where(a_far, p1 - 1, 1 - p1), np.where(b_far, p2 - 1, 1 - p2)
    a_point, b_point = np.where(a_far, 3, 4), np.where(b_far, 5, 2)
    c, c_point = np.where(c_far, p3 - 1, 1 - p3), np.where(c_far, 6, 1)
    replace_a = (a <= b) & (a < c)
    replace_b = (a > b) & (b < c)
    a_point, a_far = np.where(replace_a, c_point, a_point), np.where(replace_a, c_far, a_far)
    b_point, b_far = np.where(replace_b, c_point, b_point), np.where(replace_b, c_far, b_far)
    case: Ints = _MIDDLE_CASES + a_point * 32 + b_point * 4 + a_far * 2 + b_far
    return case


class Noise:
    """Three-dimensional noise, about -1..1.

    Args:
        seed: any integer; the same seed gives the same noise as ``opensimplex.OpenSimplex(seed)``.
    """

    def __init__(self, seed: int) -> None:
        self._permutation = _permutation(seed)
        self._gradients = _gradients()
        self._extra = _extra_table()

    def at(self, x: Floats, y: Floats, z: Floats) -> Floats:
        """Noise at n points; ``x``, ``y``, ``z`` and the result have shape (n,)."""
        stretch = (x + y + z) * _STRETCH
        point = np.stack([x, y, z])
        stretched = point + stretch
        floor = np.floor(stretched)
        squish = (floor[0] + floor[1] + floor[2]) * _SQUISH
        inside = stretched - floor
        origin_to_point = point - (floor + squish)
        cell = floor.astype(np.int64)
        total = inside[0] + inside[1] + inside[2]
        lower, upper = total <= 1, total >= 2
        noise = np.empty_like(x)
        for chosen, corners, case in (
            (lower, _LOWER, _lower_case),
            (upper & ~lower, _UPPER, _upper_case),
            (~lower & ~upper, _MIDDLE, _middle_case),
        ):
            index = np.flatnonzero(chosen)
            place, cube = origin_to_point[:, index], cell[:, index]
            value = np.zeros(len(index))
            none = np.zeros((3, 1), dtype=np.int64)
            for offset, squishes in corners:
                value += self._kernel(place, cube, np.array(offset)[:, None], squishes, none)
            extra = self._extra[case(*inside[:, index])]
            for one in (extra[:, 0].T, extra[:, 1].T):
                value += self._kernel(place, cube, one[:3], one[3], one[4:])
            noise[index] = value / _NORM
        return noise

    def _kernel(self, place: Floats, cube: Ints, offset: Ints, squishes: Ints | int, last: Ints) -> Floats:
        """What one lattice point adds to each of n points: ``place`` and ``cube`` are 3 x n."""
        dx, dy, dz = ((place - offset) - squishes * _SQUISH) - last
        strength = ((2 - dx * dx) - dy * dy) - dz * dz
        x, y, z = cube + offset + last
        table = self._permutation
        gradient = self._gradients[table[(table[(table[x & 255] + y) & 255] + z) & 255] % 24]
        slope = (gradient[:, 0] * dx + gradient[:, 1] * dy) + gradient[:, 2] * dz
        squared = strength * strength
        return np.where(strength > 0, squared * squared * slope, 0.0)
