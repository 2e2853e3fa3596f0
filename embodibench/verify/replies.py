"""Recorded replies for protocol replay. Nothing here can reach a network."""

from __future__ import annotations

from collections.abc import Sequence

from embodibench.agents.base import Stopped
from embodibench.canonical import short_hash
from embodibench.models.base import Message, Reply
from embodibench.results.files import TranscriptLine
from embodibench.results.schema import Episode


class RecordedReplies:
    """Hands out the replies of one episode's transcript, and notes the first departure from it.

    Attributes:
        divergence: what first differed, or None.
    """

    def __init__(self, episode: Episode, lines: Sequence[TranscriptLine]) -> None:
        self._episode = episode
        self._lines = lines
        self.divergence: str | None = None

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
        return Reply(text=line.text, finish=line.finish)

    def _diverged(self, what: str) -> Stopped:
        if self.divergence is None:
            self.divergence = what
        return Stopped("env_error", "diverged", what)
