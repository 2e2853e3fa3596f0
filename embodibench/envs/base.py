"""The interface every world implements: everything that is needed to write another suite's world.

A world is deterministic: the same parameters, seed and actions give the same rewards, measures and fingerprints in
every process, on every supported Python, whatever PYTHONHASHSEED is and whichever SIMD extensions the processor has.
A world knows nothing of models, prompts or files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from embodibench.canonical import Json

Action: TypeAlias = "int | tuple[int, ...]"
"""What is sent to a world: the index of a discrete action, or one index for each branch of a multi-discrete one."""

Picture: TypeAlias = NDArray[np.uint8]
"""Height x width x 3, RGB, 0..255, row 0 at the top."""


class Observation:
    """What an agent may look at after ``reset`` or ``step``.

    Views are computed when asked for and never change the world. They show the present state of the world, so they are
    valid until its next ``reset`` or ``step``; an agent that needs history keeps the text or picture itself.
    """

    def text(self) -> str:
        """The observation in words. Raises NotImplementedError where the world has no text."""
        raise NotImplementedError(f"{type(self).__name__} has no text view")

    def render(self, height: int, width: int) -> Picture:
        """The observation as a picture. Raises NotImplementedError where the world has no picture."""
        raise NotImplementedError(f"{type(self).__name__} has no picture")

    def objects(self) -> tuple[Mapping[str, Json], ...]:
        """The observed objects as plain data. Raises NotImplementedError where the world lists none."""
        raise NotImplementedError(f"{type(self).__name__} lists no objects")


@dataclass(frozen=True, slots=True)
class Step:
    """What one action led to.

    Attributes:
        observation: what can be seen now.
        reward: the world's reward for this step, a finite float.
        terminated: the episode ended by the rules of the world (goal, death, health 0).
        truncated: the episode ended by the world's own time limit.
        info: plain data about this step. Keys with a fixed meaning: ``end`` (why the episode ended, one word, present
            only on the last step) and ``overridden`` (True when the world replaced the action, as for a sleeper).
    """

    observation: Observation
    reward: float
    terminated: bool = False
    truncated: bool = False
    info: Mapping[str, Json] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated


@runtime_checkable
class Environment(Protocol):
    """A deterministic world. Construct it with the parameters of a task card; then ``reset`` before ``step``."""

    def reset(self, seed: int) -> Observation:
        """Start an episode. ``seed`` (0 <= seed < 2**31) decides everything that is random in it."""
        ...

    def step(self, action: Action) -> Step:
        """Advance the world by one action.

        Raises:
            ValueError: the action is not one of the world's.
            RuntimeError: before the first ``reset``, or after the episode has ended.
        """
        ...

    def fingerprint(self) -> bytes:
        """16 bytes that change whenever any part of the state does: counters, timers and random generators too.

        Cheap (called at every step in tests, every k steps in a run), stable across processes and Python versions.
        """
        ...

    def measures(self) -> Mapping[str, Json]:
        """What the world has counted so far in this episode and a score may use, as plain JSON data."""
        ...

    def close(self) -> None:
        """Release what the world holds. The world cannot be used afterwards."""
        ...
