"""The room: a minigrid grid of the School's objects, with the agent and the peer in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from minigrid.core.grid import Grid

from embodibench.envs.socialai.constants import STEPS, Point
from embodibench.envs.socialai.objects import Thing, Wall
from embodibench.envs.socialai.view import EMPTY, OWN, UNSEEN, WINDOWS, hidden_cells

_MARGIN: Final = 6
"""Cells of wall kept around the canvas, so that a view never leaves the array."""

WALL: Final = Wall()
"""The one wall object: walls have no state."""


@lru_cache(maxsize=64)
def _window_offsets(stride: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(dy * stride + dx for dx, dy in window) for window in WINDOWS)


class Room(Grid):  # type: ignore[misc]
    """A canvas with a walled room in its top left corner.

    Attributes:
        width, height: canvas, in cells.
        columns, rows: room, outer walls included.
        agent_pos, agent_dir: where the agent stands and looks.
        cells: the canvas with a margin of wall around it.
    """

    STATE = ("width", "height", "columns", "rows", "agent_pos", "agent_dir", "walls", "standing")

    def __init__(self, canvas: int, columns: int, rows: int) -> None:
        self.width = self.height = canvas
        self.columns, self.rows = columns, rows
        self.stride = canvas + 2 * _MARGIN
        self.cells: list[Thing | None] = [WALL] * (self.stride * self.stride)
        self._offsets = _window_offsets(self.stride)
        self._origin = _MARGIN * self.stride + _MARGIN
        for y in range(canvas):
            start = self._origin + y * self.stride
            self.cells[start : start + canvas] = [None] * canvas
        self.agent_pos: Point = (-1, -1)
        self.agent_dir = 0
        self.wall_ring(0)

    @property
    def grid(self) -> list[Thing | None]:
        """The canvas row by row, as minigrid keeps it."""
        return [
            thing
            for y in range(self.height)
            for thing in self.cells[self._origin + y * self.stride : self._origin + y * self.stride + self.width]
        ]

    @property
    def walls(self) -> int:
        """One bit for each wall of the canvas, row by row."""
        bits = 0
        for index, thing in enumerate(self.grid):
            if thing is WALL:
                bits |= 1 << index
        return bits

    @property
    def standing(self) -> tuple[tuple[int, Thing], ...]:
        """What stands on the canvas beside walls, with the number of its cell, row by row."""
        return tuple(
            [(index, thing) for index, thing in enumerate(self.grid) if thing is not None and thing is not WALL]
        )

    def wall_ring(self, depth: int) -> None:
        """Wall along the room's edge, ``depth`` cells inside its outermost ring."""
        right, bottom = self.columns - 1 - depth, self.rows - 1 - depth
        for x in range(depth, right + 1):
            self.set(x, depth, WALL)
            self.set(x, bottom, WALL)
        for y in range(depth, bottom + 1):
            self.set(depth, y, WALL)
            self.set(right, y, WALL)

    def get(self, i: int, j: int) -> Thing | None:
        return self.cells[self._origin + j * self.stride + i]

    def set(self, i: int, j: int, v: Thing | None) -> None:
        self.cells[self._origin + j * self.stride + i] = v

    def at(self, cell: Point) -> Thing | None:
        """What stands on a cell. Up to six cells outside the canvas there is wall."""
        return self.cells[self._origin + cell[1] * self.stride + cell[0]]

    def put(self, cell: Point, thing: Thing | None) -> None:
        """Replace what stands on a cell."""
        self.cells[self._origin + cell[1] * self.stride + cell[0]] = thing
        if thing is not None:
            thing.cur_pos = cell

    def occupied_by_agent(self, cell: Point) -> bool:
        return cell == self.agent_pos

    def agent_front(self) -> Point:
        """The cell the agent looks at."""
        step = STEPS[self.agent_dir]
        return self.agent_pos[0] + step[0], self.agent_pos[1] + step[1]

    def is_free(self, cell: Point) -> bool:
        """Whether a body could stand there, if the agent does not already."""
        thing = self.at(cell)
        return (thing is None or thing.can_overlap()) and cell != self.agent_pos

    def window(self, viewer: Point, facing: int) -> tuple[list[Thing | None], int]:
        """What stands in the 49 cells ahead of somebody, and the bits of those that are hidden from them."""
        base = self._origin + viewer[1] * self.stride + viewer[0]
        cells = self.cells
        things = [cells[base + offset] for offset in self._offsets[facing]]
        opaque = 0
        for index, thing in enumerate(things):
            if thing is not None and (thing is WALL or not thing.see_behind()):
                opaque |= 1 << index
        return things, hidden_cells(opaque)

    def agent_view(self) -> tuple[bytes, ...]:
        """What the agent sees: 49 codes of six channels, column by column, each from far to near."""
        facing = self.agent_dir
        things, hidden = self.window(self.agent_pos, facing)
        view = []
        for index, thing in enumerate(things):
            if hidden >> index & 1:
                view.append(UNSEEN)
            elif thing is None or index == OWN:
                view.append(EMPTY)
            else:
                view.append(_WALL_CODE if thing is WALL else thing.code(facing))
        return tuple(view)

    def sees(self, viewer: Point, facing: int, target: Point) -> bool:
        """Whether somebody at ``viewer`` who looks in direction ``facing`` sees the cell ``target``."""
        dx, dy = target[0] - viewer[0], target[1] - viewer[1]
        if (dx, dy) not in WINDOWS[facing]:
            return False
        index = WINDOWS[facing].index((dx, dy))
        _, hidden = self.window(viewer, facing)
        return not hidden >> index & 1


_WALL_CODE: Final = WALL.code(0)
