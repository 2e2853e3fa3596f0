"""The demonstration of ``react-icl``: whole, valid, and built alike each time."""

from __future__ import annotations

from embodibench.agents.react.parsers import strict
from embodibench.agents.react.senses import Pictures, Words
from embodibench.agents.react.tutorial import demonstrate, level
from embodibench.models.base import Image, prompt_digest
from tests.agents.react.arenas import arena, ball, played

LOOKS = (
    *(
        "green ball",
        "yellow ball",
        "red ball",
        "red lava",
        "orange ground",
        "grey wall",
        "transparent wall",
        "purple ramp",
    ),
    *("blue wall", "arch", "transparent arch", "grey block", "grey L-shaped block", "grey U-shaped block"),
)


def test_every_kind_of_object_is_seen_in_it() -> None:
    words = "\n".join(message.text for message in demonstrate(Words()) if message.role == "user")
    for look in LOOKS:
        assert f"- {look}: " in words, look


def test_its_scripts_are_valid_and_it_is_built_alike() -> None:
    assert all(strict(script).outcome == "ok" for script in level()["scripts"])
    first, second = demonstrate(Pictures()), demonstrate(Pictures())
    assert prompt_digest(first) == prompt_digest(second)
    assert first[0].parts[-2] is not second[0].parts[-2]


def test_it_stands_before_every_episode() -> None:
    _, prompts = played(arena(ball(20, 38)), "react-icl", "Turn(180);", "Go(1);")
    count = len(level()["scripts"])
    assert [message.role for message in prompts[0]] == ["user", "assistant"] * count + ["user"]
    pictures = [[part for part in message.parts if isinstance(part, Image)] for message in prompts[0]]
    assert [len(found) for found in pictures] == [1, 0] * count + [3]
    assert "someone else" in prompts[0][0].text
    assert "That level is passed" in prompts[0][-1].text
    assert prompts[0][0].text.startswith("You control a player")
