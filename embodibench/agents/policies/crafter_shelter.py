"""Where a Crafter player can sleep: rooms that it can close from inside.

A player turns without moving only towards what is blocked, so a free cell beside it can be faced, and closed with a
stone, only right after moving towards it. That leaves two kinds of room: two cells in a row between solid flanks,
whose two ends can be closed; and two by two cells, all of whose eight neighbours can. Creatures move and hit along the
axes only, so corners need no stone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from embodibench.agents.policies.crafter_survey import BLOCKED, DIRECTIONS, Reach, Survey, ahead, steps_between
from embodibench.envs.crafter.creatures import Skeleton
from embodibench.envs.crafter.grid import SIZE

_WATER: Final = 5
"""Steps that a room with water for a wall is worth: one can drink inside."""
_BOWSHOT: Final = 10
"""Steps from a skeleton within which water is no wall: arrows fly over it."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A cell that must be solid: closed from ``inside``, facing ``direction``, coming from ``run_up``.

    Water can be faced by turning, so its run-up is ``inside`` itself.
    """

    cell: int
    inside: int
    run_up: int
    direction: int


@dataclass(frozen=True, slots=True)
class Room:
    """Cells of a room, and every neighbour that can be closed from inside."""

    cells: tuple[int, ...]
    openings: tuple[Opening, ...]

    def open_now(self, survey: Survey) -> list[Opening]:
        """Openings through which a creature or an arrow could come now."""
        shot_at = under_fire(survey, self.cells[0])
        return [opening for opening in self.openings if _leaks(survey, opening.cell, shot_at)]


def under_fire(survey: Survey, cell: int) -> bool:
    """Whether a skeleton is within bowshot of a cell."""
    return any(steps_between(cell, archer) <= _BOWSHOT for archer, _ in survey.of_kind(Skeleton))


def _leaks(survey: Survey, cell: int, shot_at: bool) -> bool:
    return survey.is_open(cell) or (shot_at and survey.is_material(cell, "water", "lava"))


def room_on(cells: tuple[int, ...], survey: Survey) -> Room | None:
    """The room on these cells, or None if a neighbour that cannot be closed is open, or open to arrows."""
    shot_at = under_fire(survey, cells[0])
    openings = []
    for cell in cells:
        for direction, (dx, dy) in enumerate(DIRECTIONS):
            neighbour = ahead(cell, direction)
            if neighbour is None or neighbour in cells:
                continue
            run_up = cell - dx * SIZE - dy
            if survey.is_material(neighbour, "water"):
                openings.append(Opening(neighbour, cell, cell, direction))
            elif run_up in cells and not survey.is_material(neighbour, "lava"):
                openings.append(Opening(neighbour, cell, run_up, direction))
            elif _leaks(survey, neighbour, shot_at):
                return None
    return Room(cells, tuple(openings))


def _shapes(cell: int) -> list[tuple[int, ...]]:
    x, y = divmod(cell, SIZE)
    shapes: list[tuple[int, ...]] = []
    if x + 1 < SIZE:
        shapes.append((cell, cell + SIZE))
    if y + 1 < SIZE:
        shapes.append((cell, cell + 1))
    if x + 1 < SIZE and y + 1 < SIZE:
        shapes.append((cell, cell + 1, cell + SIZE, cell + SIZE + 1))
    return shapes


def find_room(survey: Survey, ways: Reach) -> Room | None:
    """The room that is closed soonest with the stones at hand: walking, digging, and three steps an opening."""
    best: tuple[int, tuple[int, ...]] | None = None
    chosen = None
    for start in sorted(ways.cost):
        for cells in _shapes(start):
            if any(survey.entry_cost[cell] == BLOCKED or survey.is_material(cell, "water") for cell in cells):
                continue
            if any(cell in survey.things for cell in cells):
                continue
            walk = min(ways.cost.get(cell, 1000) for cell in cells)
            if best is not None and walk > best[0] + _WATER:
                continue
            room = room_on(cells, survey)
            if room is None:
                continue
            to_dig = [cell for cell in cells if not survey.is_open(cell)]
            stones = survey.inventory["stone"] + sum(survey.is_material(cell, "stone") for cell in to_dig)
            to_close = len(room.open_now(survey))
            if to_close > min(stones, 9):
                continue
            cost = walk + 2 * len(to_dig) + 3 * to_close
            if any(survey.is_material(cell, "water") for cell in survey.beside(cells)):
                cost -= _WATER
            if best is None or (cost, cells) < best:
                best, chosen = (cost, cells), room
    return chosen
