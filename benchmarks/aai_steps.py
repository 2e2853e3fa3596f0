"""Environment steps a second against a plain loop of MuJoCo steps, in one run.

    python benchmarks/aai_steps.py [--steps 3000] [--rounds 5] [--cards tasks/aai40]

An environment step is three updates of 0.02 s; the plain loop takes three ``mj_step`` on the very same model (its own
solver, nothing else). Both are timed in turns, ``--rounds`` times; medians are printed, and ratio = ours / plain. The
last column is a reset: placing, settling, compiling.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from embodibench.envs.aai.world import ArenaWorld

TASKS = ("01-04-03", "01-21-01", "01-23-01", "04-16-01", "08-11-01", "10-16-01", "10-22-03")
CYCLE = (3, 3, 3, 1, 0, 6, 5, 3)


def ours(world: ArenaWorld, steps: int) -> float:
    """Seconds for one step."""
    start = time.perf_counter()
    for step in range(steps):
        if world.step(CYCLE[step % len(CYCLE)]).over:
            world.reset(1)
    return (time.perf_counter() - start) / steps


def plain(model: Any, data: Any, steps: int) -> float:
    """Seconds for three steps of MuJoCo."""
    import mujoco

    start = time.perf_counter()
    for _ in range(3 * steps):
        mujoco.mj_step(model, data)
    return (time.perf_counter() - start) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cards", type=Path, default=Path("tasks/aai40"))
    arguments = parser.parse_args()
    import mujoco

    print("task        geoms bodies  us/step  steps/s 3 mj_step us  ratio  reset ms")
    for task in TASKS:
        card = yaml.safe_load((arguments.cards / f"{task}.yaml").read_text(encoding="utf-8"))
        parameters = card["environment"]["parameters"] | {"time_limit": 0, "blackouts": []}
        resets = []
        for _ in range(arguments.rounds):
            world = ArenaWorld(**parameters)
            start = time.perf_counter()
            world.reset(1)
            resets.append(time.perf_counter() - start)
        world.step(0)
        model = world.episode.built.model
        data = mujoco.MjData(model)
        mine, theirs = [], []
        for _ in range(arguments.rounds):
            world.reset(1)
            mine.append(ours(world, arguments.steps))
            mujoco.mj_resetData(model, data)
            theirs.append(plain(model, data, arguments.steps))
        us, peer = float(np.median(mine)) * 1e6, float(np.median(theirs)) * 1e6
        bodies, reset = len(world.episode.built.masses), float(np.median(resets)) * 1e3
        print(
            f"{task:10} {model.ngeom:6} {bodies:6} {us:8.1f} {1e6 / us:8.0f} {peer:12.1f} {us / peer:6.2f} {reset:9.1f}"
        )


if __name__ == "__main__":
    main()
