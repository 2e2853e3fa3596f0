"""From a reply to an action of the game: a pure function, versioned.

``action@1``. What stands between ``<think>`` marks is cut. Then the first of these that finds a name decides:

1. the last line that holds a letter, when it is nothing but a name, in any letter case, perhaps after "Action:" or
   "Answer:" and between quotation marks, asterisks, brackets, braces or stops;
2. the last name that is mentioned in capitals, as a whole word. Names are common words (up, right, fire), so in other
   letters they name nothing: "UP, since the ball is on the right" is UP.

The parts of a compound name may be joined by spaces, hyphens, underscores or plus signs (UP FIRE is UPFIRE), and the
longest name wins where two begin at the same place. When nothing is found, the action is NOOP (or the first,
in a game without it) and the outcome is ``fallback``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

VERSION = "action@1"

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKS = " \t\"'`*_.!,;:()[]{}<>“”‘’„«»…"
_LABEL = re.compile(r"(?:(?:my|the|next|chosen|best|final) )?(?:action|answer|move)[\"'`*]*\s*[:=]", re.IGNORECASE)
_PARTS = re.compile(r"UP|DOWN|LEFT|RIGHT|FIRE|NOOP")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the parser made of a reply.

    Attributes:
        action: an action name of the game.
        outcome: ``ok``, or ``fallback`` when no name was found.
    """

    action: str
    outcome: str


def parse(reply: str, names: Sequence[str]) -> Parsed:
    """The action that a reply names, by the rule of this module."""
    known = tuple(names)
    spoken = _THOUGHT.sub("\n", reply)
    alone = _alone(spoken, known)
    if alone is not None:
        return Parsed(alone, "ok")
    mentioned = _pattern(known).findall(spoken)
    if mentioned:
        return Parsed(_joined(mentioned[-1]), "ok")
    return Parsed("NOOP" if "NOOP" in known else known[0], "fallback")


def _alone(spoken: str, names: tuple[str, ...]) -> str | None:
    """The name that the last line with a letter in it consists of."""
    lines = [line for line in spoken.splitlines() if any(letter.isalpha() for letter in line)]
    if not lines:
        return None
    line = lines[-1].strip(_MARKS)
    label = _LABEL.match(line)
    word = _joined(line[label.end() :].strip(_MARKS) if label else line).upper()
    return word if word in names else None


def _joined(words: str) -> str:
    return re.sub(r"[\s_+-]+", "", words)


@lru_cache(maxsize=32)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    spelt = (r"[ _+-]*".join(_PARTS.findall(name)) or re.escape(name) for name in longest_first)
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(spelt)})(?![A-Za-z])")
