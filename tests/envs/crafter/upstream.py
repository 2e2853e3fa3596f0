"""Upstream Crafter with its two sources of irreproducibility removed, to compare with."""

from __future__ import annotations

from typing import Any

import crafter
import numpy as np
from crafter import engine

from embodibench.envs.crafter.fingerprint import fingerprint
from embodibench.envs.crafter.simulation import Simulation


class SortedUpstream(crafter.Env):  # type: ignore[misc]
    """Balances creatures in the order of their positions and draws no picture, hence no night noise."""

    def _balance_chunk(self, chunk: Any, objs: Any) -> None:
        super()._balance_chunk(chunk, sorted(objs, key=lambda thing: tuple(thing.pos)))

    def _obs(self) -> None:
        return None


def things(world: engine.World) -> list[tuple[object, ...]]:
    """Every object of an upstream world or of ours, in turn order, with all its own attributes."""
    rows = []
    for thing in world.objects:
        own = {
            name: tuple(int(n) for n in value) if name in ("pos", "facing") else value
            for name, value in vars(thing).items()
            if name not in ("world", "random", "player")
        }
        rows.append((type(thing).__name__, sorted(own.items())))
    return rows


def assert_same_state(upstream: crafter.Env, ours: Simulation) -> None:
    """Map, objects with every attribute and in turn order, chunk order and members, generator, counters."""
    theirs = upstream._world
    assert np.array_equal(theirs._mat_map, ours.grid.materials)
    assert things(theirs) == things(ours.grid)
    assert [(key[0], key[2]) for key in theirs.chunks] == [chunk.position for chunk in ours.grid.chunks]
    for members, chunk in zip(theirs.chunks.values(), ours.grid.chunks, strict=True):
        assert sorted(tuple(map(int, thing.pos)) for thing in members) == sorted(thing.pos for thing in chunk.members)
    left, right = theirs.random.get_state(), ours.grid.random.get_state()
    assert np.array_equal(left[1], right[1])
    assert left[2:] == right[2:]
    assert abs(theirs.daylight - ours.grid.daylight) < 1e-12
    assert upstream._step == ours.steps


__all__ = ["SortedUpstream", "assert_same_state", "fingerprint", "things"]
