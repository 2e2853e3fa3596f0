"""How the camera's kernels are compiled: the same arithmetic everywhere, kept on disk where that is possible.

No fast-math: sums keep their order and nothing is fused, so a picture has the same bits on every processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy", "boundscheck": False}


def kernel(function: Function) -> Function:
    """``function`` compiled at its first call and cached beside its source, or not cached where no folder is writable.

    The interpreter's lock is let go while it runs, so that bands of one picture can be drawn by several threads.
    """
    try:
        compiled: Function = numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # numba finds neither a writable __pycache__ nor a user's cache folder
        compiled = numba.njit(cache=False, **OPTIONS)(function)
    return compiled


def inlined(function: Function) -> Function:
    """``function`` compiled into each of its callers, never on its own."""
    compiled: Function = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled
