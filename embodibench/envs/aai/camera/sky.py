"""The sky: a gradient over height and over the way from the sun, and the sun's disc; from recorded colours."""

from __future__ import annotations

import math

from embodibench.envs.aai.camera.compiling import inlined


@inlined
def sky_light(sky, dx, dy, dz, sun):
    """Linear red, green, blue along the direction (any length), and whether it is the sun's disc."""
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    height = dy / length
    toward = (dx * sun[0] + dy * sun[1] + dz * sun[2]) / length
    # rows of the table: sines of elevation from -1 to 1
    place = (height + 1.0) * 0.5 * (sky.shape[0] - 1)
    k = min(int(place), sky.shape[0] - 2)
    part = place - k
    glow = max(0.5 + 0.5 * toward, 0.0)
    glow = glow * glow * glow
    red = sky[k, 0] + part * (sky[k + 1, 0] - sky[k, 0]) + glow * (sky[k, 3] + part * (sky[k + 1, 3] - sky[k, 3]))
    green = sky[k, 1] + part * (sky[k + 1, 1] - sky[k, 1]) + glow * (sky[k, 4] + part * (sky[k + 1, 4] - sky[k, 4]))
    blue = sky[k, 2] + part * (sky[k + 1, 2] - sky[k, 2]) + glow * (sky[k, 5] + part * (sky[k + 1, 5] - sky[k, 5]))
    # the disc's edge lies between 12 and 10 degrees from the sun: cosines 0.97815 and 0.98481
    disc = min(max((toward - 0.97815) / (0.98481 - 0.97815), 0.0), 1.0)
    disc = disc * disc * (3.0 - 2.0 * disc)
    return red + disc * (1.0 - red), green + disc * (1.0 - green), blue + disc * (1.0 - blue), disc >= 0.5
