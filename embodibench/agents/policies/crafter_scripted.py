"""policy/scripted for Crafter: a planner that reads the full map, and shows what the world can give.

It is labelled privileged: it knows where everything is, beyond the view. It does not look at the random generator,
tries nothing out, and changes nothing but by acting. At every step it surveys the map anew and takes the first of its
rules that has something to do: fight what stands beside it, rest in a closed room, drink and eat, tend a fenced
sapling, and otherwise make the next thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.agents.policies.crafter_craft import Crafting
from embodibench.agents.policies.crafter_garden import Garden
from embodibench.agents.policies.crafter_moves import DO, NOOP, PLACE_STONE, direction_to, press, use
from embodibench.agents.policies.crafter_rest import Rest
from embodibench.agents.policies.crafter_survey import DIRECTIONS, NEIGHBOURS, Survey, ahead
from embodibench.canonical import Json
from embodibench.envs.crafter.creatures import Arrow, Cow, Skeleton, Zombie
from embodibench.envs.crafter.world import CrafterWorld

_HUNGRY: Final = 5
"""Food or drink at or below which the player looks for more."""

_DUSK: Final = (70, 125)
_ARROW_NEAR: Final = 2
_EVENING: Final = 6
"""The same in the evening, to last through the night."""


class ScriptedPolicy:
    """Plays to the end of the episode."""

    identity: Final = AgentIdentity(name="policy/scripted", version=1, privileged=True)

    async def play(self, game: Game) -> None:
        """Act until the episode ends."""
        world = cast(CrafterWorld, game.environment)
        planner = Planner()
        while not game.over:
            game.act(planner.decide(Survey(world.simulation)))

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None


class Planner:
    """The decisions of one episode; remembers only what it is in the middle of."""

    def __init__(self) -> None:
        self._rest = Rest()
        self._garden = Garden()
        self._crafting = Crafting()
        self._refill: str | None = None

    def decide(self, survey: Survey) -> int:
        """The next action."""
        if survey.sleeping:
            return NOOP
        rules: tuple[Callable[[Survey], int | None], ...] = (
            self._dodge,
            self._fight,
            self._rest.urgent,
            self._eat_and_drink,
            self._rest.wanted,
            self._garden.tend,
            self._crafting.next,
            self._hunt,
            self._garden.wait,
            self._rest.idle,
        )
        for rule in rules:
            action = rule(survey)
            if action is not None:
                return action
        return NOOP

    def _fight(self, survey: Survey) -> int | None:
        """Hit a zombie or skeleton that stands beside the player."""
        foes = {cell for cell, _ in survey.of_kind(Zombie, Skeleton)}
        beside = [(cell, way) for cell, way in NEIGHBOURS[survey.pos] if cell in foes]
        if not beside:
            return None
        if survey.front in foes:
            return DO
        return press(survey, beside[0][1])

    def _dodge(self, survey: Survey) -> int | None:
        """Step out of the way of an arrow that is about to hit, or put a stone in its way."""
        coming = incoming(survey, survey.pos, _ARROW_NEAR)
        if coming is None:
            return None
        if survey.front == coming and survey.is_free(coming) and survey.has("stone"):
            return PLACE_STONE
        for neighbour, way in NEIGHBOURS[survey.pos]:
            aside = way // 2 != direction_to(survey.pos, coming) // 2
            if aside and survey.is_free(neighbour) and incoming(survey, neighbour, _ARROW_NEAR + 1) is None:
                return press(survey, way)
        return None

    def _eat_and_drink(self, survey: Survey) -> int | None:
        """Refill once a vital is low, and then until it is well filled."""
        for vital, fill in (("drink", self._drink), ("food", self._eat)):
            amount = survey.inventory[vital]
            evening = _DUSK[0] <= survey.step % 300 <= _DUSK[1]
            if amount <= (_EVENING if evening else _HUNGRY) or (self._refill == vital and amount < 8):
                action = fill(survey)
                if action is not None:
                    self._refill = vital
                    return action
        self._refill = None
        return None

    def _drink(self, survey: Survey) -> int | None:
        return use(survey, survey.cells_of("water"))

    def _eat(self, survey: Survey) -> int | None:
        return use(survey, [cell for cell, _ in survey.of_kind(Cow)])

    def _hunt(self, survey: Survey) -> int | None:
        """Look for the creature that has not been defeated yet."""
        if survey.health < 6:
            return None
        for achievement, kind in (("defeat_zombie", Zombie), ("defeat_skeleton", Skeleton)):
            if not survey.achievements[achievement]:
                action = use(survey, [cell for cell, _ in survey.of_kind(kind)])
                if action is not None:
                    return action
        return None


def incoming(survey: Survey, cell: int, reach: int) -> int | None:
    """The neighbour of a cell through which an arrow within ``reach`` steps will hit it, or None."""
    for neighbour, way in NEIGHBOURS[cell]:
        at: int | None = neighbour
        for _ in range(reach):
            if at is None:
                break
            thing = survey.things.get(at)
            if isinstance(thing, Arrow) and DIRECTIONS.index(tuple(thing.facing)) == way ^ 1:
                return neighbour
            if thing is not None or not (survey.is_open(at) or survey.is_material(at, "water", "lava")):
                break
            at = ahead(at, way)
    return None


__all__ = ["Planner", "ScriptedPolicy"]
