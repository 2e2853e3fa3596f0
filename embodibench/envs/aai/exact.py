"""Sine and cosine without libm: the last bit of libm's differs between processors, and yaw reaches the physics.

Degrees are reduced to one octant by exact operations, and a Taylor polynomial in a fixed order of additions and
multiplications does the rest. The result is within 2e-16 of the true value and the same everywhere.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RADIAN: Final = 0.017453292519943295
"""One degree in radians (pi / 180, rounded to double)."""

_SINE: Final = tuple(
    1.0 / n
    for n in (1.0, -6.0, 120.0, -5040.0, 362880.0, -39916800.0, 6227020800.0, -1307674368000.0, 355687428096000.0)
)
_COSINE: Final = tuple(
    1.0 / n for n in (1.0, -2.0, 24.0, -720.0, 40320.0, -3628800.0, 479001600.0, -87178291200.0, 20922789888000.0)
)


def circle(degrees: Floats) -> tuple[Floats, Floats]:
    """Cosine and sine of angles in degrees, elementwise; any finite angle, exact at multiples of 90."""
    turned = np.mod(np.asarray(degrees, dtype=np.float64), 360.0)
    quadrant = np.floor((turned + 45.0) / 90.0)
    rest = (turned - 90.0 * quadrant) * RADIAN
    square = rest * rest
    sine = _horner(_SINE, square) * rest
    cosine = _horner(_COSINE, square)
    turn = np.mod(quadrant, 4.0)
    cos = np.select([turn == 0, turn == 1, turn == 2], [cosine, -sine, -cosine], sine)
    sin = np.select([turn == 0, turn == 1, turn == 2], [sine, cosine, -sine], -cosine)
    return cos + 0.0, sin + 0.0


def direction(degrees: float) -> tuple[float, float]:
    """Cosine and sine of one angle in degrees."""
    cos, sin = circle(np.array([degrees], dtype=np.float64))
    return float(cos[0]), float(sin[0])


def _horner(coefficients: tuple[float, ...], x: Floats) -> Floats:
    total = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    return total
