"""Replies parse to what they say, by one written rule, and every name that a prompt prints parses back to itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.agents.objects.agent import CORPUS_ACTIONS, ObjectsAgent, prompts
from embodibench.agents.objects.parsers import parse

DIRECTIONS = ("UP", "RIGHT", "LEFT", "DOWN", "UPRIGHT", "UPLEFT", "DOWNRIGHT", "DOWNLEFT")
ALL = ("NOOP", "FIRE", *DIRECTIONS, *(f"{name}FIRE" for name in DIRECTIONS))
"""The 18 actions of the console; the minimal set of a game is a part of them."""

FRAMES = (
    "{}",
    "**{}**",
    "Action: {}",
    '"{}"',
    "{}.",
    "```\n{}\n```",
    "<think>FIRE or LEFT</think>{}",
    '{{"action": "{}"}}',
)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", ALL)
def test_every_name_parses_back_to_itself(name: str, frame: str) -> None:
    assert parse(frame.format(name), ALL) == parse(frame.format(name.lower()), ALL)
    assert parse(frame.format(name), ALL).action == name


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("UP, since the ball is on the right", "UP"),
        ("The ball is right above me, so UP", "UP"),
        ("UP or DOWN? DOWN.", "DOWN"),
        ("UP FIRE", "UPFIRE"),
        ("up_right-fire", "UPRIGHTFIRE"),
        ("I choose UPFIRE to shoot", "UPFIRE"),
        ("RIGHT\nleft", "LEFT"),
        ("<think>UP</think>\nDOWN", "DOWN"),
        ("RIGHT.\n\nBecause the gate is to the right.", "RIGHT"),
    ],
)
def test_the_written_rule_decides_between_mentions(reply: str, action: str) -> None:
    parsed = parse(reply, ALL)
    assert (parsed.action, parsed.outcome) == (action, "ok")


@pytest.mark.parametrize(
    "reply", ["", "  ", "I go up.", "<think>UP", "UPWARDS", "JUMP", "Nach oben", "fire at will", "...", "UPDOWN"]
)
def test_a_reply_that_names_nothing_falls_back_to_doing_nothing(reply: str) -> None:
    parsed = parse(reply, ALL)
    assert (parsed.action, parsed.outcome) == ("NOOP", "fallback")


def test_a_name_outside_of_the_game_is_no_action() -> None:
    assert parse("FIRE", ("NOOP", "UP", "DOWN")).outcome == "fallback"
    assert parse("UPFIRE", ("NOOP", "UP", "FIRE")).outcome == "fallback"
    assert parse("?", ("UP", "DOWN")).action == "UP"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_parses_to_an_action_of_the_game(reply: str) -> None:
    parsed = parse(reply, ALL)
    assert parsed.action in ALL
    assert parsed.outcome in ("ok", "fallback")


def test_the_corpus_covers_both_outcomes_and_parses_alike_each_time() -> None:
    corpus = ObjectsAgent().corpus()
    assert len(corpus) > 50
    parsed = [value for value in corpus.values() if isinstance(value, list)]
    assert len(parsed) == len(corpus)
    assert {outcome for _, outcome in parsed} == {"ok", "fallback"}
    assert all(action in CORPUS_ACTIONS for action, _ in parsed)
    assert corpus == ObjectsAgent().corpus()


def test_no_prompt_text_ends_a_line_with_a_blank() -> None:
    assert all(line == line.rstrip() for text in prompts().values() for line in text.splitlines())
