"""The numbers of one episode that do not change while it is played, in the form the compiled step reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.aai.exact import Floats

Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tables:
    """Per-episode constants.

    Attributes:
        yaws: (2, 180) cosine and sine of the agent's yaw after k turns of 2 degrees to the right.
        owners: (geoms,) static, ball, box or agent (``state.STATIC`` ...).
        numbers: (geoms,) number of the ball that a geom is, else -1.
        bodies: (free bodies, 3) address in qpos, address in qvel, number of the ball or -1.
        limits: (free bodies,) greatest spin in rad/s, 0 for none.
        rewards: (balls,) what taking it brings.
        rules: (balls,) 0 ends the episode well, 1 disappears, 2 ends it badly.
        geoms: (balls,) its geom.
        zones: (zones, 9) in MuJoCo's axes: centre 0..2, half extents 3..5, cosine and sine of the yaw, 1 if deadly.
    """

    yaws: Floats
    owners: Integers
    numbers: Integers
    bodies: Integers
    limits: Floats
    rewards: Floats
    rules: Integers
    geoms: Integers
    zones: Floats
