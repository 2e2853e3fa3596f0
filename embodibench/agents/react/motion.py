"""From commands to the arena's steps.

An action is ``3 * move + turn`` (see ``envs.aai.world``). ``Go(n)`` is n steps forward, or backward if n is negative;
``Turn(d)`` is |d| // 6 steps to the right, or to the left if d is negative, since a step turns by 6 degrees: Turn(5)
does nothing, Turn(25) turns by 24 degrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from embodibench.agents.react.parsers import Command

NOTHING: Final = 0
RIGHT, LEFT, FORWARD, BACKWARD = 1, 2, 3, 6
DEGREES: Final = 6
"""One step of turning."""


def steps(commands: Iterable[Command]) -> Iterator[int]:
    """The actions of a script, one by one, since a script may ask for more than an episode has."""
    for command in commands:
        if command.name == "Go":
            action, count = (FORWARD if command.number > 0 else BACKWARD), abs(command.number)
        elif command.name == "Turn":
            action, count = (RIGHT if command.number > 0 else LEFT), abs(command.number) // DEGREES
        else:
            continue
        for _ in range(count):
            yield action
