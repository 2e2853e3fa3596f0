"""Studying a paper: from its paragraphs to a context (SPRING, section 2.1).

1. Relevance: two yes-or-no questions about each paragraph; it is kept when either says yes.
2. Extraction: four questions about each kept paragraph.
3. Merging: for each of the four, its answers joined, and a further question to remove what stands twice.

The context is the four questions with their merged answers. Whatever answers comes in as a function, so this module
knows nothing of models, files or costs.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from embodibench.agents.spring.context import MAX_CHARACTERS
from embodibench.agents.spring.texts import text
from embodibench.errors import UsageError
from embodibench.models.base import Message

Ask: TypeAlias = Callable[[Sequence[Message]], Awaitable[str]]
"""Answers one prompt."""

RELEVANCE: Final = ("relevant_success", "relevant_rules")
EXTRACTION: Final = ("study_1_information", "study_2_objects", "study_3_objectives", "study_4_actions")
MERGED_AT_ONCE: Final = 6000
"""Characters of answers that are merged in one call; what is longer is merged in parts, and the parts again."""

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Studied:
    """What came of a study.

    Attributes:
        context: for the agent's option ``context``.
        paragraphs: how many the paper has.
        relevant: their numbers (from 0) that were kept.
        cut: characters that were cut off the end because a context may not be longer.
    """

    context: str
    paragraphs: int
    relevant: tuple[int, ...]
    cut: int = 0


async def study(paragraphs: Sequence[str], ask: Ask) -> Studied:
    """Study a paper.

    Raises:
        UsageError: the model calls no paragraph relevant.
    """
    verdicts = await asyncio.gather(*(_relevant(paragraph, ask) for paragraph in paragraphs))
    relevant = tuple(number for number, verdict in enumerate(verdicts) if verdict)
    if not relevant:
        raise UsageError(f"the model calls none of the {len(paragraphs)} paragraphs relevant, so nothing can be learnt")
    kept = [paragraphs[number] for number in relevant]
    sections = await asyncio.gather(*(_section(name, kept, ask) for name in EXTRACTION))
    context = "\n\n".join(sections)
    cut = max(0, len(context) - MAX_CHARACTERS)
    return Studied(context[:MAX_CHARACTERS].strip(), len(paragraphs), relevant, cut)


def is_yes(answer: str) -> bool:
    """Whether an answer begins with yes, thoughts, marks and letter case aside."""
    spoken = _THOUGHT.sub(" ", answer)
    return re.match(r"\W*(?:answer\W+)?yes\b", spoken, re.IGNORECASE) is not None


def without_repeats(lines: str) -> str:
    """The lines without those that stood before, letter case, numbers and marks at their beginning aside."""
    seen: set[str] = set()
    kept = []
    for line in lines.splitlines():
        said = re.sub(r"^[\W\d_]+", "", line).strip().lower()
        if said and said not in seen:
            seen.add(said)
            kept.append(line.rstrip())
    return "\n".join(kept)


async def _relevant(paragraph: str, ask: Ask) -> bool:
    answers = await asyncio.gather(*(ask(_about(paragraph, text(name))) for name in RELEVANCE))
    return any(map(is_yes, answers))


async def _section(name: str, paragraphs: Sequence[str], ask: Ask) -> str:
    question = text(name)
    prompts = [_about(paragraph, f"{question} {text('study_plain')}") for paragraph in paragraphs]
    answers = [_plain(answer) for answer in await asyncio.gather(*map(ask, prompts))]
    return f"Question: {question}\nAnswer:\n{await _merged([answer for answer in answers if answer], ask)}"


async def _merged(answers: Sequence[str], ask: Ask) -> str:
    """One list out of several, without repetitions. What the model returns empty is left as it was."""
    while True:
        parts = _parts(answers)
        prompts = [[Message.of("user", f"{part}\n\n{text('study_merge')}")] for part in parts]
        said = [_plain(answer) for answer in await asyncio.gather(*map(ask, prompts))]
        merged = [answer or part for answer, part in zip(said, parts, strict=True)]
        # A model that lengthens what it should shorten would never come to an end.
        if len(merged) <= 1 or sum(map(len, merged)) >= sum(map(len, answers)):
            return without_repeats("\n".join(merged))
        answers = merged


def _parts(answers: Sequence[str]) -> list[str]:
    """Answers without repeated lines, joined to parts that are short enough for a prompt."""
    parts: list[str] = []
    part = ""
    for line in without_repeats("\n".join(answers)).splitlines():
        line = line[:MERGED_AT_ONCE]
        if part and len(part) + len(line) >= MERGED_AT_ONCE:
            parts.append(part)
            part = ""
        part = f"{part}\n{line}" if part else line
    return [*parts, part] if part else parts


def _plain(answer: str) -> str:
    """An answer as the context can hold it: no thoughts, control characters, or lines that look like a new section."""
    spoken = _THOUGHT.sub(" ", answer).replace("\t", " ").strip()
    clean = "".join(letter for letter in spoken if letter == "\n" or ord(letter) >= 32)
    return re.sub(r"^(Question|Answer):", r"\1 -", clean, flags=re.MULTILINE)


def _about(paragraph: str, question: str) -> list[Message]:
    return [Message.of("user", f"{text('study_source')}\n\n{paragraph}\n\n{question}")]
