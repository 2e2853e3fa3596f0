"""The peer's body: what the agent sees of it."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import NOT_POINTING, SOUTH, STEPS, Point
from embodibench.envs.socialai.objects import Thing
from embodibench.envs.socialai.view import EMPTY

GO_FORWARD: Final = "go_forward"
ROTATE_LEFT: Final = "rotate_left"
ROTATE_RIGHT: Final = "rotate_right"
TOGGLE: Final = "toggle_action"
POINTS: Final = ("point_E", "point_S", "point_W", "point_N")
STOP_POINT: Final = "stop_point"
NO_OP: Final = "no_op"

_ACT_IDS: Final = {GO_FORWARD: 0, ROTATE_LEFT: 1, ROTATE_RIGHT: 2, TOGGLE: 3, STOP_POINT: 9, NO_OP: 10}
_FIRST_POINT_ID: Final = 5


class PeerBody(Thing):
    """A peer on the grid.

    Attributes:
        facing: direction it looks in.
        pointing: direction of its arm, or None while the arm is down.
        last_act: its act in the last step.
        introduced: the agent has been introduced to it.
        adversarial: it competes with the agent.
        hidden: it is shown as an empty cell, and can be walked through.
        name: what its lines in the dialogue begin with.
    """

    KIND = "npc"
    STATE = (*Thing.STATE, "facing", "pointing", "last_act", "introduced", "adversarial", "hidden", "name")
    __slots__ = ("adversarial", "facing", "hidden", "introduced", "last_act", "name", "pointing")

    def __init__(self, color: str, name: str, adversarial: bool = False, hidden: bool = False) -> None:
        super().__init__(color)
        self.name = name
        self.adversarial = adversarial
        self.hidden = hidden
        self.facing = SOUTH
        self.pointing: int | None = None
        self.last_act = NO_OP
        self.introduced = False

    @property
    def cell(self) -> Point:
        """Where it stands."""
        assert self.cur_pos is not None
        return self.cur_pos

    @property
    def front(self) -> Point:
        """The cell it looks at."""
        return self.cell[0] + STEPS[self.facing][0], self.cell[1] + STEPS[self.facing][1]

    def can_overlap(self) -> bool:
        return self.hidden

    def code(self, facing: int) -> bytes:
        return EMPTY if self.hidden else super().code(facing)

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        act = (
            _FIRST_POINT_ID + relative(POINTS.index(self.last_act), facing)
            if self.last_act in POINTS
            else _ACT_IDS[self.last_act]
        )
        return (
            int(self.adversarial),
            relative(self.facing, facing),
            NOT_POINTING if self.pointing is None else relative(self.pointing, facing),
            act,
        )


def relative(direction: int, facing: int) -> int:
    """A direction as seen by somebody who looks towards ``facing``: 0 towards them, 1 their left, 2 away, 3 right."""
    return (direction - facing + 2) % 4
