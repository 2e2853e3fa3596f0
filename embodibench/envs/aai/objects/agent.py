"""The agent: a sphere of 100 kg that slides and never rolls. Its size cannot be changed."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind, Piece
from embodibench.envs.aai.scene import Triple


class Agent(Kind):
    """A sphere of diameter 1, whatever the file says."""

    __slots__ = ()

    def pieces(self, size: Triple) -> tuple[Piece, ...]:
        return (Piece("sphere", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),)


AGENT: Final = Agent("Agent", (1.0, 1.0, 1.0), (1.0, 1.0, 1.0), "agent", mass=100.0, own_colour=True)
RADIUS: Final = 0.5
