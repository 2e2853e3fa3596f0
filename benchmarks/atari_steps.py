"""Steps per second of the Atari world beside plain OCAtari and the bare emulator, in one process and one run.

    python benchmarks/atari_steps.py [--steps 2000] [--repeats 5]

Every column plays the same random actions from the same seed: the bare v5 environment (a picture at every step),
OCAtari with its objects (as it comes: RAM mode, display objects, its object vectors and picture stack), our world with
objects, and our world with objects and text at every step. Each repeat runs the columns in turn; the medians are
printed, and the ratio of the last column to OCAtari (goal: 0.8). Needs the extra ``atari``.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import time
from collections.abc import Callable

import numpy as np

GAMES = ("Pong", "Freeway", "Seaquest", "Skiing")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with contextlib.redirect_stdout(io.StringIO()):
        import gymnasium
        import ocatari.core  # noqa: F401 - the window system greets on import; the world itself does not import it
    print(f"{'game':<10}{'bare v5':>10}{'OCAtari':>10}{'objects':>10}{'+ text':>10}{'ratio':>8}")
    for game in GAMES:
        count = int(gymnasium.make(f"ALE/{game}-v5").action_space.n)
        moves = [int(move) for move in np.random.default_rng(0).integers(count, size=arguments.steps)]
        players = (_bare(game), _ocatari(game), _ours(game, text=False), _ours(game, text=True))
        rates: list[list[float]] = [[] for _ in players]
        for _ in range(arguments.repeats):
            for column, player in zip(rates, players, strict=True):
                started = time.perf_counter()
                player(moves)
                column.append(len(moves) / (time.perf_counter() - started))
        medians = [statistics.median(column) for column in rates]
        shown = "".join(f"{rate:>10.0f}" for rate in medians)
        print(f"{game:<10}{shown}{medians[3] / medians[1]:>8.2f}", flush=True)


def _bare(game: str) -> Callable[[list[int]], None]:
    import gymnasium

    return _gymnasium(gymnasium.make(f"ALE/{game}-v5"))


def _ocatari(game: str) -> Callable[[list[int]], None]:
    from ocatari.core import OCAtari

    environment = OCAtari(f"ALE/{game}-v5", mode="ram", hud=True, create_buffer_stacks=["ori"])
    return _gymnasium(environment)


def _gymnasium(environment: object) -> Callable[[list[int]], None]:
    def play(moves: list[int]) -> None:
        environment.reset(seed=1)  # type: ignore[attr-defined]
        for move in moves:
            _, _, one, other, _ = environment.step(move)  # type: ignore[attr-defined]
            if one or other:
                environment.reset()  # type: ignore[attr-defined]

    return play


def _ours(game: str, *, text: bool) -> Callable[[list[int]], None]:
    from embodibench.envs.atari.world import AtariWorld

    world = AtariWorld(game.lower())

    def play(moves: list[int]) -> None:
        world.reset(1)
        for move in moves:
            step = world.step(move)
            if text:
                step.observation.text()
            else:
                step.observation.objects()
            if step.over:
                world.reset(1)

    return play


if __name__ == "__main__":
    main()
