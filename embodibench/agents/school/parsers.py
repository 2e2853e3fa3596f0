"""From a reply to an action of the school: pure functions, versioned.

``said-or-done@1``: what stands between ``<think>`` marks is cut; then the last thing mentioned counts, in any letter
case: one of the five actions, with spaces, hyphens or underscores between its words, or ``say`` followed, perhaps in
quotes, by one of the four openings and one of the sixteen endings. ``wait`` when nothing is mentioned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from embodibench.envs.socialai.language import NO_NOUN, NO_TEMPLATE, NOUNS, TEMPLATES

VERSION: Final = "said-or-done@1"

PRIMITIVES: Final = {"turn left": 0, "turn right": 1, "move forward": 2, "toggle": 3, "wait": 5}
"""Actions that a prompt offers, and the world's numbers for them."""

WAIT: Final = (PRIMITIVES["wait"], NO_TEMPLATE, NO_NOUN)

_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


def _words(phrase: str) -> str:
    return r"[ _-]+".join(map(re.escape, phrase.split()))


_ACTION: Final = "(?P<action>" + "|".join(_words(name) for name in PRIMITIVES) + ")"
_SPEECH: Final = (
    r"say\W{1,4}(?P<template>"
    + "|".join(_words(template) for template in TEMPLATES)
    + r")\s+(?P<noun>"
    + "|".join(_words(noun) for noun in sorted(NOUNS, key=len, reverse=True))
    + ")"
)
_FOUND: Final = re.compile(rf"(?<![A-Za-z])(?:{_SPEECH}|{_ACTION})(?![A-Za-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the parser made of a reply.

    Attributes:
        action: (primitive, template, noun) as the world takes it.
        name: the action as a prompt writes it.
        outcome: ``ok``, or ``fallback`` when nothing was mentioned.
    """

    action: tuple[int, int, int]
    name: str
    outcome: str


def speech(template: int, noun: int) -> str:
    """An utterance as a prompt writes it."""
    return f"say {TEMPLATES[template].lower()} {NOUNS[noun]}"


def names() -> tuple[str, ...]:
    """Every action a prompt may write."""
    spoken = (speech(template, noun) for template in range(len(TEMPLATES)) for noun in range(len(NOUNS)))
    return (*PRIMITIVES, *spoken)


def parse(reply: str) -> Parsed:
    """The last action or utterance mentioned outside of thoughts, else waiting."""
    matches = list(_FOUND.finditer(_THOUGHT.sub(" ", reply)))
    match = matches[-1] if matches else None
    if match is None:
        return Parsed(WAIT, "wait", "fallback")
    if match["action"]:
        name = _plain(match["action"])
        return Parsed((PRIMITIVES[name], NO_TEMPLATE, NO_NOUN), name, "ok")
    template = [_plain(words) for words in TEMPLATES].index(_plain(match["template"]))
    noun = NOUNS.index(_plain(match["noun"]))
    return Parsed((WAIT[0], template, noun), speech(template, noun), "ok")


def _plain(words: str) -> str:
    return re.sub(r"[ _-]+", " ", words.lower())
