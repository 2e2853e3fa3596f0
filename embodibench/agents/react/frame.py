"""The agent ``frame``: one action a call, as the paper proposes for models that find scripts too coarse.

There are no opening waits. A prompt holds the instructions, the last pictures with the actions that were taken after
them, and the picture of now; so its size is bounded however long the episode is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from embodibench.agents.base import AgentIdentity, Expectation, Game, prompts_digest
from embodibench.agents.direct.parsers import VERSIONS, mention
from embodibench.agents.react.agent import health_sentence, whole_number
from embodibench.agents.react.senses import Pictures
from embodibench.agents.react.texts import text
from embodibench.canonical import Json
from embodibench.models.base import Message, Part, Text

VERSION: Final = 1
WINDOW: Final = 4
"""Pictures of a prompt."""
ACTIONS: Final = (
    "Noop",
    "Turn Right",
    "Turn Left",
    "Forward",
    "Forward Right",
    "Forward Left",
    "Backward",
    "Backward Right",
    "Backward Left",
)
"""Names of the arena's actions, in the order of their numbers. Noop is what the parser falls back to."""
STEPS_A_LIMIT: Final = 5 / 3
"""Steps of an episode without rewards, as a multiple of the arena's time limit."""


class FrameAgent:
    """Asks for an action at every step.

    Args:
        window: pictures of a prompt.
        picture: ``jpeg`` or ``png``.
    """

    def __init__(self, window: int | str = WINDOW, picture: str = "jpeg") -> None:
        self._window = whole_number("frame", "window", window)
        self._sense = Pictures(picture)

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        return AgentIdentity(
            name="frame",
            version=VERSION,
            prompts=prompts_digest({name: text(name) for name in ("frame", "frame_question", "health")}),
            parser=VERSIONS["mention"],
            options={"window": self._window, **self._sense.options()},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over."""
        recent: deque[tuple[tuple[Part, ...], str]] = deque(maxlen=self._window - 1)
        rules = Message.of(
            "system", text("frame").format(actions="\n".join(f"- {name}" for name in ACTIONS)), cache=True
        )
        while not game.over:
            now = (self._sense.view(game.observation, game.environment), Text(health_sentence(game.environment)))
            messages = [rules]
            for before, name in recent:
                messages += [Message("user", before), Message.of("assistant", name)]
            messages.append(Message("user", (*now, Text(text("frame_question")))))
            call = await game.ask(messages)
            parsed = mention(call.text, ACTIONS)
            game.judge(call, parsed.outcome)
            recent.append((now, parsed.action))
            game.act(ACTIONS.index(parsed.action))

    sample_replies = ("Forward", "I turn right: Turn Right", "nothing", "Forward Left")
    """Replies with which the conformance pack asks for prompts."""

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: half of the steps that an episode without rewards has."""
        environment: Any = task["environment"]
        limit = int(environment["parameters"].get("time_limit", 0)) or 1000
        words = len(text("frame")) // 4
        size = words + self._window * (self._sense.tokens + 30)
        return Expectation(calls=int(limit * STEPS_A_LIMIT / 2), input_tokens=size, output_tokens=4)
