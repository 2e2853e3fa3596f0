"""How the camera's kernels are compiled: the same arithmetic everywhere, kept on disk where that is possible.

No fast-math: sums keep their order and nothing is fused, so a picture has the same bits on every processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """``function`` compiled at its first call and cached beside its source, or not cached where no folder is writable.

    The interpreter's lock is let go while it runs, so that bands of one picture can be drawn by several threads.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy", "boundscheck": False}
    try:
        compiled: Function = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba finds neither a writable __pycache__ nor a user's cache folder
        compiled = numba.njit(cache=False, **options)(function)
    return compiled


def inlined(function: Function) -> Function:
    """``function`` compiled into each of its callers, never on its own."""
    compiled: Function = numba.njit(
        nogil=True, fastmath=False, error_model="numpy", boundscheck=False, inline="never", forceinline=True
    )(function)
    return compiled
