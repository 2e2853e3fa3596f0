"""Resting: when to sleep, and how to be behind walls by then."""

from __future__ import annotations

from embodibench.agents.policies.crafter_moves import DO, NOOP, PLACE_STONE, SLEEP, direction_to, enter, go, press
from embodibench.agents.policies.crafter_shelter import Room, find_room, under_fire
from embodibench.agents.policies.crafter_survey import NEIGHBOURS, Survey
from embodibench.envs.crafter.creatures import Arrow
from embodibench.envs.crafter.grid import SIZE

_FULL = 9
_OPEN_COUNTRY = 0.15
"""Share of grass around the player from which the night is too dangerous to stay outside."""
_SEARCH = 30
"""Steps within which a room is looked for."""


class Rest:
    """Finds a room, closes it, sleeps, and stays until rested."""

    def __init__(self) -> None:
        self._room: Room | None = None
        self._resting = False

    def urgent(self, survey: Survey) -> int | None:
        """Go on resting until rested and day; begin when exhausted, badly hurt, or caught in the open by the night."""
        inventory = survey.inventory
        lowest = min(inventory["food"], inventory["drink"])
        if self._resting:
            night = not survey.bright and survey.exposure > _OPEN_COUNTRY
            rested = inventory["energy"] >= _FULL and survey.health >= 7 and not night
            starving = lowest <= (0 if night else 2) and inventory["energy"] > 2
            if rested or starving:
                self._stop()
                return None
            return self._continue(survey)
        exhausted = inventory["energy"] <= 2
        hurt = survey.health <= 3
        benighted = survey.dark and survey.exposure > _OPEN_COUNTRY
        if exhausted or (lowest > 3 and (hurt or benighted)):
            return self._begin(survey)
        return None

    def wanted(self, survey: Survey) -> int | None:
        """Begin to rest when it is dark and the player is tired, or to learn what waking up is."""
        inventory = survey.inventory
        tired = inventory["energy"] <= (6 if survey.dark else 3)
        curious = not survey.achievements["wake_up"] and inventory["energy"] <= 7 and inventory["stone"] >= 3
        return self._begin(survey) if tired or curious else None

    def idle(self, survey: Survey) -> int | None:
        """Stay behind walls when there is nothing else to do."""
        return self._continue(survey)

    def _begin(self, survey: Survey) -> int | None:
        action = self._continue(survey)
        self._resting = action is not None
        return action

    def _stop(self) -> None:
        self._resting, self._room = False, None

    def _continue(self, survey: Survey) -> int | None:
        if self._room is None or not self._usable(survey, self._room):
            ways, _ = survey.reach(limit=_SEARCH)
            self._room = find_room(survey, ways)
        if self._room is None:
            return None
        return self._close(survey, self._room)

    def _usable(self, survey: Survey, room: Room) -> bool:
        """Whether the chosen room can still be closed."""
        to_close = len(room.open_now(survey))
        stones = survey.inventory["stone"] + sum(survey.is_material(cell, "stone") for cell in room.cells)
        walls = {opening.cell for opening in room.openings}
        inside = set(room.cells)
        flanks = [cell for cell in survey.beside(room.cells) if cell not in walls and cell not in inside]
        if any(survey.is_open(cell) for cell in flanks):
            return False
        if not survey.has("stone") and under_fire(survey, room.cells[0]):
            return not any(survey.is_material(cell, "water", "lava") for cell in survey.beside(room.cells))
        return to_close <= stones

    def _close(self, survey: Survey, room: Room) -> int | None:
        """The next action of getting in, clearing, closing and sleeping."""
        if survey.pos not in room.cells:
            return go(survey, room.cells, limit=2 * _SEARCH)
        for cell in room.cells:
            if cell != survey.pos and not survey.is_free(cell):
                return self._within(survey, room, cell)
        for opening in room.open_now(survey):
            if survey.pos == opening.inside and survey.facing == opening.direction:
                return DO if opening.cell in survey.things else PLACE_STONE
        for opening in room.open_now(survey):
            if survey.pos == opening.inside and opening.cell in survey.things:
                return press(survey, opening.direction)
            if survey.pos == opening.run_up:
                return press(survey, opening.direction)
        for opening in room.open_now(survey):
            return self._within(survey, room, opening.run_up)
        if survey.has("stone") and survey.of_kind(Arrow):
            shield = self._shield(survey)
            if shield is not None:
                return shield
        if survey.inventory["drink"] < _FULL - 1:
            drink = self._drink_inside(survey, room)
            if drink is not None:
                return drink
        return SLEEP if survey.inventory["energy"] < _FULL else NOOP

    def _drink_inside(self, survey: Survey, room: Room) -> int | None:
        """Drink from water that is a wall of the room."""
        if survey.front is not None and survey.is_material(survey.front, "water"):
            return DO
        for cell in (survey.pos, *room.cells):
            for neighbour, way in NEIGHBOURS[cell]:
                if survey.is_material(neighbour, "water"):
                    return press(survey, way) if cell == survey.pos else self._within(survey, room, cell)
        return None

    def _shield(self, survey: Survey) -> int | None:
        """Put a stone into water beside the player over which an arrow comes."""
        x, y = divmod(survey.pos, SIZE)
        for cell, arrow in survey.of_kind(Arrow):
            dx, dy = arrow.facing
            east, south = x - cell // SIZE, y - cell % SIZE
            steps = east * dx + south * dy
            if steps <= 0 or (east, south) != (steps * dx, steps * dy):
                continue
            wall = survey.pos - dx * SIZE - dy
            if survey.is_material(wall, "water") and wall not in survey.things:
                return PLACE_STONE if survey.front == wall else press(survey, direction_to(survey.pos, wall))
        return None

    def _within(self, survey: Survey, room: Room, target: int) -> int:
        """Step towards a cell of the room without leaving it."""
        for neighbour in survey.beside([survey.pos]):
            if neighbour == target:
                return enter(survey, neighbour)
        for neighbour in survey.beside([survey.pos]):
            if neighbour in room.cells:
                return enter(survey, neighbour)
        return NOOP
