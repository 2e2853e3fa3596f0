"""The two scaffolding curricula: easier episodes first, the hardest format once they succeed.

The thresholds are those of the paper's runs (more than 1000 episodes, mean success of the last 500 at least 0.90).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from embodibench.envs.socialai.trees.node import Parameter, Value, sample
from embodibench.errors import UsageError

INTRODUCTION: Final = "Pragmatic_frame_complexity"
SCAFFOLDING: Final = "Scaffolding"
HARDEST: Final = "Ask_Eye_contact"

T = TypeVar("T")


class Draws(Protocol):
    """Uniform choice."""

    def element(self, items: Sequence[T]) -> T:
        """One of ``items``."""
        ...


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a curriculum moves on.

    Attributes:
        minimum: episodes that have to be exceeded.
        window: how many of the last episodes count.
        threshold: mean success they need.
    """

    minimum: int = 1000
    window: int = 500
    threshold: float = 0.9


class Curriculum:
    """Chooses parameters for a tree, and hears how the episodes ended.

    ``intro_seq`` (the paper's scaf_4): no help; all four introductions at first, then only the hardest.
    ``intro_seq_scaf`` (scaf_8): at first the peer helps in half of the episodes as well, then never.

    Attributes:
        phase: 1 or 2. It changes once.
        episodes: episodes heard of in this phase.
    """

    def __init__(self, name: str, schedule: Schedule | None = None) -> None:
        if name not in CURRICULA:
            raise UsageError(f"no curriculum '{name}'; there are: {', '.join(CURRICULA)}")
        self._may_help = CURRICULA[name]
        self._schedule = schedule or Schedule()
        self.phase = 1
        self.episodes = 0
        self._recent: deque[float] = deque(maxlen=self._schedule.window)

    def choose(self, root: Parameter, draws: Draws) -> dict[str, str]:
        """A map of parameters for the next episode."""
        return sample(root, lambda parameter: draws.element(self.allowed(parameter)))

    def allowed(self, parameter: Parameter) -> Sequence[Value]:
        """The values that the present phase leaves of a parameter; never none."""
        name, values = parameter.name, parameter.values
        if name == SCAFFOLDING and (self.phase == 2 or not self._may_help):
            return [value for value in values if value.name == "N"] or values
        if name == INTRODUCTION and self.phase == 2:
            return [value for value in values if value.name == HARDEST] or values
        return values

    def record(self, success: bool) -> None:
        """Hear of the end of an episode."""
        self.episodes += 1
        self._recent.append(float(success))
        schedule = self._schedule
        enough = self.episodes > schedule.minimum and len(self._recent) == schedule.window
        if self.phase == 1 and enough and sum(self._recent) / schedule.window >= schedule.threshold:
            self.phase = 2
            self.episodes = 0
            self._recent.clear()


CURRICULA: Final = {"intro_seq": False, "intro_seq_scaf": True}
"""Name -> whether the first phase has episodes in which the peer helps."""
