"""The marble, and the tee it leaves behind."""

from __future__ import annotations

from embodibench.envs.socialai.constants import STEPS
from embodibench.envs.socialai.objects.base import Cells, Thing


class MarbleTee(Thing):
    """Solid marker of the cell a marble came from: nobody, and no marble, enters there again."""

    KIND = "marbletee"
    __slots__ = ()


class Marble(Thing):
    """Rolls away from whoever walks into it, a cell a step, until something stops it; what stops it is bumped.

    Attributes:
        moving: direction it rolls in, or None while it lies still.
        has_moved: it has left its first cell, where its tee stands now.
    """

    KIND = "marble"
    STATE = (*Thing.STATE, "moving", "has_moved")
    __slots__ = ("has_moved", "moving")

    def __init__(self, color: str) -> None:
        super().__init__(color)
        self.moving: int | None = None
        self.has_moved = False

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        self.moving = direction

    def roll(self, cells: Cells) -> None:
        """Move one cell on, or stop at what stands there and bump it."""
        if self.moving is None or self.cur_pos is None:
            return
        ahead = (self.cur_pos[0] + STEPS[self.moving][0], self.cur_pos[1] + STEPS[self.moving][1])
        thing = cells.at(ahead)
        if thing is not None:
            thing.push(cells, self.moving, by_marble=True)
        if (thing is None or thing.can_overlap()) and not cells.occupied_by_agent(ahead):
            cells.put(self.cur_pos, None if self.has_moved else MarbleTee(self.color))
            self.has_moved = True
            cells.put(ahead, self)
        else:
            self.moving = None
