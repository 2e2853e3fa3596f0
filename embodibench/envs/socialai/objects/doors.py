"""Doors that are opened by hand, and doors that a lever opens."""

from __future__ import annotations

from embodibench.envs.socialai.objects.base import Cells, Family, FamilyMember, Thing


class Door(FamilyMember):
    """Toggled open once; its family is blocked then, so that it can never be closed again.

    Attributes:
        is_open: one may walk and see through it.
    """

    KIND = "door"
    STATE = (*FamilyMember.STATE, "is_open")
    __slots__ = ("is_open",)

    def __init__(self, color: str, family: Family | None = None) -> None:
        super().__init__(color, family)
        self.is_open = False

    def can_overlap(self) -> bool:
        return self.is_open

    def see_behind(self) -> bool:
        return self.is_open

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (0 if self.is_open else 1, 0, 0, 0)

    def use(self, cells: Cells) -> None:
        if self.blocked:
            return
        self.is_open = not self.is_open
        self.block()

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        if not self.is_open:
            self.block()


class RemoteDoor(Thing):
    """Moved by its lever only.

    Attributes:
        is_open: one may walk and see through it.
    """

    KIND = "remotedoor"
    STATE = (*Thing.STATE, "is_open")
    __slots__ = ("is_open",)

    def __init__(self, color: str, is_open: bool = False) -> None:
        super().__init__(color)
        self.is_open = is_open

    def can_overlap(self) -> bool:
        return self.is_open

    def see_behind(self) -> bool:
        return self.is_open

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (0 if self.is_open else 1, 0, 0, 0)
