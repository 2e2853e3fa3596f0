"""Proof that the Crafter world is the same in every process, and the same as upstream's once that one is tamed.

    python -m benchmarks.crafter_determinism [--steps 10000] [--episodes 10] [--episode-steps 1000]

First, one long episode (the player is kept alive) is played in separate processes that differ in what used to matter:
hash seed, heap layout, numba, pictures drawn at random moments, AVX2 and FMA of libm and of NumPy. At every step the
fingerprint and reward must be equal, and at every 50th the text and the picture too. Then several episodes are played
side by side with upstream's own environment, with its spawn balance sorted and its picture not drawn, comparing the
whole state at every step. Prints a table; exit code 1 when anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embodibench.envs.base import Observation
    from embodibench.envs.crafter.simulation import Simulation

ROOT = Path(__file__).resolve().parent.parent
SEED = 1000
VIEWS_EVERY = 50


@dataclass(frozen=True)
class Variant:
    """A process that should make no difference: environment variables and arguments of ``trace``."""

    name: str
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()


WITHOUT_AVX = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 FMA3 AVX512F AVX512CD AVX512_SKX",
}
"""libm and NumPy without AVX2 and FMA; a name that this NumPy does not know is ignored."""

VARIANTS = (
    Variant("plain", {"PYTHONHASHSEED": "0"}),
    Variant("hash seed 1, junk on the heap", {"PYTHONHASHSEED": "1"}, ("--junk", "300000")),
    Variant("hash seed 2, no numba, pictures", {"PYTHONHASHSEED": "2"}, ("--no-numba", "--pictures")),
    Variant("no AVX2, no FMA", {"PYTHONHASHSEED": "3", **WITHOUT_AVX}),
)


def fill_heap(objects: int) -> list[object]:
    """Objects of many sizes, half of them freed again, so that later ones land at other addresses."""
    chance = random.Random(objects)
    junk: list[object] = [bytearray(chance.randrange(1, 600)) for _ in range(objects)]
    del junk[::2]
    return junk


def trace(seed: int, steps: int, *, pictures: bool = False) -> list[str]:
    """One line a step of an episode in which the player is kept alive: fingerprint, reward, and now and then views."""
    import numpy as np

    from embodibench.envs.crafter.world import CrafterWorld

    world = CrafterWorld(length=steps)
    observation: Observation = world.reset(seed)
    actions = np.random.Generator(np.random.PCG64(seed)).integers(0, 17, steps).tolist()
    chance = random.Random()
    lines = [world.fingerprint().hex()]
    for number, action in enumerate(actions, start=1):
        action = keep_alive(world.simulation, action)
        if pictures and chance.random() < 0.05:
            for _ in range(chance.randrange(1, 4)):
                observation.render(chance.randrange(18, 200), chance.randrange(18, 200))
        step = world.step(action)
        observation = step.observation
        line = f"{world.fingerprint().hex()} {step.reward!r}"
        if number % VIEWS_EVERY == 0:
            text = hashlib.sha256(observation.text().encode()).hexdigest()
            picture = hashlib.sha256(observation.render(64, 64).tobytes()).hexdigest()
            line += f" {text} {picture}"
        lines.append(line)
        if step.over:
            break
    return lines


def keep_alive(simulation: Simulation, action: int) -> int:
    """Refill the player, wake it when a zombie is about to hit a sleeper, and replace a step into lava by Noop."""
    player = simulation.player
    inventory = player.inventory
    inventory.update(health=9, food=max(3, inventory["food"]), drink=max(3, inventory["drink"]))
    inventory.update(wood=9, stone=9, coal=9, iron=9, sapling=max(1, inventory["sapling"]))
    if player.sleeping and any(
        type(thing).__name__ == "Zombie" and player.distance(thing) <= 2 for thing in simulation.grid.objects
    ):
        player.sleeping = False
    x, y = player.pos
    around = {1: (x - 1, y), 2: (x + 1, y), 3: (x, y - 1), 4: (x, y + 1)}
    return 0 if action in around and simulation.grid[around[action]][0] == "lava" else action


def run(variant: Variant, steps: int, seed: int = SEED) -> list[str]:
    """The trace of a variant, from a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.crafter_determinism",
        "--trace",
        "--seed",
        str(seed),
        "--steps",
        str(steps),
        *variant.arguments,
    ]
    environment = {**os.environ, **variant.environment, "PYTHONWARNINGS": "ignore"}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{variant.name}: {result.stderr}")
    return result.stdout.splitlines()


def first_difference(left: Sequence[str], right: Sequence[str]) -> int | None:
    """The first step at which two traces differ, or None."""
    if left == right:
        return None
    return next((step for step, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))  # noqa: B905


def beside_upstream(episodes: int, steps: int) -> int:
    """Steps at which our whole state was equal to upstream's. Raises AssertionError at the first that is not."""
    from tests.envs.crafter.upstream import side_by_side

    return sum(side_by_side(seed, steps) for seed in range(SEED, SEED + episodes))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000, help="length of the long episode")
    parser.add_argument("--episodes", type=int, default=10, help="episodes beside upstream")
    parser.add_argument("--episode-steps", type=int, default=1000, help="length of each of them")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--trace", action="store_true", help="only print the trace of this process")
    parser.add_argument("--junk", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--no-numba", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pictures", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trace:
        junk = fill_heap(options.junk)
        if options.no_numba:
            sys.modules["numba"] = None  # type: ignore[assignment]
        print("\n".join(trace(options.seed, options.steps, pictures=options.pictures)))
        del junk
        return 0
    failed = False
    base: list[str] = []
    print(f"{'process':36}{'steps':>8}{'differ from plain':>20}{'seconds':>10}")
    for variant in VARIANTS:
        begin = time.perf_counter()
        lines = run(variant, options.steps, options.seed)
        base = base or lines
        found = first_difference(base, lines)
        failed |= found is not None
        verdict = "0" if found is None else f"from step {found}"
        print(f"{variant.name:36}{len(lines) - 1:>8}{verdict:>20}{time.perf_counter() - begin:>10.1f}", flush=True)
    equal = beside_upstream(options.episodes, options.episode_steps)
    print(f"beside upstream: {equal} steps in {options.episodes} episodes, whole state equal at every one")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
