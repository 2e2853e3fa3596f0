"""Texts of strangers, made harmless before they are shown on a terminal, in a log or in a comment."""

from __future__ import annotations

import re
import unicodedata

_LIVE = re.compile(r"[<>&`]|(?<![A-Za-z0-9])@|\](?=\()|(?<=!)\[")
"""What a page could read as markup, a mention, a link or a picture."""


def shown(text: str, limit: int = 120) -> str:
    """``text`` on one line of at most ``limit`` characters.

    Control characters, characters that change the direction of writing, invisible ones and the signs of HTML and
    Markdown that could act become escapes such as ``\\x1b``.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    cut = "".join(char if _is_plain(char) else _escaped(char) for char in cut)
    return _LIVE.sub(lambda match: _escaped(match[0]), cut)


def _is_plain(char: str) -> bool:
    return char.isprintable() and unicodedata.bidirectional(char) not in ("R", "AL", "AN") and not _is_mark(char)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
