"""The tree of tools: what to gather next, where to put table and furnace, what to make."""

from __future__ import annotations

from typing import Final

from embodibench.agents.policies.crafter_moves import DO, PLACE_STONE, go, press, use
from embodibench.agents.policies.crafter_survey import BLOCKED, NEIGHBOURS, Survey, ahead
from embodibench.envs.crafter.creatures import Cow
from embodibench.envs.crafter.grid import SIZE
from embodibench.envs.crafter.names import ACTION_NAMES

PLACE_TABLE: Final = ACTION_NAMES.index("Place Table")
PLACE_FURNACE: Final = ACTION_NAMES.index("Place Furnace")

_TABLE_WOOD: Final = 2
_FURNACE_STONE: Final = 4
_TABLE_NEAR: Final = 15
"""Steps to a table beyond which a new one is cheaper."""
_WORKSHOP_NEAR: Final = 40
"""The same for a table that has a furnace beside it."""

_TOOLS: Final = (
    ("wood_pickaxe", {"wood": 1}, False),
    ("wood_sword", {"wood": 1}, False),
    ("stone_pickaxe", {"wood": 1, "stone": 1}, False),
    ("stone_sword", {"wood": 1, "stone": 1}, False),
    ("iron_pickaxe", {"wood": 1, "coal": 1, "iron": 1}, True),
    ("iron_sword", {"wood": 1, "coal": 1, "iron": 1}, True),
)
"""Tools in the order in which they are made, what each uses, and whether it needs a furnace."""


def _make(tool: str) -> int:
    return ACTION_NAMES.index("Make " + tool.replace("_", " ").title())


class Crafting:
    """Decisions about gathering and making."""

    def next(self, survey: Survey) -> int | None:
        """The next action towards the first thing that is missing; None when all is made and found."""
        return self._first_meals(survey) or self._place_stone(survey) or self._tools(survey) or self._treasure(survey)

    def _first_meals(self, survey: Survey) -> int | None:
        """Drink and eat for the first time when it is on the way."""
        if not survey.achievements["collect_drink"]:
            action = use(survey, survey.cells_of("water"), limit=6)
            if action is not None:
                return action
        if not survey.achievements["eat_cow"]:
            return use(survey, [cell for cell, _ in survey.of_kind(Cow)], limit=8)
        return None

    def _place_stone(self, survey: Survey) -> int | None:
        front = survey.front
        if survey.achievements["place_stone"] or not survey.has("stone") or front is None or front in survey.things:
            return None
        return PLACE_STONE if survey.is_open(front) or survey.is_material(front, "water", "lava") else None

    def _tools(self, survey: Survey) -> int | None:
        missing = [tool for tool in _TOOLS if not survey.achievements[f"make_{tool[0]}"]]
        if not missing:
            return None
        for tool, uses, furnace in missing[:2]:
            if all(survey.inventory[item] >= amount for item, amount in uses.items()):
                action = self._make_at_table(survey, tool, furnace)
                if action is not None:
                    return action
        return self._gather(survey, missing)

    def _gather(self, survey: Survey, missing: list[tuple[str, dict[str, int], bool]]) -> int | None:
        """Collect what the missing tools use, the nearest of what can be collected now."""
        inventory = survey.inventory
        wood = sum(uses.get("wood", 0) for _, uses, _ in missing) + _TABLE_WOOD
        early = not survey.has("wood_pickaxe")
        wanted = {"tree": min(9, 4 if early else wood)}
        if survey.has("wood_pickaxe"):
            iron_tools = sum(furnace for *_, furnace in missing)
            wanted["stone"] = 9
            wanted["coal"] = iron_tools
            if survey.has("stone_pickaxe"):
                wanted["iron"] = iron_tools
        carried = {"tree": "wood"}
        targets = [
            cell
            for material, amount in wanted.items()
            if inventory[carried.get(material, material)] < amount
            for cell in survey.cells_of(material)
            if cell not in survey.fence
        ]
        return use(survey, targets) if targets else None

    def _treasure(self, survey: Survey) -> int | None:
        if survey.achievements["collect_diamond"] or not survey.has("iron_pickaxe"):
            return None
        return use(survey, survey.cells_of("diamond"))

    def _make_at_table(self, survey: Survey, tool: str, furnace: bool) -> int | None:
        """Go to a table (and furnace), or set them up, and make the tool."""
        near = _square(survey.pos)
        # Nothing counts as near at the western and northern edge of the world.
        edge = survey.pos // SIZE == 0 or survey.pos % SIZE == 0
        at_table = not edge and any(survey.is_material(cell, "table") for cell in near)
        at_furnace = not edge and any(survey.is_material(cell, "furnace") for cell in near)
        if at_table and (at_furnace or not furnace):
            return _make(tool)
        if furnace:
            workshop = self._workshop(survey)
            if workshop is not None:
                return workshop
            if survey.inventory["stone"] < _FURNACE_STONE:
                return use(survey, [cell for cell in survey.cells_of("stone") if cell not in survey.fence])
        if not at_table:
            places = [cell for table in survey.cells_of("table") for cell in _square(table)]
            found = survey.nearest([cell for cell in places if survey.entry_cost[cell] != BLOCKED], limit=100)
            spare = survey.inventory["wood"] - 1
            if found is not None and (found[2] <= _TABLE_NEAR or spare < _TABLE_WOOD):
                return go(survey, [found[0]])
            return self._set_up(survey, PLACE_TABLE) if spare >= _TABLE_WOOD else None
        return self._set_up(survey, PLACE_FURNACE)

    def _workshop(self, survey: Survey) -> int | None:
        """Go to a cell that has both a table and a furnace near, if there is one not too far."""
        tables = {cell for table in survey.cells_of("table") for cell in _square(table)}
        furnaces = {cell for furnace in survey.cells_of("furnace") for cell in _square(furnace)}
        both = sorted(cell for cell in tables & furnaces if survey.entry_cost[cell] != BLOCKED)
        return go(survey, both, limit=_WORKSHOP_NEAR)

    def _set_up(self, survey: Survey, action: int) -> int | None:
        """Place table or furnace in front, or find a front to place it on without leaving the table's square."""
        front = survey.front
        if front is not None and survey.is_free(front):
            return action
        if front is not None and survey.can_dig(front) and front not in survey.things:
            return DO
        tables = [cell for cell in _square(survey.pos) if survey.is_material(cell, "table")]
        for neighbour, way in NEIGHBOURS[survey.pos]:
            if neighbour in survey.things or survey.is_material(neighbour, "lava"):
                continue
            if survey.can_dig(neighbour):
                return press(survey, way)
            beyond = ahead(neighbour, way)
            stays = not tables or any(table in _square(neighbour) for table in tables)
            if stays and survey.is_free(neighbour) and beyond is not None and survey.is_free(beyond):
                return press(survey, way)
        for neighbour, way in NEIGHBOURS[survey.pos]:
            if survey.is_free(neighbour):
                return press(survey, way)
        return None


def _square(cell: int) -> list[int]:
    """The nine cells within one of a cell along each axis, inside the world."""
    x, y = divmod(cell, SIZE)
    return [
        i * SIZE + j for i in range(max(0, x - 1), min(SIZE, x + 2)) for j in range(max(0, y - 1), min(SIZE, y + 2))
    ]
