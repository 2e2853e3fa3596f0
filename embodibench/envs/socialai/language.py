"""What the agent can say: a template and a noun."""

from __future__ import annotations

from typing import Final

TEMPLATES: Final = ("Where is", "Help", "Close", "How are")
NOUNS: Final = (
    "please",
    "the exit",
    "the wall",
    "you",
    "the ceiling",
    "the window",
    "the entrance",
    "the closet",
    "the drawer",
    "the fridge",
    "the floor",
    "the lamp",
    "the trash can",
    "the chair",
    "the bed",
    "the sofa",
)
NO_TEMPLATE: Final = len(TEMPLATES)
NO_NOUN: Final = len(NOUNS)


def utterance(template: int, noun: int) -> str:
    """The words, with the trailing space of the original; "" when either is missing.

    Raises:
        ValueError: an index that is neither a word's nor the one for silence.
    """
    if not 0 <= template <= NO_TEMPLATE or not 0 <= noun <= NO_NOUN:
        raise ValueError(
            f"no such words: template {template} of 0..{NO_TEMPLATE}, noun {noun} of 0..{NO_NOUN} (the last is silence)"
        )
    if template == NO_TEMPLATE or noun == NO_NOUN:
        return ""
    return f"{TEMPLATES[template]} {NOUNS[noun]} "
