"""The full map of a Crafter world at one moment, as a planner reads it: what can be walked, dug, reached, and where.

A cell is a flat index, ``x * 64 + y``. Directions are 0..3 for west, east, north and south, so the action that moves in
direction ``d`` is ``1 + d``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Final

from embodibench.envs.crafter.creatures import Plant
from embodibench.envs.crafter.grid import CODES, SIZE
from embodibench.envs.crafter.simulation import Simulation

CELLS: Final = SIZE * SIZE
DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
BLOCKED: Final = 255
"""Cost of a cell that cannot be entered."""

OPEN: Final = frozenset(CODES[name] for name in ("grass", "sand", "path"))
"""Materials that creatures walk on, and on which things can be placed."""

_DIG: Final = 3
"""Steps to enter a cell that must be dug out: turn, do, move."""
_BRIDGE: Final = 5
"""Steps to cross a cell of water: turn, place stone, do, move, and one more because it is seldom worth it."""
_NIGHTFALL: Final = 0.6
_MORNING: Final = 0.75
_CALM: Final = 5
_NIGHT_ON_GRASS: Final = 2
"""Surcharge in steps for a cell of grass by night."""
_TOOL: Final = (
    ("tree", None),
    ("stone", "wood_pickaxe"),
    ("coal", "wood_pickaxe"),
    ("iron", "stone_pickaxe"),
    ("diamond", "iron_pickaxe"),
)


def _neighbours(cell: int) -> tuple[tuple[int, int], ...]:
    x, y = divmod(cell, SIZE)
    return tuple(
        ((x + dx) * SIZE + y + dy, direction)
        for direction, (dx, dy) in enumerate(DIRECTIONS)
        if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE
    )


NEIGHBOURS: Final = tuple(_neighbours(cell) for cell in range(CELLS))
"""For each cell, the cells beside it and the direction in which each lies."""


def ahead(cell: int, direction: int) -> int | None:
    """The next cell in a direction, or None beyond the edge."""
    for neighbour, way in NEIGHBOURS[cell]:
        if way == direction:
            return neighbour
    return None


def steps_between(a: int, b: int) -> int:
    """Manhattan distance."""
    return abs(a // SIZE - b // SIZE) + abs(a % SIZE - b % SIZE)


@dataclass(frozen=True, slots=True)
class Reach:
    """What every cell costs to get to from where the player stands (a shortest-path tree).

    Attributes:
        cost: steps to each cell that was reached.
        parent: the cell before it.
    """

    cost: dict[int, int]
    parent: dict[int, int]

    def first_step(self, target: int, start: int) -> int:
        """The first cell on the way from ``start`` to ``target``; ``start`` itself when already there."""
        cell = target
        while cell != start and self.parent[cell] != start:
            cell = self.parent[cell]
        return cell


class Survey:
    """The map as it is now. Read-only; a new one is made at every step."""

    def __init__(self, simulation: Simulation) -> None:
        grid, player = simulation.grid, simulation.player
        self.step = simulation.steps
        self.light = grid.daylight
        self.materials: bytes = grid.materials.tobytes()
        self.pos: int = player.pos[0] * SIZE + player.pos[1]
        self.facing: int = DIRECTIONS.index(tuple(player.facing))
        self.inventory: dict[str, int] = player.inventory
        self.achievements: dict[str, int] = player.achievements
        self.sleeping: bool = player.sleeping
        self.things: dict[int, Any] = {
            thing.pos[0] * SIZE + thing.pos[1]: thing for thing in grid.objects if thing is not player
        }

    def has(self, item: str) -> bool:
        return self.inventory[item] > 0

    @property
    def health(self) -> int:
        return self.inventory["health"]

    @property
    def dark(self) -> bool:
        """Whether two or more zombies may roam each chunk of grassland (upstream: 3.5 - 3 light of them)."""
        return self.light < _NIGHTFALL

    @property
    def bright(self) -> bool:
        """Whether the zombies of the night have mostly gone."""
        return self.light > _MORNING

    @cached_property
    def calm(self) -> bool:
        """No zombie or skeleton near enough to come while the player stands still for a while."""
        return all(
            steps_between(cell, self.pos) > _CALM
            for cell, thing in self.things.items()
            if type(thing).__name__ in _DANGER
        )

    @cached_property
    def exposure(self) -> float:
        """Share of grass, where zombies appear, among the cells within six steps."""
        near = list(around(self.pos, 6))
        return sum(self.materials[cell] == CODES["grass"] for cell in near) / len(near)

    @cached_property
    def front(self) -> int | None:
        """The cell the player faces, or None at the edge."""
        return ahead(self.pos, self.facing)

    def of_kind(self, *kinds: type[Any]) -> list[tuple[int, Any]]:
        """Cells and objects of these kinds, in the order in which they take their turn."""
        return [(cell, thing) for cell, thing in self.things.items() if isinstance(thing, kinds)]

    def cells_of(self, *materials: str) -> list[int]:
        """All cells of these materials that hold no object, in order."""
        codes = {CODES[name] for name in materials}
        return [cell for cell, code in enumerate(self.materials) if code in codes and cell not in self.things]

    def is_material(self, cell: int, *materials: str) -> bool:
        return any(self.materials[cell] == CODES[name] for name in materials)

    def is_open(self, cell: int) -> bool:
        """Whether a creature could come here: open ground, whatever creature stands on it now. A plant keeps it out."""
        return self.materials[cell] in OPEN and not isinstance(self.things.get(cell), Plant)

    def is_free(self, cell: int) -> bool:
        """Open ground with nothing on it."""
        return self.materials[cell] in OPEN and cell not in self.things

    def can_dig(self, cell: int) -> bool:
        """Whether doing turns this cell into open ground. The fence of a growing plant is left alone."""
        return self.materials[cell] in self._diggable and cell not in self.fence

    @cached_property
    def fence(self) -> frozenset[int]:
        """Stones beside plants that are not ripe."""
        return frozenset(
            cell
            for plant, thing in self.of_kind(Plant)
            if not thing.ripe
            for cell, _ in NEIGHBOURS[plant]
            if self.is_material(cell, "stone")
        )

    @cached_property
    def _diggable(self) -> frozenset[int]:
        return frozenset(CODES[name] for name, tool in _TOOL if tool is None or self.has(tool))

    @cached_property
    def entry_cost(self) -> bytes:
        """Steps that entering each cell takes, with a surcharge for danger; ``BLOCKED`` where it is not possible."""
        table = bytearray([BLOCKED] * 256)
        for code in OPEN:
            table[code] = 1
        for code in self._diggable:
            table[code] = _DIG
        if self.dark:
            table[CODES["grass"]] += _NIGHT_ON_GRASS
        if self.has("stone") and self.has("wood_pickaxe"):
            table[CODES["water"]] = _BRIDGE
        costs = bytearray(self.materials.translate(bytes(table)))
        for cell in self.fence:
            costs[cell] = BLOCKED
        for cell, thing in self.things.items():
            costs[cell] = _OBSTACLE.get(type(thing).__name__, BLOCKED)
            reach, surcharge = _DANGER.get(type(thing).__name__, (0, 0))
            for near in around(cell, reach) if reach else ():
                if near != cell and costs[near] != BLOCKED:
                    costs[near] = min(BLOCKED - 1, costs[near] + surcharge)
        return bytes(costs)

    def reach(self, stop: Callable[[int], bool] | None = None, limit: int = 200) -> tuple[Reach, int | None]:
        """Cheapest ways from the player, up to ``limit`` steps or the first cell for which ``stop`` holds.

        Returns the ways and that cell. Ties go to the smaller cell index.
        """
        entry = self.entry_cost
        cost = {self.pos: 0}
        parent: dict[int, int] = {}
        queue = [self.pos]
        while queue:
            so_far, cell = divmod(heappop(queue), CELLS)
            if so_far > cost[cell]:
                continue
            if so_far > limit:
                break
            if stop is not None and stop(cell):
                return Reach(cost, parent), cell
            for neighbour, _ in NEIGHBOURS[cell]:
                if entry[neighbour] == BLOCKED:
                    continue
                total = so_far + entry[neighbour]
                if total < cost.get(neighbour, total + 1):
                    cost[neighbour] = total
                    parent[neighbour] = cell
                    heappush(queue, total * CELLS + neighbour)
        return Reach(cost, parent), None

    def nearest(self, goals: Collection[int], limit: int = 200) -> tuple[int, int, int] | None:
        """The goal that is cheapest to stand on: (goal, first cell on the way, steps), or None."""
        wanted = frozenset(goals)
        if not wanted:
            return None
        ways, goal = self.reach(wanted.__contains__, limit)
        return None if goal is None else (goal, ways.first_step(goal, self.pos), ways.cost[goal])

    def beside(self, targets: Iterable[int]) -> list[int]:
        """Cells from which one of the targets can be faced."""
        return [cell for target in targets for cell, _ in NEIGHBOURS[target]]


_OBSTACLE: Final = {"Cow": 6, "Zombie": 8, "Skeleton": 6, "Arrow": 2}
"""Steps that it takes to get past a creature."""

_DANGER: Final = {"Zombie": (2, 3), "Skeleton": (3, 1)}
"""Creature -> how far it is dangerous, and the surcharge in steps."""


def around(cell: int, distance: int) -> Iterator[int]:
    """Cells within a Manhattan distance, the cell itself included, inside the world."""
    x, y = divmod(cell, SIZE)
    for i in range(max(0, x - distance), min(SIZE, x + distance + 1)):
        rest = distance - abs(i - x)
        for j in range(max(0, y - rest), min(SIZE, y + rest + 1)):
            yield i * SIZE + j
