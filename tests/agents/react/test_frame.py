"""One action a call."""

from __future__ import annotations

from embodibench.agents.react.frame import ACTIONS
from embodibench.models.base import Image
from tests.agents.react.arenas import arena, ball, played


def test_each_reply_is_one_step_and_prompts_stay_bounded() -> None:
    trace, prompts = played(arena(ball(20, 9)), "frame", "Turn Right", "turn left", "what?", "Forward")
    assert trace.actions[:4] == [1, 2, 0, 3]
    assert trace.opening_steps == 0
    assert trace.end == "goal"
    assert [call.outcome for call in trace.calls[:4]] == ["ok", "ok", "fallback", "ok"]
    pictures = [sum(isinstance(part, Image) for message in prompt for part in message.parts) for prompt in prompts]
    assert pictures == [min(4, number + 1) for number in range(len(prompts))]


def test_every_action_of_the_list_is_done_as_it_is_printed() -> None:
    trace, prompts = played(arena(ball(20, 38), time_limit=20), "frame", *ACTIONS)
    assert trace.actions[: len(ACTIONS)] == list(range(9))
    listed = [line[2:] for line in prompts[0][0].text.split("\n") if line.startswith("- ")]
    assert tuple(listed) == ACTIONS
