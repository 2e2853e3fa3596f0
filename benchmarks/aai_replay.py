"""The recorded run's arena, by hand: scenes at the fitted poses of its pictures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import yaml

from embodibench.envs.aai.scene import Scene, Solid

POSES = {
    0: (2.02, 2.02, 0), 1: (2.01, 2.73, 0), 2: (2.01, 2.92, 0), 3: (2.00, 2.73, 30), 4: (2.01, 2.72, 0),
    5: (1.98, 7.71, 0), 6: (1.99, 9.42, 90), 7: (6.97, 9.42, 90), 8: (8.70, 9.41, 180), 9: (8.71, 3.46, 180),
    10: (8.62, 1.60, 90), 11: (13.71, 1.61, 90), 12: (15.42, 1.58, 0), 13: (15.44, 6.59, 0), 14: (15.48, 8.30, 90),
    15: (18.62, 8.32, 90), 16: (20.07, 8.32, 180), 17: (20.04, 8.30, 210), 18: (19.19, 6.78, 210),
    19: (18.65, 5.88, 120), 20: (22.53, 3.55, 120), 21: (22.49, 3.54, 162),
}  # fmt: skip
"""x, z, yaw in degrees, fitted to the recorded picture of each turn."""


def _construct(loader: Any, _suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


class _Loader(yaml.SafeLoader):
    """Reads Animal-AI's tagged YAML as plain data."""


_Loader.add_multi_constructor("!", _construct)


def turned(yaw: float) -> tuple[tuple[float, float, float], ...]:
    """The axes of a solid turned clockwise by yaw degrees."""
    sine, cosine = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    return (cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)


SHAPES = {"Ramp": "wedge", "CylinderTunnel": "tube", "CylinderTunnelTransparent": "tube"}


def solids_of(path: Path) -> list[Solid]:
    """Solids of an arena file with fixed positions, settled on the ground: bars of L and U shapes are left out."""
    arena = yaml.load(path.read_text(), Loader=_Loader)["arenas"][0]
    solids: list[Solid] = []
    for item in arena["items"]:
        kind = item["name"]
        if kind == "Agent":
            continue
        positions = item.get("positions") or [{"x": 20.0, "y": 0.0, "z": 20.0}]
        for k, place in enumerate(positions):
            sizes, colours, rotations = item.get("sizes") or [], item.get("colors") or [], item.get("rotations") or []
            size = sizes[k] if k < len(sizes) else {"x": 1, "y": 1, "z": 1}
            colour = colours[k] if k < len(colours) else {"r": 128, "g": 128, "b": 128}
            yaw = max(rotations[k], 0) if k < len(rotations) else 0
            width, height, depth = (0.999 * max(size[a], 0.1) for a in "xyz")
            base = max(place["y"], 0.0)
            if "Goal" in kind:
                height = depth = width
            if "Zone" in kind:
                height = 0.999 * max(size["y"], 0.5)
            if "Zone" in kind:
                centre = -0.15
            elif "Tunnel" in kind:
                centre = 0.0
            elif base > 0.5:
                centre = base + 0.5 * height - 0.1
            else:
                centre = base - 0.01 + 0.5 * height
            shape: Any = SHAPES.get(kind, "sphere" if "Goal" in kind else "box")
            axes: Any = turned(float(yaw))
            solids.append(
                Solid(
                    len(solids), kind, shape, (float(place["x"]), centre, float(place["z"])), (width, height, depth),
                    axes, (float(colour["r"]), float(colour["g"]), float(colour["b"])),
                )
            )  # fmt: skip
    return solids


def scene_at(solids: list[Solid], x: float, z: float, yaw: float, height: float = 0.49) -> Scene:
    """The scene that the agent sees from a place, yaw in degrees."""
    radians = math.radians(yaw)
    return Scene(tuple(solids), (x, height, z), math.cos(radians), math.sin(radians))


def replay_scene(folder: Path, turn: int) -> Scene:
    """The scene of a turn's picture: the first yellow ball is gone from turn 18 on, the second from turn 20."""
    solids = solids_of(folder / "arena.yaml")
    yellow = [solid.identity for solid in solids if solid.kind == "GoodGoalMulti"]
    gone = {yellow[0]} if turn >= 18 else set()
    if turn >= 20:
        gone.add(yellow[1])
    x, z, yaw = POSES[turn]
    return scene_at([solid for solid in solids if solid.identity not in gone], x, z, yaw)


SCRIPT = (
    ("go", 3), ("go", -3), ("turn", 30), ("turn", -30), ("go", 9), ("turn", 90), ("go", 9), ("turn", 90), ("go", 10),
    ("turn", -90), ("go", 9), ("turn", -90), ("go", 9), ("turn", 90), ("go", 7), ("turn", 90), ("turn", 30), ("go", 5),
    ("turn", -90), ("go", 9), ("turn", 45),
)  # fmt: skip
"""What the recorded run did in turns 1, 2, ...: steps forward (or backward), degrees to the right (or left)."""


def played_scenes(folder: Path) -> dict[int, Scene]:
    """The scene of each turn's picture when the arena itself plays the recorded run."""
    from embodibench.envs.aai.importer import read_arena
    from embodibench.envs.aai.world import ArenaWorld

    spec = read_arena(folder / "arena.yaml").spec
    world = ArenaWorld(spec.time_limit, [item.model_dump() for item in spec.items])
    world.reset(0)
    for _ in range(33):
        world.step(0)
    scenes = {0: world.scene()}
    for _ in range(16):
        world.step(0)
    for turn, (command, amount) in enumerate(SCRIPT, start=1):
        steps, action = (abs(amount), 3) if command == "go" else (abs(amount) // 6, 1)
        for _ in range(steps):
            world.step(action if amount > 0 else 2 * action)
        scenes[turn] = world.scene()
    return scenes


def recorded_pictures(folder: Path) -> dict[int, Path]:
    """The recorded picture of each turn (of turn 0 the last of its three)."""
    found: dict[int, Path] = {}
    for path in sorted(folder.glob("obs-*.jpg")):
        turn = int(path.stem[4:].split(".")[0])
        found[turn] = path
    return dict(sorted(found.items()))
