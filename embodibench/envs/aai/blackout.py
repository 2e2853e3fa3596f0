"""When the light is on. Frames of the file count five updates each, whatever the decision period (a quirk of 3.1.3)."""

from __future__ import annotations

from typing import Final

UPDATES_PER_FRAME: Final = 5


def dark(blackouts: tuple[int, ...], updates: int) -> bool:
    """Whether the light is off after ``updates`` updates of 0.02 s.

    Each listed frame toggles it; a first entry that is negative is a period, and the light toggles for ever.
    """
    if not blackouts:
        return False
    if blackouts[0] < 0:
        return (updates // (-blackouts[0] * UPDATES_PER_FRAME)) % 2 == 1
    return sum(updates >= frame * UPDATES_PER_FRAME for frame in blackouts) % 2 == 1
