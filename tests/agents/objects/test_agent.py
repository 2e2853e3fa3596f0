"""The agent asks once a turn, holds the action for the turn, and shows what its view says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from embodibench import envs
from embodibench.agents.game import LiveGame, play
from embodibench.agents.objects.agent import ObjectsAgent
from embodibench.agents.trace import Trace
from embodibench.cards import suites
from embodibench.cards.schema import TaskCard
from embodibench.envs.atari.world import AtariWorld
from embodibench.errors import UsageError
from embodibench.models.base import Image, Message, Reply
from tests.envs.atari.extra import needs_atari


class Talker:
    """Always says the same, and keeps what it was asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Sequence[Message]] = []

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        self.asked.append(messages)
        return Reply(text=self.text)


def play_task(name: str, text: str, calls: int, view: str = "objects") -> tuple[Trace, Talker, AtariWorld]:
    card = suites.load("atari").task(name)
    task = card.model_copy(update={"budgets": card.budgets.model_copy(update={"max_calls": calls})})
    return play_card(task, text, view)


def play_card(task: TaskCard, text: str, view: str = "objects") -> tuple[Trace, Talker, AtariWorld]:
    world = AtariWorld(**task.environment.parameters)
    talker = Talker(text)
    game = LiveGame(task, 0, world, talker, fingerprint_every=50, stream="objects")
    return asyncio.run(play(ObjectsAgent(view), game)), talker, world


def images(messages: Sequence[Message]) -> list[Image]:
    return [part for message in messages for part in message.parts if isinstance(part, Image)]


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(UsageError, match="objects, picture, both"):
        ObjectsAgent("sound")


def test_the_view_is_part_of_the_identity() -> None:
    assert ObjectsAgent("picture").identity != ObjectsAgent().identity
    assert ObjectsAgent().identity.parser == "action@1"


def test_every_game_fits_into_its_calls() -> None:
    """A game that reaches the frame cap must not be broken off before by the card's own bound."""
    for task in suites.load("atari").tasks:
        assert task.budgets.max_calls is not None
        assert task.budgets.max_calls * task.environment.parameters["turn_steps"] == 108_000 // 4
        assert len(task.seeds) == 3


def test_the_estimate_counts_a_call_a_turn() -> None:
    freeway = suites.load("atari").task("freeway").model_dump(mode="json")
    assert ObjectsAgent().expected(freeway).calls == 250


@needs_atari
def test_an_action_is_held_for_a_turn() -> None:
    trace, _, _ = play_task("freeway", "UP", calls=5)
    assert trace.actions == [1] * 40
    assert [call.steps for call in trace.calls] == [8] * 5
    assert trace.end == "max_calls"


@needs_atari
def test_a_prompt_holds_manual_objects_and_actions() -> None:
    _, talker, world = play_task("seaquest", "DOWN", calls=4)
    system, user = talker.asked[3]
    assert world.manual.strip() in system.text
    assert "A turn lasts 2 steps" in system.text
    assert system.cache
    assert user.text.startswith("Step 6. Score 0. Lives 4.\nPlayer: x ")
    assert "In the last turn you held DOWN and scored 0 points." in user.text
    assert user.text.endswith(", ".join(world.action_names))
    assert not images(talker.asked[3])


@needs_atari
def test_the_first_prompt_tells_of_no_last_turn() -> None:
    _, talker, _ = play_task("pong", "NOOP", calls=1)
    assert "last turn" not in talker.asked[0][1].text


@needs_atari
def test_the_view_picture_shows_two_screens_and_no_objects() -> None:
    _, talker, _ = play_task("freeway", "UP", calls=12, view="picture")
    assert len(images(talker.asked[0])) == 1
    first, second = images(talker.asked[11])
    assert first.pixels.shape == second.pixels.shape == (420, 320, 3)
    assert not np.array_equal(first.pixels, second.pixels)
    assert np.array_equal(images(talker.asked[10])[1].pixels, first.pixels)
    assert "Car: x" not in talker.asked[11][1].text


@needs_atari
def test_the_view_both_shows_a_screen_and_the_objects() -> None:
    _, talker, _ = play_task("skiing", "LEFT", calls=2, view="both")
    assert len(images(talker.asked[1])) == 1
    assert "Flag: x" in talker.asked[1][1].text


@needs_atari
def test_replies_that_name_nothing_are_recorded_as_such() -> None:
    trace, _, _ = play_task("pong", "Let me see.", calls=3)
    assert [call.outcome for call in trace.calls] == ["fallback"] * 3
    assert set(trace.actions) == {0}


@needs_atari
def test_a_game_is_played_to_its_end() -> None:
    trace, _, _ = play_task("seaquest", "DOWN", calls=13_500)
    assert (trace.status, trace.end) == ("ok", "game_over")
    assert trace.measures["score"] == sum(trace.rewards)


@needs_atari
def test_a_new_game_is_one_card() -> None:
    card = suites.load("atari").task("pong").model_dump()
    parameters = {"game": "breakout", "turn_steps": 2, "manual": "The game is Breakout. FIRE serves the ball."}
    card |= {"id": "breakout", "environment": {"kind": "atari", "parameters": parameters}, "budgets": {"max_calls": 20}}
    trace, talker, _ = play_card(TaskCard.model_validate(card), "FIRE")
    assert len(trace.actions) == 40
    assert "Breakout" in talker.asked[0][0].text
    assert "Ball: x" in talker.asked[19][1].text


@needs_atari
def test_other_worlds_are_refused() -> None:
    crafter = suites.load("crafter").tasks[0]
    world = envs.make("crafter", {"length": 10})
    game = LiveGame(crafter, 0, world, Talker("UP"), fingerprint_every=50, stream="objects")
    trace = asyncio.run(play(ObjectsAgent(), game))
    assert trace.status == "env_error"
    assert "only play Atari" in str(trace.error)
