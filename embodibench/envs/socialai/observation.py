"""What an agent may look at: words, channels, objects, a picture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from embodibench.canonical import Json
from embodibench.envs.base import Observation, Picture
from embodibench.envs.socialai import facts
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.text import prompt_text, raw_text
from embodibench.envs.socialai.view import CHANNELS, SIZE


class SocialAIObservation(Observation):
    """One look at an episode.

    The text is about the moment between the agent's act and the peer's, as in the original, with what the peer then
    said; image, objects and picture show the moment after the peer's act.
    """

    def __init__(self, episode: Episode, wording: str) -> None:
        self._episode = episode
        self._wording = wording

    def text(self) -> str:
        """The view and all the peer has said, in the world's wording (``prompt`` or ``raw``)."""
        return self.prompt_text() if self._wording == "prompt" else self.raw_text()

    def raw_text(self) -> str:
        """With the peer's gaze, pointing and last act."""
        return raw_text(self._episode.seen_view, self._episode.peer_lines)

    def prompt_text(self) -> str:
        """As the paper's prompts have it: the peer is only "a caretaker"."""
        return prompt_text(self.raw_text())

    def image(self) -> NDArray[np.uint8]:
        """7 columns (left to right) x 7 rows (far to near) x 6 channels: kind, colour and four of the kind's own."""
        view = self._episode.scene.room.agent_view()
        return np.frombuffer(b"".join(view), dtype=np.uint8).reshape(SIZE, SIZE, CHANNELS).copy()

    def objects(self) -> tuple[Mapping[str, Json], ...]:
        """What is in view, then what has been said, as plain data (see ``facts``)."""
        return facts.describe(self._episode)

    def render(self, height: int, width: int) -> Picture:
        """The whole room from above: what the agent does not see is shaded (see ``picture``)."""
        from embodibench.envs.socialai.picture import draw

        return draw(self._episode, height, width)
