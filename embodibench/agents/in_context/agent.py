"""The agent of the SocialAI paper's language-model study: examples of solved episodes and the last observations.

There is no system message, no instruction and no list of actions: what can be done, and what a caretaker's words mean,
has to be read from the examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, cast

from embodibench.agents.base import AgentIdentity, Expectation, Game, prompts_digest
from embodibench.agents.in_context.parsers import ORDER, VERSIONS, parse
from embodibench.canonical import Json
from embodibench.errors import UsageError
from embodibench.models.base import Message

VERSION: Final = 1
HISTORY: Final = 3
"""Observations of the running episode that a prompt shows; 0 shows all of them."""

EXAMPLES: Final = ("asocial-box", "color-boxes", "color-boxes-generalisation")
"""Names of the recorded examples; a task of the same id uses them."""

_NEW: Final = "New episode.\n"


class InContextAgent:
    """Asks for an action at every step.

    Args:
        parser: which rule acts, ``substring`` (the paper's) or ``mention``; the other's outcome is recorded beside it.
        history: observations of the running episode a prompt shows; 0 for all.
        examples: which examples to show; None for those of the task.
    """

    def __init__(self, parser: str = "substring", history: int = HISTORY, examples: str | None = None) -> None:
        if parser not in VERSIONS:
            raise UsageError(f"agent 'in-context' has no parser '{parser}'; there are: {', '.join(VERSIONS)}")
        if isinstance(history, bool) or not isinstance(history, int) or history < 0:
            raise UsageError(f"agent 'in-context': history is a number of observations, 0 for all, not {history!r}")
        if examples is not None and examples not in EXAMPLES:
            raise UsageError(f"agent 'in-context' has no examples '{examples}'; there are: {', '.join(EXAMPLES)}")
        self._parser = parser
        self._history = history
        self._examples = examples

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        return AgentIdentity(
            name="in-context",
            version=VERSION,
            prompts=prompts_digest({name: recorded(name) for name in EXAMPLES}),
            parser=VERSIONS[self._parser],
            options={"parser": self._parser, "history": self._history, "examples": self._examples},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over.

        Raises:
            UsageError: there are no examples for this task, or the world is none of the School's.
        """
        shown = recorded(self._examples or _examples_of(game.task))
        names = _action_names(game)
        episode: list[str] = [game.observation.text()]
        while not game.over:
            call = await game.ask([Message.of("user", prompt(shown, episode, self._history))])
            parsed = parse(self._parser, call.text)
            other = "mention" if self._parser == "substring" else "substring"
            beside = parse(other, call.text)
            game.judge(call, parsed.outcome, {VERSIONS[other]: [beside.action, beside.outcome]})
            step = game.act(names.index(parsed.action))
            episode += [parsed.action, step.observation.text()]

    sample_replies = ("turn left", "Move forward", " toggle", "I would rather wait", "done")
    """Replies with which the conformance pack asks for prompts."""

    def corpus(self) -> dict[str, Json]:
        """What both parsers make of stored replies, for the conformance pack: reply -> rule -> [action, outcome]."""
        read: dict[str, Json] = {}
        for reply in (*ORDER, *(name.upper() for name in ORDER), *self.sample_replies, *CORPUS):
            parsed = {version: parse(rule, reply) for rule, version in VERSIONS.items()}
            read[reply] = {version: [one.action, one.outcome] for version, one in parsed.items()}
        return read

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: examples of up to 12,000 characters, an answer of two words."""
        return Expectation(calls=14, input_tokens=2500, output_tokens=3)


CORPUS: Final = (
    "",
    "Act : turn right",
    "turn left, then move forward",
    "I am done thinking: toggle",
    "<think>move forward</think> turn left",
    "Turn-Right",
    "no op",
    "NO_OP.",
    "turnleft",
    "abandoned",
)
"""Replies on which the two rules are pinned, those where they differ above all."""


def prompt(examples: str, episode: list[str], history: int) -> str:
    """Examples, then the running episode.

    Args:
        episode: observation, action, observation, ... from the start.
        history: observations to show, 0 for all.
    """
    recent = episode if history == 0 else episode[-(2 * history - 1) :]
    lines = [f"Act : {part}\n" if index % 2 else part for index, part in enumerate(recent)]
    return f"{examples}{_NEW}{''.join(lines)}Act :"


@cache
def recorded(name: str) -> str:
    """The text of recorded examples."""
    return files("embodibench.agents.in_context").joinpath("examples", f"{name}.txt").read_text(encoding="utf-8")


def _examples_of(task: Mapping[str, Json]) -> str:
    name = str(task.get("id"))
    if name not in EXAMPLES:
        raise UsageError(
            f"agent 'in-context' has no examples for the task '{name}'; choose some with the option 'examples': "
            + ", ".join(EXAMPLES)
        )
    return name


def _action_names(game: Game) -> tuple[str, ...]:
    names = getattr(game.environment, "action_names", ())
    if not set(ORDER) <= set(names):
        raise UsageError("agent 'in-context' plays the SocialAI School only")
    return cast("tuple[str, ...]", names)
