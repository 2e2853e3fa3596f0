"""The game that an agent holds: it steps the world, asks for replies, enforces limits and writes the trace.

The same class plays live, resumes from a journal and replays a transcript; only the source of replies differs.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from embodibench.agents.base import Agent, Call, ContextOverflow, Stopped
from embodibench.agents.trace import CallTrace, Trace, plain, reply_hash
from embodibench.canonical import Json, short_hash
from embodibench.cards.schema import TaskCard
from embodibench.envs.base import Action, Environment, Observation, Step
from embodibench.models.base import CONTEXT_OVERFLOW, Message, Reply, prompt_digest


class ReplySource(Protocol):
    """Where replies come from: a model, a journal and then a model, or a transcript."""

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        """The reply to call number ``call``, whose prompt has the SHA-256 ``prompt``. May raise ``Stopped``."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that the user sets on every episode of a run, beside the card's own. None: no bound."""

    max_steps: int | None = None


class LiveGame:
    """One episode of one task. See ``agents.base.Game`` for what an agent may use.

    Args:
        task: the task card.
        trial: which of the card's seeds to play.
        environment: a world made from the card; ``start`` resets it.
        replies: where replies come from; None for a policy.
        fingerprint_every: the trace keeps a fingerprint after every so many steps.
        stream: names the agent's random stream together with task, trial and seed.
        limits: the user's bounds.
    """

    def __init__(
        self,
        task: TaskCard,
        trial: int,
        environment: Environment,
        replies: ReplySource | None,
        *,
        fingerprint_every: int,
        stream: str,
        limits: Limits | None = None,
    ) -> None:
        self._card = task
        self.task: Mapping[str, Json] = task.model_dump(mode="json")
        self.trial = trial
        self.seed = task.seeds[trial]
        self.environment = environment
        self.trace = Trace()
        self.last: Step | None = None
        self._replies = replies
        self._every = fingerprint_every
        self._limits = limits or Limits()
        self.rng = _stream(stream, task.id, trial, self.seed)
        self.observation: Observation = Observation()

    def start(self) -> None:
        """Reset the world to the trial's seed."""
        try:
            self.observation = self.environment.reset(self.seed)
        except Exception as error:
            raise Stopped("env_error", "reset", f"{type(error).__name__}: {error}") from error
        self.trace.fingerprints.append(self.environment.fingerprint().hex())

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.last is not None and self.last.over

    @property
    def steps(self) -> int:
        """Environment steps taken so far."""
        return len(self.trace.actions)

    def act(self, action: Action) -> Step:
        """Send one action to the world and record it."""
        if self.over:
            raise RuntimeError("the episode has ended; an agent must look at game.over before it acts")
        try:
            step = self.environment.step(action)
        except Exception as error:
            raise Stopped("env_error", "step", f"{type(error).__name__}: {error}") from error
        trace = self.trace
        if step.info.get("overridden"):
            trace.overridden.append(len(trace.actions))
        trace.actions.append(action)
        trace.rewards.append(step.reward)
        if len(trace.actions) % self._every == 0:
            trace.fingerprints.append(self.environment.fingerprint().hex())
        if trace.calls:
            trace.calls[-1].steps += 1
        else:
            trace.opening_steps += 1
        self.last = step
        self.observation = step.observation
        if not step.over:
            self._stop_at_limits()
        return step

    def _stop_at_limits(self) -> None:
        """Stop after the last step that is allowed, so that no call is made whose action could not be taken."""
        if self.steps == self._card.budgets.max_steps:
            raise Stopped("ok", "max_steps")
        if self.steps == self._limits.max_steps:
            raise Stopped("budget", "max_steps", f"stopped after {self.steps} steps by --max-steps")

    async def ask(self, messages: Sequence[Message]) -> Call:
        """Ask the model one prompt."""
        return (await self.ask_all([messages]))[0]

    async def ask_all(self, prompts: Sequence[Sequence[Message]]) -> list[Call]:
        """Ask independent prompts side by side. Calls are numbered in the order of the prompts."""
        if self._replies is None:
            raise RuntimeError("a policy has no model to ask")
        trace = self.trace
        first = len(trace.calls)
        budget = self._card.budgets.max_calls
        if budget is not None and first + len(prompts) > budget:
            raise Stopped("ok", "max_calls")
        hashes = [prompt_digest(messages) for messages in prompts]
        jobs = [self._replies.reply(first + k, messages, hashes[k]) for k, messages in enumerate(prompts)]
        replies = [await jobs[0]] if len(jobs) == 1 else await _all(jobs)
        calls = []
        for index, (prompt, reply) in enumerate(zip(hashes, replies, strict=True), start=first):
            trace.calls.append(
                CallTrace(
                    prompt=short_hash(prompt),
                    reply=reply_hash(reply.text),
                    text=reply.text,
                    finish=reply.finish,
                    usage=reply.usage,
                    cost=reply.cost,
                )
            )
            calls.append(Call(index, reply.text, reply.finish))
        overflowed = [call for call in calls if call.finish == CONTEXT_OVERFLOW]
        for call in overflowed:
            self.judge(call, "overflow")
        if overflowed:
            raise ContextOverflow(calls)
        return calls

    def judge(self, call: Call, outcome: str, detail: Mapping[str, Json] | None = None) -> None:
        """Record what the parser made of a reply."""
        entry = self.trace.calls[call.index]
        entry.outcome = outcome
        entry.detail = dict(detail or {})

    def finish(self, stopped: Stopped | None) -> Trace:
        """Close the trace: why it ended, the final fingerprint and the world's figures."""
        trace = self.trace
        if stopped is not None:
            trace.status, trace.end = stopped.status, stopped.reason
            trace.error = stopped.detail or None
        elif self.last is not None and self.last.over:
            ended = "terminated" if self.last.terminated else "truncated"
            trace.end = str(self.last.info.get("end", ended))
        else:
            trace.end = "agent"
        if trace.status != "env_error":
            trace.final = self.environment.fingerprint().hex()
            trace.measures = plain(self.environment.measures())
        return trace


async def play(agent: Agent, game: LiveGame) -> Trace:
    """Play one episode to its end, whatever the end is. An exception of the agent itself becomes an ``env_error``."""
    stopped: Stopped | None = None
    try:
        game.start()
        await agent.play(game)
    except Stopped as signal:
        stopped = signal
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise
    except Exception as error:
        stopped = Stopped("env_error", "agent", f"{type(error).__name__}: {error}")
    return game.finish(stopped)


async def _all(jobs: Sequence[object]) -> list[Reply]:
    """Await all jobs; if some were stopped, raise the signal of the first in order, after all have come to rest."""
    results = await asyncio.gather(*jobs, return_exceptions=True)  # type: ignore[call-overload]
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return list(results)


def _stream(name: str, task: str, trial: int, seed: int) -> np.random.Generator:
    """A random stream named by words, the same on every machine: PCG64 seeded from a SHA-256."""
    entropy = int.from_bytes(hashlib.sha256(f"{name}/{task}/{trial}/{seed}".encode()).digest(), "big")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
