"""Objects in words: one line each, displays as numbers."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace
from typing import Any

from embodibench.envs.atari.views import describe, plain


class Compass(Enum):
    E = 4


def thing(**fields: Any) -> Any:
    base = {
        "category": "Ball",
        "x": 10,
        "y": 20,
        "w": 2,
        "h": 4,
        "prev_x": 13,
        "prev_y": 20,
        "rgb": (1, 2, 3),
        "hud": False,
        "orientation": None,
    }
    return SimpleNamespace(**{**base, **fields})


def words(*things: Any) -> list[str]:
    return describe([plain(one) for one in things], 7, None, 12).split("\n")


def test_a_line_has_class_position_size_and_motion() -> None:
    assert words(thing()) == ["Step 12. Score 7.", "Ball: x 10, y 20, size 2 x 4, motion -3 +0"]


def test_facing_and_value_stand_where_an_object_has_them() -> None:
    assert words(thing(orientation=Compass.E, value=3))[1].endswith("motion -3 +0, facing E, value 3")
    assert words(thing(orientation=8))[1].endswith("facing 8")


def test_displays_show_their_value_alone() -> None:
    assert words(thing(hud=True, category="Score", value=5))[1] == "Score: 5"
    assert words(thing(hud=True, category="Clock", value=None))[1] == "Clock: None"


def test_equal_signs_of_the_display_are_one_line() -> None:
    diver = thing(hud=True, category="CollectedDiver")
    assert words(diver, diver, diver)[1:] == ["CollectedDiver: shown (3 times)"]


def test_lives_are_said_in_games_that_have_them() -> None:
    assert describe([], -21, 3, 0) == "Step 0. Score -21. Lives 3."
