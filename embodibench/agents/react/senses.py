"""How a player sees: by pictures, or in words."""

from __future__ import annotations

from typing import Any, Final, Literal, Protocol

import numpy as np

from embodibench.agents.react.sight import View, look
from embodibench.agents.react.words import describe
from embodibench.canonical import Json
from embodibench.envs.base import Environment, Observation, Picture
from embodibench.errors import UsageError
from embodibench.models.base import Image, Part, Text

SIDE: Final = 512
GUTTER: Final = 2
"""White columns left and right of the original's pictures, which its canvas of 516 x 512 left over."""
ENCODINGS: Final = ("jpeg", "png")


class Sense(Protocol):
    """A way of seeing."""

    @property
    def name(self) -> str:
        """``picture`` or ``text``."""
        ...

    @property
    def tokens(self) -> int:
        """Rough size of a view in a prompt."""
        ...

    def view(self, observation: Observation, world: Environment) -> Part:
        """What the player sees now."""
        ...

    def options(self) -> dict[str, Json]:
        """What of it can be chosen."""
        ...


class Pictures:
    """The camera's picture, 512 x 512, in the original's white canvas of 516 x 512.

    Args:
        encoding: ``jpeg`` (quality 75, as the original) or ``png``.
    """

    name: Final = "picture"
    tokens: Final = 425

    def __init__(self, encoding: str = "jpeg") -> None:
        if encoding not in ENCODINGS:
            raise UsageError(f"picture={encoding}: give one of {', '.join(ENCODINGS)}")
        self._encoding: Literal["png", "jpeg"] = "png" if encoding == "png" else "jpeg"

    def view(self, observation: Observation, world: Environment) -> Part:
        """The picture."""
        return Image(on_canvas(observation.render(SIDE, SIDE)), self._encoding)

    def options(self) -> dict[str, Json]:
        """The encoding."""
        return {"picture": self._encoding}


class Words:
    """What the picture shows, in words."""

    name: Final = "text"
    tokens: Final = 120

    def view(self, observation: Observation, world: Environment) -> Part:
        """The words."""
        return Text(describe(seen(world)))

    def options(self) -> dict[str, Json]:
        """None."""
        return {}


def on_canvas(picture: Picture) -> Picture:
    """A picture with the white gutters of the original's canvas."""
    canvas = np.full((picture.shape[0], picture.shape[1] + 2 * GUTTER, 3), 255, np.uint8)
    canvas[:, GUTTER:-GUTTER] = picture
    canvas.setflags(write=False)
    return canvas


def seen(world: Environment, side: int = SIDE) -> View:
    """What the picture of ``side`` x ``side`` pixels would show the player now, as data.

    Raises:
        UsageError: the world has no scene to look at.
    """
    scene: Any = getattr(world, "scene", None)
    if scene is None:
        raise UsageError("this player can only see in arenas (environment kind 'aai')")
    return look(scene(), side)
