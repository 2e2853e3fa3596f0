"""Sine and cosine without libm."""

from __future__ import annotations

import numpy as np

from embodibench.envs.aai.exact import circle, direction


def test_it_is_as_good_as_libm() -> None:
    degrees = np.linspace(-1000.0, 1000.0, 20001)
    cos, sin = circle(degrees)
    turned = np.radians(np.mod(degrees, 360.0))
    assert np.abs(cos - np.cos(turned)).max() < 1e-15
    assert np.abs(sin - np.sin(turned)).max() < 1e-15


def test_right_angles_are_exact() -> None:
    assert direction(0) == (1.0, 0.0)
    assert direction(90) == (0.0, 1.0)
    assert direction(180) == (-1.0, 0.0)
    assert direction(270) == (0.0, -1.0)
    assert direction(360) == (1.0, 0.0)
