"""Playing a run: episodes side by side, each unit until it is final, everything journaled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from embodibench import envs
from embodibench.agents.base import Agent
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.agents.trace import Trace
from embodibench.cards.suites import Suite
from embodibench.models.base import Model, Parameters
from embodibench.models.recording import RecordedModel
from embodibench.results.files import TranscriptLine
from embodibench.results.plan import Unit
from embodibench.results.records import episode_record
from embodibench.results.schema import Episode, Times
from embodibench.runs.budget import Budget
from embodibench.runs.directory import RunDirectory, timestamp
from embodibench.runs.journal import Journal, State, prompts, scan
from embodibench.runs.replies import JournaledReplies


@dataclass(frozen=True)
class Player:
    """Who plays: an agent with its model, or a policy.

    Attributes:
        model: None for a policy.
        stream: names the random streams of the player.
    """

    agent: Agent
    model: Model | None
    parameters: Parameters

    @property
    def stream(self) -> str:
        return self.agent.identity.name


class Watcher(Protocol):
    """Is told what happens, for the progress display."""

    def started(self, unit: Unit) -> None: ...

    def replied(self, unit: Unit, calls: int) -> None: ...

    def ended(self, unit: Unit, episode: Episode) -> None: ...


@dataclass(frozen=True)
class Outcome:
    """How a session ended. ``fatal``: the model's words when every further call would fail alike."""

    fatal: str | None = None


async def run_units(
    directory: RunDirectory,
    suite: Suite,
    units: Sequence[Unit],
    player: Player,
    budget: Budget,
    watcher: Watcher,
    *,
    concurrency: int,
) -> Outcome:
    """Play every unit that is not final yet. The caller holds the run's lock."""
    state = scan(directory.journal)
    if isinstance(player.model, RecordedModel):
        player.model.skip(prompts(directory.journal))
    journal = Journal(directory.journal)
    session = Session(directory, suite, player, budget, watcher, journal, state)
    try:
        sdk = player.model.identity.sdk if player.model is not None else None
        journal.append({"k": "session", "time": timestamp(datetime.now(UTC)), "sdk": sdk})
        budget.calls += state.calls
        budget.spent += (state.cost or 0.0) + (state.lost_cost or 0.0)
        open_units = [unit for unit in units if not state.is_final(unit.key)]
        gate = asyncio.Semaphore(concurrency)
        async with asyncio.TaskGroup() as group:
            for unit in open_units:
                group.create_task(session.play_behind(gate, unit))
    finally:
        journal.close()
    return Outcome(session.fatal)


class Session:
    """One process's part of a run."""

    def __init__(
        self,
        directory: RunDirectory,
        suite: Suite,
        player: Player,
        budget: Budget,
        watcher: Watcher,
        journal: Journal,
        state: State,
    ) -> None:
        self.directory = directory
        self.suite = suite
        self.player = player
        self.budget = budget
        self.watcher = watcher
        self.journal = journal
        self.state = state
        self.fatal: str | None = None
        self.exhausted = False

    async def play_behind(self, gate: asyncio.Semaphore, unit: Unit) -> None:
        """Play a unit when its turn comes, unless the run has been stopped by then."""
        async with gate:
            if self.fatal is not None or self.exhausted:
                return
            self.watcher.started(unit)
            episode = await self.play(unit)
            self.watcher.ended(unit, episode)
            # Policies never wait for a reply, so give others (and Ctrl-C) a chance between episodes.
            await asyncio.sleep(0)

    async def play(self, unit: Unit) -> Episode:
        """Play one unit to its end and journal it."""
        started = datetime.now(UTC)
        clock = time.monotonic()
        replies = self._replies(unit)
        environment = envs.make(unit.task.environment.kind, unit.task.environment.parameters)
        try:
            game = LiveGame(
                unit.task,
                unit.trial,
                environment,
                replies,
                fingerprint_every=self.suite.card.protocol.fingerprint_every,
                stream=self.player.stream,
                limits=Limits(max_steps=self.directory.file.request.limits.max_steps),
            )
            trace = await play(self.player.agent, game)
        finally:
            environment.close()
        if replies is not None and replies.fatal is not None:
            self.fatal = replies.fatal
        self.exhausted = self.exhausted or (trace.status == "budget" and trace.end in ("max_cost", "max_calls"))
        times = Times(started=timestamp(started), seconds=round(time.monotonic() - clock, 3))
        attempts = self.state.attempts.get(unit.key, 0) + 1
        episode = episode_record(unit.task, unit.trial, trace, attempts=attempts, times=times)
        self.journal.append(_done_line(unit, episode, trace))
        await self.journal.flushed()
        self.state.replies.pop(unit.key, None)
        return episode

    def _replies(self, unit: Unit) -> JournaledReplies | None:
        model = self.player.model
        if model is None:
            return None
        return JournaledReplies(
            unit.key,
            model,
            self.player.parameters,
            self.journal,
            self.budget,
            self.state.replies.get(unit.key, {}),
            cache_key=f"{self.suite.label}/{self.player.agent.identity.name}",
            received=lambda calls: self.watcher.replied(unit, calls),
        )


def _done_line(unit: Unit, episode: Episode, trace: Trace) -> dict[str, Any]:
    lines = [
        TranscriptLine(
            task=unit.task.id,
            trial=unit.trial,
            call=index,
            prompt=call.prompt,
            text=call.text,
            finish=call.finish,
            detail=dict(call.detail),
        ).model_dump(mode="json")
        for index, call in enumerate(trace.calls)
    ]
    return {
        "k": "done",
        "task": unit.task.id,
        "trial": unit.trial,
        "episode": episode.model_dump(mode="json"),
        "transcript": lines,
    }
