"""The agent ``direct``: one call a step, with the manual, the last two observations and the action list.

It is the plainest way to let a language model play, and the cheapest baseline for scaffolds that reason at length.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import cast

from embodibench.agents.base import AgentIdentity, Expectation, Game, prompts_digest
from embodibench.agents.direct.parsers import VERSIONS, parse
from embodibench.canonical import Json
from embodibench.envs.crafter.names import ACTION_NAMES
from embodibench.errors import UsageError
from embodibench.models.base import Message

VERSION = 1
HISTORY = 2
"""Observations that a prompt shows."""
EXPECTED_STEPS = 300
"""Steps of an episode for the estimate of ``--dry-run``: language models survive 200 to 500 (SPRING, section 4)."""


class DirectAgent:
    """Asks for an action at every step.

    Args:
        parser: which rule acts, ``mention`` or ``substring``; the outcome of the other is recorded beside it.
    """

    def __init__(self, parser: str = "mention") -> None:
        if parser not in VERSIONS:
            raise UsageError(f"agent 'direct' has no parser '{parser}'; there are: {', '.join(VERSIONS)}")
        self._parser = parser

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        return AgentIdentity(
            name="direct",
            version=VERSION,
            prompts=prompts_digest(prompts()),
            parser=VERSIONS[self._parser],
            options={"parser": self._parser},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over."""
        names = action_names(game)
        recent: deque[str] = deque([game.observation.text()], maxlen=HISTORY)
        while not game.over:
            call = await game.ask(messages(list(recent), names))
            parsed = parse(self._parser, call.text, names)
            other = "substring" if self._parser == "mention" else "mention"
            beside = parse(other, call.text, names)
            game.judge(call, parsed.outcome, {VERSIONS[other]: [beside.action, beside.outcome]})
            step = game.act(names.index(parsed.action))
            if not step.over:
                recent.append(step.observation.text())

    sample_replies = ("Move West", "Do", "I cannot tell", "Place Table")
    """Replies with which the conformance pack asks for prompts."""

    def corpus(self) -> dict[str, Json]:
        """What both parsers make of stored replies, for the conformance pack: reply -> rule -> [action, outcome]."""
        read: dict[str, Json] = {}
        for reply in json.loads(_folder().joinpath("replies.json").read_text(encoding="utf-8")):
            parsed = {VERSIONS[rule]: parse(rule, reply, ACTION_NAMES) for rule in VERSIONS}
            read[reply] = {version: [one.action, one.outcome] for version, one in parsed.items()}
        return read

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``."""
        return Expectation(calls=EXPECTED_STEPS, input_tokens=750, output_tokens=6)


def messages(recent: Sequence[str], names: Sequence[str]) -> list[Message]:
    """The prompt of one step: the manual (stable, so it may be cached), then what is seen and the question."""
    texts = prompts()
    labels = ["Before your last action:", "Now:"][-len(recent) :]
    seen = "\n\n".join(f"{label}\n{text}" for label, text in zip(labels, recent, strict=True))
    listed = "\n".join(names)
    return [
        Message.of("system", texts["manual.txt"], cache=True),
        Message.of("user", f"{seen}\n\n{texts['question.txt']}{listed}"),
    ]


def action_names(game: Game) -> tuple[str, ...]:
    """The names of the world's actions, in the order of their numbers."""
    names = getattr(game.environment, "action_names", None)
    if names is None:
        raise UsageError("this agent can only play worlds whose actions have names")
    return cast("tuple[str, ...]", tuple(names))


@cache
def prompts() -> dict[str, str]:
    """The agent's prompt texts, file name -> text."""
    return {name: (_folder() / name).read_text(encoding="utf-8") for name in ("manual.txt", "question.txt")}


def _folder() -> Traversable:
    return files("embodibench.agents.direct")
