"""A game of Crafter in which a function answers, and what was asked is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from embodibench import envs
from embodibench.agents.base import Agent
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.agents.spring.graph import LIST, SPRING, STEP_BY_STEP
from embodibench.agents.spring.texts import text
from embodibench.agents.trace import Trace
from embodibench.cards import suites
from embodibench.models.base import CONTEXT_OVERFLOW, Message, Reply

QUESTIONS = {text(question.name): question.name for graph in (SPRING, LIST, STEP_BY_STEP) for question in graph}


def asked(messages: Sequence[Message]) -> str:
    """Name of the question that a prompt ends with."""
    return QUESTIONS[messages[-1].text.rpartition("Question: ")[2]]


def told(messages: Sequence[Message]) -> dict[str, str]:
    """Question -> answer, as a prompt tells them above its own question."""
    above = messages[-1].text.split("Question: ")[1:-1]
    pairs = (passage.partition("\nAnswer: ") for passage in above)
    return {QUESTIONS[question]: answer.strip() for question, _, answer in pairs}


@dataclass
class Table:
    """Answers with ``answer(question, step)`` and keeps prompts; a prompt longer than ``context`` characters overflows.

    Attributes:
        prompts: in the order of their calls.
        together: how many calls were under way when each was asked, itself included.
    """

    answer: Callable[[str, int], str]
    context: int | None = None
    prompts: list[Sequence[Message]] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    _under_way: int = 0
    _answered: int = 0

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        self.prompts.append(messages)
        self._under_way += 1
        for _ in range(3):
            await asyncio.sleep(0)
        self.together.append(self._under_way)
        await asyncio.sleep(0)
        self._under_way -= 1
        if self.context is not None and sum(len(message.text) for message in messages) > self.context:
            return Reply("", finish=CONTEXT_OVERFLOW)
        name = asked(messages)
        said = self.answer(name, self._answered)
        self._answered += name == "qa"
        return Reply(said)

    def play(self, agent: Agent, steps: int, trial: int = 0) -> Trace:
        """Play the first steps of a trial."""
        task = suites.load("crafter").tasks[0]
        environment = envs.make(task.environment.kind, task.environment.parameters)
        try:
            game = LiveGame(
                task, trial, environment, self, fingerprint_every=10, stream="test", limits=Limits(max_steps=steps)
            )
            return asyncio.run(play(agent, game))
        finally:
            environment.close()

    def step(self, number: int, questions: int) -> dict[str, Sequence[Message]]:
        """The prompts of a step by question, when no prompt overflowed."""
        return {asked(prompt): prompt for prompt in self.prompts[number * questions : (number + 1) * questions]}
