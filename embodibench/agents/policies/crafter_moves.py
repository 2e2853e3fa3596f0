"""From "be there", "use that" and "put something there" to the next action of a Crafter player."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from embodibench.agents.policies.crafter_survey import BLOCKED, NEIGHBOURS, Survey, ahead
from embodibench.envs.crafter.grid import SIZE
from embodibench.envs.crafter.names import ACTION_NAMES

NOOP: Final = ACTION_NAMES.index("Noop")
MOVE: Final = ACTION_NAMES.index("Move West")
DO: Final = ACTION_NAMES.index("Do")
SLEEP: Final = ACTION_NAMES.index("Sleep")
PLACE_STONE: Final = ACTION_NAMES.index("Place Stone")


def direction_to(start: int, neighbour: int) -> int:
    """The direction of a cell beside ``start``."""
    return next(direction for cell, direction in NEIGHBOURS[start] if cell == neighbour)


def press(survey: Survey, direction: int) -> int:
    """Move or turn in a direction; never into lava."""
    target = ahead(survey.pos, direction)
    if target is not None and survey.is_material(target, "lava"):
        return NOOP
    return MOVE + direction


def enter(survey: Survey, neighbour: int) -> int:
    """Get into the cell beside the player: walk, or hit, dig or bridge what is in the way."""
    direction = direction_to(survey.pos, neighbour)
    if survey.is_free(neighbour):
        return press(survey, direction)
    if survey.facing != direction:
        return press(survey, direction)
    if survey.is_material(neighbour, "water") and neighbour not in survey.things:
        return PLACE_STONE
    return DO


def go(survey: Survey, goals: Collection[int], limit: int = 200) -> int | None:
    """The next action on the cheapest way to one of the goals; None when there is none or the player is there."""
    found = survey.nearest(goals, limit)
    if found is None or found[0] == survey.pos:
        return None
    return enter(survey, found[1])


def use(survey: Survey, targets: Collection[int], limit: int = 200) -> int | None:
    """The next action on the way to facing the nearest of the targets and doing. Targets block the way or are blocked.

    A target that can be walked on (grass) is faced only by chance; see ``face_grass``.
    """
    wanted = sorted(set(targets))
    if survey.front in wanted:
        return DO
    beside = survey.beside(wanted)
    if survey.pos in beside:
        direction = next(way for cell, way in NEIGHBOURS[survey.pos] if cell in wanted)
        return press(survey, direction)
    return go(survey, [cell for cell in beside if survey.entry_cost[cell] != BLOCKED], limit)


def put(survey: Survey, target: int, action: int, limit: int = 200) -> int | None:
    """The next action on the way to placing something on a free cell: face it right after moving towards it.

    None when no side of it can be reached so.
    """
    if survey.front == target:
        return action
    run_ups: list[int] = []
    for stand, way in NEIGHBOURS[target]:
        back = _opposite(way)
        # Seen from the target, ``stand`` lies in direction ``way``; the player comes from one further.
        run_up = ahead(stand, way)
        if stand == survey.pos and not survey.is_free(target):
            return press(survey, back)
        if run_up is None or (not survey.is_free(stand) and stand != survey.pos):
            continue
        if run_up == survey.pos and survey.is_free(stand):
            return press(survey, back)
        if survey.entry_cost[run_up] != BLOCKED:
            run_ups.append(run_up)
    found = survey.nearest(run_ups, limit)
    if found is None:
        return None
    return enter(survey, found[1])


def _opposite(direction: int) -> int:
    return direction ^ 1


def face_grass(survey: Survey) -> int | None:
    """The next action on the way to facing free grass and doing (a sapling, one time in ten)."""
    front = survey.front
    if front is not None and survey.is_material(front, "grass") and front not in survey.things:
        return DO
    for neighbour, way in NEIGHBOURS[survey.pos]:
        beyond = ahead(neighbour, way)
        if survey.is_free(neighbour) and beyond is not None and _free_grass(survey, beyond):
            return press(survey, way)
    meadow = [
        cell
        for cell in survey.cells_of("grass")
        if cell != survey.pos and any(_free_grass(survey, neighbour) for neighbour, _ in NEIGHBOURS[cell])
    ]
    return go(survey, meadow)


def _free_grass(survey: Survey, cell: int) -> bool:
    return survey.is_material(cell, "grass") and cell not in survey.things


__all__ = ["DO", "MOVE", "NOOP", "PLACE_STONE", "SIZE", "SLEEP", "enter", "face_grass", "go", "press", "put", "use"]
