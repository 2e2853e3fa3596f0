"""The agent ``react`` (LLM-AAI): a model sees a picture, thinks aloud and writes a script, up to thirty times.

The protocol, as the original played it (revision e339118):

- An episode opens with one step and three pictures, each followed by 16 steps of standing still: 49 steps.
- The whole conversation is sent with every call: what was seen, the health, and the scripts.
- A script runs to its end, or to the episode's; then one picture is taken, without a wait, while the player may still
  move.
- An invalid reply costs one step of standing still, and the model is told. The turn counts.
- The health in the first prompt is stale: it was read after the first step, before the waits.
- After the last script the player stands still until the episode ends, and goes on losing health.

Own rules where the original has none: an empty reply is sent back as ``(empty)``, since some providers refuse an empty
message; of a very long one the beginning is sent back; and a conversation that is longer than the model takes is asked
again without its oldest turns, which the record shows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from embodibench.agents.base import AgentIdentity, Call, Expectation, Game, Stopped, prompts_digest
from embodibench.agents.react.conversation import Conversation, Example
from embodibench.agents.react.motion import NOTHING, steps
from embodibench.agents.react.parsers import VERSIONS, Script, parse
from embodibench.agents.react.senses import Sense
from embodibench.agents.react.texts import opening, text
from embodibench.canonical import Json
from embodibench.envs.base import Environment
from embodibench.errors import UsageError

VERSION: Final = 1
OPENING_VIEWS: Final = 3
WAIT: Final = 16
"""Steps of standing still after each opening view."""
SCRIPTS: Final = 30
"""Scripts of an episode (the paper's limitations, "at most, 30 action-scripts")."""
TURN_TOKENS: Final = 130
"""Of a script with its thoughts and the words around the next view, for estimates."""


class ReactAgent:
    """One agent of the family.

    Args:
        name: as given to ``--agent``.
        sense: how the player sees.
        parser: which rule acts, ``strict`` or ``lenient``; the outcome of the other is recorded beside it.
        scripts: how many an episode has.
        example: a conversation that stands before the player's own, or None.

    Raises:
        UsageError: an option has a value that the agent does not take.
    """

    def __init__(
        self,
        name: str,
        sense: Sense,
        *,
        parser: str = "strict",
        scripts: int | str = SCRIPTS,
        example: Example | None = None,
    ) -> None:
        if parser not in VERSIONS:
            raise UsageError(f"agent '{name}' has no parser '{parser}'; there are: {', '.join(VERSIONS)}")
        self._name = name
        self._sense = sense
        self._parser = parser
        self._scripts = whole_number(name, "scripts", scripts)
        self._example = example

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        names = ("caption", "health", "invalid", "shortened", f"begins_{self._sense.name}")
        texts = {"opening": opening(self._sense.name), **{name: text(name) for name in names}}
        if self._example is not None:
            texts |= self._example.texts()
        return AgentIdentity(
            name=self._name,
            version=VERSION,
            prompts=prompts_digest(texts),
            parser=VERSIONS[self._parser],
            options={"parser": self._parser, "scripts": self._scripts, **self._sense.options()},
        )

    async def play(self, game: Game) -> None:
        """Opening, scripts, then standing still until the episode ends."""
        talk = Conversation(opening(self._sense.name), self._sense, self._example)
        talk.say(text(f"begins_{self._sense.name}"))
        health = ""
        for view in range(OPENING_VIEWS):
            if view == 0:
                game.act(NOTHING)
                health = health_sentence(game.environment)
            if not game.over:
                talk.see(game)
            stand_still(game, WAIT)
        for _ in range(self._scripts):
            if game.over:
                return
            talk.say(health)
            call = await talk.ask(game)
            valid = self._act(game, call, talk)
            if game.over:
                return
            if not valid:
                talk.say(text("invalid"))
            talk.see(game)
            health = health_sentence(game.environment)
        if has_time_limit(game):
            while not game.over:
                game.act(NOTHING)

    def _act(self, game: Game, call: Call, talk: Conversation) -> bool:
        """Carry out a reply. False if it is invalid.

        Raises:
            Stopped: the reply made the original's run end with an error (see ``parsers``).
        """
        script = parse(self._parser, call.text)
        game.judge(call, script.outcome, {**self._beside(call.text), **talk.detail()})
        if script.outcome == "crash":
            raise Stopped("ok", "runtime_error")
        if script.outcome == "invalid":
            game.act(NOTHING)
            return False
        for action in steps(script.commands):
            game.act(action)
            if game.over:
                break
        return True

    def _beside(self, reply: str) -> dict[str, Json]:
        """What the rule that does not act reads in a reply."""
        other = "lenient" if self._parser == "strict" else "strict"
        return {VERSIONS[other]: outcome_json(parse(other, reply))}

    sample_replies = (
        "Think(I see nothing yet.);Turn(90);",
        "I would go ahead.",
        "Think(A ball, far away.);\nGo(6);",
        "Turn(-45)",
        "",
        "Go(4);",
    )
    """Replies with which the conformance pack asks for prompts."""

    def corpus(self) -> dict[str, Json]:
        """What both parsers make of stored replies, for the conformance pack: reply -> rule -> [outcome, script]."""
        stored = files("embodibench.agents.react").joinpath("replies.json").read_text(encoding="utf-8")
        return {
            reply: {version: outcome_json(parse(rule, reply)) for rule, version in VERSIONS.items()}
            for reply in json.loads(stored)
        }

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: all scripts, and half of the conversation on average."""
        first = len(opening(self._sense.name)) // 4 + OPENING_VIEWS * self._sense.tokens
        if self._example is not None:
            first += self._example.turns * (self._sense.tokens + TURN_TOKENS)
        turn = self._sense.tokens + TURN_TOKENS
        whole = first + turn * (self._scripts - 1) // 2
        return Expectation(self._scripts, whole, TURN_TOKENS - 30, cached_tokens=whole - turn)


def outcome_json(script: Script) -> list[Json]:
    """A parser's outcome for the record: its word and the script without thoughts."""
    return [script.outcome, str(script)]


def health_sentence(world: Environment) -> str:
    """The health in words, with one decimal, and a sign's place before it as in the original."""
    health: Any = world.measures()["health"]
    return f"{text('health')}{health: .1f}"


def stand_still(game: Game, count: int) -> None:
    """Do nothing for so many steps, or until the episode ends."""
    for _ in range(count):
        if game.over:
            return
        game.act(NOTHING)


def has_time_limit(game: Game) -> bool:
    """Whether standing still ends the episode."""
    environment = game.task["environment"]
    parameters = environment["parameters"] if isinstance(environment, dict) else {}
    return isinstance(parameters, dict) and bool(parameters.get("time_limit"))


def whole_number(agent: str, option: str, value: int | str) -> int:
    """The value of an option, which comes as words from the command line.

    Raises:
        UsageError: it is not a whole number from 1 on.
    """
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise UsageError(f"agent '{agent}': {option}={value}: give a whole number from 1 on")
    return number
