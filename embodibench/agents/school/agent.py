"""The agent ``school``: the plainest way to let a language model act, look and speak in the SocialAI School."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from embodibench.agents.base import AgentIdentity, Expectation, Game, prompts_digest
from embodibench.agents.school.parsers import PRIMITIVES, VERSION, names, parse
from embodibench.canonical import Json
from embodibench.envs.socialai.language import NOUNS, TEMPLATES
from embodibench.errors import UsageError
from embodibench.models.base import Message

AGENT_VERSION: Final = 1
HISTORY: Final = 4
"""Observations that a prompt shows, with the actions between them."""


class SchoolAgent:
    """Asks for one action or utterance at every step.

    Args:
        history: observations a prompt shows, at least 1.
    """

    def __init__(self, history: int = HISTORY) -> None:
        if isinstance(history, bool) or not isinstance(history, int) or history < 1:
            raise UsageError(f"agent 'school': history is a number of observations, at least 1, not {history!r}")
        self._history = history

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes."""
        return AgentIdentity(
            name="school",
            version=AGENT_VERSION,
            prompts=prompts_digest({"manual": manual(), "question": question()}),
            parser=VERSION,
            options={"history": self._history},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over.

        Raises:
            UsageError: the world is not the School, or the agent cannot speak in it.
        """
        if getattr(game.environment, "action_shape", None) is None or not hasattr(game.environment, "templates"):
            raise UsageError("agent 'school' plays the SocialAI School with speech only")
        recent: deque[str] = deque([game.observation.text()], maxlen=2 * self._history - 1)
        while not game.over:
            call = await game.ask(messages(recent))
            parsed = parse(call.text)
            game.judge(call, parsed.outcome, {"action": parsed.name})
            step = game.act(parsed.action)
            recent.extend((parsed.name, step.observation.text()))

    sample_replies = ("turn left", "say help please", "I wait.", "nothing useful")
    """Replies with which the conformance pack asks for prompts."""

    def corpus(self) -> dict[str, Json]:
        """What the parser makes of stored replies, for the conformance pack: reply -> [action, outcome]."""
        return {reply: [parse(reply).name, parse(reply).outcome] for reply in (*names(), *self.sample_replies, *CORPUS)}

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: the manual is 500 tokens, an observation up to 150."""
        return Expectation(calls=40, input_tokens=1000, output_tokens=8)


CORPUS: Final = (
    "",
    'Say "Help please"',
    "say: where is the exit",
    "SAY HELP THE LAMP!",
    "say hello",
    "I could turn left, but I move forward.",
    "<think>toggle</think> Turn-Right",
    "waiting",
    "say how are you and then toggle",
)
"""Replies on which the rule is pinned."""


def messages(recent: Sequence[str]) -> list[Message]:
    """The manual, then the last observations with the actions between them, then the question.

    Args:
        recent: observation, action, observation, ...; begins and ends with an observation.
    """
    lines = [f"You: {part}\n" if index % 2 else part for index, part in enumerate(recent)]
    return [Message.of("user", f"{manual()}\n{''.join(lines)}\n{question()}")]


@cache
def manual() -> str:
    """The rules, in words."""
    return files("embodibench.agents.school").joinpath("manual.txt").read_text(encoding="utf-8")


@cache
def question() -> str:
    """What can be done and said."""
    return (
        f"Reply with one of these actions and nothing else: {', '.join(PRIMITIVES)}; or say something: "
        f"say, then one of {', '.join(TEMPLATES).lower()}, then one of {', '.join(NOUNS)} "
        "(for example: say where is the exit). What do you do next?\n"
    )
