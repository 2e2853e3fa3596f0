"""The agent ``objects``: one call a turn, on the text of the objects, the picture, or both.

A turn lasts as many steps as the task card says; the action of the reply is held for all of them. A prompt shows the
rules of the game (from the card), the screen as it is now, and what the last turn brought. Motion is part of the text,
so older screens are not shown; in the view ``picture``, which has no motion, the screen of one turn before goes first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, cast

from embodibench.agents.base import AgentIdentity, Expectation, Game, prompts_digest
from embodibench.agents.objects.parsers import VERSION as PARSER
from embodibench.agents.objects.parsers import parse
from embodibench.canonical import Json
from embodibench.envs.atari.world import AtariWorld
from embodibench.envs.base import Observation, Picture
from embodibench.errors import UsageError
from embodibench.models.base import Image, Message, Part, Text

VERSION: Final = 1
VIEWS: Final = ("objects", "picture", "both")
PICTURE: Final = (420, 320)
"""Rows and columns of a picture: the screen twice as large, so that a ball of 2 x 4 pixels survives the model's eye."""
EXPECTED_STEPS: Final = 2000
"""Steps of a game for the estimate of ``--dry-run``: Freeway always has 2,048, the others 500 to several thousand."""
CORPUS_ACTIONS: Final = ("NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN", "UPRIGHT", "UPLEFT", "UPFIRE", "UPRIGHTFIRE")
"""The actions for which the conformance pack stores what replies parse to."""


class ObjectsAgent:
    """Asks for an action once in a turn.

    Args:
        view: ``objects`` (text), ``picture``, or ``both``.

    Raises:
        UsageError: there is no such view.
    """

    def __init__(self, view: str = "objects") -> None:
        if view not in VIEWS:
            raise UsageError(f"agent 'objects' has no view '{view}'; there are: {', '.join(VIEWS)}")
        self._view = view

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        return AgentIdentity(
            name="objects",
            version=VERSION,
            prompts=prompts_digest(prompts()),
            parser=PARSER,
            options={"view": self._view},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over.

        Raises:
            UsageError: the world is not an Atari game.
        """
        world = game.environment
        if not isinstance(world, AtariWorld):
            raise UsageError("agent 'objects' can only play Atari games")
        names = world.action_names
        before: Picture | None = None
        last = ""
        while not game.over:
            seen = self._parts(game.observation, before)
            before = game.observation.render(*PICTURE) if self._view == "picture" else None
            call = await game.ask(messages(self._view, world.manual, world.turn_steps, names, seen, last))
            parsed = parse(call.text, names)
            game.judge(call, parsed.outcome)
            points = hold(game, names.index(parsed.action), world.turn_steps)
            last = f"In the last turn you held {parsed.action} and scored {points:g} points.\n"

    def _parts(self, observation: Observation, before: Picture | None) -> list[Part]:
        parts: list[Part] = []
        if before is not None:
            parts += [Text("One turn ago:\n"), Image(before)]
        if self._view != "objects":
            parts += [Text("Now:\n"), Image(observation.render(*PICTURE))]
        if self._view != "picture":
            parts.append(Text(f"{observation.text()}\n"))
        return parts

    sample_replies = ("UP", "I would go RIGHT", "nothing", "fire")
    """Replies with which the conformance pack asks for prompts."""

    def corpus(self) -> dict[str, Json]:
        """What the parser makes of stored replies, for the conformance pack: reply -> [action, outcome]."""
        replies = json.loads(_folder().joinpath("replies.json").read_text(encoding="utf-8"))
        read = {reply: parse(reply, CORPUS_ACTIONS) for reply in replies}
        return {reply: [parsed.action, parsed.outcome] for reply, parsed in read.items()}

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: a game of ``EXPECTED_STEPS``."""
        environment = cast("Mapping[str, Mapping[str, Json]]", task["environment"])
        turn = cast(int, environment["parameters"].get("turn_steps", 4))
        pictures = {"objects": 0, "picture": 2, "both": 1}[self._view]
        return Expectation(calls=-(-EXPECTED_STEPS // turn), input_tokens=900 + 250 * pictures, output_tokens=4)


def hold(game: Game, action: int, steps: int) -> float:
    """Take the same action for some steps, or until the episode ends. Returns the points scored."""
    points = 0.0
    for _ in range(steps):
        points += game.act(action).reward
        if game.over:
            break
    return points


def messages(
    view: str, manual: str, turn_steps: int, names: Sequence[str], seen: Sequence[Part], last: str
) -> list[Message]:
    """The prompt of one turn: what stays the same in a game (so it may be cached), then the screen and the question."""
    texts = prompts()
    terms = {
        "objects": texts["terms_objects.txt"],
        "picture": texts["terms_picture.txt"],
        "both": texts["terms_picture.txt"] + texts["terms_objects.txt"],
    }[view]
    turn = f"A turn lasts {turn_steps} steps of the game, a step is 4 frames, and 60 frames are a second."
    return [
        Message.of("system", "\n".join([texts["manual.txt"] + turn, "", manual.strip(), "", terms]), cache=True),
        Message("user", (*seen, Text(f"\n{last}{texts['question.txt']}{', '.join(names)}"))),
    ]


@cache
def prompts() -> dict[str, str]:
    """The agent's prompt texts, file name -> text."""
    names = ("manual.txt", "question.txt", "terms_objects.txt", "terms_picture.txt")
    return {name: (_folder() / name).read_text(encoding="utf-8") for name in names}


def _folder() -> Traversable:
    return files("embodibench.agents.objects")
