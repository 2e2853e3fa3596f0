"""The demonstration of ``react-icl`` (the paper's experiment 2): a level of our own, played well, with its thoughts.

The level holds one of everything that a level may hold: balls of all three colours, red lava, orange ground, a wall, a
transparent wall, a ramp and a blue path, arches, and grey blocks of every form. Its pictures are not stored: the
scripts are played again in the arena, which gives the same pictures everywhere.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from embodibench import envs
from embodibench.agents.react.motion import NOTHING, steps
from embodibench.agents.react.parsers import strict
from embodibench.agents.react.senses import Sense
from embodibench.agents.react.texts import text
from embodibench.canonical import Json, digest
from embodibench.models.base import Message, Part, Text

KIND: Final = "aai"


class Demonstration:
    """Implements ``conversation.Example``."""

    def __init__(self) -> None:
        self._built: dict[str, list[Message]] = {}

    @property
    def turns(self) -> int:
        """Its scripts."""
        return len(level()["scripts"])

    def texts(self) -> dict[str, str]:
        """What it says, and what it is built from."""
        return {"level": digest(level()), **{name: text(name) for name in ("tutorial_begins", "tutorial_ends")}}

    def messages(self, sense: Sense) -> list[Message]:
        """View and script in turns, then the sentence that ends the level. Built once, since every episode begins
        so."""
        key = digest(sense.options())
        if key not in self._built:
            self._built[key] = demonstrate(sense)
        return self._built[key]


@cache
def level() -> dict[str, Any]:
    """The arena (parameters of the world), its seed, the steps before the first view, and the scripts."""
    stored: dict[str, Any] = json.loads(
        files("embodibench.agents.react").joinpath("tutorial.json").read_text(encoding="utf-8")
    )
    return stored


def demonstrate(sense: Sense) -> list[Message]:
    """Play the scripts in the level and keep what is seen and said.

    Raises:
        RuntimeError: the level does not end with its last script, so arena or scripts were changed without the other.
    """
    from embodibench.agents.react.agent import health_sentence

    plan = level()
    world = envs.make(KIND, _parameters(plan))
    try:
        observation = world.reset(int(plan["seed"]))
        for _ in range(int(plan["opening_steps"])):
            observation = world.step(NOTHING).observation
        over = False
        messages: list[Message] = []
        said: list[Part] = [Text(text("tutorial_begins"))]
        for script in plan["scripts"]:
            if over:
                raise RuntimeError("the tutorial's level is over before its scripts are")
            said += [Text(text("caption")), sense.view(observation, world), Text(health_sentence(world))]
            messages += [Message("user", tuple(said)), Message.of("assistant", script)]
            said = []
            for action in steps(strict(script).commands):
                step = world.step(action)
                observation, over = step.observation, step.over
                if over:
                    break
        if not over:
            raise RuntimeError("the tutorial's scripts do not end its level")
    finally:
        world.close()
    return [*messages, Message.of("user", text("tutorial_ends"))]


def _parameters(plan: dict[str, Any]) -> dict[str, Json]:
    parameters: dict[str, Json] = plan["arena"]
    return parameters
