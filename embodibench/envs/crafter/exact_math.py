"""Cosine and exponential whose every bit is the same on every processor.

The cos, exp and pow of libm and NumPy differ in the last bit with AVX2 and FMA. Here they are made of decimal
arithmetic, which is exact by specification, or of single IEEE additions and multiplications in a fixed order.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Final

import numpy as np
from numpy.typing import NDArray

PI: Final = Decimal("3.14159265358979323846264338327950288419716939937511")

_LN2_HIGH: Final = float.fromhex("0x1.62e42fee00000p-1")
"""The first 33 bits of ln 2: its product with a whole number below 2**20 is exact."""
_LN2_LOW: Final = float.fromhex("0x1.a39ef35793c76p-33")
_LOG2_E: Final = float.fromhex("0x1.71547652b82fep+0")
_TAYLOR: Final = tuple(1 / math.factorial(n) for n in range(13, -1, -1))
"""1/13!, ..., 1/1!, 1/0!, each rounded once: the quotient of two whole numbers is exact in Python."""


def precise() -> Context:
    """Decimal arithmetic with 50 digits, whatever the caller's own context is."""
    return Context(prec=50, rounding=ROUND_HALF_EVEN)


def cosine(angle: Decimal) -> Decimal:
    """Cosine of an angle in radians within -4..4, to about 45 digits, by its Taylor series."""
    with localcontext(precise()):
        square = angle * angle
        term = total = Decimal(1)
        n = 0
        while abs(term) > Decimal("1e-48"):
            n += 2
            term = -term * square / (n * (n - 1))
            total += term
        return total


def exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """e**x element by element, for -700 < x < 700, within 2 units in the last place.

    x = k ln 2 + r with whole k and |r| <= ln(2)/2; e**r by its Taylor polynomial of degree 13 (remainder below 1e-17),
    in Horner's order; the factor 2**k is exact.
    """
    k = np.rint(x * _LOG2_E)
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    value = np.full_like(r, _TAYLOR[0])
    for coefficient in _TAYLOR[1:]:
        value = value * r + coefficient
    return np.asarray(np.ldexp(value, k.astype(np.int64)), dtype=np.float64)
