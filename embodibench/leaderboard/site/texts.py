"""Texts and numbers as the pages show them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from embodibench.cards.schema import TaskCard
from embodibench.results.schema import ActionValue

_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that a reader cannot see, or that turn the direction of what follows."""

_MOVES = ("", "forward", "backward")
_TURNS = ("", "turn right", "turn left")
_ATARI = {
    "freeway": ("no-op", "up", "down"),
    "pong": ("no-op", "fire", "right", "left", "right and fire", "left and fire"),
    "skiing": ("no-op", "right", "left"),
}
"""ALE's minimal action sets; written here because the emulator, which knows them, is an extra."""


def plain(text: str, limit: int = 200) -> str:
    """A stranger's text on one line: unseen characters become U+FFFD, white space one space, the rest is cut off."""
    words = " ".join(text.split())
    seen = "".join("\ufffd" if unicodedata.category(letter) in _UNSEEN else letter for letter in words)
    return seen if len(seen) <= limit else seen[: limit - 1] + "…"


def decimals(value: float, places: int = 1) -> str:
    """A number with a fixed number of decimals; never "-0.0"."""
    text = f"{value:.{places}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def script(name: str, value: Any) -> str:
    """A script file that holds plain data: ``fetch`` does not work from a folder, a script does."""
    data = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True)
    return f"window.EMBODIBENCH = window.EMBODIBENCH || {{}};\nwindow.EMBODIBENCH[{json.dumps(name)}] = {data};\n"


def action_names(task: TaskCard) -> tuple[str, ...]:
    """Words for the world's discrete actions, or () where the world has none."""
    kind = task.environment.kind
    if kind == "aai":
        pairs = [(move, turn) for move in _MOVES for turn in _TURNS]
        return tuple(" and ".join(filter(None, pair)) or "wait" for pair in pairs)
    if kind == "crafter":
        from embodibench.envs.crafter.names import ACTION_NAMES

        return tuple(name.lower() for name in ACTION_NAMES)
    if kind == "socialai":
        from embodibench.envs.socialai.world import SocialAIWorld

        return SocialAIWorld.action_names
    if kind == "atari":
        return _ATARI.get(str(task.environment.parameters.get("game")), ())
    return ()


def action_words(action: ActionValue, names: Sequence[str]) -> str:
    """An action in words: its name, and what a speaker says; its number where there is no name."""
    first = action if isinstance(action, int) else action[0] if action else -1
    word = names[first] if 0 <= first < len(names) else f"action {first}"
    if isinstance(action, int) or len(action) != 3:
        return word
    from embodibench.envs.socialai.language import utterance

    try:
        said = utterance(action[1], action[2]).strip()
    except ValueError:
        return word
    return f'{word}, saying "{said}"' if said else word
