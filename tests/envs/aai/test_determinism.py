"""Same arena, seed and actions: same bits, in any process, with any hash seed, without AVX2 and FMA in libm."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from embodibench.envs.aai.world import ArenaWorld
from tests.envs.aai.builders import agent, item

PLAY = """
import numpy as np
from tests.envs.aai.test_determinism import busy
world = busy()
world.reset(5)
rng = np.random.default_rng(0)
for step in range(400):
    action = int(rng.integers(9)) if step % 6 == 0 else action
    if world.step(action).over:
        break
print(world.fingerprint().hex(), step)
"""

VARIANTS = (
    {"PYTHONHASHSEED": "1"},
    {"PYTHONHASHSEED": "2", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"},
    {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA,-FMA4"},
    {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"},
    {"OPENBLAS_CORETYPE": "Prescott"},
)


def busy() -> ArenaWorld:
    """An arena with everything in it, and a plank that tips over."""
    posts = item("Wall", (5, 0, 30), (12, 0, 30), size=(0.5, 1.0, 0.5))
    posts["sizes"][1] = [0.5, 2.0, 0.5]
    return ArenaWorld(
        1000,
        [
            agent(20, 5, yaw=None),
            posts,
            item("Wall", (8.5, 2, 30), size=(9.0, 0.2, 0.5)),
            item("Ramp", (30, 0, 12), size=(5, 1.5, 6), yaw=33.0),
            item("CylinderTunnelTransparent", (32, 0, 25), size=4.0, yaw=20.0),
            item("Cardbox1", (20, 0, 10), (22, 0, 11), (21, 0, 14), size=1.5, yaw=None),
            item("Cardbox2", (20, 1.6, 10), size=1.2, yaw=None),
            item("LObject", (12, 0, 12), size=(4, 1, 6), yaw=-1.0),
            item("UObject", (25, 0, 32), size=(4, 1, 6), yaw=-1.0),
            item("GoodGoalMulti", (-1, 0, -1), (-1, 0, -1), (8, 3, 30), size=-1.0, yaw=None),
            item("BadGoalBounce", (35, 0, 35), size=1.0, yaw=None),
            item("HotZone", (5, 0, 5), size=(4, 0, 4)),
        ],
        [-20],
    )


def play(more: dict[str, str]) -> str:
    """Fingerprint and steps of a run in a process of its own."""
    environment = os.environ | more
    result = subprocess.run([sys.executable, "-c", PLAY], env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def expected() -> str:
    return play({"PYTHONHASHSEED": "0"})


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "+".join(variant))
def test_the_bits_do_not_depend_on_the_process_or_the_processor(variant: dict[str, str], expected: str) -> None:
    assert play(variant) == expected


def test_resetting_again_starts_the_very_same_episode() -> None:
    world = busy()
    world.reset(5)
    first = [world.fingerprint()]
    for action in (3, 3, 4, 0, 6) * 20:
        world.step(action)
        first.append(world.fingerprint())
    assert len(set(first)) == len(first)
    for other in (world, busy()):
        other.reset(5)
        again = [other.fingerprint()]
        for action in (3, 3, 4, 0, 6) * 20:
            other.step(action)
            again.append(other.fingerprint())
        assert again == first
    world.reset(6)
    assert world.fingerprint() != first[0]


def test_every_part_of_the_state_is_in_the_fingerprint() -> None:
    world = busy()
    world.reset(5)
    for action in (3, 3, 4, 0, 6):
        world.step(action)
    episode = world.episode
    before = episode.fingerprint()
    kept = episode.snapshot()
    for array, saved in zip(episode.state, kept.arrays, strict=True):
        for index in range(array.size):
            array.reshape(-1)[index] += 1
            assert episode.fingerprint() != before
            array[...] = saved
    assert episode.fingerprint() == before
    episode.rng.random()
    assert episode.fingerprint() != before


def test_looking_changes_nothing() -> None:
    world = busy()
    observation = world.reset(5)
    before = world.fingerprint()
    observation.objects()
    world.scene()
    world.measures()
    assert world.fingerprint() == before


def test_a_snapshot_brings_back_the_same_future() -> None:
    world = busy()
    world.reset(5)
    for action in (3,) * 30:
        world.step(action)
    kept = world.episode.snapshot()
    futures = []
    for _ in range(2):
        world.episode.restore(kept)
        for action in (1, 3, 3, 6, 0) * 10:
            world.step(action)
        futures.append(world.fingerprint())
    assert futures[0] == futures[1]
