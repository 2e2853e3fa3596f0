"""The camera's identities against MuJoCo's ray caster on random scenes."""

from __future__ import annotations

import numpy as np

from benchmarks.aai_rays import disagreement
from tests.envs.aai.test_camera import solid, view


def test_rays_hit_what_mujocos_rays_hit() -> None:
    generator = np.random.default_rng(5)
    solids = []
    for k in range(40):
        x, z = generator.uniform(4, 36, 2).tolist()
        yaw = float(generator.uniform(0, 360))
        kind, shape = (("Wall", "box"), ("Ramp", "wedge"), ("GoodGoal", "sphere"))[k % 3]
        width, height, depth = generator.uniform(0.3, 3.0, 3).tolist()
        size = (width, width, width) if shape == "sphere" else (width, height, depth)
        if abs(x - 20) < 3 and abs(z - 3) < 3:
            continue
        solids.append(solid(k, kind, (x, 0.5 * size[1] - 0.01, z), size, shape=shape, yaw=yaw))
    for yaw in (0.0, 34.0, 318.0):
        differ, off_edges = disagreement(view(*solids, x=20.0, z=3.0, yaw=yaw), 256)
        assert differ <= 1e-4
        assert off_edges == 0.0
