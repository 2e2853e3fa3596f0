"""The sky: light scattered by air, brighter to the horizon and towards and away from the sun, and the sun's disc."""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.compiling import Floats, inlined

# Linear light = amount (1 + cos(angle to the sun)^2) / (sine of elevation + depth): Rayleigh's law, fitted to the sky
# of the recorded pictures to 3 of 255 in red and green and 7 in blue.
AMOUNT = (0.0800, 0.1365, 0.3200)
DEPTH = (0.0289, 0.0808, 0.2418)
BELOW = (0.20, 0.19, 0.18)
"""Of the hemisphere below the horizon, which only shows where somebody stands above the fence."""
DISC_OUTSIDE = 0.9830
DISC_INSIDE = 0.9890
"""Cosines of the angles, 10.6 and 8.5 degrees, between which the sun's white disc fades."""


@inlined
def sky_light(dx: float, dy: float, dz: float, sun: Floats) -> tuple[float, float, float]:
    """Linear red, green, blue along the direction (of any length)."""
    scale = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
    height = dy * scale
    toward = (dx * sun[0] + dy * sun[1] + dz * sun[2]) * scale
    above = max(height, 0.0)
    phase = 1.0 + toward * toward
    red = min(AMOUNT[0] * phase / (above + DEPTH[0]), 1.0)
    green = min(AMOUNT[1] * phase / (above + DEPTH[1]), 1.0)
    blue = min(AMOUNT[2] * phase / (above + DEPTH[2]), 1.0)
    if height < 0.0:
        part = min(-25.0 * height, 1.0)
        red, green, blue = (
            red + part * (BELOW[0] - red),
            green + part * (BELOW[1] - green),
            blue + part * (BELOW[2] - blue),
        )
    disc = min(max((toward - DISC_OUTSIDE) / (DISC_INSIDE - DISC_OUTSIDE), 0.0), 1.0)
    disc = disc * disc * (3.0 - 2.0 * disc)
    return red + disc * (1.0 - red), green + disc * (1.0 - green), blue + disc * (1.0 - blue)
