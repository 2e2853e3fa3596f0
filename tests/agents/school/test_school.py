"""The agent ``school``: reading replies, and asking for help."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.agents.school.agent import SchoolAgent, manual, messages, question
from embodibench.agents.school.parsers import PRIMITIVES, names, parse
from embodibench.envs.socialai.world import SocialAIWorld
from embodibench.errors import UsageError
from tests.agents.in_context.test_in_context import ScriptedGame


@pytest.mark.parametrize("name", names())
def test_every_action_and_utterance_reads_back_as_itself(name: str) -> None:
    for reply in (name, name.upper(), f"I will {name}.", f'"{name}"'):
        assert (parse(reply).name, parse(reply).outcome) == (name, "ok")


@given(st.text(max_size=200))
def test_any_reply_is_some_action(reply: str) -> None:
    parsed = parse(reply)
    assert parsed.name in names() and parsed.outcome in ("ok", "fallback")


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("I could turn left, but I move forward.", "move forward"),
        ("<think>toggle</think> Turn-Right", "turn right"),
        ('Say "Help please"!', "say help please"),
        ("say help please, then toggle", "toggle"),
        ("say hello", "wait"),
    ],
)
def test_the_last_thing_mentioned_counts(reply: str, name: str) -> None:
    assert parse(reply).name == name


def test_asking_for_help_reaches_the_caretaker() -> None:
    world = SocialAIWorld(tree="ALangFeedbackBoxesTestFormatsCSParamEnv", speech=True, wording="raw")
    game = ScriptedGame("formats", world, "say help please")
    asyncio.run(SchoolAgent().play(game))  # type: ignore[arg-type]
    assert game.actions[0] == (5, 1, 0) and world.measures()["introduced"] is True
    assert "You: say help please\n" in game.prompts[1] and "Caretaker: " in game.prompts[-1]


def test_the_prompt_offers_exactly_what_can_be_read() -> None:
    text = messages(["Obs : \n"])[0].text
    assert text.startswith(manual()) and text.endswith(question())
    assert all(name in question() for name in PRIMITIVES)


def test_a_world_without_speech_is_refused() -> None:
    with pytest.raises(UsageError, match="speech"):
        asyncio.run(SchoolAgent().play(ScriptedGame("x", SocialAIWorld(tree="ColorBoxesLLMCSParamEnv"), "")))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="history"):
        SchoolAgent(history=0)
