"""Zones: flat triggers in the floor. One kills, the other hurts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from embodibench.envs.aai.objects.base import Kind
from embodibench.envs.aai.scene import Triple

HEIGHT: Final = -0.15
"""Height of every zone's centre, whatever the file says."""


@dataclass(frozen=True, slots=True)
class Zone(Kind):
    """A box that triggers when the agent's sphere overlaps it.

    Attributes:
        deadly: entering it ends the episode with -1.
    """

    deadly: bool = False

    def centre_height(self, y: float, size: Triple) -> float:
        return HEIGHT


DEATH_ZONE: Final = Zone("DeathZone", (1.0, 0.5, 1.0), (40.0, 10.0, 40.0), "zone", own_colour=True, deadly=True)
HOT_ZONE: Final = Zone("HotZone", (1.0, 0.5, 1.0), (40.0, 10.0, 40.0), "zone", own_colour=True)
