"""Whole games of the scripted players, replayed in processes of their own, and compared to the bit.

    python benchmarks/atari_replay.py [--frames 10000]

Of every game the suite's seeds, and further ones after them, are played to their ends until at least ``--frames``
frames are played. Then the actions are sent to the world again in two new processes, one with another hash seed, one
with the processor's AVX2 and FMA switched off, and rewards, texts and the fingerprint of every step are compared.
Exit code 1 when anything differs. Needs the extra ``atari``.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from embodibench import agents
from embodibench.agents.game import LiveGame, play
from embodibench.cards import suites
from embodibench.envs.atari.world import AtariWorld

ROOT = Path(__file__).parent.parent
PROCESSES = {
    "hash seed 4711": {"PYTHONHASHSEED": "4711"},
    "without AVX2, FMA": {
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    },
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--replay", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.replay:
        print(json.dumps([_digest(**episode) for episode in json.load(sys.stdin)]))
        return 0
    same = True
    print(f"{'game':<10}{'games':>6}{'frames':>9}  {'scores':<28}{'  '.join(PROCESSES)}")
    for task in suites.load("atari").tasks:
        episodes, scores, frames = _games(task.id, arguments.frames)
        digests = [_digest(**episode) for episode in episodes]
        verdicts = []
        for environment in PROCESSES.values():
            found = _elsewhere(episodes, environment)
            verdicts.append("identical" if found == digests else "DIFFERENT")
        same &= all(verdict == "identical" for verdict in verdicts)
        shown = ", ".join(f"{score:g}" for score in scores)
        print(f"{task.id:<10}{len(episodes):>6}{frames:>9}  {shown:<28}{'       '.join(verdicts)}", flush=True)
    return 0 if same else 1


def _games(name: str, least: int) -> tuple[list[dict[str, Any]], list[float], int]:
    """Episodes (parameters, seed, actions), their scores, and their frames together."""
    card = suites.load("atari").task(name)
    task = card.model_copy(update={"seeds": (*card.seeds, *range(3000, 3100))})
    episodes: list[dict[str, Any]] = []
    scores: list[float] = []
    frames = 0
    while frames < least:
        world = AtariWorld(**task.environment.parameters)
        game = LiveGame(task, len(episodes), world, None, fingerprint_every=10**6, stream="policy/scripted")
        trace = asyncio.run(play(agents.make_policy("scripted", "atari"), game))
        assert trace.end in ("game_over", "frame_cap"), trace.end
        episodes.append(
            {"parameters": task.environment.parameters, "seed": task.seeds[len(episodes)], "actions": trace.actions}
        )
        scores.append(float(trace.measures["score"]))  # type: ignore[arg-type]
        frames += int(trace.measures["frames"])  # type: ignore[arg-type]
    return episodes, scores, frames


def _digest(parameters: dict[str, Any], seed: int, actions: list[int]) -> str:
    """SHA-256 over the rewards, texts and fingerprints of every step, and the end."""
    world = AtariWorld(**parameters)
    digest = hashlib.sha256(world.reset(seed).text().encode() + world.fingerprint())
    for action in actions:
        step = world.step(action)
        digest.update(repr(step.reward).encode() + step.observation.text().encode() + world.fingerprint())
    digest.update(f"{step.terminated} {step.truncated} {step.info}".encode())
    return digest.hexdigest()


def _elsewhere(episodes: list[dict[str, Any]], environment: dict[str, str]) -> list[str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, __file__, "--replay"],
        input=json.dumps(episodes),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment, "PYTHONPATH": path},
    )
    digests: list[str] = json.loads(done.stdout)
    return digests


if __name__ == "__main__":
    sys.exit(main())
