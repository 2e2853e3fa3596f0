"""The conversation of an episode: everything that was seen and said, sent again with every call."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from embodibench.agents.base import Call, ContextOverflow, Game
from embodibench.agents.react.senses import Sense
from embodibench.agents.react.texts import text
from embodibench.canonical import Json
from embodibench.models.base import Message, Part, Text

REPLY_LIMIT: Final = 8000
"""Characters of a reply that are sent back with later calls; the protocol's tokens are seldom more."""


class Example(Protocol):
    """A conversation that stands before the player's own."""

    @property
    def turns(self) -> int:
        """Its replies."""
        ...

    def texts(self) -> dict[str, str]:
        """What it says, for the hash of the prompts."""
        ...

    def messages(self, sense: Sense) -> list[Message]:
        """It, as messages: user and assistant in turns, then what the user says after the last reply."""
        ...


class Conversation:
    """What has been said and seen in one episode, resent with every call."""

    def __init__(self, instructions: str, sense: Sense, example: Example | None) -> None:
        self._sense = sense
        self._messages: list[Message] = []
        self._open: list[Part] = [Text(instructions)]
        self._left_out = 0
        if example is not None:
            for message in example.messages(sense):
                if message.role == "user":
                    self._open += message.parts
                else:
                    self._close_turn()
                    self._messages.append(message)
        self._kept = len(self._messages) + 1

    def say(self, sentence: str) -> None:
        """Add words to the message that the model gets next."""
        self._open.append(Text(sentence))

    def see(self, game: Game) -> None:
        """Add what the player sees now."""
        self._open += [Text(text("caption")), self._sense.view(game.observation, game.environment)]

    async def ask(self, game: Game) -> Call:
        """Send the conversation and take the reply in; leave out the oldest turns if it is too long for the model.

        Raises:
            ContextOverflow: it is too long although no turn is left to leave out.
        """
        self._close_turn()
        while True:
            try:
                call = await game.ask(self.messages())
            except ContextOverflow:
                # What is asked about, and the script before it, always stay.
                turns = (len(self._messages) - self._kept) // 2 - 1 - self._left_out
                if turns <= 0:
                    raise
                self._left_out += (turns + 1) // 2
                continue
            self._messages.append(Message.of("assistant", shown(call.text)))
            return call

    def messages(self) -> list[Message]:
        """What is sent. Everything that came before stays the same in later calls, so every message may be cached."""
        if not self._left_out:
            return list(self._messages)
        first = self._messages[self._kept - 1]
        note = replace(first, parts=(*first.parts, Text(text("shortened"))))
        return [*self._messages[: self._kept - 1], note, *self._messages[self._kept + 2 * self._left_out :]]

    def detail(self) -> dict[str, Json]:
        """For the record: how many turns are left out, if any."""
        return {"left_out": self._left_out} if self._left_out else {}

    def _close_turn(self) -> None:
        parts: list[Part] = []
        for part in self._open:
            # Texts that follow each other are one, with a line between them: providers differ in how they join them.
            if isinstance(part, Text) and parts and isinstance(parts[-1], Text):
                parts[-1] = Text(f"{parts[-1].text}\n\n{part.text}")
            else:
                parts.append(part)
        self._messages.append(Message("user", tuple(parts), cache=True))
        self._open = []


def shown(reply: str) -> str:
    """A reply as later calls show it."""
    if not reply.strip():
        return "(empty)"
    return reply if len(reply) <= REPLY_LIMIT else f"{reply[:REPLY_LIMIT]} [...]"
