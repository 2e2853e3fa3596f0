"""A policy for the arena that acts only on what the picture shows: the floor for players that see.

At every step it looks at the picture's identity buffer: it turns to the nearest visible reward (yellow before green,
since a green ball ends the game) and runs at it, steers around red lava and red balls, and slips along walls that stand
in the way. When something stands between it and the reward it goes around by the nearer side. When it sees no reward it
turns once around, then walks in one of the directions in which there was room, the more room the likelier, and looks
again. It knows neither its place nor what it does not see, and does nothing while it is dark. It plays step by step, as
children did, without the opening waits and scripts of the language models' protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.agents.react.motion import BACKWARD, DEGREES, FORWARD, LEFT, NOTHING, RIGHT
from embodibench.agents.react.senses import seen
from embodibench.agents.react.sight import Sighting, View
from embodibench.canonical import Json

SIDE: Final = 256
"""Pixels of the picture that it looks at, each way."""
YELLOW: Final = ("GoodGoalMulti", "GoodGoalMultiBounce")
GREEN: Final = ("GoodGoal", "GoodGoalBounce")
DEADLY: Final = ("DeathZone", "BadGoal", "BadGoalBounce")
LOW: Final = ("DeathZone", "HotZone")
STRAIGHT: Final = 6
"""Degrees off the heading within which a target counts as ahead."""
CORRIDOR: Final = 25
"""Degrees to each side that the player's body needs free close by."""
FEAR: Final = 4.0
"""Distance from which on what is deadly is steered around."""
CLOSE: Final = 1.6
"""Distance from which on a wall is in the way."""
ROUND: Final = 60
"""Steps of a full turn."""
WALK: Final = 18
"""Steps of going somewhere else, at most."""
STUCK: Final = 12
"""Looks at the same picture after which it steps back."""
DETOUR: Final = (10, 14)
"""Steps of turning aside and of going ahead when something stands in the way."""


@dataclass(slots=True)
class _Memory:
    """What the policy remembers in an episode.

    Attributes:
        plan: actions that it has set its mind on, the next one last.
        rooms: how much room it saw at each step of the turn that it is making.
        same: looks in a row that showed the same picture, which is ``before``.
    """

    plan: list[int] = field(default_factory=list)
    rooms: list[float] = field(default_factory=list)
    same: int = 0
    before: tuple[tuple[int, int, int], ...] = ()


class HeuristicPolicy:
    """Turns to what is green or yellow, avoids what is red, searches."""

    identity: Final = AgentIdentity(name="policy/heuristic", version=1)

    async def play(self, game: Game) -> None:
        """Look and act at every step, until the episode ends."""
        memory = _Memory()
        while not game.over:
            game.act(_decide(seen(game.environment, SIDE), memory, game))

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None


def _decide(view: View, memory: _Memory, game: Game) -> int:
    if view.dark:
        return NOTHING
    danger = _danger(view)
    if danger is not None:
        memory.plan.clear()
        return _away(danger)
    target = _target(view)
    wall = _in_the_way(view, target) if target is not None else None
    if target is not None and wall is None:
        memory.plan.clear()
        memory.rooms.clear()
        action = _approach(target)
    elif memory.plan:
        action = memory.plan.pop()
    elif target is not None and wall is not None:
        # Along the shorter side of what stands in the way.
        left = target.bearing - wall.left < wall.right - target.bearing
        memory.plan = [FORWARD] * DETOUR[1] + [LEFT if left else RIGHT] * DETOUR[0]
        action = memory.plan.pop()
    else:
        action = _search(view, memory, game)
    if action >= FORWARD and _stands_still(view, memory):
        side = RIGHT if game.rng.integers(2) else LEFT
        memory.plan = [BACKWARD + side] * STUCK + [BACKWARD] * (STUCK // 2)
        memory.same = 0
    return action


def _target(view: View) -> Sighting | None:
    """The nearest yellow ball, else the nearest green one."""
    for kinds in (YELLOW, GREEN):
        found = [sighting for sighting in view.sightings if sighting.kind in kinds]
        if found:
            return found[0]
    return None


def _approach(target: Sighting) -> int:
    if abs(target.bearing) < STRAIGHT:
        return FORWARD
    turn = RIGHT if target.bearing > 0 else LEFT
    return FORWARD + turn if abs(target.bearing) < 4 * DEGREES else turn


def _search(view: View, memory: _Memory, game: Game) -> int:
    """Once around, remembering the room; then to one of those headings, and ahead for a while."""
    memory.rooms.append(_room(view))
    if len(memory.rooms) < ROUND:
        return RIGHT
    weights = [max(0.0, room - CLOSE) for room in memory.rooms]
    draw = game.rng.random() * sum(weights)
    heading = 0
    while heading < ROUND - 1 and draw >= weights[heading]:
        draw -= weights[heading]
        heading += 1
    turns = [RIGHT] * (heading + 1) if heading < ROUND // 2 else [LEFT] * (ROUND - heading - 1)
    memory.plan = [FORWARD] * min(WALK, 2 + int(weights[heading])) + turns
    memory.rooms.clear()
    return NOTHING


def _danger(view: View) -> Sighting | None:
    """The nearest deadly thing on the way ahead."""
    for sighting in view.sightings:
        ahead = sighting.left < CORRIDOR and sighting.right > -CORRIDOR
        if sighting.kind in DEADLY and sighting.distance < FEAR and ahead:
            return sighting
    return None


def _away(danger: Sighting) -> int:
    """Turn to the side on which it ends sooner, braking."""
    turn = LEFT if danger.left + danger.right > 0 else RIGHT
    return BACKWARD + turn if danger.distance < FEAR / 2 else turn


def _in_the_way(view: View, target: Sighting) -> Sighting | None:
    """What stands close by between the player and the target."""
    for sighting in view.sightings:
        if sighting.distance >= min(target.distance, 2 * CLOSE):
            return None
        covers = sighting.left - 3 <= target.bearing <= sighting.right + 3
        if covers and sighting is not target and sighting.kind not in LOW and sighting.kind != "Ramp":
            return sighting
    return None


def _room(view: View) -> float:
    """How far it is free straight ahead: to what is seen there, else to the fence."""
    found = 40.0 if view.fence is None else view.fence
    for sighting in view.sightings:
        if sighting.left < CORRIDOR / 2 and sighting.right > -CORRIDOR / 2 and sighting.kind != "Ramp":
            found = min(found, sighting.distance)
    return found


def _stands_still(view: View, memory: _Memory) -> bool:
    """Whether the picture has been the same for some looks."""
    now = tuple((sighting.solid.identity, sighting.pixels, sighting.bearing) for sighting in view.sightings)
    memory.same = memory.same + 1 if now == memory.before else 0
    memory.before = now
    return memory.same >= STUCK
