"""From a reply to a script of ``Go``, ``Turn`` and ``Think``: pure functions, versioned.

Two rules stand side by side, and both outcomes are recorded:

``strict@1`` is the paper's (LLM-AAI, revision e339118), with its quirks:

- Spaces and newlines are removed; then the whole reply must be one or more of ``Go(n);``, ``Turn(n);``,
  ``Think(text);``. Prose, fences, tabs, other letter cases, a missing semicolon or a fraction make it invalid, as does
  a ``)`` in a thought.
- A number is any number of minus signs, then digits. Two minus signs, or more than 4300 digits, pass the grammar but
  are no number: the original's run ended there with an error, so the outcome is ``crash`` and the episode ends.

``lenient@1`` reads a reply as a person would:

- What stands between ``<think>`` marks is cut. Full-width signs and typographic minus signs count as plain ones.
- Commands are found in any letter case; spaces may stand around their numbers; the semicolon may be missing; a degree
  sign and a plus sign are read over; a fraction is cut off.
- A thought ends at the parenthesis that closes it, counted; if none does, at the first one that a command or the end
  follows, else with the reply. What it mentions is not done.
- Commands that follow each other with nothing but spaces, semicolons, commas, list marks or marks of code between them
  are one script. Of several scripts the last one counts: it is what the reply comes to.
- Only the last 20,000 characters are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

VERSIONS: Final[Mapping[str, str]] = {"strict": "strict@1", "lenient": "lenient@1"}

MOST_DIGITS: Final = 4300
"""Digits that Python turns into a number before it refuses (its own default limit)."""
LONGEST: Final = 20_000
"""Characters of a reply that the lenient rule reads."""
FARTHEST: Final = 1_000_000
"""Numbers are capped here: no episode has so many steps, and records stay small."""


@dataclass(frozen=True, slots=True)
class Command:
    """``Go`` or ``Turn`` with its number (steps; degrees), or ``Think``, whose words do nothing."""

    name: str
    number: int = 0

    def __str__(self) -> str:
        return "Think();" if self.name == "Think" else f"{self.name}({self.number});"


@dataclass(frozen=True, slots=True)
class Script:
    """What a parser made of a reply.

    Attributes:
        outcome: ``ok``, ``invalid``, or ``crash`` (strict only: the grammar fits, a number does not).
        commands: in order; empty unless ``ok``.
    """

    outcome: str
    commands: tuple[Command, ...] = ()

    def __str__(self) -> str:
        """The script without thoughts, at most 200 characters."""
        text = "".join(str(command) for command in self.commands if command.name != "Think")
        return text if len(text) <= 200 else f"{text[:197]}..."


INVALID: Final = Script("invalid")

_STRICT_COMMAND: Final = re.compile(r"Think\([^)]*\);|(Go|Turn)\((-*)([0-9]+)\);")
_THOUGHT_MARKS: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_COMMAND: Final = re.compile(
    r"(?<![A-Za-z])(?:think\s*\(|(go|turn)\s*\(\s*([+-]?)\s*([0-9]+)(?:\.[0-9]*)?\s*°?\s*\))", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"(?:[\s;,`*]|```[a-z]*|^\s*(?:\d+[.)]|[-•])(?=\s))*", re.MULTILINE | re.IGNORECASE)
_PARENTHESIS: Final = re.compile(r"[()]")
_AFTER_THOUGHT: Final = re.compile(r"[\s;]*(?:(?:go|turn|think)\s*\(|\Z)", re.IGNORECASE)
_PLAIN: Final = str.maketrans("（）；，：－−–—‐‑＋０１２３４５６７８９", "();,:------+0123456789")


def parse(rule: str, reply: str) -> Script:
    """Apply the rule called ``strict`` or ``lenient``."""
    return _RULES[rule](reply)


def strict(reply: str) -> Script:
    """The paper's rule (see the top of the file)."""
    text = reply.replace(" ", "").replace("\n", "")
    place = 0
    commands: list[Command] = []
    crashes = False
    while place < len(text):
        match = _STRICT_COMMAND.match(text, place)
        if match is None:
            return INVALID
        place = match.end()
        if match[1] is None:
            commands.append(Command("Think"))
        elif len(match[2]) > 1 or len(match[3]) > MOST_DIGITS:
            crashes = True
        else:
            commands.append(Command(match[1], _number(match[2], match[3])))
    if crashes:
        return Script("crash")
    return Script("ok", tuple(commands)) if commands else INVALID


def lenient(reply: str) -> Script:
    """The last script in the reply (see the top of the file)."""
    text = _THOUGHT_MARKS.sub(" ", reply)[-LONGEST:].translate(_PLAIN)
    script: list[Command] = []
    end = 0
    match = _COMMAND.search(text)
    while match is not None:
        gap = _BETWEEN.match(text, end)
        if gap is None or gap.end() < match.start():
            script = []
        if match[1] is None:
            script.append(Command("Think"))
            end = _thought_end(text, match.end())
        else:
            script.append(Command(match[1].capitalize(), _number(match[2], match[3])))
            end = match.end()
        match = _COMMAND.search(text, end)
    return Script("ok", tuple(script)) if script else INVALID


def _thought_end(text: str, start: int) -> int:
    """Where a thought ends whose words begin at ``start``."""
    depth = 1
    closing = []
    for match in _PARENTHESIS.finditer(text, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
        if match[0] == ")":
            closing.append(match.end())
    return next((place for place in closing if _AFTER_THOUGHT.match(text, place)), len(text))


def _number(sign: str, digits: str) -> int:
    kept = digits.lstrip("0")
    size = FARTHEST if len(kept) > 7 else min(int(kept or "0"), FARTHEST)
    return -size if sign == "-" else size


_RULES: Final[Mapping[str, Callable[[str], Script]]] = {"strict": strict, "lenient": lenient}
