"""Steps per second of the Crafter world beside upstream's default ``env.step``, measured alternately in one process.

    python -m benchmarks.crafter_steps [--seconds 2] [--rounds 5]

Both play uniformly random actions from the same stream, starting over when an episode ends; resets are not timed.
The row that counts is "step + text + fingerprint": everything a text agent and a verifier need at every step. The goal
is three times upstream's rendered step (median of the rounds).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import crafter
import numpy as np

from embodibench.envs.crafter.world import CrafterWorld

BATCH = 50


def rate(reset: Callable[[], object], step: Callable[[int], bool], seconds: float) -> float:
    """Steps per second over about ``seconds`` of stepping."""
    actions = np.random.default_rng(0)
    spent, steps = 0.0, 0
    reset()
    while spent < seconds:
        batch = actions.integers(0, 17, BATCH).tolist()
        for action in batch:
            begin = time.perf_counter()
            over = step(action)
            spent += time.perf_counter() - begin
            steps += 1
            if over:
                reset()
    return steps / spent


def upstream() -> tuple[Callable[[], object], Callable[[int], bool]]:
    env = crafter.Env(seed=1000)

    def step(action: int) -> bool:
        return bool(env.step(action)[2])

    return lambda: env.reset(), step


def ours(*, text: bool, fingerprint: bool, picture: bool) -> tuple[Callable[[], object], Callable[[int], bool]]:
    world = CrafterWorld()
    seeds = iter(range(1000, 2**31))

    def step(action: int) -> bool:
        result = world.step(action)
        if text:
            result.observation.text()
        if picture:
            result.observation.render(64, 64)
        if fingerprint:
            world.fingerprint()
        return result.over

    return lambda: world.reset(next(seeds)), step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="stepping time of each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each row; the median is printed")
    options = parser.parse_args()
    rows = {
        "upstream env.step, rendered 64 x 64": upstream(),
        "ours, step": ours(text=False, fingerprint=False, picture=False),
        "ours, step + text": ours(text=True, fingerprint=False, picture=False),
        "ours, step + text + fingerprint": ours(text=True, fingerprint=True, picture=False),
        "ours, step + picture 64 x 64": ours(text=False, fingerprint=False, picture=True),
    }
    rates: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(options.rounds):
        for name, (reset, step) in rows.items():
            rates[name].append(rate(reset, step, options.seconds))
    base = statistics.median(rates["upstream env.step, rendered 64 x 64"])
    print(f"{'':38}{'steps/s':>10}{'ratio':>8}")
    for name, figures in rates.items():
        median = statistics.median(figures)
        print(f"{name:38}{median:>10.0f}{median / base:>8.2f}")


if __name__ == "__main__":
    main()
