"""From rows of trials to counts per task: what was planned, what passed, what went wrong.

Arrays of ``TrialCounts`` have shape (tasks,), whole numbers, in the order of the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embodibench.errors import ResultError


@dataclass(frozen=True)
class TrialCounts:
    """Counts per task. ``passed + failed + errors + missing == planned`` for every task."""

    tasks: tuple[str, ...]
    planned: NDArray[np.int64]
    passed: NDArray[np.int64]
    failed: NDArray[np.int64]
    errors: NDArray[np.int64]
    missing: NDArray[np.int64]


def tally(planned: Mapping[str, int], rows: Iterable[tuple[str, int, str, bool]]) -> TrialCounts:
    """Count trials per task over what was planned; an error and a missing trial are not passes.

    Args:
        planned: trials planned per task, each >= 1; its order is the order of the counts.
        rows: (task, trial from 0, status, success); status "ok" is a finished trial, any other is an error, whatever
            its success says.

    Raises:
        ResultError: a trial occurs twice, was not planned, or a plan has no tasks or no trials.
    """
    if not planned or any(count < 1 for count in planned.values()):
        raise ResultError("trials: the plan needs at least one task, and each task at least one trial")
    index = {task: position for position, task in enumerate(planned)}
    wanted = np.array(list(planned.values()), dtype=np.int64)
    passed, failed, errors = (np.zeros(len(index), dtype=np.int64) for _ in range(3))
    seen: set[tuple[str, int]] = set()
    for task, trial, status, success in rows:
        if task not in index or not 0 <= trial < planned[task]:
            raise ResultError(f"trials: task {task!r} trial {trial} was not planned; remove the row or plan it")
        if (task, trial) in seen:
            raise ResultError(f"trials: task {task!r} trial {trial} occurs twice; keep one row for each trial")
        seen.add((task, trial))
        column = errors if status != "ok" else passed if success else failed
        column[index[task]] += 1
    missing = wanted - passed - failed - errors
    return TrialCounts(tuple(index), wanted, passed, failed, errors, missing)
