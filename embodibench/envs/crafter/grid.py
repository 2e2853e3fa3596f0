"""The grid: what every cell is made of, which object stands where, and the generator all of them draw from.

It offers what upstream's object classes ask of their world (``world[pos]``, ``add``, ``move``, ``remove``, ``nearby``,
``random``, ``daylight``), with three differences: objects are kept in the order in which they came, never in a set
ordered by memory address; positions are tuples of Python integers; and both maps have a margin, so that a view at the
edge of the world needs no special case.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.crafter.names import MATERIALS

SIZE: Final = 64
"""Cells along each side of the world."""

CHUNK: Final = 12
"""Cells along each side of a chunk; the last chunk of a row or column is narrower (64 = 5 * 12 + 4)."""

VIEW: Final = (9, 7)
"""Width and height in cells of what can be seen, the player in the middle."""

CODES: Final = {name: code for code, name in enumerate(MATERIALS)}

_MARGIN_X: Final = VIEW[0] // 2
_MARGIN_Y: Final = VIEW[1] // 2
_STRIDE: Final = SIZE + 2 * _MARGIN_Y
_COLUMNS: Final = SIZE + 2 * _MARGIN_X
_CHUNKS: Final = -(-SIZE // CHUNK)


class Cell(tuple[int, int]):
    """A position (x, y), x to the east and y to the south, or a difference of two; adds like a vector."""

    __slots__ = ()

    def __add__(self, other: Any) -> Cell:
        return Cell((self[0] + other[0], self[1] + other[1]))

    def __sub__(self, other: Any) -> Cell:
        return Cell((self[0] - other[0], self[1] - other[1]))

    def __neg__(self) -> Cell:
        return Cell((-self[0], -self[1]))


class Chunk:
    """A square of the world in which creatures are counted and balanced.

    Attributes:
        west, east, north, south: its bounds, half open: west <= x < east, north <= y < south.
        counts: cells of each material, by code.
        members: the objects in it, in the order in which they entered.
    """

    __slots__ = ("counts", "east", "members", "north", "south", "west")

    def __init__(self, column: int, row: int) -> None:
        self.west, self.north = column * CHUNK, row * CHUNK
        self.east, self.south = min(self.west + CHUNK, SIZE), min(self.north + CHUNK, SIZE)
        self.counts = [0] * len(MATERIALS)
        self.members: dict[Any, None] = {}

    @property
    def position(self) -> tuple[int, int]:
        """The corner with the smallest x and y."""
        return (self.west, self.north)


class Grid:
    """Materials, objects and randomness of one episode.

    Args:
        seed: seeds the generator, 0..2**32-1.

    Attributes:
        random: the only source of chance in the world; upstream's kind, whose stream NumPy keeps frozen.
        daylight: 0..1, set at each step.
        materials: SIZE x SIZE codes of materials, indexed [x, y]; a view that shows every later change. Read it; change
            a cell with ``grid[pos] = name``.
        chunks: chunks in the order in which an object first entered them, which is the order they are balanced in.
    """

    size: Final = SIZE

    def __init__(self, seed: int) -> None:
        self.random = np.random.RandomState(seed)
        self.daylight = 0.0
        self._cells = bytearray(_COLUMNS * _STRIDE)
        padded = np.frombuffer(self._cells, dtype=np.uint8).reshape(_COLUMNS, _STRIDE)
        self.materials: NDArray[np.uint8] = padded[_MARGIN_X : _MARGIN_X + SIZE, _MARGIN_Y : _MARGIN_Y + SIZE]
        self._occupants: list[Any] = [None] * (_COLUMNS * _STRIDE)
        self._objects: dict[Any, None] = {}
        self._all_chunks = [Chunk(column, row) for column in range(_CHUNKS) for row in range(_CHUNKS)]
        self.chunks: dict[Chunk, None] = {}

    @property
    def objects(self) -> list[Any]:
        """All objects in the order in which they came: a new list, so the world may change while it is walked."""
        return list(self._objects)

    def fill(self, materials: NDArray[np.uint8]) -> None:
        """Set every material at once: SIZE x SIZE codes."""
        self.materials[:] = materials
        for chunk in self._all_chunks:
            region = self.materials[chunk.west : chunk.east, chunk.north : chunk.south]
            chunk.counts = np.bincount(region.ravel(), minlength=len(MATERIALS)).tolist()

    def __getitem__(self, pos: Any) -> tuple[str | None, Any]:
        x, y = pos
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            return None, None
        at = (x + _MARGIN_X) * _STRIDE + y + _MARGIN_Y
        return MATERIALS[self._cells[at]], self._occupants[at]

    def __setitem__(self, pos: Any, material: str) -> None:
        x, y = pos
        at = (x + _MARGIN_X) * _STRIDE + y + _MARGIN_Y
        counts = self._chunk(x, y).counts
        counts[self._cells[at]] -= 1
        counts[CODES[material]] += 1
        self._cells[at] = CODES[material]

    def add(self, thing: Any) -> None:
        """Put a new object at its own ``pos``. Raises ValueError where another one stands."""
        x, y = (int(along) for along in thing.pos)
        thing.pos = Cell((x, y))
        at = (x + _MARGIN_X) * _STRIDE + y + _MARGIN_Y
        if self._occupants[at] is not None:
            raise ValueError(f"cell {x}, {y} already holds a {type(self._occupants[at]).__name__}")
        self._occupants[at] = thing
        self._objects[thing] = None
        self._enter(self._chunk(x, y), thing)

    def remove(self, thing: Any) -> None:
        """Take an object away; does nothing when it is gone already."""
        if thing.removed:
            return
        x, y = thing.pos
        self._occupants[(x + _MARGIN_X) * _STRIDE + y + _MARGIN_Y] = None
        del self._objects[thing]
        del self._chunk(x, y).members[thing]
        thing.removed = True

    def move(self, thing: Any, target: Any) -> None:
        """Set an object down on a free cell. Raises ValueError where another one stands."""
        if thing.removed:
            return
        x, y = thing.pos
        new_x, new_y = int(target[0]), int(target[1])
        new_at = (new_x + _MARGIN_X) * _STRIDE + new_y + _MARGIN_Y
        if self._occupants[new_at] is not None:
            raise ValueError(f"cell {new_x}, {new_y} already holds a {type(self._occupants[new_at]).__name__}")
        self._occupants[new_at] = thing
        self._occupants[(x + _MARGIN_X) * _STRIDE + y + _MARGIN_Y] = None
        old, new = self._chunk(x, y), self._chunk(new_x, new_y)
        if old is not new:
            del old.members[thing]
            self._enter(new, thing)
        thing.pos = Cell((new_x, new_y))

    def nearby(self, pos: Any, distance: int) -> tuple[tuple[str, ...], list[Any]]:
        """Materials and objects within ``distance`` cells along each axis.

        As upstream, nothing is near within ``distance`` of the western and northern edge (its slices begin below 0).
        """
        x, y = pos
        west, north = x - distance, y - distance
        codes = np.unique(self.materials[west : x + distance + 1, north : y + distance + 1]).tolist()
        if not codes:
            return (), []
        cells = ((i, j) for i in range(west, x + distance + 1) for j in range(north, y + distance + 1))
        things = [thing for _, thing in map(self.__getitem__, cells) if thing is not None]
        return tuple(MATERIALS[code] for code in codes), things

    def window(self, pos: Any) -> tuple[bytearray, Iterable[tuple[int, Any]]]:
        """The view around ``pos``: codes of its 63 materials, column by column, and its objects with their index."""
        start = pos[0] * _STRIDE + pos[1]
        width, height = VIEW
        codes = bytearray()
        things: list[tuple[int, Any]] = []
        for column in range(width):
            at = start + column * _STRIDE
            codes += self._cells[at : at + height]
            for row, thing in enumerate(self._occupants[at : at + height]):
                if thing is not None:
                    things.append((column * height + row, thing))
        return codes, things

    def _chunk(self, x: int, y: int) -> Chunk:
        return self._all_chunks[x // CHUNK * _CHUNKS + y // CHUNK]

    def _enter(self, chunk: Chunk, thing: Any) -> None:
        chunk.members[thing] = None
        self.chunks[chunk] = None
