"""Reading lists of Atari objects, for the scripted players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from embodibench.canonical import Json


@dataclass(frozen=True, slots=True)
class Box:
    """An object: upper left corner, size and motion of the last step, in pixels; facing as the game has it."""

    x: int
    y: int
    w: int
    h: int
    dx: int
    dy: int
    facing: Json = None
    value: int = 0

    @property
    def middle(self) -> int:
        """The column of its middle."""
        return self.x + self.w // 2

    @property
    def centre(self) -> int:
        """The row of its middle."""
        return self.y + self.h // 2


def boxes(things: Sequence[Mapping[str, Json]], *names: str) -> list[Box]:
    """The objects of these classes, in their order."""
    return [_box(thing) for thing in things if thing["class"] in names]


def first(things: Sequence[Mapping[str, Json]], name: str) -> Box | None:
    """The first object of a class, or None."""
    return next((_box(thing) for thing in things if thing["class"] == name), None)


def _box(thing: Mapping[str, Json]) -> Box:
    x, y, w, h, before_x, before_y = (cast(int, thing[key]) for key in ("x", "y", "w", "h", "prev_x", "prev_y"))
    value = cast("int | None", thing.get("value"))
    return Box(x, y, w, h, x - before_x, y - before_y, thing.get("orientation"), value or 0)
