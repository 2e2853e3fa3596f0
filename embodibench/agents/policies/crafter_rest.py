"""Resting: when to sleep, and how to be behind walls by then."""

from __future__ import annotations

from embodibench.agents.policies.crafter_moves import DO, NOOP, PLACE_STONE, SLEEP, enter, go, press
from embodibench.agents.policies.crafter_shelter import Room, find_room, room_on
from embodibench.agents.policies.crafter_survey import NEIGHBOURS, Survey

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
        if self._room is not None:
            self._room = self._still(survey, self._room)
        if self._room is None:
            ways, _ = survey.reach(limit=_SEARCH)
            self._room = find_room(survey, ways)
        if self._room is None:
            return None
        return self._close(survey, self._room)

    def _still(self, survey: Survey, room: Room) -> Room | None:
        """The chosen room as it is now, or None when it cannot be closed any more."""
        now = room_on(room.cells, survey)
        stones = survey.inventory["stone"] + sum(survey.is_material(cell, "stone") for cell in room.cells)
        return None if now is None or len(now.open_now(survey)) > stones else now

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

    def _within(self, survey: Survey, room: Room, target: int) -> int:
        """Step towards a cell of the room without leaving it."""
        for neighbour in survey.beside([survey.pos]):
            if neighbour == target:
                return enter(survey, neighbour)
        for neighbour in survey.beside([survey.pos]):
            if neighbour in room.cells:
                return enter(survey, neighbour)
        return NOOP
