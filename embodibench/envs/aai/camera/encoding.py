"""The sRGB curve as tables, made with whole numbers only, so that no mathematical library has a say in a pixel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

LEVELS = 16384
"""Steps of linear light that the encoding table tells apart; the darkest step spans less than one code."""

_SCALE = 10**30


def _fifth_root(number: int) -> int:
    """The largest whole r with r**5 <= number (Newton's method on whole numbers, from above)."""
    root = 1 << (-(-number.bit_length() // 5))
    while True:
        lower = (4 * root + number // root**4) // 5
        if lower >= root:
            return root
        root = lower


def _linear(numerator: int, denominator: int) -> float:
    """Linear light of the gamma-encoded value numerator/denominator (IEC 61966-2-1), correct to about 30 digits."""
    if numerator * 100000 <= 4045 * denominator:
        return numerator * 100 / (denominator * 1292)
    top, bottom = numerator * 1000 + 55 * denominator, denominator * 1055
    # ((x + 0.055) / 1.055) ** 2.4 = x'^2 * (x'^2)^(1/5)
    squared = top * top * _SCALE // (bottom * bottom)
    return squared * _fifth_root(squared * _SCALE**4) / (_SCALE * _SCALE)


@lru_cache(maxsize=1)
def decoding_table() -> npt.NDArray[np.float64]:
    """Linear light of the 256 gamma-encoded values; shape (257,), the last repeated for interpolation."""
    values = [_linear(code, 255) for code in range(256)]
    return np.array([*values, values[-1]], dtype=np.float64)


@lru_cache(maxsize=1)
def encoding_table() -> npt.NDArray[np.uint8]:
    """The nearest of the 256 codes for linear light (i + 0.5) / LEVELS; shape (LEVELS + 1,), the last: full light."""
    edges = np.array([_linear(2 * code + 1, 510) for code in range(255)], dtype=np.float64)
    light = (np.arange(LEVELS + 1, dtype=np.float64) + 0.5) / LEVELS
    return np.searchsorted(edges, light).astype(np.uint8)


def linear(value: float) -> float:
    """Linear light of a gamma-encoded value in 0..255, which may lie between two codes; saturates outside."""
    clipped = min(max(value, 0.0), 255.0)
    below = int(clipped)
    table = decoding_table()
    return float(table[below] + (clipped - below) * (table[below + 1] - table[below]))
