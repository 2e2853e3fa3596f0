"""Findings of a check: which rule, how grave, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from embodibench.canonical import Json

Gravity: TypeAlias = Literal["refuse", "warn"]
"""``refuse``: the submission cannot be accepted as it is. ``warn``: a reviewer should look."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Attributes:
        rule: id of the rule, such as ``result-metrics``; each has a section in ``docs/rules.md``.
        gravity: whether it refuses the submission.
        message: what was found and where; holds no text of the submission that was not made harmless.
    """

    rule: str
    gravity: Gravity
    message: str

    def to_json(self) -> dict[str, Json]:
        return {"rule": self.rule, "gravity": self.gravity, "message": self.message}
