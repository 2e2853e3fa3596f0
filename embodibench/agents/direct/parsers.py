"""From a reply to an action name: pure functions, versioned; ``agents/direct`` and the SPRING agents share them.

Two rules stand side by side, and both outcomes are recorded:

- ``substring@1`` is the SPRING paper's: the first name of the action list, in its order, that occurs anywhere in the
  reply, in any letter case; ``Do`` when none does.
- ``mention@1`` reads a reply as a person would: what stands between ``<think>`` marks is cut; the last action name
  that is mentioned counts, as whole words, in any letter case, with spaces, hyphens or underscores between its words;
  the short name ``Do`` counts only capitalised, or when it is all of the reply; the longest name wins where two begin
  at the same place; ``Noop`` when nothing is mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

VERSIONS = {"substring": "substring@1", "mention": "mention@1"}

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of a reply.

    Attributes:
        action: an action name of the list.
        outcome: ``ok``, or ``fallback`` when no name was found.
    """

    action: str
    outcome: str


def parse(rule: str, reply: str, names: Sequence[str]) -> Parsed:
    """Apply the rule called ``substring`` or ``mention``."""
    return substring(reply, names) if rule == "substring" else mention(reply, names)


def substring(reply: str, names: Sequence[str]) -> Parsed:
    """The SPRING paper's rule (section 2.2): first listed name that is a substring, else Do."""
    lowered = reply.lower()
    for name in names:
        if name.lower() in lowered:
            return Parsed(name, "ok")
    return Parsed("Do", "fallback")


def mention(reply: str, names: Sequence[str]) -> Parsed:
    """The last action mentioned outside of thoughts, else Noop."""
    spoken = _THOUGHT.sub(" ", reply).strip()
    if spoken.strip("\"'`*.!").lower() == "do":
        return Parsed("Do", "ok")
    found = [name for match in _pattern(tuple(names)).finditer(spoken) if (name := _named(match[0], names)) is not None]
    return Parsed(found[-1], "ok") if found else Parsed("Noop", "fallback")


def _named(words: str, names: Sequence[str]) -> str | None:
    """The listed name that the words spell; a small ``do`` is a common word and names nothing."""
    spelt = re.sub(r"[\s_-]+", " ", words)
    name = next(name for name in names if name.lower() == spelt.lower())
    return None if name == "Do" and spelt == "do" else name


@lru_cache(maxsize=16)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    spelt = (r"[\s_-]+".join(re.escape(word) for word in name.split()) for name in longest_first)
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(spelt)})(?![A-Za-z])", re.IGNORECASE)
