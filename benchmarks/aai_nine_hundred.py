"""Load every published arena of a folder and play random steps in it: nothing may fail, leave the floor or jump off.

    python benchmarks/aai_nine_hundred.py FOLDER [--steps 300] [--every 1]

FOLDER holds the 900 files of the Animal-AI competition. Prints a line for each arena with a fault, and a table. It ends
with a hash of all final states: run it again with ``GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA``, or compiled for no
processor in particular (``NUMBA_CPU_NAME=generic`` and a ``NUMBA_CACHE_DIR`` of its own), and it is the same.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from embodibench.envs.aai.importer import read_arena
from embodibench.envs.aai.world import ArenaWorld

FLOOR = -0.01
DEEPEST = 0.15
"""How far a body may be inside the floor for a moment after an impact."""
HIGHEST_RISE = 1.0
"""How far a resting ball may rise in the first second, untouched."""


@dataclass(frozen=True)
class Visit:
    """What happened in one arena: faults, steps played, seconds of reset and of play, end, unplaced objects."""

    faults: tuple[str, ...]
    steps: int
    reset: float
    play: float
    end: str
    unplaced: int
    fingerprint: str


def visit(path: Path, steps: int, seed: int = 1) -> Visit:
    """Play random steps in one arena."""
    spec = read_arena(path).spec
    world = ArenaWorld(spec.time_limit, [item.model_dump() for item in spec.items], spec.blackouts)
    start = time.perf_counter()
    world.reset(seed)
    ready = time.perf_counter()
    episode = world.episode
    first = {identity: pose[0][1] for identity, pose in episode.poses().items()}
    balls = {body.identity: body.size[0] / 2 for body in episode.built.free if body.kind.ball}
    rng = np.random.default_rng(seed)
    faults = set()
    done = 0
    for done in range(1, steps + 1):
        # Held for a while, as scripts do: single random steps go nowhere.
        action = 0 if done <= 17 else int(rng.integers(9)) if done % 5 == 1 else action  # noqa: F821
        over = world.step(action).over
        places = {identity: pose[0] for identity, pose in episode.poses().items()}
        numbers = [*episode.position, *episode.velocity, *(value for place in places.values() for value in place)]
        if not np.isfinite(numbers).all():
            faults.add("not a number")
        if episode.position[1] - 0.5 < FLOOR - DEEPEST:
            faults.add("agent through the floor")
        for identity, place in places.items():
            if place[1] - balls.get(identity, 0.0) < FLOOR - DEEPEST:
                faults.add(f"body {identity} through the floor")
            if not all(-1.0 < place[k] < 41.0 for k in (0, 2)):
                faults.add(f"body {identity} out of the arena")
            if done <= 17 and place[1] > first[identity] + HIGHEST_RISE:
                faults.add(f"body {identity} jumps")
        if over:
            break
    played = time.perf_counter() - ready
    return Visit(
        tuple(sorted(faults)),
        done,
        ready - start,
        played,
        episode.end,
        len(episode.layout.unplaced),
        world.fingerprint().hex(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--every", type=int, default=1, help="visit every n-th arena")
    arguments = parser.parse_args()
    visits = {}
    for path in sorted(arguments.folder.glob("*.yaml"))[:: arguments.every]:
        visits[path.stem] = visit(path, arguments.steps)
        for fault in visits[path.stem].faults:
            print(f"{path.stem}: {fault}")
    resets = np.array([v.reset for v in visits.values()])
    steps = sum(v.steps for v in visits.values())
    print(f"arenas                   {len(visits)}")
    print(f"arenas with a fault      {sum(bool(v.faults) for v in visits.values())}")
    print(f"steps played             {steps}")
    print(f"ends                     {dict(Counter(v.end or 'going on' for v in visits.values()))}")
    print(f"arenas with unplaced     {sum(v.unplaced > 0 for v in visits.values())}")
    print(f"reset, median and max    {np.median(resets) * 1000:.0f} ms, {resets.max() * 1000:.0f} ms")
    digest = hashlib.sha256("".join(v.fingerprint for v in visits.values()).encode()).hexdigest()
    print(f"final states             {digest[:32]}")
    print(f"steps a second           {steps / sum(v.play for v in visits.values()):.0f} (with the checks)")


if __name__ == "__main__":
    main()
