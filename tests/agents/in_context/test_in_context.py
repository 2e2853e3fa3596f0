"""The agent ``in-context``: what it shows, how it reads replies."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from embodibench.agents.base import Call
from embodibench.agents.in_context.agent import EXAMPLES, InContextAgent, prompt, recorded
from embodibench.agents.in_context.parsers import ORDER, parse
from embodibench.envs.base import Action, Observation, Step
from embodibench.envs.socialai.world import SocialAIWorld
from embodibench.errors import UsageError
from embodibench.models.base import Message


@pytest.mark.parametrize("rule", ["substring", "mention"])
@pytest.mark.parametrize("name", ORDER)
def test_every_action_reads_back_as_itself(rule: str, name: str) -> None:
    for reply in (name, f" {name}", f"Act : {name}\n"):
        assert (parse(rule, reply).action, parse(rule, reply).outcome) == (name, "ok")


@pytest.mark.parametrize(
    ("reply", "substring", "mention"),
    [
        ("turn left, then move forward", "move forward", "move forward"),
        ("move forward, then turn left", "move forward", "turn left"),
        ("I am done thinking: toggle", "done", "toggle"),
        ("Turn Left", "no_op", "turn left"),
        ("<think>toggle</think>turn right", "turn right", "turn right"),
        ("abandoned", "done", "no_op"),
        ("", "no_op", "no_op"),
    ],
)
def test_the_papers_rule_and_the_readers_rule(reply: str, substring: str, mention: str) -> None:
    assert (parse("substring", reply).action, parse("mention", reply).action) == (substring, mention)


def test_a_prompt_is_examples_and_the_last_observations() -> None:
    episode = ["Obs : 1\n", "toggle", "Obs : 2\n", "no_op", "Obs : 3\n", "turn left", "Obs : 4\n"]
    assert prompt("EXAMPLES\n", episode, 3) == (
        "EXAMPLES\nNew episode.\nObs : 2\nAct : no_op\nObs : 3\nAct : turn left\nObs : 4\nAct :"
    )
    assert prompt("", episode[:1], 3) == "New episode.\nObs : 1\nAct :"
    assert prompt("", episode, 0).count("Obs :") == 4


@pytest.mark.parametrize(
    ("name", "actions"), [("asocial-box", 31), ("color-boxes", 33), ("color-boxes-generalisation", 60)]
)
def test_examples_are_solved_episodes_as_long_as_the_papers(name: str, actions: int) -> None:
    text = recorded(name)
    assert text.count("New episode.\n") == text.count("Success!\n") == (5 if name == "color-boxes" else 6)
    assert text.count("Act : ") == actions
    assert {line.removeprefix("Act : ") for line in text.splitlines() if line.startswith("Act : ")} <= set(ORDER)


class ScriptedGame:
    """A game whose model always says the same."""

    def __init__(self, task: str, world: SocialAIWorld, reply: str) -> None:
        self.task: Mapping[str, Any] = {"id": task}
        self.environment = world
        self.observation: Observation = world.reset(0)
        self.reply = reply
        self.prompts: list[str] = []
        self.actions: list[Action] = []
        self.judged: list[tuple[str, Any]] = []

    @property
    def over(self) -> bool:
        return len(self.actions) >= 4 or bool(self.environment.episode.outcome)

    async def ask(self, messages: Sequence[Message]) -> Call:
        assert [message.role for message in messages] == ["user"]
        self.prompts.append(messages[0].text)
        return Call(len(self.prompts), self.reply)

    def judge(self, call: Call, outcome: str, detail: Any = None) -> None:
        self.judged.append((outcome, detail))

    def act(self, action: Action) -> Step:
        self.actions.append(action)
        return self.environment.step(action)


def test_playing_asks_acts_and_records_both_readings() -> None:
    world = SocialAIWorld(tree="ColorBoxesLLMCSParamEnv", size=7, opening_waits=1)
    game = ScriptedGame("color-boxes", world, "Turn left!")
    asyncio.run(InContextAgent().play(game))  # type: ignore[arg-type]
    assert game.actions == [5, 5, 5, 5]
    assert game.judged[0] == ("fallback", {"last-mention@1": ["turn left", "ok"]})
    assert game.prompts[0].startswith(recorded("color-boxes")) and game.prompts[0].endswith("\nAct :")
    assert game.prompts[0].count("Caretaker says:") > recorded("color-boxes").count("Caretaker says:")


def test_wrong_options_and_tasks_are_refused() -> None:
    for options in ({"parser": "guess"}, {"history": -1}, {"examples": "none"}):
        with pytest.raises(UsageError):
            InContextAgent(**options)  # type: ignore[arg-type]
    world = SocialAIWorld(tree="ColorBoxesLLMCSParamEnv")
    with pytest.raises(UsageError, match="examples"):
        asyncio.run(InContextAgent().play(ScriptedGame("other", world, "")))  # type: ignore[arg-type]
    assert set(EXAMPLES) == {"asocial-box", "color-boxes", "color-boxes-generalisation"}
