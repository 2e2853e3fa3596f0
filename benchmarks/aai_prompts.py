"""Prints two prompts of an episode of aai40 and what ``react-text`` reads, and stores the pictures: for docs/aai40.md.

python benchmarks/aai_prompts.py docs/aai40
"""

from __future__ import annotations

import sys
from pathlib import Path

# In place of this folder, whose coverage.py would stand in for the package of that name.
sys.path[0] = str(Path(__file__).parents[1])

from embodibench.cards import suites  # noqa: E402
from embodibench.models.base import Image, Message  # noqa: E402
from tests.agents.react.arenas import played  # noqa: E402

TASK = "02-02-01"
REPLIES = (
    "Think(I look to my left, where the way around the wall may be.);Turn(-36);",
    "I go on towards the ball. Go(14)",
    "Think(This time I answer with a script.);Go(8);",
    "Turn(30);",
)


def show(prompt: list[Message]) -> None:
    """A prompt, with marks for its pictures."""
    number = 0
    for message in prompt:
        print(f"[{message.role}]")
        for part in message.parts:
            number += isinstance(part, Image)
            print(f"<picture {number}>" if isinstance(part, Image) else part.text)


def main(folder: Path) -> None:
    """Print and store."""
    folder.mkdir(exist_ok=True, parents=True)
    task = suites.load("aai40").task(TASK)
    _, prompts = played(task, "react", *REPLIES)
    pictures = [part for message in prompts[2] for part in message.parts if isinstance(part, Image)]
    for number, picture in enumerate(pictures, 1):
        (folder / f"picture-{number}.jpg").write_bytes(picture.encoded())
    for index in (0, 2):
        print(f"=== prompt {index + 1}")
        show(prompts[index])
    print("=== react-text")
    show(played(task, "react-text", "Turn(6);")[1][0][-1:])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
