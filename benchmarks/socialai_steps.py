"""Steps per second of the SocialAI School beside MiniGrid-DoorKey-8x8-v0, measured alternately in one process.

    python benchmarks/socialai_steps.py [--seconds 2] [--rounds 5] [--resets 0]

Both play uniformly random primitives, starting over when an episode ends; resets are not timed. The row that counts is
"step + text + image", peer included: what DoorKey's step gives, and the words. The goal is to be as fast as DoorKey.
With ``--resets 50000`` it also draws that many layouts from the tree of everything and counts those that fail.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import gymnasium
import minigrid  # noqa: F401 - registers the environments
import numpy as np

from embodibench.envs.socialai.layouts.placement import LayoutError
from embodibench.envs.socialai.world import SocialAIWorld

BATCH = 50


def rate(reset: Callable[[], None], step: Callable[[int], bool], count: int, seconds: float) -> float:
    """Steps per second over about ``seconds`` of stepping."""
    actions = np.random.default_rng(0)
    spent, steps = 0.0, 0
    reset()
    while spent < seconds:
        for action in actions.integers(0, count, BATCH).tolist():
            begin = time.perf_counter()
            over = step(action)
            spent += time.perf_counter() - begin
            steps += 1
            if over:
                reset()
    return steps / spent


def door_key() -> tuple[Callable[[], None], Callable[[int], bool], int]:
    env = gymnasium.make("MiniGrid-DoorKey-8x8-v0").unwrapped
    seeds = iter(range(2**31))

    def step(action: int) -> bool:
        _, _, terminated, truncated, _ = env.step(action)
        return bool(terminated or truncated)

    def reset() -> None:
        env.reset(seed=next(seeds))

    return reset, step, 7


def ours(tree: str, text: bool, fingerprint: bool) -> tuple[Callable[[], None], Callable[[int], bool], int]:
    world = SocialAIWorld(tree=tree)
    seeds = iter(range(2**31))

    def step(action: int) -> bool:
        result = world.step(action)
        if text:
            result.observation.text()
            result.observation.image()  # type: ignore[attr-defined]
        if fingerprint:
            world.fingerprint()
        return result.over

    def reset() -> None:
        world.reset(next(seeds))

    return reset, step, 4


def draw_layouts(count: int) -> None:
    """Reset ``count`` times, on the tree of everything, and print how many layouts failed and the time of one."""
    world = SocialAIWorld(tree="SocialAIParamEnv")
    failed = 0
    begin = time.perf_counter()
    for seed in range(count):
        try:
            world.reset(seed)
        except LayoutError:
            failed += 1
    spent = time.perf_counter() - begin
    print(f"\n{count} resets of SocialAIParamEnv: {failed} failed, {spent / count * 1e6:.0f} us each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--resets", type=int, default=0)
    options = parser.parse_args()
    everything = "SocialAIParamEnv"
    players = {
        "MiniGrid-DoorKey-8x8-v0, step": door_key,
        "everything, step": lambda: ours(everything, False, False),
        "everything, step + text + image": lambda: ours(everything, True, False),
        "everything, step + text + image + fingerprint": lambda: ours(everything, True, True),
        "ColorBoxes, step + text + image": lambda: ours("ColorBoxesLLMCSParamEnv", True, False),
    }
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(options.rounds):
        for name, make in players.items():
            reset, step, count = make()
            rates[name].append(rate(reset, step, count, options.seconds))
    base = next(iter(rates))
    print(f"{'player':<48}{'steps/s':>10}{'of DoorKey':>12}")
    for name, found in rates.items():
        ratio = statistics.median(value / other for value, other in zip(found, rates[base], strict=True))
        print(f"{name:<48}{statistics.median(found):>10.0f}{ratio:>11.2f}x")
    if options.resets:
        draw_layouts(options.resets)


if __name__ == "__main__":
    main()
