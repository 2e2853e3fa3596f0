"""Where things are put when an episode starts: order, random draws, clipping, and what counts as free (AAI 3.1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from embodibench.envs.aai.body import UPRIGHT, Body, yaw_axes
from embodibench.envs.aai.objects import KINDS, Kind
from embodibench.envs.aai.objects.base import SHRINK
from embodibench.envs.aai.overlap import Hull, hulls, oriented_box, overlap
from embodibench.envs.aai.scene import Triple
from embodibench.envs.aai.spec import ArenaSpec, ItemSpec, Vector
from embodibench.errors import UsageError

SIDE: Final = 40.0
TRIES: Final = 20
AGENT_TRIES: Final = 100
RANDOM: Final = (-1.0, -1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Wish:
    """One instance as the arena asks for it; negative components are random."""

    kind: Kind
    item: int
    instance: int
    position: Vector
    rotation: float
    size: Vector
    colour: Vector


@dataclass(frozen=True, slots=True)
class Layout:
    """An arena at the moment of spawning.

    Attributes:
        agent: its body (centre and yaw are what counts).
        yaw: of the agent, in degrees.
        bodies: everything else that found a place, in spawn order.
        unplaced: (item, instance) of what did not, numbered from 0 as in the arena.
    """

    agent: Body
    yaw: float
    bodies: tuple[Body, ...]
    unplaced: tuple[tuple[int, int], ...]


def spawn(spec: ArenaSpec, rng: np.random.Generator) -> Layout:
    """Place everything, drawing what is random from ``rng``.

    The agent comes first if the arena lists one; otherwise it comes last, at a random place. An object that is not
    free at its place in 20 tries is left out.

    Raises:
        UsageError: the agent found no free place in 100 tries.
    """
    wishes = list(_wishes(spec))
    own = next((wish for wish in wishes if wish.kind.motion == "agent"), None)
    others = [wish for wish in wishes if wish.kind.motion != "agent"]
    placed: list[tuple[Body, list[Hull]]] = []
    unplaced = []
    agent, yaw = _place_agent(own, placed, rng) if own is not None else (None, 0.0)
    if agent is not None:
        placed.append((agent, hulls(agent)))
    for identity, wish in enumerate(others):
        body, _ = _attempt(wish, identity, placed, TRIES, rng)
        if body is None:
            unplaced.append((wish.item, wish.instance))
        else:
            placed.append((body, hulls(body)))
    if agent is None:
        wish = Wish(KINDS["Agent"], len(spec.items), 0, RANDOM, -1.0, RANDOM, RANDOM)
        agent, yaw = _place_agent(wish, placed, rng)
    bodies = tuple(body for body, _ in placed if body.kind.motion != "agent")
    return Layout(agent, yaw, bodies, tuple(unplaced))


def _wishes(spec: ArenaSpec) -> Iterator[Wish]:
    for number, item in enumerate(spec.items):
        kind = KINDS.get(item.kind)
        if kind is None:
            raise UsageError(f"arena item {number}: unknown object kind '{item.kind}'; known: {', '.join(KINDS)}")
        for instance in range(instances(item)):
            yield Wish(
                kind,
                number,
                instance,
                item.positions[instance] if instance < len(item.positions) else RANDOM,
                item.rotations[instance] if instance < len(item.rotations) else -1.0,
                item.sizes[instance] if instance < len(item.sizes) else RANDOM,
                item.colors[instance] if instance < len(item.colors) else RANDOM,
            )


def instances(item: ItemSpec) -> int:
    """How many objects an item stands for: the length of its longest list, at least 1."""
    return max(len(item.positions), len(item.rotations), len(item.sizes), len(item.colors), 1)


def _place_agent(wish: Wish, placed: list[tuple[Body, list[Hull]]], rng: np.random.Generator) -> tuple[Body, float]:
    body, yaw = _attempt(wish, -1, placed, AGENT_TRIES, rng)
    if body is None:
        raise UsageError(f"the agent found no free place in {AGENT_TRIES} tries: the arena is too full")
    return body, yaw


def _attempt(
    wish: Wish, identity: int, placed: list[tuple[Body, list[Hull]]], tries: int, rng: np.random.Generator
) -> tuple[Body | None, float]:
    kind = wish.kind
    for _ in range(tries):
        size = _size(kind, wish.size, rng)
        yaw = wish.rotation if wish.rotation >= 0 else rng.uniform(0.0, kind.yaw_range)
        half = kind.bounds(size)
        centre = (
            _coordinate(wish.position[0], half[0], rng),
            kind.centre_height(wish.position[1], size),
            _coordinate(wish.position[2], half[2], rng),
        )
        axes = yaw_axes(yaw)
        if _free(kind, oriented_box(centre, half, axes), placed):
            turned = UPRIGHT if kind.ball else yaw_axes(yaw + kind.built_in_yaw)
            heading = (axes[2][2], axes[2][0])
            return Body(identity, kind, size, centre, turned, _colour(wish.colour, rng), heading), yaw
    return None, 0.0


def _size(kind: Kind, asked: Vector, rng: np.random.Generator) -> Triple:
    if kind.motion == "agent":
        return kind.smallest
    if kind.ball:
        if min(asked) < 0:
            diameter = rng.uniform(kind.smallest[0], kind.largest[0])
        else:
            diameter = min(max(asked[0], kind.smallest[0]), kind.largest[0]) * SHRINK
        return diameter, diameter, diameter
    size = []
    for value, low, high in zip(asked, kind.smallest, kind.largest, strict=True):
        size.append(rng.uniform(low, high) if value < 0 else min(max(value, low), high) * SHRINK)
    return size[0], size[1], size[2]


def _coordinate(asked: float, half: float, rng: np.random.Generator) -> float:
    if asked < 0:
        # A thing wider than the arena leaves no interval: it is tried in the middle, where it fails like in Unity.
        return rng.uniform(half, SIDE - half) if 2 * half < SIDE else SIDE / 2
    return min(asked, SIDE)


def _colour(asked: Vector, rng: np.random.Generator) -> Triple:
    red, green, blue = (rng.uniform(0.0, 255.0) if value < 0 else min(value, 255.0) for value in asked)
    return red, green, blue


def _free(kind: Kind, box: Hull, placed: list[tuple[Body, list[Hull]]]) -> bool:
    inside = box.low[0] >= -1e-6 and box.low[2] >= -1e-6 and box.high[0] <= SIDE + 1e-6 and box.high[2] <= SIDE + 1e-6
    if not inside or kind.motion == "zone":
        return bool(inside)
    # Zones are triggers: they keep the agent away when it is placed after them, and nothing else.
    return not any(
        overlap(box, piece)
        for other, pieces in placed
        if other.kind.motion != "zone" or kind.motion == "agent"
        for piece in pieces
    )
