"""What the agent knows about the game: the context, and what the ablations make of it.

A context is a text of questions and answers, as ``embodibench study`` writes it::

    Question: What actions are there? ...
    Answer:
    - Noop: nothing is required.

Sections are separated by a line that begins with ``Question:``.
"""

from __future__ import annotations

import re

from embodibench.agents.spring.texts import text
from embodibench.errors import UsageError

MAX_CHARACTERS = 100_000
"""Of a context. It is part of every prompt and, unless it is the default, of the record."""

_SECTION = re.compile(r"^Question:[ \t]*", re.MULTILINE)
_TOOL = re.compile(r"\bwood(en)?[ _]pickaxe\b", re.IGNORECASE)
_TABLE = re.compile(r"\btable\b", re.IGNORECASE)


def default() -> str:
    """The context that ships with the package: what the Crafter paper says, in words of our own."""
    return text("context")


def checked(context: object) -> str:
    """A user's context, its white space at both ends dropped.

    Raises:
        UsageError: it is not a text, empty, too long, or holds control characters.
    """
    if not isinstance(context, str) or not context.strip():
        raise UsageError("option context: expected the text of a context, such as context=@FILE")
    if len(context) > MAX_CHARACTERS:
        raise UsageError(f"option context: {len(context):,} characters; at most {MAX_CHARACTERS:,} are taken")
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in context):
        raise UsageError("option context: holds control characters")
    return context.strip()


def whole(context: str) -> str:
    """All of it."""
    return context


def nothing(context: str) -> str:
    """The ablation that has studied nothing."""
    return ""


def actions_only(context: str) -> str:
    """The ablation that knows the answer to the fourth study question alone: the actions and what they require.

    Raises:
        UsageError: the context has no such section.
    """
    question = _words(text("study_4_actions"))
    for section in _SECTION.split(context)[1:]:
        if _words(section).startswith(question):
            return f"Question: {section.strip()}"
    raise UsageError("option context: it does not answer the study's question about actions, which this agent is given")


def without_table(context: str) -> str:
    """The ablation that is not told that the wood pickaxe requires a table: the lines that name both are removed.

    Raises:
        UsageError: there is no such line, so that nothing would be left out.
    """
    lines = context.splitlines()
    kept = [line for line in lines if not (_TOOL.search(line) and _TABLE.search(line))]
    if len(kept) == len(lines):
        raise UsageError(
            "option context: no line says that the wood pickaxe requires a table, so nothing can be removed"
        )
    return "\n".join(kept)


def _words(passage: str) -> str:
    return " ".join(passage.split())
