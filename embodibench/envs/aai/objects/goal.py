"""The six goals: solid balls of 1 kg that are taken by touching them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from embodibench.envs.aai.objects.base import Kind, Piece
from embodibench.envs.aai.scene import Triple

KICK: Final = 10.0
"""Speed in m/s that a bouncing goal gets at the start, along its yaw (one impulse of 500 x 0.02)."""


@dataclass(frozen=True, slots=True)
class Goal(Kind):
    """A ball.

    Attributes:
        sign: of the reward, whose size is the diameter.
        ends: touching it ends the episode at once; otherwise it disappears.
        bounces: it is kicked at the start. (Nothing in the arena is elastic; the name is Animal-AI's.)
    """

    sign: float = 1.0
    ends: bool = True
    bounces: bool = False

    @property
    def ball(self) -> bool:
        return True

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (Piece("sphere", (0.0, 0.0, 0.0), size),)


def _goal(name: str, sign: float, ends: bool, bounces: bool, yaw_range: float = 360.0) -> Goal:
    return Goal(
        name,
        (0.5, 0.5, 0.5),
        (5.0, 5.0, 5.0),
        "free",
        mass=1.0,
        own_colour=True,
        yaw_range=yaw_range,
        sign=sign,
        ends=ends,
        bounces=bounces,
    )


GOALS: Final = (
    _goal("GoodGoal", 1.0, True, False, yaw_range=0.0),
    _goal("GoodGoalBounce", 1.0, True, True),
    _goal("GoodGoalMulti", 1.0, False, False),
    _goal("GoodGoalMultiBounce", 1.0, False, True),
    _goal("BadGoal", -1.0, True, False, yaw_range=0.0),
    _goal("BadGoalBounce", -1.0, True, True),
)
