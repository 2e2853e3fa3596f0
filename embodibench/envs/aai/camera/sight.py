"""What a picture shows, as data: for observations in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from embodibench.envs.aai.camera.picture import HALF_VIEW, seen
from embodibench.envs.aai.exact import circle
from embodibench.envs.aai.scene import Scene

TRANSLUCENT: Final = ("DeathZone", "HotZone", "WallTransparent", "CylinderTunnelTransparent")


@dataclass(frozen=True, slots=True)
class Sight:
    """One object of which at least one pixel is seen.

    Attributes:
        kind: by its Animal-AI 3.x name.
        identity: as of its solids in the scene.
        bearing: whole degrees from straight ahead to the middle of its pixels' columns, positive to the right.
        distance: from the eye to the nearest point that a pixel shows, arena units, to 0.01.
        pixels: how many show it, whether or not something translucent stands before it.
        columns: the first and last column (from 0) that show it.
    """

    kind: str
    identity: int
    bearing: int
    distance: float
    pixels: int
    columns: tuple[int, int]


def visible(scene: Scene, height: int, width: int) -> tuple[Sight, ...]:
    """What the picture of this size shows, nearest first (equals: by identity). Nothing while the light is off.

    Translucent objects (zones, transparent walls and tunnels) hide nothing: an object behind one is seen through it.

    Raises:
        ValueError: for a size outside 4..2048 or an object kind that the camera does not know.
    """
    buffer, depths = seen(scene, height, width, through=True)
    if scene.dark:
        return ()
    kinds = {solid.identity: solid.kind for solid in scene.solids}
    views = [(buffer, depths, False)]
    if any(kind in TRANSLUCENT for kind in kinds.values()):
        views.append((*seen(scene, height, width), True))
    sights = []
    for names, distances, clear in views:
        for identity in np.unique(names[names >= 0]).tolist():
            if (kinds[identity] in TRANSLUCENT) == clear:
                mask = names == identity
                columns = np.nonzero(mask)[1]
                first, last = int(columns.min()), int(columns.max())
                sights.append(
                    Sight(
                        kinds[identity],
                        identity,
                        _bearing(int(columns.sum()), len(columns), height, width),
                        round(float(distances[mask].min()), 2),
                        len(columns),
                        (first, last),
                    )
                )
    return tuple(sorted(sights, key=lambda sight: (sight.distance, sight.identity)))


@lru_cache(maxsize=1)
def _tangents() -> npt.NDArray[np.float64]:
    """Tangents of -89.5, -88.5 ... 89.5 degrees, the same on every processor."""
    cosine, sine = circle(np.arange(180, dtype=np.float64) - np.float64(89.5))
    return np.asarray(sine / cosine)


def _bearing(total: int, count: int, height: int, width: int) -> int:
    """Whole degrees to the mean column total / count; a half goes to the right."""
    tangent = (total / count - 0.5 * (width - 1)) * (2.0 * HALF_VIEW / height)
    return int(np.searchsorted(_tangents(), tangent, side="right")) - 90
