"""Recorded replies for protocol replay. Nothing here can reach a network."""

from __future__ import annotations

from collections.abc import Sequence

from embodibench.agents.base import Stopped
from embodibench.canonical import short_hash
from embodibench.models.base import CONTEXT_OVERFLOW, Message, Reply
from embodibench.models.tokens import most_tokens
from embodibench.results.files import TranscriptLine
from embodibench.results.schema import Episode

TRIES = 5
"""A provider may bill failed attempts at a call, which count as its tokens."""
FRAME = 2000
"""Tokens that a server may put before every prompt."""
LONGEST = 64
"""Characters of a prompt that one token stands for at most, on average over a prompt."""


class RecordedReplies:
    """Hands out the replies of one episode's transcript, and notes the first departure from it.

    Attributes:
        divergence: what first differed, or None.
        tokens: what is wrong with the recorded tokens of a prompt, or "": more than its bytes can be, or fewer.
    """

    def __init__(self, episode: Episode, lines: Sequence[TranscriptLine]) -> None:
        self._episode = episode
        self._lines = lines
        self.divergence: str | None = None
        self.tokens = ""

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        """The recorded reply to this call.

        Raises:
            Stopped: the recording ends here, as the episode did, or the prompt is not the recorded one.
        """
        if call >= len(self._lines):
            if self._episode.status != "ok":
                raise Stopped(self._episode.status, self._episode.end, self._episode.error or "")
            raise self._diverged(f"the agent asks call {call}, but only {len(self._lines)} are recorded")
        line = self._lines[call]
        if line.prompt != short_hash(prompt):
            raise self._diverged(f"the prompt of call {call} is not the recorded one")
        self._count(call, messages)
        return Reply(text=line.text, finish=line.finish)

    def _count(self, call: int, messages: Sequence[Message]) -> None:
        counts = self._episode.calls.input_tokens
        counted = counts[call] if call < len(counts) else None
        if counted is None or self.tokens or self._lines[call].finish == CONTEXT_OVERFLOW:
            return
        most = TRIES * (most_tokens(messages, "unknown") + FRAME)
        fewest = sum(len(message.text) for message in messages) // LONGEST
        if not fewest <= counted <= most:
            self.tokens = f"the prompt of call {call} has {fewest} to {most} tokens, recorded are {counted}"

    def _diverged(self, what: str) -> Stopped:
        if self.divergence is None:
            self.divergence = what
        return Stopped("env_error", "diverged", what)
