"""The game counts, limits and records; agents see a world only through it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from embodibench.agents.base import AgentIdentity, Game, Stopped
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.agents.trace import Trace
from embodibench.canonical import Json
from embodibench.cards.schema import Budgets, EnvironmentSection, Source, TaskCard
from embodibench.envs.base import Action, Observation, Step
from embodibench.models.base import Message, Reply, Usage
from embodibench.results.records import episode_record


class Corridor:
    """Five squares; 1 goes on, 0 stays; the end is the goal. Fails on purpose when it is told to."""

    def __init__(self, fail_at: int | None = None) -> None:
        self.position = 0
        self.time = 0
        self.fail_at = fail_at

    def reset(self, seed: int) -> Observation:
        self.position = seed
        return Observation()

    def step(self, action: Action) -> Step:
        if self.time == self.fail_at:
            raise ZeroDivisionError("a fault of the world")
        self.time += 1
        self.position += int(action == 1)
        over = self.position >= 5
        info: dict[str, Json] = {"end": "goal"} if over else {}
        return Step(Observation(), 1.0 if over else 0.0, terminated=over, info=info)

    def fingerprint(self) -> bytes:
        return bytes([self.position, self.time]).ljust(16, b"\0")

    def measures(self) -> Mapping[str, Json]:
        return {"position": self.position, "places": (1, 2)}

    def close(self) -> None:
        pass


class Walker:
    """Asks before every step and does what it is told."""

    identity = AgentIdentity("walker", 1)

    async def play(self, game: Game) -> None:
        while not game.over:
            call = await game.ask([Message.of("user", f"step {game.steps}")])
            game.judge(call, "ok" if call.text else "invalid")
            game.act(int(call.text == "go"))

    def expected(self, task: Mapping[str, Json]) -> None:
        return None


class Scripted:
    """Replies in order; then the model fails."""

    def __init__(self, *replies: str) -> None:
        self.replies = replies

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        if call >= len(self.replies):
            raise Stopped("api_error", "server", "no more")
        return Reply(self.replies[call], Usage(input=10, output=1), 0.5)


def _card(**budgets: int) -> TaskCard:
    return TaskCard(
        id="walk",
        title="Walk",
        capability="walking",
        environment=EnvironmentSection(kind="corridor"),
        seeds=(0, 3),
        budgets=Budgets(**budgets),
        source=Source(work="made for this test"),
    )


def _game(replies: Any, card: TaskCard | None = None, world: Corridor | None = None, **limits: int) -> LiveGame:
    return LiveGame(
        card or _card(),
        0,
        world or Corridor(),
        replies,
        fingerprint_every=2,
        stream="walker",
        limits=Limits(**limits),
    )


def _play(game: LiveGame, agent: Any = None) -> Trace:
    return asyncio.run(play(agent or Walker(), game))


def test_a_whole_episode() -> None:
    trace = _play(_game(Scripted("go", "", "go", "go", "go", "go")))
    record = episode_record(_card(), 0, trace)
    assert (record.status, record.end, record.steps) == ("ok", "goal", 6)
    assert record.actions == ((1, 1), (0, 1), (1, 4))
    assert record.rewards == ((0.0, 5), (1.0, 1))
    assert len(record.fingerprints) == 1 + 6 // 2
    assert record.final == record.fingerprints[-1]
    assert record.calls.outcomes == (("ok", 1), ("invalid", 1), ("ok", 4))
    assert record.calls.steps == ((1, 6),)
    assert record.usage is not None and (record.usage.input, record.usage.output) == (60, 6)
    assert record.cost == pytest.approx(3.0)
    assert record.measures == {"position": 5, "places": [1, 2]}


def test_a_failing_model_ends_the_episode_with_its_word() -> None:
    trace = _play(_game(Scripted("go", "go")))
    assert (trace.status, trace.end, len(trace.actions)) == ("api_error", "server", 2)
    assert trace.final != ""


def test_a_failing_world_is_an_env_error() -> None:
    trace = _play(_game(Scripted("go", "go", "go"), world=Corridor(fail_at=1)))
    assert (trace.status, trace.end) == ("env_error", "step")
    assert "a fault of the world" in str(trace.error)


def test_a_failing_agent_is_an_env_error() -> None:
    class Broken(Walker):
        async def play(self, game: Game) -> None:
            raise KeyError("a fault of the agent")

    trace = _play(_game(Scripted()), Broken())
    assert (trace.status, trace.end) == ("env_error", "agent")


def test_the_users_step_limit_is_a_budget_and_wastes_no_call() -> None:
    trace = _play(_game(Scripted(*["go"] * 9), max_steps=3))
    assert (trace.status, trace.end, len(trace.actions), len(trace.calls)) == ("budget", "max_steps", 3, 3)


def test_the_cards_budgets_end_an_episode_by_the_rules() -> None:
    trace = _play(_game(Scripted(*["go"] * 9), _card(max_steps=3)))
    assert (trace.status, trace.end, len(trace.calls)) == ("ok", "max_steps", 3)
    trace = _play(_game(Scripted(*["go"] * 9), _card(max_calls=2)))
    assert (trace.status, trace.end, len(trace.actions)) == ("ok", "max_calls", 2)


def test_a_world_that_ends_at_the_limit_ends_by_its_own_rules() -> None:
    trace = _play(_game(Scripted(*["go"] * 5), max_steps=5))
    assert (trace.status, trace.end) == ("ok", "goal")


def test_acting_after_the_end_is_an_error() -> None:
    game = _game(Scripted())
    game.start()
    for _ in range(5):
        game.act(1)
    with pytest.raises(RuntimeError, match="has ended"):
        game.act(1)


def test_side_by_side_questions_keep_their_order() -> None:
    class Slow:
        async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
            await asyncio.sleep(0.02 * (3 - call))
            return Reply(messages[0].text)

    async def ask() -> list[str]:
        game = _game(Slow())
        game.start()
        calls = await game.ask_all([[Message.of("user", word)] for word in ("a", "b", "c")])
        assert [call.index for call in calls] == [0, 1, 2]
        assert len(game.trace.calls) == 3
        return [call.text for call in calls]

    assert asyncio.run(ask()) == ["a", "b", "c"]


def test_the_random_stream_is_named_by_player_task_trial_and_seed() -> None:
    first, again = (_game(None).rng.integers(2**62) for _ in range(2))
    assert first == again
    other = LiveGame(_card(), 1, Corridor(), None, fingerprint_every=2, stream="walker")
    assert other.rng.integers(2**62) != first
    named = LiveGame(_card(), 0, Corridor(), None, fingerprint_every=2, stream="other")
    assert named.rng.integers(2**62) != first
