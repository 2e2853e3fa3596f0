"""Where the replies of a live run come from: the journal first, then the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from embodibench.agents.base import Stopped
from embodibench.models.base import CONTEXT_OVERFLOW, Message, Model, ModelError, Parameters, Reply, Usage
from embodibench.runs.budget import Budget
from embodibench.runs.journal import Journal, Key, reply_from_json, reply_json


class FatalModelError(Exception):
    """Every further call would fail alike: the run should stop. Carries the model's own words."""


class JournaledReplies:
    """Replies of one episode. What the journal holds is never asked for again.

    Args:
        key: the unit that is played.
        model: answers what the journal does not hold.
        journaled: call -> journal line of its reply.
        received: is called with the number of replies of the episode whenever the model has sent one.
    """

    def __init__(
        self,
        key: Key,
        model: Model,
        parameters: Parameters,
        journal: Journal,
        budget: Budget,
        journaled: Mapping[int, dict[str, Any]],
        cache_key: str,
        received: Callable[[int], None] = lambda _count: None,
    ) -> None:
        self._key = key
        self._model = model
        self._parameters = parameters
        self._journal = journal
        self._budget = budget
        self._journaled = journaled
        self._cache_key = cache_key
        self._on_received = received
        self.fatal: str | None = None

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        """The journaled reply, or the model's."""
        line = self._journaled.get(call)
        if line is not None:
            if line["prompt"] != prompt:
                raise Stopped("env_error", "journal", f"call {call} is not the one that the journal holds")
            return reply_from_json(line["reply"])
        worst = self._model.worst_cost(messages, self._parameters)
        reserved = self._budget.reserve(worst)
        where: dict[str, Any] = {"task": self._key[0], "trial": self._key[1], "call": call}
        self._journal.append({"k": "intent", **where, "prompt": prompt, "worst": worst})
        flushing = asyncio.create_task(self._journal.flushed())  # while the call is under way
        try:
            reply = await self._model.generate(messages, self._parameters, cache_key=self._cache_key)
        except ModelError as error:
            if error.kind == CONTEXT_OVERFLOW and not error.fatal:
                # A prompt that is too long once is too long for ever: an answer, to which the agent may react.
                reply = Reply("", Usage(), 0.0, finish=CONTEXT_OVERFLOW, attempts=error.attempts)
                return await self._received(where, prompt, reply, reserved, flushing)
            self._budget.settle(reserved, 0.0)
            self._journal.append({"k": "failure", **where, "kind": error.kind, "message": str(error)[:2000]})
            if error.fatal:
                self.fatal = str(error)
            raise Stopped("api_error", error.kind, str(error)) from error
        except BaseException:
            self._budget.settle(reserved, worst)
            raise
        return await self._received(where, prompt, reply, reserved, flushing)

    async def _received(
        self, where: Mapping[str, Any], prompt: str, reply: Reply, reserved: float, flushing: asyncio.Task[None]
    ) -> Reply:
        await flushing
        self._journal.append({"k": "reply", **where, "prompt": prompt, "reply": reply_json(reply)})
        await self._journal.flushed()
        self._budget.settle(reserved, reply.cost)
        self._on_received(where["call"] + 1)
        return reply
