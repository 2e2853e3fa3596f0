"""What is seen of the objects: as plain data and in words.

Positions are of the upper left corner, in pixels of a screen 160 wide and 210 high, x to the right and y down. Motion
is the difference to the position one step before; 0, 0 for what has just appeared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, cast

from embodibench.canonical import Json


def plain(thing: Any) -> dict[str, Json]:
    """An object of ocatari as plain data.

    Always there: ``class``, ``x``, ``y``, ``w``, ``h``, ``prev_x``, ``prev_y``, ``rgb`` (three numbers 0..255) and
    ``hud`` (belongs to the display, not to the scene). Where the object has one: ``orientation`` (a compass word or a
    number, as the game has it) and ``value`` (of a score, bar, clock or count of lives; None when it shows none).
    """
    data: dict[str, Json] = {
        "class": thing.category,
        "x": int(thing.x),
        "y": int(thing.y),
        "w": int(thing.w),
        "h": int(thing.h),
        "prev_x": int(thing.prev_x),
        "prev_y": int(thing.prev_y),
        "rgb": [int(part) for part in thing.rgb],
        "hud": bool(thing.hud),
    }
    orientation = thing.orientation
    if orientation is not None:
        data["orientation"] = orientation.name if isinstance(orientation, Enum) else int(orientation)
    if hasattr(thing, "value"):
        data["value"] = None if thing.value is None else int(thing.value)
    return data


def describe(things: Iterable[Mapping[str, Json]], score: int, lives: int | None, step: int) -> str:
    """The observation in words: a line about the game, then a line for each object.

    Args:
        things: objects as ``plain`` gives them.
        score: points so far.
        lives: lives left, None for games without lives.
        step: steps so far.
    """
    counted = f"Step {step}. Score {score}." + ("" if lives is None else f" Lives {lives}.")
    lines = [_line(thing) for thing in things]
    return "\n".join([counted, *_merged(lines)])


def _line(thing: Mapping[str, Json]) -> str:
    name = cast(str, thing["class"])
    if thing["hud"]:
        return f"{name}: {thing['value']}" if "value" in thing else f"{name}: shown"
    x, y, w, h = (cast(int, thing[key]) for key in ("x", "y", "w", "h"))
    dx, dy = x - cast(int, thing["prev_x"]), y - cast(int, thing["prev_y"])
    words = f"{name}: x {x}, y {y}, size {w} x {h}, motion {dx:+d} {dy:+d}"
    if "orientation" in thing:
        words += f", facing {thing['orientation']}"
    if "value" in thing:
        words += f", value {thing['value']}"
    return words


def _merged(lines: Iterable[str]) -> list[str]:
    """Equal lines as one, with their number: six signs of the display are one line."""
    counts: dict[str, int] = {}
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
    return [line if count == 1 else f"{line} ({count} times)" for line, count in counts.items()]
