"""What a run will play: the (task, trial) units in the order in which they are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.results.schema import Episode, RunLimits


@dataclass(frozen=True, slots=True)
class Unit:
    """One trial of one task: what is planned, recorded and scored."""

    task: TaskCard
    trial: int

    @property
    def key(self) -> tuple[str, int]:
        """Names the unit inside its suite."""
        return self.task.id, self.trial


def plan(suite: Suite, limits: RunLimits) -> tuple[Unit, ...]:
    """All units of a suite in card order, restricted by the limits.

    Raises:
        UsageError: a task is unknown, or nothing is left to play.
    """
    tasks: Sequence[TaskCard] = suite.tasks
    if limits.tasks is not None:
        wanted = {suite.task(name).id for name in limits.tasks}
        tasks = [task for task in suite.tasks if task.id in wanted]
    units = [Unit(task, trial) for task in tasks for trial in range(len(task.seeds))]
    if limits.trials is not None:
        units = [unit for unit in units if unit.trial < limits.trials]
    if limits.episodes is not None:
        units = units[: limits.episodes]
    if not units:
        raise UsageError("nothing to play: the limits leave no episode")
    return tuple(units)


def is_whole(suite: Suite, limits: RunLimits) -> bool:
    """Whether the limits leave the suite as its card prescribes it."""
    return limits.max_steps is None and len(plan(suite, limits)) == len(plan(suite, RunLimits()))


def is_partial(suite: Suite, limits: RunLimits, episodes: Sequence[Episode]) -> bool:
    """Whether a run is less than the whole suite: limited, or with episodes that did not end by the rules."""
    return not is_whole(suite, limits) or any(episode.status != "ok" for episode in episodes)
