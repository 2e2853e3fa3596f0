"""The protocol of ``react``: opening, turns, invalid replies, the last script, and what is sent again."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest

from embodibench import agents
from embodibench.agents.react.agent import ReactAgent
from embodibench.agents.react.motion import steps
from embodibench.agents.react.parsers import Command
from embodibench.agents.react.senses import Pictures, on_canvas
from embodibench.errors import UsageError
from embodibench.models.base import CONTEXT_OVERFLOW, Image, Message, Reply, prompt_digest
from tests.agents.react.arenas import arena, ball, played

FAR = arena(ball(20, 38))


def images(messages: list[Message]) -> list[Image]:
    return [part for message in messages for part in message.parts if isinstance(part, Image)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (Command("Go", 3), [3, 3, 3]),
        (Command("Go", -2), [6, 6]),
        (Command("Go", 0), []),
        (Command("Turn", 5), []),
        (Command("Turn", -5), []),
        (Command("Turn", 25), [1] * 4),
        (Command("Turn", -45), [2] * 7),
        (Command("Turn", 360), [1] * 60),
        (Command("Think"), []),
    ],
)
def test_commands_become_steps(command: Command, expected: list[int]) -> None:
    assert list(steps([command])) == expected


def test_the_opening_takes_49_steps_and_shows_three_pictures() -> None:
    trace, prompts = played(FAR, "react", "Think(nothing);")
    assert trace.opening_steps == 49
    assert set(trace.actions[:49]) == {0}
    assert [len(images(prompt)) for prompt in prompts[:3]] == [3, 4, 5]


def test_the_first_health_is_stale_and_thoughts_leave_it_so() -> None:
    _, prompts = played(FAR, "react", "Think(nothing);", "Go(1);", "Go(1);")
    assert prompts[0][-1].text.endswith("Your remaining health is:  99.8")
    assert prompts[1][-1].text.endswith(f"health is:  {100 - 49 * 60 / 250:.1f}")
    assert prompts[2][-1].text.endswith(f"health is:  {100 - 50 * 60 / 250:.1f}")


def test_thirty_scripts_then_standing_still_until_the_health_is_gone() -> None:
    trace, prompts = played(FAR, "react", "Turn(6);")
    assert len(prompts) == 30
    assert trace.end == "health"
    assert trace.actions == [0] * 49 + [1] * 30 + [0] * (len(trace.actions) - 79)
    assert trace.calls[-1].steps == len(trace.actions) - 49 - 29


def test_an_invalid_reply_costs_one_step_and_a_turn_and_the_model_is_told() -> None:
    trace, prompts = played(FAR, "react", "Go ahead!", "Go(2);", "Turn(6);")
    assert len(prompts) == 30
    assert [call.outcome for call in trace.calls[:2]] == ["invalid", "ok"]
    assert [call.steps for call in trace.calls[:2]] == [1, 2]
    assert trace.actions[49:52] == [0, 3, 3]
    first, told = prompts[1][-1].parts[0], prompts[1][-1].parts[-1]
    assert "not a valid script" in first.text  # type: ignore[union-attr]
    assert "health" in told.text  # type: ignore[union-attr]
    assert "not a valid script" not in prompts[2][-1].text


def test_both_parsers_are_recorded_and_the_option_says_which_acts() -> None:
    strict_trace, _ = played(FAR, "react", "I go: Go(2);", "Go(1);")
    assert strict_trace.calls[0].outcome == "invalid"
    assert strict_trace.calls[0].detail == {"lenient@1": ["ok", "Go(2);"]}
    lenient_trace, _ = played(FAR, agents.make("react", {"parser": "lenient"}), "I go: Go(2);", "Go(1);")
    assert lenient_trace.calls[0].outcome == "ok"
    assert lenient_trace.calls[0].detail == {"strict@1": ["invalid", ""]}
    assert lenient_trace.actions[49:51] == [3, 3]


def test_two_minus_signs_end_the_episode_as_they_did() -> None:
    trace, prompts = played(FAR, "react", "Go(1);", "Go(--5);")
    assert (trace.status, trace.end, len(prompts)) == ("ok", "runtime_error", 2)
    assert trace.calls[1].outcome == "crash"


def test_a_script_stops_with_the_episode_and_nothing_is_asked_any_more() -> None:
    trace, prompts = played(arena(ball(20, 12)), "react", "Go(35);Turn(180);Go(35);")
    assert trace.end == "goal"
    assert len(prompts) == 1
    assert len(trace.actions) < 49 + 35


def test_several_commands_run_back_to_back_without_pictures_between() -> None:
    trace, prompts = played(FAR, "react", "Go(2);Turn(12);Go(-1);", "Think(done);")
    assert trace.actions[49:54] == [3, 3, 1, 1, 6]
    assert len(images(prompts[1])) == 4


def test_the_conversation_is_sent_again_unchanged_and_marked_for_the_cache() -> None:
    _, prompts = played(FAR, "react", "Turn(30);", "")
    assert [message.role for message in prompts[3]] == ["user", "assistant"] * 3 + ["user"]
    for before, after in itertools.pairwise(prompts):
        assert prompt_digest(after[: len(before)]) == prompt_digest(before)
        assert images(after)[: len(images(before))] == images(before)
    assert all(message.cache for message in prompts[5] if message.role == "user")
    assert prompts[3][3].text == "(empty)"


def test_a_conversation_that_is_too_long_goes_on_without_its_oldest_turns() -> None:
    overflow = Reply("", finish=CONTEXT_OVERFLOW)
    replies = ["Turn(6);", "Turn(12);", "Turn(18);", "Turn(24);", overflow, "Turn(30);", "Turn(36);"]
    trace, prompts = played(FAR, "react", *replies)
    assert [call.outcome for call in trace.calls[3:6]] == ["ok", "overflow", "ok"]
    whole, short = prompts[4], prompts[5]
    assert len(whole) == 9
    assert "left out" in short[0].text
    assert [message.text for message in short[1:]] == [message.text for message in whole[-len(short) + 1 :]]
    assert trace.calls[5].detail["left_out"] == 2
    assert trace.calls[6].detail["left_out"] == 2


def test_a_first_prompt_that_is_too_long_ends_the_episode() -> None:
    trace, _ = played(FAR, "react", Reply("", finish=CONTEXT_OVERFLOW))
    assert (trace.status, trace.end) == ("api_error", "context_overflow")


def test_a_picture_stands_in_the_originals_canvas() -> None:
    _, prompts = played(FAR, "react", "Go(1);")
    picture = images(prompts[0])[0]
    assert picture.pixels.shape == (512, 516, 3)
    assert (picture.pixels[:, :2] == 255).all()
    assert (picture.pixels[:, -2:] == 255).all()
    assert picture.encoding == "jpeg"
    assert picture.encoded()[:3] == b"\xff\xd8\xff"
    assert on_canvas(np.zeros((4, 4, 3), np.uint8)).sum() == 4 * 4 * 255 * 3
    png = agents.make("react", {"picture": "png"})
    _, prompts = played(FAR, png, "Go(1);")
    assert images(prompts[0])[0].encoded()[:4] == b"\x89PNG"


def test_a_dark_picture_is_black() -> None:
    _, prompts = played(arena(ball(20, 38), blackouts=[0, 400]), "react", "Go(1);")
    assert not images(prompts[0])[0].pixels[:, 2:-2].any()


def test_a_pictures_digest_and_file_are_made_once_and_are_right() -> None:
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    picture = Image(pixels)
    assert picture.pixels_digest() == hashlib.sha256(pixels.tobytes()).hexdigest()
    assert picture.encoded() is picture.encoded()
    turned = Image(pixels[::-1])
    assert turned.pixels_digest() == hashlib.sha256(pixels[::-1].tobytes()).hexdigest()


def test_wrong_options_are_refused_in_a_line() -> None:
    for options in ({"parser": "strong"}, {"scripts": "many"}, {"scripts": 0}, {"picture": "gif"}, {"colour": "red"}):
        with pytest.raises(UsageError):
            agents.make("react", dict(options))


def test_no_time_limit_and_no_scripts_left_ends_by_the_agent() -> None:
    trace, _ = played(arena(ball(20, 38), time_limit=0), ReactAgent("react", Pictures(), scripts=2), "Go(1);")
    assert trace.end == "agent"
    assert len(trace.actions) == 51
