"""What an agent is, and what it holds while it plays: the game.

An agent is a deterministic function of the observations and of the replies it is given. That one property carries
resume (journaled replies are handed out again) and protocol verification (recorded replies are handed out again), so
an agent must not read clocks, files, environment variables or global random state while it plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from embodibench.canonical import Json, digest, text_digest
from embodibench.envs.base import Action, Environment, Observation, Step
from embodibench.models.base import CONTEXT_OVERFLOW, Message


@dataclass(frozen=True, slots=True)
class Call:
    """A reply in an agent's hands.

    Attributes:
        index: number of the call in its episode, from 0, in the order in which the agent asked.
        text: what the model said.
        finish: why the reply ended (see ``models.base.Reply``).
    """

    index: int
    text: str
    finish: str = "stop"


class Game(Protocol):
    """One episode, as an agent sees it.

    The game counts steps and calls, keeps the record, and enforces every limit: when one is reached, or the model
    fails for good, ``act``, ``ask`` and ``ask_all`` raise ``Stopped``, which an agent lets pass. A prompt that is
    longer than the model takes raises ``ContextOverflow``, a ``Stopped`` that an agent may answer with a shorter one.
    """

    @property
    def task(self) -> Mapping[str, Json]:
        """The task card as plain data: title, environment and budgets."""
        ...

    @property
    def observation(self) -> Observation:
        """What can be seen now."""
        ...

    @property
    def last(self) -> Step | None:
        """The last step, or None before the first."""
        ...

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        ...

    @property
    def steps(self) -> int:
        """Environment steps taken so far."""
        ...

    @property
    def trial(self) -> int:
        """Which trial of the task this is, from 0."""
        ...

    @property
    def environment(self) -> Environment:
        """The world itself, for policies that are labelled privileged. Only ``act`` may step it."""
        ...

    @property
    def rng(self) -> np.random.Generator:
        """The agent's own random stream: the same for the same suite task, trial and seed."""
        ...

    def act(self, action: Action) -> Step:
        """Send one action to the world. Raises RuntimeError after the end of the episode."""
        ...

    async def ask(self, messages: Sequence[Message]) -> Call:
        """Ask the model."""
        ...

    async def ask_all(self, prompts: Sequence[Sequence[Message]]) -> list[Call]:
        """Ask independent questions side by side; replies come in the order of the prompts."""
        ...

    def judge(self, call: Call, outcome: str, detail: Mapping[str, Json] | None = None) -> None:
        """Record what the parser made of a reply: ``outcome`` is one word (``ok``, ``fallback``, ``invalid``)."""
        ...


class Stopped(Exception):  # noqa: N818 - it is a signal, not an error
    """The game cannot go on: a limit was reached or the model failed. Raised through the agent, caught by the runner.

    Attributes:
        status: ``budget``, ``api_error`` or ``env_error``.
        reason: one word for the record, such as ``max_steps``, ``max_cost``, ``rate_limit``.
        detail: a sentence for people.
    """

    def __init__(self, status: str, reason: str, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.status = status
        self.reason = reason
        self.detail = detail


class ContextOverflow(Stopped):
    """A prompt was longer than the model takes.

    The record holds the call, with the outcome ``overflow``, so whatever the agent does about it can be replayed. An
    agent that lets the signal pass ends the episode with ``api_error`` and the reason ``context_overflow``.

    Attributes:
        calls: every call that was asked together, in order; ``finish`` of those that overflowed is
            ``context_overflow``.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        numbers = ", ".join(str(call.index) for call in calls if call.finish == CONTEXT_OVERFLOW)
        super().__init__("api_error", CONTEXT_OVERFLOW, f"the prompt of call {numbers} is longer than the model takes")
        self.calls = tuple(calls)


@dataclass(frozen=True, slots=True)
class AgentIdentity:
    """What makes two rows of an agent comparable.

    Attributes:
        name: as given to ``--agent``, or ``policy/NAME``.
        version: bumped by hand when the scaffold's code changes what it asks or does.
        prompts: SHA-256 (hex) over the agent's prompt texts.
        parser: name and version of the parser that acts, for example ``substring@1``; "" for a policy.
        privileged: the player sees more than a model would (a policy that plans on the full map).
        options: agent options that change its behaviour.
    """

    name: str
    version: int
    prompts: str = ""
    parser: str = ""
    privileged: bool = False
    options: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "version": self.version,
            "prompts": self.prompts,
            "parser": self.parser,
            "privileged": self.privileged,
            "options": dict(self.options),
        }


def prompts_digest(texts: Mapping[str, str]) -> str:
    """SHA-256 (hex) over prompt files, name -> text."""
    return digest({name: text_digest(text) for name, text in texts.items()})


class Agent(Protocol):
    """A scaffold or policy. One instance serves many episodes side by side, so ``play`` keeps no state on it."""

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        ...

    async def play(self, game: Game) -> None:
        """Play until ``game.over``, or return earlier when the protocol ends the episode."""
        ...

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """What an episode of this task is expected to take, for ``--dry-run``; None for a policy."""
        ...


@dataclass(frozen=True, slots=True)
class Expectation:
    """Rough size of an episode: model calls, and tokens of one call's prompt and reply.

    Attributes:
        calls: model calls of an episode.
        input_tokens: of one call's prompt, on average.
        output_tokens: of one call's reply, on average.
        cached_tokens: those of ``input_tokens`` that start every prompt alike and are marked for the provider's cache.
        calls_per_step: calls that go before one environment step.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    calls_per_step: int = 1
