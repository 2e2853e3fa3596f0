"""Rules on texts that strangers write and others read: no markup, no hidden characters, no imitation of scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from embodibench.submissions.findings import Finding
from embodibench.submissions.metadata import Metadata
from embodibench.submissions.rules import found

_MARKUP = re.compile(
    r"<\s*[A-Za-z/!?]"  # a tag, a comment or a declaration
    r"|&(?:#[0-9xX]|[A-Za-z]{2,10};)"  # an entity
    r"|!\["  # a picture
    r"|\]\s*[(\[:]"  # a link
    r"|\b(?:javascript|vbscript|data)\s*:",
    re.IGNORECASE,
)
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "KATAKANA-HIRAGANA"})
_LOOKALIKE = frozenset("авеԁзікӏмнопрстухһѕјԛԝЬАВЕЅЗІЈКМНОРСТХУҮԚԜꓐѡѵѲΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορτυχγκωղոսցհզյօՍՕ")
"""Letters of Cyrillic, Greek and Armenian that stand for Latin ones at a glance."""
MARKS = 3
"""Combining marks on one letter that scripts in use may need."""


def text_findings(metadata: Metadata) -> Iterator[Finding]:
    """What is wrong with the texts of metadata."""
    for field in ("submitter", "contact", "description"):
        text: str = getattr(metadata, field)
        match = _MARKUP.search(text)
        if match is not None:
            yield found("metadata-markup", f"metadata.yaml: {field}: holds {match[0]!r}, which a page could act on")
        problem = character_problem(text, lines=field == "description")
        if problem:
            yield found("metadata-characters", f"metadata.yaml: {field}: {problem}")
        elif field != "description":
            problem = script_problem(text)
            if problem:
                yield found("metadata-name", f"metadata.yaml: {field}: {problem}")


def character_problem(text: str, *, lines: bool) -> str:
    """Why a text holds characters that it may not, or "". ``lines``: it may have more than one line."""
    if text != unicodedata.normalize("NFC", text):
        return "is not in the normal form NFC"
    if text != text.strip():
        return "begins or ends with a space"
    marks = 0
    for index, char in enumerate(text):
        if lines and char == "\n":
            continue
        category = unicodedata.category(char)
        if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (category == "Zs" and char != " "):
            return f"character {index + 1} is U+{ord(char):04X}, which cannot be seen or changes how others are"
        if "VARIATION SELECTOR" in unicodedata.name(char, "") or char in "\u115f\u1160\u3164\uffa0\u2800":
            return f"character {index + 1} is U+{ord(char):04X}, which cannot be seen"
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > MARKS:
            return f"more than {MARKS} marks stand on one letter at character {index + 1}"
    return ""


def script_problem(text: str) -> str:
    """Why a name could pass for another one, or "": mixed scripts in a word, styled letters, letters that imitate."""
    for word in re.findall(r"[^\W\d_]+", text):
        scripts = {_script(char) for char in word} - {""}
        if len(scripts) > 1 and not scripts <= _EAST_ASIAN | {"LATIN"}:
            return f"the word {word!r} mixes {' and '.join(sorted(scripts)).lower()} letters"
    for char in text:
        if char.isalnum() and unicodedata.normalize("NFKC", char) != char:
            return f"U+{ord(char):04X} is a styled form of {unicodedata.normalize('NFKC', char)!r}"
    letters = [char for char in text if char.isalpha()]
    if letters and all(char in _LOOKALIKE for char in letters):
        return "all its letters look like Latin ones and are not"
    return ""


def _script(char: str) -> str:
    """The script of a letter by the first word of its Unicode name; "" for marks and letters of no script."""
    if unicodedata.category(char) in ("Mn", "Mc", "Me", "Lm"):
        return ""
    return unicodedata.name(char, "").split(" ")[0].split("-")[0]
