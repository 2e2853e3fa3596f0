"""Small arenas, and games in them with replies that are given in advance."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from embodibench import agents, envs
from embodibench.agents.base import Agent
from embodibench.agents.game import LiveGame, play
from embodibench.agents.trace import Trace
from embodibench.cards.schema import TaskCard
from embodibench.models.base import Message, Reply

AGENT = {"kind": "Agent", "positions": [[20, 0, 5]], "rotations": [0]}


def ball(x: float, z: float, kind: str = "GoodGoal", size: float = 1) -> dict[str, Any]:
    """A ball on the ground."""
    return {"kind": kind, "positions": [[x, 0, z]], "sizes": [[size] * 3]}


def arena(*items: dict[str, Any], time_limit: int = 250, blackouts: Sequence[int] = ()) -> TaskCard:
    """A task in an arena of these items; the agent stands at (20, 5) and looks along z."""
    parameters = {"time_limit": time_limit, "items": [AGENT, *items], "blackouts": list(blackouts)}
    return TaskCard.model_validate(
        {
            "id": "test",
            "title": "Test",
            "capability": "Test",
            "environment": {"kind": "aai", "parameters": parameters},
            "seeds": [1, 2, 3],
            "success": {"measure": "return", "at_least": 0.0},
            "source": {"work": "These tests"},
        }
    )


class Replies:
    """Gives replies in turn, the last one again and again, and keeps the prompts. A reply may be an exception."""

    def __init__(self, *replies: str | Exception) -> None:
        self._replies = replies
        self.prompts: list[list[Message]] = []

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        self.prompts.append(list(messages))
        said = self._replies[min(len(self.prompts) - 1, len(self._replies) - 1)]
        if isinstance(said, Reply):
            return said
        if isinstance(said, Exception):
            raise said
        return Reply(said)


def played(task: TaskCard, agent: Agent | str, *replies: Any) -> tuple[Trace, list[list[Message]]]:
    """Play a task with these replies: the trace, and what was asked."""
    source = Replies(*replies) if replies else None
    who = agents.make(agent, {}) if isinstance(agent, str) else agent
    world = envs.make("aai", task.environment.parameters)
    game = LiveGame(task, 0, world, source, fingerprint_every=20, stream="test")
    trace = asyncio.run(play(who, game))
    world.close()
    return trace, source.prompts if source else []
