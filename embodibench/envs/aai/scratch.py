"""Room the compiled step works in; nothing in it outlives an update."""

from __future__ import annotations

from typing import Final

import numpy as np

from embodibench.envs.aai.exact import Floats
from embodibench.envs.aai.solver import WIDTH
from embodibench.envs.aai.tables import Integers

MOST: Final = 1024
"""Contacts that an update can solve; further ones are not felt."""


def scratch(bodies: int) -> tuple[Floats, Floats, Floats, Integers]:
    """Inverse inertias in the world frame, speeds to move with, contacts, and the bodies and geoms of each contact."""
    return (
        np.zeros((bodies, 9)),
        np.zeros((bodies, 6)),
        np.zeros((MOST, WIDTH)),
        np.zeros((MOST, 4), dtype=np.int64),
    )
