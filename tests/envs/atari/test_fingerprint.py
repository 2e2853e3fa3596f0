"""The fingerprint covers the whole state, and replays agree in any process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from embodibench.envs.atari.world import AtariWorld
from tests.envs.atari.extra import GAMES, needs_atari
from tests.envs.atari.test_world import actions

pytestmark = needs_atari

ROOT = Path(__file__).parents[3]
STEPS = 500


def played(game: str, steps: int = 60, seed: int = 1) -> AtariWorld:
    world = AtariWorld(game)
    world.reset(seed)
    for action in actions(game, world.action_count, steps):
        world.step(action)
    return world


def console(world: AtariWorld) -> Any:
    assert world._emulator is not None
    return world._emulator._ale


def transcript_digest(game: str) -> str:
    """Rewards, fingerprints, texts and pictures of some hundred steps, as one hash."""
    world = AtariWorld(game)
    world.reset(17)
    digest = hashlib.sha256(world.fingerprint())
    for action in actions(game, world.action_count, STEPS):
        step = world.step(action)
        digest.update(world.fingerprint() + repr(step.reward).encode() + step.observation.text().encode())
        if step.over:
            break
    digest.update(step.observation.render(84, 84).tobytes())
    return digest.hexdigest()


def test_seeds_with_equal_memory_have_different_fingerprints() -> None:
    one, two = AtariWorld("pong"), AtariWorld("pong")
    one.reset(1)
    two.reset(2)
    assert (console(one).getRAM() == console(two).getRAM()).all()
    assert console(one).cloneState().serialize() == console(two).cloneState().serialize()
    assert one.fingerprint() != two.fingerprint()


@pytest.mark.parametrize("game", GAMES)
def test_every_byte_of_memory_counts(game: str) -> None:
    world = played(game)
    ale = console(world)
    seen = {world.fingerprint()}
    for index in range(128):
        value = int(ale.getRAM()[index])
        ale.setRAM(index, value ^ 1)
        seen.add(world.fingerprint())
        ale.setRAM(index, value)
    assert len(seen) == 129
    assert world.fingerprint() in seen


def test_the_action_that_the_console_may_repeat_counts() -> None:
    """While Seaquest fills the first tank, FIRE leaves no trace but in what may be repeated."""
    one, two = AtariWorld("seaquest"), AtariWorld("seaquest")
    one.reset(1)
    two.reset(1)
    one.step(one.action_names.index("FIRE"))
    two.step(two.action_names.index("NOOP"))
    assert one._emulator is not None and two._emulator is not None
    assert one._emulator.state() == two._emulator.state()
    assert one.fingerprint() != two.fingerprint()


@pytest.mark.parametrize("field", ["_steps", "_score", "_start_lives", "_frame_cap"])
def test_every_count_counts(field: str) -> None:
    world = played("seaquest")
    before = world.fingerprint()
    setattr(world, field, getattr(world, field) + 1)
    assert world.fingerprint() != before


def test_the_end_counts() -> None:
    world = played("seaquest")
    before = world.fingerprint()
    world._end = "game_over"
    assert world.fingerprint() != before


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_every_object_counts(game: str) -> None:
    world = played(game, 200)
    assert world._detector is not None
    before = world.fingerprint()
    changed = 0
    for thing in {id(slot): slot for slot in world._detector.slots}.values():
        for name, value in list(vars(thing).items()):
            other = (value + 1) if type(value).__name__ in ("int", "int64") else ("other" if value is None else None)
            if isinstance(value, bool):
                other = not value
            setattr(thing, name, other)
            assert world.fingerprint() != before, (thing, name)
            setattr(thing, name, value)
            changed += 1
    assert changed > 20
    assert world.fingerprint() == before


def test_the_same_seed_and_actions_give_the_same_episode_again() -> None:
    assert played("skiing", 300).fingerprint() == played("skiing", 300).fingerprint()
    assert played("skiing", 300).fingerprint() != played("skiing", 300, seed=2).fingerprint()


def test_processes_agree_whatever_their_hash_seed_and_processor_features() -> None:
    script = "from tests.envs.atari.test_fingerprint import *\nprint(*[transcript_digest(game) for game in GAMES])"
    outputs = []
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    for seed, tunables in (("0", ""), ("1", "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "GLIBC_TUNABLES": tunables, "PYTHONPATH": path}
        if tunables:
            environment["NPY_DISABLE_CPU_FEATURES"] = "AVX2 FMA3"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment, cwd=ROOT
        )
        outputs.append(done.stdout.split())
    assert outputs[0] == outputs[1] == [transcript_digest(game) for game in GAMES]
