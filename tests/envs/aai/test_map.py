"""The map: things are where they stand, and the agent points where it looks."""

from __future__ import annotations

import numpy as np
import pytest

from embodibench.envs.aai.map import MARGIN, SIDE, draw_map
from embodibench.envs.aai.scene import Scene, Solid

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _solid(kind: str, shape: str, x: float, z: float, size: tuple[float, float, float]) -> Solid:
    return Solid(0, kind, shape, (x, size[1] / 2, z), size, UPRIGHT, (0.0, 0.0, 255.0))  # type: ignore[arg-type]


def _pixel(picture: np.ndarray, x: float, z: float) -> tuple[int, ...]:
    side = picture.shape[0]
    scale = side / (SIDE + 2 * MARGIN)
    row, column = int((SIDE + MARGIN - z) * scale), int((x + MARGIN) * scale)
    return tuple(int(channel) for channel in picture[row, column])


def _scene(*solids: Solid, cos: float = 1.0, sin: float = 0.0) -> Scene:
    return Scene(solids, (20.0, 0.5, 20.0), cos, sin)


def test_things_are_drawn_where_they_stand() -> None:
    wall = _solid("Wall", "box", 10.0, 30.0, (4.0, 2.0, 4.0))
    ball = _solid("BadGoal", "sphere", 30.0, 10.0, (2.0, 2.0, 2.0))
    picture = draw_map(_scene(wall, ball), 256)
    assert picture.shape == (256, 256, 3)
    assert _pixel(picture, 10, 30) == (0, 0, 255)
    assert _pixel(picture, 30, 10) == (207, 89, 89)
    assert _pixel(picture, 30, 30) == _pixel(picture, 10, 10) != (0, 0, 255)


def test_a_reward_lies_over_what_it_stands_on() -> None:
    wall = _solid("Wall", "box", 10.0, 10.0, (6.0, 1.0, 6.0))
    ball = _solid("GoodGoal", "sphere", 10.0, 10.0, (2.0, 2.0, 2.0))
    assert _pixel(draw_map(_scene(ball, wall), 256), 10, 10) == (140, 200, 80)


@pytest.mark.parametrize(("cos", "sin", "ahead"), [(1.0, 0.0, (20.0, 21.0)), (0.0, 1.0, (21.0, 20.0))])
def test_the_agent_points_where_it_looks(cos: float, sin: float, ahead: tuple[float, float]) -> None:
    picture = draw_map(_scene(cos=cos, sin=sin), 512)
    behind = (40.0 - ahead[0], 40.0 - ahead[1])
    assert sum(_pixel(picture, *ahead)) < 150 < sum(_pixel(picture, *behind))


def test_a_map_has_some_size() -> None:
    with pytest.raises(ValueError, match="at least 16"):
        draw_map(_scene(), 8)
