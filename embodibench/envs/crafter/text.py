"""What the player sees, in words and as plain data.

The view is 9 cells wide and 7 high with the player in the middle. Each kind of thing in it is named once, at its
nearest instance: how many steps away (east-west plus north-south), and in which of eight compass directions. A
direction is diagonal whenever the instance lies off both axes. Of instances equally near, the northernmost is named,
then the westernmost. A creature or plant hides the ground it stands on; the ground under the player is not named.

Night and sleep: the text is read from the map, not from the picture, so darkness takes nothing from it; by night the
picture is noisy, the text is not. A sleeper sees nothing: while the player sleeps, the text holds no view and does not
say what is faced, only vitals, inventory and that the player is asleep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from crafter import objects

from embodibench.canonical import Json
from embodibench.envs.crafter.creatures import Player
from embodibench.envs.crafter.grid import VIEW
from embodibench.envs.crafter.names import ACTION_NAMES, ITEMS, KINDS, VITALS
from embodibench.envs.crafter.simulation import Simulation

_EDGE: Final = "the edge of the world"
_CODES: Final = {name: code for code, name in enumerate(KINDS)}
_COMPASS: Final = {
    (0, -1): "north",
    (1, -1): "north-east",
    (1, 0): "east",
    (1, 1): "south-east",
    (0, 1): "south",
    (-1, 1): "south-west",
    (-1, 0): "west",
    (-1, -1): "north-west",
}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell of the view: offset from the player, distance in steps, direction, and all that in words."""

    east: int
    south: int
    distance: int
    direction: str
    words: str


def _place(index: int) -> _Place:
    east, south = index // VIEW[1] - VIEW[0] // 2, index % VIEW[1] - VIEW[1] // 2
    distance = abs(east) + abs(south)
    direction = _COMPASS[_sign(east), _sign(south)]
    return _Place(east, south, distance, direction, f"{distance} step{'s' * (distance > 1)} {direction}")


_CENTRE: Final = VIEW[0] * VIEW[1] // 2
_PLACES: Final = tuple(
    sorted(
        ((_place(index), index) for index in range(VIEW[0] * VIEW[1]) if index != _CENTRE),
        key=lambda pair: (pair[0].distance, pair[0].south, pair[0].east),
    )
)
"""Every cell of the view but the player's own, nearest first, with its index in the window."""

_NEAREST_FIRST: Final = itemgetter(*(index for _, index in _PLACES))


def _kind(thing: Any) -> str:
    match thing:
        case objects.Plant():
            return "ripe plant" if thing.ripe else "plant"
        case objects.Cow():
            return "cow"
        case objects.Zombie():
            return "zombie"
        case objects.Skeleton():
            return "skeleton"
        case objects.Arrow():
            return "arrow"
    raise TypeError(f"no name for a {type(thing).__name__}")


def _seen(simulation: Simulation) -> list[tuple[str, _Place]]:
    """The nearest instance of each kind in view, nearest first."""
    window, things = simulation.grid.window(simulation.player.pos)
    for index, thing in things:
        if index != _CENTRE:
            window[index] = _CODES[_kind(thing)]
    cells = bytes(_NEAREST_FIRST(window))
    ranks = sorted((cells.index(code), code) for code in set(cells) if code)
    return [(KINDS[code], _PLACES[rank][0]) for rank, code in ranks]


def _faced(simulation: Simulation) -> str:
    player = simulation.player
    material, thing = simulation.grid[player.pos[0] + player.facing[0], player.pos[1] + player.facing[1]]
    return _EDGE if material is None else material if thing is None else _kind(thing)


def _carried(player: Player) -> list[tuple[str, int]]:
    return [(item, player.inventory[item]) for item in ITEMS[len(VITALS) :] if player.inventory[item] > 0]


def describe(simulation: Simulation, last_action: int | None) -> str:
    """The observation in words, one subject a line."""
    player = simulation.player
    lines = [f"Last action: {'none yet' if last_action is None else ACTION_NAMES[last_action]}."]
    if player.sleeping:
        lines.append("You are asleep and see nothing.")
    else:
        lines.append("In view, the nearest of each kind:")
        lines.extend(f"- {kind}: {place.words}" for kind, place in _seen(simulation))
        lines.append(f"You face {_faced(simulation)} ({_COMPASS[tuple(player.facing)]}).")
    lines.append("Vitals: " + ", ".join(f"{name} {player.inventory[name]}/9" for name in VITALS) + ".")
    carried = ", ".join(f"{count} {item.replace('_', ' ')}" for item, count in _carried(player))
    lines.append(f"Inventory: {carried or 'empty'}.")
    return "\n".join(lines)


def things(simulation: Simulation, last_action: int | None) -> tuple[Mapping[str, Json], ...]:
    """The same as plain data: first the agent itself, then the nearest of each kind in view, nearest first.

    The agent: ``kind`` "agent", ``last_action`` (name or None), ``sleeping``, ``vitals`` (0..9 each), ``inventory``
    (what is carried, by upstream's names) and, unless asleep, ``faces`` and ``facing`` (a compass direction).
    A thing: ``kind``, ``distance`` in steps, ``direction``, and its offset ``east`` and ``south`` in cells.
    """
    player = simulation.player
    agent: dict[str, Json] = {
        "kind": "agent",
        "last_action": None if last_action is None else ACTION_NAMES[last_action],
        "sleeping": player.sleeping,
        "vitals": {name: player.inventory[name] for name in VITALS},
        "inventory": dict(_carried(player)),
    }
    if player.sleeping:
        return (agent,)
    agent["faces"] = _faced(simulation)
    agent["facing"] = _COMPASS[tuple(player.facing)]
    return (agent, *(_as_data(kind, place) for kind, place in _seen(simulation)))


def _as_data(kind: str, place: _Place) -> Mapping[str, Json]:
    return {
        "kind": kind,
        "distance": place.distance,
        "direction": place.direction,
        "east": place.east,
        "south": place.south,
    }
