"""The Crafter environment: the simulation plus what a benchmark counts."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from embodibench.canonical import Json
from embodibench.envs.base import Action, Observation, Picture, Step
from embodibench.envs.crafter import text
from embodibench.envs.crafter.fingerprint import fingerprint
from embodibench.envs.crafter.names import ACHIEVEMENTS, ACTION_NAMES, NOOP, SLEEP
from embodibench.envs.crafter.picture import draw
from embodibench.envs.crafter.simulation import Simulation
from embodibench.errors import UsageError

_FULL_ENERGY: Final = 9


class CrafterObservation(Observation):
    """What the player perceives: ``text``, ``objects`` and ``render`` (see the modules ``text`` and ``picture``)."""

    def __init__(self, simulation: Simulation, last_action: int | None) -> None:
        self._simulation = simulation
        self._last_action = last_action

    def text(self) -> str:
        """Last action, the nearest of each kind in view, what is faced, vitals and inventory.

        Darkness takes nothing from the text; a sleeper sees nothing.
        """
        return text.describe(self._simulation, self._last_action)

    def objects(self) -> tuple[Mapping[str, Json], ...]:
        """The same as plain data: the agent first, then the nearest of each kind in view."""
        return text.things(self._simulation, self._last_action)

    def render(self, height: int, width: int) -> Picture:
        """The picture, at least 18 x 18. Drawing it, any number of times and at any size, changes nothing."""
        return draw(self._simulation, height, width)


class CrafterWorld:
    """Crafter 1.8.3 with the same rules, made replayable.

    Actions are the integers 0..16, in the order of ``ACTION_NAMES``. The reward of a step is upstream's: 0.1 for each
    point of health gained or lost, plus 1 when at least one achievement is unlocked in it (two in one step, as when a
    sleeper wakes and collects, still give 1). The episode ends with death (health 0: ``terminated``, ``end`` "death")
    or after ``length`` steps (``truncated``, ``end`` "time_limit"); death on the last step is a death.

    ``Step.info`` holds ``unlocked`` (achievements unlocked in this step), ``overridden`` (a sleeper's action was
    replaced: the player was asleep with energy below 9, and the action was neither Noop nor Sleep) and, on the last
    step, ``end``.

    Args:
        length: time limit in steps, at least 1; upstream's is 10,000.

    Raises:
        UsageError: length is not a positive integer.
    """

    action_count: Final = len(ACTION_NAMES)
    action_names: Final = ACTION_NAMES

    def __init__(self, length: int = 10_000) -> None:
        if isinstance(length, bool) or not isinstance(length, int) or length < 1:
            raise UsageError(f"crafter: length must be a positive whole number of steps, not {length!r}")
        self._length = length
        self._simulation: Simulation | None = None
        self._clear()

    def _clear(self) -> None:
        self._last_action: int | None = None
        self._first: dict[str, int] = {}
        self._overridden = 0
        self._return = 0.0
        self._end: str | None = None

    @property
    def simulation(self) -> Simulation:
        """The whole state, for policies that are labelled privileged. To be read, never changed.

        Raises:
            RuntimeError: before the first reset, or after close.
        """
        if self._simulation is None:
            raise RuntimeError("crafter: reset the world first")
        return self._simulation

    def reset(self, seed: int) -> CrafterObservation:
        """Start the episode that upstream's ``crafter.Env(seed=seed)`` plays first.

        Raises:
            ValueError: seed is not in 0 <= seed < 2**31.
        """
        self._simulation = Simulation(seed)
        self._clear()
        return CrafterObservation(self._simulation, None)

    def step(self, action: Action) -> Step:
        """Advance the world by one action.

        Raises:
            ValueError: the action is not an integer 0..16.
            RuntimeError: before the first reset, or after the episode has ended.
        """
        simulation = self.simulation
        if self._end is not None:
            raise RuntimeError(f"crafter: the episode has ended ({self._end}); reset the world first")
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < len(ACTION_NAMES):
            raise ValueError(f"crafter: an action is an integer 0..{len(ACTION_NAMES) - 1}, not {action!r}")
        player = simulation.player
        kept_asleep = player.sleeping and player.inventory["energy"] < _FULL_ENERGY
        overridden = kept_asleep and action not in (NOOP, SLEEP)
        health = player.health
        simulation.advance(action)
        self._last_action = action
        self._overridden += overridden
        unlocked = [name for name in ACHIEVEMENTS if player.achievements[name] > 0 and name not in self._first]
        self._first.update(dict.fromkeys(unlocked, simulation.steps))
        reward = (player.health - health) / 10 + (1.0 if unlocked else 0.0)
        self._return += reward
        dead = player.health <= 0
        truncated = not dead and simulation.steps >= self._length
        info: dict[str, Json] = {"overridden": overridden, "unlocked": list(unlocked)}
        if dead or truncated:
            self._end = "death" if dead else "time_limit"
            info["end"] = self._end
        return Step(CrafterObservation(simulation, action), reward, dead, truncated, info)

    def fingerprint(self) -> bytes:
        """16 bytes over the whole state (see the module ``fingerprint``). Raises RuntimeError before reset."""
        first = (self._first.get(name, -1) for name in ACHIEVEMENTS)
        counted = struct.pack(
            "<qqqd22q",
            self._length,
            -1 if self._last_action is None else self._last_action,
            self._overridden,
            self._return,
            *first,
        )
        return fingerprint(self.simulation, counted + (self._end or "").encode())

    def measures(self) -> Mapping[str, Json]:
        """What has been counted in this episode.

        ``achievements`` (how often each of the 22 was reached), ``unlocked`` (how many of them at least once),
        ``first_unlock`` (achievement -> step of its first unlock, from 1; only those unlocked), ``steps``,
        ``overridden`` (actions replaced in sleep), ``return`` (sum of rewards) and ``end`` (None while it goes on).

        Raises:
            RuntimeError: before the first reset.
        """
        simulation = self.simulation
        return {
            "achievements": {name: simulation.player.achievements[name] for name in ACHIEVEMENTS},
            "unlocked": len(self._first),
            "first_unlock": {name: self._first[name] for name in ACHIEVEMENTS if name in self._first},
            "steps": simulation.steps,
            "overridden": self._overridden,
            "return": self._return,
            "end": self._end,
        }

    def close(self) -> None:
        """Let go of the world; every later call but reset raises RuntimeError."""
        self._simulation = None
        self._clear()


__all__ = ["ACHIEVEMENTS", "ACTION_NAMES", "CrafterObservation", "CrafterWorld"]
