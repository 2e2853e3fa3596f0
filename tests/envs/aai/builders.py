"""Small arenas for tests."""

from __future__ import annotations

from typing import Any

from embodibench.envs.aai.world import ArenaWorld

NOTHING, RIGHT, LEFT, FORWARD, BACK = 0, 1, 2, 3, 6


def item(kind: str, *places: tuple[float, float, float], size: Any = None, yaw: float | None = 0.0, **more: Any) -> Any:
    """An arena item: one instance a place, all of one size and yaw."""
    count = max(len(places), 1)
    entry: dict[str, Any] = {"kind": kind, "positions": [list(place) for place in places]}
    if size is not None:
        entry["sizes"] = [list(size) if isinstance(size, tuple) else [size] * 3] * count
    if yaw is not None:
        entry["rotations"] = [yaw] * count
    return entry | more


def agent(x: float = 20.0, z: float = 5.0, y: float = 0.0, yaw: float = 0.0) -> Any:
    """The agent's item."""
    return item("Agent", (x, y, z), yaw=yaw)


def arena(*items: Any, t: int = 0, blackouts: Any = (), seed: int = 1, settle: int = 10) -> ArenaWorld:
    """A world after reset and some steps of doing nothing."""
    world = ArenaWorld(t, list(items), blackouts)
    world.reset(seed)
    act(world, NOTHING, settle)
    return world


def act(world: ArenaWorld, action: int, times: int = 1) -> bool:
    """Repeat an action; whether the episode has ended."""
    return any(world.step(action).over for _ in range(times) if not world.episode.end)


def go(world: ArenaWorld, steps: int) -> bool:
    """``Go(steps)``."""
    return act(world, FORWARD if steps > 0 else BACK, abs(steps))


def turn(world: ArenaWorld, degrees: int) -> bool:
    """``Turn(degrees)``."""
    return act(world, RIGHT if degrees > 0 else LEFT, abs(degrees) // 6)


def place_of(world: ArenaWorld, kind: str, number: int = 0) -> tuple[float, float, float]:
    """Centre of the n-th body of a kind that can move."""
    poses = world.episode.poses()
    bodies = [body for body in world.episode.built.free if body.kind.name == kind]
    return poses[bodies[number].identity][0]


def speed_of(world: ArenaWorld, kind: str, number: int = 0) -> tuple[float, float, float]:
    """Velocity (x, y, z) of the n-th body of a kind that can move."""
    indices = [k for k, body in enumerate(world.episode.built.free, start=1) if body.kind.name == kind]
    x, z, y = (float(value) for value in world.episode.speeds[indices[number], :3])
    return x, y, z
