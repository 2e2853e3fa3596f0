"""The view and the dialogue in words: the raw text, and the prompt text models read in the paper.

The wording is the original's to the letter, odd grammar and doubled spaces included, so that results stay comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from embodibench.envs.socialai.constants import COLORS, KINDS, NOT_POINTING
from embodibench.envs.socialai.view import CENTRE, EMPTY, OWN, SIZE, UNSEEN

_SILENT_KINDS: Final = frozenset(KINDS.index(kind) for kind in ("wall", "unseen", "empty"))
_DIRECTIONS: Final = ("towards you", "to the left of you", "in the same direction as you", "to the right of you")
_ACTS: Final = {0: "foward", 1: "turn left", 2: "turn right", 3: "toggle", 9: "stop pointing"}


def _place(ahead: int, aside: int) -> str:
    """Where a cell is, ``ahead`` rows in front and ``aside`` columns to the right (negative: left)."""
    if (ahead, aside) == (1, 0):
        return "Right in front of you "
    if ahead == 0 and abs(aside) == 1:
        return f"Just to the {'left' if aside < 0 else 'right'} of you"
    words = f"{ahead} steps in front of you " if ahead > 0 else ""
    if aside:
        words += f"{'and' if ahead > 0 else ''} {abs(aside)} steps to the {'left' if aside < 0 else 'right'}"
    return words


PLACES: Final = tuple(_place(SIZE - 1 - row, column - CENTRE) for column in range(SIZE) for row in range(SIZE))
"""Words for each of the 49 cells of a view."""


def _peer(color: str, code: bytes) -> str:
    words = f"{'antagonistic' if code[2] else 'friendly'} {color} peer. It is looking {_DIRECTIONS[code[3]]}. "
    if code[4] != NOT_POINTING:
        words += f"It is pointing {_DIRECTIONS[code[4]]}. "
    if code[5] in _ACTS:
        words += f"It's last action is {_ACTS[code[5]]}. "
    return words


@lru_cache(maxsize=4096)
def name(code: bytes) -> str:
    """What six channels show, in words, with a trailing space."""
    kind, color = KINDS[code[0]], COLORS[code[1]]
    if kind == "npc":
        return _peer(color, code)
    if kind == "lockablebox" or kind == "door":
        return f"{('open', 'closed', 'locked')[code[2]]} {color} {kind} "
    if kind == "remotedoor":
        return f"{('open', 'closed')[code[2]]} {color} {kind} "
    if kind == "applegenerator":
        return f"{('square', 'round')[code[2] - 1]} {color} {kind} "
    if kind == "lever":
        timer = "" if code[3] == NOT_POINTING else f"with {code[3]} timesteps left. "
        return f"{('unactivated', 'activated')[code[2]]} {color} {kind} {timer}"
    return f"{color} {kind} "


def sights(view: Sequence[bytes]) -> list[str]:
    """A line for everything in a view but walls, column by column from the left, each from far to near."""
    return [
        f"{PLACES[index]} there is a {name(code)}"
        for index, code in enumerate(view)
        if code is not EMPTY and code is not UNSEEN and index != OWN and code[0] not in _SILENT_KINDS
    ]


def raw_text(view: Sequence[bytes], peer_lines: Sequence[str]) -> str:
    """What is seen, then all the peer has said so far."""
    seen = "".join(f"{line}\n" for line in sights(view)) or "\n"
    return f"Obs : {seen}{''.join(peer_lines)}"


def prompt_text(raw: str) -> str:
    """The raw text as the paper's prompts have it: a peer is only a caretaker, and it ``says``."""
    lines = []
    for line in raw.split("\n"):
        if line.startswith(("#", "Conversation")):
            continue
        if "peer" in line:
            line = line.split("there is a ")[0] + "there is a caretaker"
        lines.append(line.replace("Caretaker:", "Caretaker says: "))
    return "\n".join(lines)
