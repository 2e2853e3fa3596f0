"""How the camera's kernels are compiled: the same arithmetic everywhere, kept on disk where that is possible.

No fast-math: sums keep their order and nothing is fused, so a picture has the same bits on every processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy", "boundscheck": False}


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Digest of all this package's sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Function) -> Function:
    """``function`` compiled at its first call, and kept on disk where numba finds a folder that it may write.

    Numba takes a kept kernel for current while the file that defines it is unchanged, though it holds what it calls
    from other files too. Here any change of the package makes it stale; where numba does not let that be said, nothing
    is kept. The interpreter's lock is let go while a kernel runs, so that several threads can draw one picture.
    """
    try:
        compiled: Any = numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # neither a __pycache__ nor a user's cache folder can be written
        compiled = None
    store = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if store is not None and hasattr(store, "_source_stamp"):
        store._source_stamp = source_stamp()
    else:
        compiled = numba.njit(cache=False, **OPTIONS)(function)
    result: Function = compiled
    return result


def inlined(function: Function) -> Function:
    """``function`` compiled into each of its callers, never on its own."""
    compiled: Function = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled
