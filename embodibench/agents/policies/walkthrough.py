"""A stored script for every (task, trial) of aai40 that can be passed: the proof that it can be, and a player.

The scripts were found by ``benchmarks/aai_walkthrough_search.py`` and are played inside the protocol: 49 opening steps,
at most 30 scripts, then doing nothing until the episode ends. They know the arena, so the policy is privileged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.canonical import Json
from embodibench.data_files import folder
from embodibench.errors import UsageError

OPENING: Final = (0,) * 49
"""The protocol's opening: one step, and three times 16, in which nothing is done."""

SCRIPTS: Final = 30
COMMAND: Final = re.compile(r"(Go|Turn)\((-?\d+)\);")
FORWARD, BACKWARD, RIGHT, LEFT = 3, 6, 1, 2


def actions(script: str) -> tuple[int, ...]:
    """The steps of a script of ``Go(n);`` and ``Turn(d);``: n runs forward (backward if negative), |d| // 6 turns.

    Raises:
        ValueError: it is not such a script.
    """
    steps: list[int] = []
    place = 0
    while place < len(script):
        match = COMMAND.match(script, place)
        if match is None:
            raise ValueError(f"not a walkthrough script: {script!r}")
        number = int(match[2])
        if match[1] == "Go":
            steps += [FORWARD if number > 0 else BACKWARD] * abs(number)
        else:
            steps += [RIGHT if number > 0 else LEFT] * (abs(number) // 6)
        place = match.end()
    return tuple(steps)


def stored(path: Path) -> dict[tuple[str, int], tuple[str, ...]]:
    """(task, trial's seed) -> scripts, from a file. Raises UsageError if the file is missing or of another form."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {
            (task, int(seed)): tuple(str(script) for script in scripts)
            for task, trials in content["walkthroughs"].items()
            for seed, scripts in trials.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: no walkthroughs: {error}") from error


class WalkthroughPolicy:
    """Plays the stored scripts of its task and trial, and does nothing where there are none.

    Args:
        path: of the scripts; by default those of aai40 that ship with the package.
    """

    identity: Final = AgentIdentity(name="policy/walkthrough", version=1, privileged=True)

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    async def play(self, game: Game) -> None:
        """Opening, scripts, then nothing until the episode ends (a task without a time limit is left there).

        Raises:
            UsageError: the file of scripts cannot be read.
        """
        task = game.task
        seeds = task["seeds"]
        seed = int(str(seeds[game.trial])) if isinstance(seeds, list | tuple) else 0
        scripts = stored(self._path or folder("tasks") / "aai40" / "walkthroughs.json")
        steps = [action for script in scripts.get((str(task["id"]), seed), ())[:SCRIPTS] for action in actions(script)]
        for action in (*OPENING, *steps):
            if game.over:
                return
            game.act(action)
        while not game.over and _ends(task):
            game.act(0)

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None


def _ends(task: Mapping[str, Json]) -> bool:
    environment = task["environment"]
    parameters = environment["parameters"] if isinstance(environment, dict) else {}
    return isinstance(parameters, dict) and bool(parameters.get("time_limit"))
