"""Boxes, which hold an apple or nothing."""

from __future__ import annotations

from embodibench.envs.socialai.objects.apple import Apple
from embodibench.envs.socialai.objects.base import Cells, Family, FamilyMember


class LockableBox(FamilyMember):
    """Opened by toggling, when it is not locked; what it holds then takes its cell.

    Walking into a box is a mistake that blocks its whole family, even when it stands alone.

    Attributes:
        is_locked: it ignores toggling until a switch unlocks it.
        is_open: it has been opened, and is gone from the grid.
        holds: the apple inside, or None.
    """

    KIND = "lockablebox"
    STATE = (*FamilyMember.STATE, "is_locked", "is_open", "holds")
    __slots__ = ("holds", "is_locked", "is_open")

    def __init__(
        self, color: str, family: Family | None = None, holds: Apple | None = None, is_locked: bool = False
    ) -> None:
        super().__init__(color, family)
        self.is_locked = is_locked
        self.is_open = False
        self.holds = holds

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (2 if self.is_locked else 1, 0, 0, 0)

    def use(self, cells: Cells) -> None:
        if self.blocked or self.is_locked or self.cur_pos is None:
            return
        self.is_open = True
        cells.put(self.cur_pos, self.holds)
        self.block()

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        self.block()
