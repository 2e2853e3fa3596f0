"""Heights of an arena on a grid and shortest ways over them, for ``aai_walkthrough_search.py``."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from embodibench.envs.aai.episode import Episode
from embodibench.envs.aai.objects import Zone

CELL = 0.5
SIDE = 80


class Field:
    """Heights of an arena on a grid, and shortest ways on them. Two layers: the floor, and the highest top."""

    def __init__(self, episode: Episode, avoid: list[tuple[float, float, float]]) -> None:
        import mujoco

        model, data = episode.built.model, episode._data
        data.qpos[:3] = (-5.0, -5.0, 50.0)
        mujoco.mj_forward(model, data)
        still = episode.built.owners < 0
        group = np.zeros(1, dtype=np.int32)
        points = (np.arange(SIDE) + 0.5) * CELL
        self.heights = np.full((2, SIDE, SIDE), -0.01)
        slope = np.zeros((SIDE, SIDE), dtype=bool)
        floor = np.ones((SIDE, SIDE), dtype=bool)
        for i, x in enumerate(points):
            for j, y in enumerate(points):
                top = _hit(mujoco, model, data, still, x, y, 30.0, -1.0, group)
                if top is not None and top[0] > 0.02:
                    self.heights[1, i, j] = top[0]
                    slope[i, j] = top[1]
                    under = _hit(mujoco, model, data, still, x, y, 0.02, 1.0, group)
                    floor[i, j] = under is not None and 1.1 < under[0] < top[0] - 0.05
        self.exists = np.stack([floor, self.heights[1] > 0.0])
        cost = np.ones((2, SIDE, SIDE))
        blocked = ~self.exists
        walls = np.where(floor, -0.01, self.heights[1])
        for di in range(-2, 3):
            for dj in range(-2, 3):
                reach = CELL * float(np.hypot(di, dj))
                if reach == 0 or reach > 1.2:
                    continue
                near = np.full((SIDE, SIDE), 99.0)
                near_slope = np.zeros((SIDE, SIDE), dtype=bool)
                a, b = slice(max(di, 0), SIDE + min(di, 0)), slice(max(-di, 0), SIDE + min(-di, 0))
                c, d = slice(max(dj, 0), SIDE + min(dj, 0)), slice(max(-dj, 0), SIDE + min(-dj, 0))
                near[b, d] = walls[a, c]
                near_slope[b, d] = slope[a, c]
                for layer in range(2):
                    tall = (near > self.heights[layer] + 0.25 + reach * near_slope) & ~(near_slope | slope)
                    cost[layer] += 9.0 * (tall & (reach < 0.6)) + 3.0 * (tall & (reach < 0.8)) + 0.6 * tall
                    drop = (near < self.heights[layer] - 0.3) & ~slope & ~near_slope
                    cost[layer] += 0.3 * drop
        for body in episode.bodies:
            if isinstance(body.kind, Zone):
                inside = _inside(body, points, 0.55)
                low = self.heights < body.centre[1] + body.size[1] / 2
                blocked |= inside & low & body.kind.deadly
                cost += 6.0 * (inside & low & (not body.kind.deadly))
        for x, z, radius in avoid:
            near = np.hypot(points[:, None] - x, points[None, :] - z) < radius + 0.6
            cost += 12.0 * near
        self._graph = self._edges(blocked, cost, slope)
        self._fields: dict[tuple[int, int], np.ndarray] = {}

    def _edges(self, blocked: np.ndarray, cost: np.ndarray, slope: np.ndarray) -> csr_matrix:
        rows, columns, weights = [], [], []
        index = np.arange(2 * SIDE * SIDE).reshape(2, SIDE, SIDE)
        for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
            length = CELL * float(np.hypot(di, dj))
            a = slice(max(-di, 0), SIDE + min(-di, 0))
            b = slice(max(di, 0), SIDE + min(di, 0))
            c = slice(max(-dj, 0), SIDE + min(-dj, 0))
            d = slice(max(dj, 0), SIDE + min(dj, 0))
            for one in range(2):
                for two in range(2):
                    rise = self.heights[two, b, d] - self.heights[one, a, c]
                    gentle = (rise < 0.1) | ((slope[a, c] | slope[b, d]) & (rise < 1.1 * length))
                    free = gentle & ~blocked[one, a, c] & ~blocked[two, b, d]
                    if di and dj and one == two == 0:
                        # No slipping through a wall that is a diagonal row of cells.
                        free &= self.exists[0, b, c] & self.exists[0, a, d]
                    weight = length * 0.5 * (cost[one, a, c] + cost[two, b, d]) + 0.2 * np.maximum(-rise, 0)
                    rows.append(index[one, a, c][free])
                    columns.append(index[two, b, d][free])
                    weights.append(weight[free])
        size = 2 * SIDE * SIDE
        # Reversed: distances are wanted towards the goal.
        return csr_matrix((np.concatenate(weights), (np.concatenate(columns), np.concatenate(rows))), (size, size))

    def node(self, x: float, y: float, z: float) -> int:
        """The node nearest to a place; ``y`` is the height of what stands there."""
        i, j = (int(min(max(value / CELL, 0), SIDE - 1)) for value in (x, z))
        layer = 1 if self.exists[1, i, j] and (not self.exists[0, i, j] or y > self.heights[1, i, j] - 0.3) else 0
        return int(layer * SIDE * SIDE + i * SIDE + j)

    def perched(self, x: float, y: float, z: float) -> bool:
        """Whether a goal whose bottom is at ``y`` stands on something too thin to be driven onto."""
        i, j = (int(min(max(value / CELL, 2), SIDE - 3)) for value in (x, z))
        around = [(i + di, j + dj) for di in (-2, 0, 2) for dj in (-2, 0, 2) if di or dj]
        return not any(
            self.exists[layer, a, b] and self.heights[layer, a, b] > y - 0.4 for layer in range(2) for a, b in around
        )

    def towards(self, x: float, y: float, z: float) -> np.ndarray:
        """Distance of every node to a goal."""
        key = (self.node(x, y, z), 0)
        if key not in self._fields:
            if len(self._fields) > 400:
                self._fields.clear()
            i, j = (int(min(max(value / CELL, 0), SIDE - 1)) for value in (x, z))
            starts = [
                layer * SIDE * SIDE + a * SIDE + b
                for layer in range(2)
                for a in range(max(i - 1, 0), min(i + 2, SIDE))
                for b in range(max(j - 1, 0), min(j + 2, SIDE))
            ]
            self._fields[key] = dijkstra(self._graph, indices=[*starts, key[0]], min_only=True)
        return self._fields[key]


def _hit(mujoco, model, data, still, x, y, z, direction, group):  # type: ignore[no-untyped-def]
    """Height and slope of the first still surface above or below a point."""
    start = np.array([x, y, z])
    geom = np.zeros(1, dtype=np.int32)
    travelled = 0.0
    for _ in range(12):
        distance = mujoco.mj_ray(model, data, start, np.array([0, 0, direction]), None, 1, -1, geom)
        if distance < 0:
            return None
        travelled += distance
        if still[geom[0]] and geom[0] >= 5:
            kind = model.geom_type[geom[0]]
            tilted = kind == mujoco.mjtGeom.mjGEOM_MESH or abs(data.geom_xmat[geom[0]][8]) < 0.999
            return z + direction * travelled, bool(tilted)
        if geom[0] == 0 and direction < 0:
            return None
        start = start + np.array([0, 0, direction * (distance + 1e-3)])
        travelled += 1e-3
    return None


def _inside(body, points: np.ndarray, margin: float) -> np.ndarray:  # type: ignore[no-untyped-def]
    dx, dz = points[:, None] - body.centre[0], points[None, :] - body.centre[2]
    cos, sin = body.axes[0][0], -body.axes[0][2]
    along, across = cos * dx - sin * dz, sin * dx + cos * dz
    return (abs(along) < body.size[0] / 2 + margin) & (abs(across) < body.size[2] / 2 + margin)
