"""Switches, one of which unlocks the box."""

from __future__ import annotations

from embodibench.envs.socialai.objects.base import Cells, Family, FamilyMember
from embodibench.envs.socialai.objects.boxes import LockableBox


class Switch(FamilyMember):
    """Turned on once by toggling; never off again.

    Attributes:
        is_on: it has been turned on. Without a light this cannot be seen.
        box: the box it unlocks; None for the wrong switch.
        has_light: whether ``is_on`` shows.
    """

    KIND = "switch"
    STATE = (*FamilyMember.STATE, "is_on", "box", "has_light")
    __slots__ = ("box", "has_light", "is_on")

    def __init__(
        self, color: str, family: Family | None = None, box: LockableBox | None = None, has_light: bool = False
    ) -> None:
        super().__init__(color, family)
        self.is_on = False
        self.box = box
        self.has_light = has_light

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (int(self.has_light and self.is_on), 0, 0, 0)

    def use(self, cells: Cells) -> None:
        if self.blocked or self.is_on:
            return
        self.is_on = True
        if self.box is not None:
            self.box.is_locked = False
        self.block()

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        self.block()
