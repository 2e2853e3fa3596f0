"""What somebody sees: a 7 x 7 window ahead, with the School's own rule of what hides what.

The viewer stands in the middle of the nearest row (column 3, row 6) and looks towards row 0. The rule is not minigrid
3.2's flood fill: everything is visible at first, and each opaque or hidden cell hides the cells behind it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from embodibench.envs.socialai.constants import STEPS

SIZE: Final = 7
CELLS: Final = SIZE * SIZE
CENTRE: Final = SIZE // 2
OWN: Final = CENTRE * SIZE + SIZE - 1
"""Index of the viewer's own cell. Cells are numbered column by column, each from far to near."""

CHANNELS: Final = 6
UNSEEN: Final = bytes(CHANNELS)
EMPTY: Final = bytes((1, 0, 0, 0, 0, 0))


def _index(column: int, row: int) -> int:
    return column * SIZE + row


def _shadows() -> tuple[tuple[int, int], ...]:
    """For each cell that can hide others, in the order in which they are looked at: (its bit, bits it hides)."""
    found = []
    for row in range(SIZE - 1, -1, -1):
        ahead = SIZE - 1 - row
        if 0 < row < SIZE - 1:
            hidden = sum(1 << _index(CENTRE + side, row - 1) for side in (-1, 0, 1))
            found.append((1 << _index(CENTRE, row), hidden))
        for outward in (-1, 1):
            for aside in range(1, CENTRE):
                column = CENTRE + outward * aside
                hidden = 0
                if aside >= ahead:
                    hidden |= 1 << _index(column + outward, row)
                if row > 0:
                    hidden |= 1 << _index(column + outward, row - 1)
                    if ahead >= aside:
                        hidden |= 1 << _index(column, row - 1)
                found.append((1 << _index(column, row), hidden))
    return tuple(found)


_SHADOWS: Final = _shadows()


@lru_cache(maxsize=1 << 16)
def hidden_cells(opaque: int) -> int:
    """Bits of the cells that are hidden when the cells in ``opaque`` cannot be looked through.

    An opaque cell is itself visible unless another hides it.
    """
    hidden = 0
    for bit, behind in _SHADOWS:
        if (opaque | hidden) & bit:
            hidden |= behind
    return hidden


def window_steps(facing: int) -> tuple[tuple[int, int], ...]:
    """Displacement of each of the 49 cells from the viewer, who looks in direction ``facing``."""
    ahead, right = STEPS[facing], STEPS[(facing + 1) % 4]
    return tuple(
        (
            (SIZE - 1 - row) * ahead[0] + (column - CENTRE) * right[0],
            (SIZE - 1 - row) * ahead[1] + (column - CENTRE) * right[1],
        )
        for column in range(SIZE)
        for row in range(SIZE)
    )


WINDOWS: Final = tuple(window_steps(facing) for facing in range(4))
