"""Levers, which move a remote door, for good or for a while."""

from __future__ import annotations

from embodibench.envs.socialai.constants import NOT_POINTING
from embodibench.envs.socialai.objects.base import Cells, Family, FamilyMember
from embodibench.envs.socialai.objects.doors import RemoteDoor


class Lever(FamilyMember):
    """Pulled by toggling.

    Attributes:
        is_on: pulled down now.
        was_activated: it has been on; once off again it never moves.
        door: the door it moves; None for the wrong lever.
        active_steps: how many steps it stays on; None without a timer.
        countdown: steps left while a timer runs, else None.
    """

    KIND = "lever"
    STATE = (*FamilyMember.STATE, "is_on", "was_activated", "door", "active_steps", "countdown")
    __slots__ = ("active_steps", "countdown", "door", "is_on", "was_activated")

    def __init__(
        self,
        color: str,
        family: Family | None = None,
        door: RemoteDoor | None = None,
        active_steps: int | None = None,
    ) -> None:
        super().__init__(color, family)
        self.is_on = False
        self.was_activated = False
        self.door = door
        self.active_steps = active_steps
        self.countdown: int | None = None

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (int(self.is_on), NOT_POINTING if self.countdown is None else self.countdown, 0, 0)

    def use(self, cells: Cells) -> None:
        if self.blocked or (self.was_activated and not self.is_on):
            return
        self._flip()
        if self.is_on:
            self.was_activated = True
            self.countdown = self.active_steps
            self.block()
        else:
            self.countdown = None

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        self.block()

    def tick(self) -> None:
        """One step of the timer: at zero lever and door flip back."""
        if self.countdown is None:
            return
        self.countdown -= 1
        if self.countdown == 0:
            self.countdown = None
            self._flip()

    def _flip(self) -> None:
        self.is_on = not self.is_on
        if self.door is not None:
            self.door.is_open = not self.door.is_open
