"""From a reply to one of the School's actions: pure functions, versioned.

- ``first-substring@1`` is the paper's: the first name of a fixed order that occurs anywhere in the reply, letter for
  letter; ``no_op`` when none does. ``move forward`` therefore beats whatever else is said.
- ``last-mention@1`` reads a reply as a person would: what stands between ``<think>`` marks is cut; the last name that
  is mentioned counts, in any letter case, with spaces, hyphens or underscores between its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

ORDER: Final = ("move forward", "done", "turn left", "turn right", "toggle", "no_op")
NOTHING: Final = "no_op"
VERSIONS: Final = {"substring": "first-substring@1", "mention": "last-mention@1"}

_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_NAMES: Final = re.compile(
    r"(?<![A-Za-z])(?:" + "|".join(r"[ _-]+".join(re.split("[ _]", name)) for name in ORDER) + r")(?![A-Za-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of a reply.

    Attributes:
        action: an action name.
        outcome: ``ok``, or ``fallback`` when no name was found.
    """

    action: str
    outcome: str


def parse(rule: str, reply: str) -> Parsed:
    """Apply the rule called ``substring`` or ``mention``."""
    return substring(reply) if rule == "substring" else mention(reply)


def substring(reply: str) -> Parsed:
    """The paper's rule: first name of the order that is a substring."""
    for name in ORDER:
        if name in reply:
            return Parsed(name, "ok")
    return Parsed(NOTHING, "fallback")


def mention(reply: str) -> Parsed:
    """The last action mentioned outside of thoughts."""
    found = _NAMES.findall(_THOUGHT.sub(" ", reply))
    if not found:
        return Parsed(NOTHING, "fallback")
    words = re.sub(r"[ _-]+", " ", found[-1].lower())
    return Parsed(next(name for name in ORDER if name.replace("_", " ") == words), "ok")
