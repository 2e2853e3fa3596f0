"""The numbers of one episode that do not change while it is played, in the form the compiled step reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.aai.exact import Floats

Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Per-episode constants.

    Attributes:
        yaws: (2, 180) cosine and sine of the agent's yaw after k turns of 2 degrees to the right.
        rewards: (balls,) what taking it brings.
        rules: (balls,) 0 ends the episode well, 1 disappears, 2 ends it badly.
        zones: (zones, 9) in MuJoCo's axes: centre 0..2, half extents 3..5, cosine and sine of the yaw, 1 if deadly.
    """

    yaws: Floats
    rewards: Floats
    rules: Integers
    zones: Floats
