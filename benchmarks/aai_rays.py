"""The camera against MuJoCo's ray caster: the same scene as geoms, the same rays, the same objects hit.

python -m benchmarks.aai_rays [FOLDER OF ARENA FILES]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from benchmarks.aai_replay import scene_at, solids_of
from embodibench.envs.aai.camera import SKY, SUN, identities
from embodibench.envs.aai.camera import surfaces as table
from embodibench.envs.aai.camera.scenery import scenery
from embodibench.envs.aai.scene import Scene, Solid

TANGENT = 1.19175359259421
MISSES = -9


def _mirrored(point: Sequence[float]) -> str:
    """Unity's left-handed (x, y up, z) as MuJoCo's (x, z, y up)."""
    return f"{point[0]!r} {point[2]!r} {point[1]!r}"


def _geom(solid: Solid, name: str) -> tuple[str, str]:
    """Asset and geom of a solid: balls are spheres, everything else a box or the convex mesh of its corners."""
    half = tuple(0.5 * s for s in solid.size)
    if solid.shape == "sphere":
        return "", f'<geom name="{name}" type="sphere" size="{half[0]!r}" pos="{_mirrored(solid.centre)}"/>'
    x, y, z = solid.axes
    if solid.shape == "box":
        # swapping two coordinates of a proper frame's axes and its order keeps it proper
        frame = f'xyaxes="{_mirrored(x)} {_mirrored(z)}"'
        size = f"{half[0]!r} {half[2]!r} {half[1]!r}"
        return "", f'<geom name="{name}" type="box" size="{size}" pos="{_mirrored(solid.centre)}" {frame}/>'
    corners = [(a, -1, c) for a in (-1, 1) for c in (-1, 1)] + [(a, 1, -1) for a in (-1, 1)]
    points = []
    for a, b, c in corners:
        signs = (a * half[0], b * half[1], c * half[2])
        points.append(
            _mirrored(tuple(sum(s * axis[k] for s, axis in zip(signs, (x, y, z), strict=True)) for k in range(3)))
        )  # type: ignore[arg-type]
    asset = f'<mesh name="{name}" vertex="{" ".join(points)}" inertia="convex"/>'
    return asset, f'<geom name="{name}" type="mesh" mesh="{name}" pos="{_mirrored(solid.centre)}"/>'


@dataclass(frozen=True)
class Peer:
    """A scene as a MuJoCo model; ``identity`` by geom."""

    model: Any
    data: Any
    identity: npt.NDArray[np.int32]


def peer(scene: Scene, decorated: bool = True) -> Peer:
    """The scene's solids, the ground and the fence, with its posts and rails or (faster) only its four board walls."""
    assets, geoms, names = [], [], []
    for k, solid in enumerate(scene.solids):
        asset, geom = _geom(solid, f"s{k}")
        assets.append(asset)
        geoms.append(geom)
        names.append(solid.identity)
    for row in scenery().tolist():
        if not decorated and row[table.S_MATERIAL] in (table.POST, table.RAIL):
            continue
        half, centre = row[table.S_HALF : table.S_HALF + 3], row[table.S_CENTRE : table.S_CENTRE + 3]
        x, z = row[table.S_AXES : table.S_AXES + 3], row[table.S_AXES + 6 : table.S_AXES + 9]
        place = f'pos="{_mirrored(centre)}"'
        if row[table.S_SHAPE] == table.BOX:
            frame = f'xyaxes="{_mirrored(x)} {_mirrored(z)}"'
            geoms.append(f'<geom type="box" size="{half[0]!r} {half[2]!r} {half[1]!r}" {place} {frame}/>')
        else:
            geoms.append(f'<geom type="cylinder" size="{half[0]!r} {half[2]!r}" {place} zaxis="{_mirrored(z)}"/>')
        names.append(int(row[table.S_IDENTITY]))
    text = f"<mujoco><asset>{''.join(assets)}</asset><worldbody>{''.join(geoms)}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return Peer(model, data, np.array([*names, MISSES], np.int32))


def rays(scene: Scene, height: int, width: int) -> npt.NDArray[np.float64]:
    """Unit vectors through the pixels' middles, MuJoCo's axes, flat."""
    scale = 2 * TANGENT / height
    right, up = np.meshgrid(
        (np.arange(width) - 0.5 * (width - 1)) * scale, (0.5 * (height - 1) - np.arange(height)) * scale
    )
    x = scene.yaw_cos * right + scene.yaw_sin
    z = scene.yaw_cos - scene.yaw_sin * right
    vectors = np.stack([x, z, up], axis=-1).reshape(-1, 3)
    return np.asarray((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).ravel())


def hits(world: Peer, scene: Scene, vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """Identity of what each ray hits first, MISSES for nothing."""
    count = vectors.size // 3
    geom, distance = np.full(count, -1, np.int32), np.zeros(count)
    eye = np.array([scene.eye[0], scene.eye[2], scene.eye[1]])
    mujoco.mj_multiRay(world.model, world.data, eye, vectors, None, True, -1, geom, distance, None, count, 1e10)
    return world.identity[geom]


def disagreement(scene: Scene, size: int = 512) -> tuple[float, float]:
    """Share of rays whose objects differ, and of those where no pixel around shows the other's object."""
    drawn = identities(scene, size, size)
    cast = hits(peer(scene), scene, rays(scene, size, size)).reshape(size, size)
    sky = (drawn == SKY) | (drawn == SUN)
    drawn = np.where(sky, MISSES, drawn)
    differ = drawn != cast
    inside = 0
    for j, i in zip(*np.nonzero(differ), strict=True):
        around = drawn[max(j - 1, 0) : j + 2, max(i - 1, 0) : i + 2]
        inside += int(cast[j, i] not in around)
    return float(differ.mean()), inside / differ.size


def free_place(solids: list[Solid], generator: np.random.Generator) -> tuple[float, float]:
    """A random place for the eye, outside every solid's bounding circle's square."""
    for _ in range(1000):
        x, z = generator.uniform(1, 39, 2)
        if all(
            max(
                abs((x - s.centre[0]) * a[0] + (z - s.centre[2]) * a[2]) - 0.5 * w
                for a, w in ((s.axes[0], s.size[0]), (s.axes[2], s.size[2]))
            )
            > 0.5
            for s in solids
        ):
            return float(x), float(z)
    raise ValueError("the arena has no free place")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../../shared/data/aai/arenas40")
    generator = np.random.default_rng(1)
    total, apart, inside = 0, 0.0, 0.0
    for name in ("08-11-01", "08-30-01", "03-21-01", "10-22-03", "10-07-01"):
        solids = solids_of(folder / f"{name}.yaml")
        for _ in range(2):
            x, z = free_place(solids, generator)
            yaw = 2.0 * generator.integers(180)
            scene = scene_at(solids, float(x), float(z), float(yaw))
            differ, far = disagreement(scene)
            print(
                f"{name} at ({x:5.2f}, {z:5.2f}) yaw {yaw:5.1f}: {differ:.2e} of the rays differ, {far:.2e} off edges"
            )
            total, apart, inside = total + 512 * 512, apart + differ * 512 * 512, inside + far * 512 * 512
    print(f"{total} rays: {1 - apart / total:.6%} the same object; off edges {inside / total:.2e}")


if __name__ == "__main__":
    main()
