"""A sapling behind a fence: planting it, keeping cows and zombies off it, and eating it when it is ripe.

A plant dies when a creature stands beside it, and ripens only while the player is within 17 steps (objects further
away do not take their turn), after more than 300 steps.
"""

from __future__ import annotations

from typing import Final

from embodibench.agents.policies.crafter_moves import PLACE_STONE, face_grass, go, put, use
from embodibench.agents.policies.crafter_survey import NEIGHBOURS, Survey, around, steps_between
from embodibench.envs.crafter.creatures import Cow, Plant, Skeleton, Zombie
from embodibench.envs.crafter.names import ACTION_NAMES

PLACE_PLANT: Final = ACTION_NAMES.index("Place Plant")

_SEEKING: Final = 60
"""Steps at the beginning in which the first sapling is looked for."""
_FAR: Final = 30
"""Steps from the player beyond which a plant is given up until everything else is done."""
_NEAR: Final = 10
"""Steps from the plant within which the player waits."""


class Garden:
    """Decisions about plants."""

    def tend(self, survey: Survey) -> int | None:
        """Plant, fence, eat."""
        ripe = [cell for cell, plant in survey.of_kind(Plant) if plant.ripe]
        hungry = survey.inventory["food"] <= 6
        if ripe and (hungry or not survey.achievements["eat_plant"]):
            action = use(survey, ripe)
            if action is not None:
                return action
        if survey.has("sapling") and not survey.achievements["place_plant"]:
            return self._plant(survey)
        if not survey.achievements["collect_sapling"] and survey.step < _SEEKING:
            return face_grass(survey) if survey.calm else None
        if survey.achievements["eat_plant"]:
            return None
        return self._fence(survey)

    def _fence(self, survey: Survey) -> int | None:
        """Close the open sides of a plant, or raise another one once there are stones for its fence."""
        plants = [cell for cell, _ in survey.of_kind(Plant) if steps_between(cell, survey.pos) <= _FAR]
        for plant in plants:
            gaps = self._gaps(survey, plant)
            if not gaps:
                return None
            if survey.has("stone") and survey.has("wood_pickaxe"):
                if survey.pos in gaps:
                    gaps = [gap for gap in gaps if gap != survey.pos] or gaps
                for gap in gaps:
                    if gap in survey.things:
                        continue
                    action = put(survey, gap, PLACE_STONE)
                    if action is not None:
                        return action
        if plants or survey.inventory["stone"] < 5 or not survey.calm:
            return None
        return self._plant(survey) if survey.has("sapling") else face_grass(survey)

    def wait(self, survey: Survey) -> int | None:
        """Stay where the plant takes its turns; raise one if there is none."""
        if survey.achievements["eat_plant"]:
            return None
        plants = [cell for cell, _ in survey.of_kind(Plant)]
        if not plants:
            return self._plant(survey) if survey.has("sapling") else face_grass(survey)
        if min(steps_between(cell, survey.pos) for cell in plants) > _NEAR:
            return go(survey, list(around(plants[0], _NEAR)))
        return None

    def _gaps(self, survey: Survey, plant: int) -> list[int]:
        return [cell for cell, _ in NEIGHBOURS[plant] if survey.is_open(cell)]

    def _plant(self, survey: Survey) -> int | None:
        """Set the sapling on grass: at once for the first, for a later one where the fence needs few stones."""
        front = survey.front
        first = not survey.achievements["place_plant"]
        if first and front is not None and survey.is_material(front, "grass") and survey.is_free(front):
            return PLACE_PLANT
        best: tuple[int, int] | None = None
        creatures = [cell for cell, _ in survey.of_kind(Cow, Zombie, Skeleton)]
        for cell in survey.cells_of("grass"):
            distance = steps_between(cell, survey.pos)
            if cell == survey.pos or distance > 15:
                continue
            if any(steps_between(cell, creature) <= 2 for creature in creatures):
                continue
            cost = (distance + 4 * len(self._gaps(survey, cell)), cell)
            if best is None or cost < best:
                best = cost
        return None if best is None else put(survey, best[1], PLACE_PLANT)
