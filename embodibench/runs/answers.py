"""Answers to single questions outside of episodes, kept on disk: what was answered once is never asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from embodibench.agents.base import Stopped
from embodibench.canonical import digest
from embodibench.errors import UsageError
from embodibench.models.base import Message, Model, ModelError, Parameters, Usage, prompt_digest
from embodibench.runs.budget import Budget
from embodibench.runs.journal import Journal, read, reply_from_json, reply_json


class KeptAnswers:
    """Answers of one model, by the content of what is asked. One writer of the file at a time.

    An answer is found again when model, parameters and prompt are the same, whatever else was asked before it. The
    file is a journal: an answer is on disk before it is used.

    Args:
        path: JSON lines; made when it is not there.
        side_by_side: requests at once.

    Attributes:
        asked: questions that went to the model.
        kept: questions whose answer was on disk.
        usage: tokens of the answers that were asked for; None when one is unknown.

    Raises:
        ResultError: the file is damaged.
        UsageError: the file cannot be written.
    """

    def __init__(
        self, path: Path, model: Model, parameters: Parameters, budget: Budget, *, side_by_side: int = 4
    ) -> None:
        self._model = model
        self._parameters = parameters
        self._budget = budget
        self._gate = asyncio.Semaphore(side_by_side)
        self._who = {"model": _who(model), "parameters": parameters.to_json()}
        self._answers: dict[str, str] = {
            line["key"]: reply_from_json(line["reply"]).text for _, line in read(path) if line["k"] == "answer"
        }
        self._pending: dict[str, asyncio.Task[str]] = {}
        try:
            self._journal = Journal(path)
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
        self._closing = False
        self.asked = 0
        self.kept = 0
        self.usage: Usage | None = Usage()

    async def ask(self, messages: Sequence[Message]) -> str:
        """The answer to a prompt, from the disk or from the model.

        Raises:
            UsageError: the model cannot answer, or the budget does not allow it.
        """
        key = digest({**self._who, "prompt": prompt_digest(messages)})
        if key in self._answers:
            self.kept += 1
            return self._answers[key]
        # The same question asked twice at the same time is one question.
        if key not in self._pending:
            self._pending[key] = asyncio.create_task(self._ask(key, messages))
        return await self._pending[key]

    async def close(self) -> None:
        """Wait for what is under way, which is paid for, ask nothing more, and close the file."""
        self._closing = True
        await asyncio.gather(*self._pending.values(), return_exceptions=True)
        self._journal.close()

    async def _ask(self, key: str, messages: Sequence[Message]) -> str:
        async with self._gate:
            if self._closing:
                raise UsageError("the study has ended")
            try:
                reserved = self._budget.reserve(self._model.worst_cost(messages, self._parameters))
            except Stopped as stopped:
                raise UsageError(f"{stopped}; what was answered is kept, run the command again to go on") from stopped
            try:
                reply = await self._model.generate(messages, self._parameters)
            except ModelError as error:
                raise UsageError(f"{error}; what was answered is kept, run the command again to go on") from error
            self._journal.append({"k": "answer", "key": key, "reply": reply_json(reply)})
            self._budget.settle(reserved, reply.cost)
        self.asked += 1
        self.usage = None if self.usage is None or reply.usage is None else self.usage + reply.usage
        self._answers[key] = reply.text
        return reply.text


def _who(model: Model) -> dict[str, Any]:
    return {name: value for name, value in model.identity.to_json().items() if name not in ("sdk", "requested")}
