"""The red team's list: functions that change one thing of a valid submission, and the rule that must refuse it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.submissions.bases import Copy

Change = Callable[[Copy], None]


@dataclass(frozen=True)
class Hostile:
    """One hostile submission: the base it starts from, what is changed, and the one rule that refuses it.

    ``beside``: bases that stand in the tree that it is compared with.
    """

    name: str
    rule: str
    base: str
    change: Change
    beside: tuple[str, ...] = ()


HOSTILE: list[Hostile] = []


def hostile(rule: str, *, base: str = "policy", beside: tuple[str, ...] = ()) -> Callable[[Change], Change]:
    """Put a change on the list under its function's name."""

    def register(change: Change) -> Change:
        HOSTILE.append(Hostile(change.__name__, rule, base, change, beside))
        return change

    return register
