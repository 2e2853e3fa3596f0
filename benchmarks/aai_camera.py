"""Speed of the camera against MuJoCo's ray caster on the same scene, in one run: a table of medians and ratios.

    python -m benchmarks.aai_camera DATA

DATA is the recorded reference data of Animal-AI (folders ``replay`` and ``arenas40``). ``draw`` makes the whole
picture, with shadows and textures; ``mj_multiRay`` only says what each ray hits,
of a fence without posts and rails.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from benchmarks.aai_rays import peer, rays
from benchmarks.aai_replay import replay_scene, scene_at, solids_of
from embodibench.envs.aai.camera import draw
from embodibench.envs.aai.scene import Scene

REPEATS = 5


def seconds(function: Callable[[], object], rounds: int) -> float:
    """Median over REPEATS of the mean time of ``rounds`` calls."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(rounds):
            function()
        times.append((time.perf_counter() - start) / rounds)
    return statistics.median(times)


def compare(name: str, scene: Scene, size: int) -> None:
    world, vectors = peer(scene, decorated=False), rays(scene, size, size)
    count = size * size
    geom, distance = np.full(count, -1, np.int32), np.zeros(count)
    eye = np.array([scene.eye[0], scene.eye[2], scene.eye[1]])

    def cast() -> None:
        mujoco.mj_multiRay(world.model, world.data, eye, vectors, None, True, -1, geom, distance, None, count, 1e10)

    draw(scene, size, size)
    rounds = 3 if size > 200 else 30
    one = seconds(lambda: draw(scene, size, size), rounds)
    two = seconds(lambda: draw(scene, size, size, threads=2), rounds)
    ray = seconds(cast, rounds)
    print(
        f"{name:14s} {size:4d} {1e3 * one:8.2f} {1e3 * two:8.2f} {1e3 * ray:8.2f} {one / ray:7.3f} {two / ray:7.3f}"
        f" {'met' if one <= 0.5 * ray else 'MISSED'}"
    )


def main() -> None:
    folder = Path(sys.argv[1])
    crowded = solids_of(folder / "arenas40" / "08-11-01.yaml")
    scenes = {
        "tutorial t16": replay_scene(folder / "replay", 16),
        "tutorial t0": replay_scene(folder / "replay", 0),
        "08-11-01 near": scene_at(crowded, 20.0, 2.0, 0.0),
        "08-11-01 far": scene_at(crowded, 6.48, 37.05, 88.0),
    }
    print("milliseconds      size  draw x1  draw x2  mj rays    x1/mj   x2/mj  half of mj's time")
    for name, scene in scenes.items():
        for size in (84, 512):
            compare(name, scene, size)


if __name__ == "__main__":
    main()
