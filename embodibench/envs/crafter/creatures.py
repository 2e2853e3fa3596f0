"""Player and creatures: upstream's classes with faster steps on integer positions.

What each does in its turn (``update``) is upstream's code; only the geometry below it is replaced, with equal results.
Arrows and plants are made by upstream's own code and stay upstream's classes.
"""

from __future__ import annotations

from typing import Any

from crafter import objects

from embodibench.envs.crafter.grid import Cell, Grid

Arrow = objects.Arrow
Plant = objects.Plant


class _OnGrid:
    """Geometry on tuples instead of arrays."""

    world: Grid
    pos: Cell
    walkable: list[str]

    def move(self, direction: tuple[int, int]) -> bool:
        x, y = self.pos
        target = (x + direction[0], y + direction[1])
        if not self.is_free(target):
            return False
        self.world.move(self, target)
        return True

    def is_free(self, target: tuple[int, int], materials: list[str] | None = None) -> bool:
        material, thing = self.world[target]
        return thing is None and material in (self.walkable if materials is None else materials)

    def distance(self, target: Any) -> int:
        """Steps to an object or a position."""
        x, y = getattr(target, "pos", target)
        return int(abs(x - self.pos[0]) + abs(y - self.pos[1]))

    def toward(self, target: Any, long_axis: bool = True) -> Cell:
        """One step towards an object or a position, along the longer or the shorter axis."""
        x, y = getattr(target, "pos", target)
        x, y = x - self.pos[0], y - self.pos[1]
        along_x = abs(x) > abs(y) if long_axis else abs(x) <= abs(y)
        return Cell((_sign(x), 0)) if along_x else Cell((0, _sign(y)))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Player(_OnGrid, objects.Player):  # type: ignore[misc]
    """The one who acts."""


class Cow(_OnGrid, objects.Cow):  # type: ignore[misc]
    """Wanders; food."""


class Zombie(_OnGrid, objects.Zombie):  # type: ignore[misc]
    """Comes closer on grass and hits."""


class Skeleton(_OnGrid, objects.Skeleton):  # type: ignore[misc]
    """Keeps to the tunnels and shoots arrows."""
