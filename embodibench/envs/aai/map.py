"""The arena seen from above: a map for people, drawn from a scene. No score and no agent depends on it.

North of the map is +z, its right is +x. Rewards are drawn over what they stand on, and the agent as a black arrow that
points where it looks.
"""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from embodibench.envs.aai.scene import Scene, Solid
from embodibench.envs.base import Picture

SIDE = 40.0
"""Arena units along a side."""
MARGIN = 1.0
OVERSAMPLE = 3

_GROUND = (222, 204, 160)
_FENCE = (164, 183, 198)
_OUTLINE = (60, 55, 45)
_FILL: dict[str, tuple[int, int, int, int]] = {
    "WallTransparent": (255, 255, 255, 120),
    "CylinderTunnelTransparent": (255, 255, 255, 120),
    "DeathZone": (190, 30, 30, 150),
    "HotZone": (240, 150, 50, 150),
    "Cardbox1": (171, 175, 176, 255),
    "Cardbox2": (171, 175, 176, 255),
    "LObject": (171, 175, 176, 255),
    "LObject2": (171, 175, 176, 255),
    "UObject": (171, 175, 176, 255),
}


def draw_map(scene: Scene, side: int = 512) -> Picture:
    """The map, side x side x 3, uint8. Raises ValueError for a side below 16 pixels."""
    if side < 16:
        raise ValueError("a map needs a side of at least 16 pixels")
    scale = side * OVERSAMPLE / (SIDE + 2 * MARGIN)
    image = Image.new("RGB", (side * OVERSAMPLE, side * OVERSAMPLE), _FENCE)
    pen = ImageDraw.Draw(image, "RGBA")
    corner, far = _at(0.0, SIDE, scale), _at(SIDE, 0.0, scale)
    pen.rectangle((*corner, *far), fill=_GROUND, outline=_OUTLINE, width=OVERSAMPLE)
    for solid in sorted(scene.solids, key=_layer):
        _draw_solid(pen, solid, scale)
    _draw_agent(pen, scene, scale)
    return np.asarray(image.resize((side, side), Image.Resampling.LANCZOS), dtype=np.uint8)


def _layer(solid: Solid) -> tuple[int, float, int]:
    """Zones lie lowest, rewards on top, the rest by the height of their top."""
    rank = 0 if solid.kind in ("DeathZone", "HotZone") else 2 if solid.shape == "sphere" else 1
    return rank, solid.centre[1] + solid.size[1] / 2, solid.identity


def _draw_solid(pen: ImageDraw.ImageDraw, solid: Solid, scale: float) -> None:
    line = max(1, OVERSAMPLE)
    if solid.shape == "sphere":
        colour = (207, 89, 89) if "Bad" in solid.kind else (247, 220, 103) if "Multi" in solid.kind else (140, 200, 80)
        x, y = _at(solid.centre[0], solid.centre[2], scale)
        radius = max(solid.size[0] / 2 * scale, 2.0 * OVERSAMPLE)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour, outline=_OUTLINE, width=line)
        return
    red, green, blue = (min(255, max(0, round(channel))) for channel in solid.colour)
    fill = _FILL.get(solid.kind, (red, green, blue, 255))
    corners = [_corner(solid, sx, sz, scale) for sx, sz in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    pen.polygon(corners, fill=fill, outline=_OUTLINE)
    if solid.shape == "wedge":
        # Lines across the slope, closer together towards its high side at local -z.
        for share in (0.62, 0.3, 0.05, -0.15, -0.35, -0.5, -0.65, -0.78, -0.9):
            pen.line(
                [_corner(solid, -1, share, scale), _corner(solid, 1, share, scale)], fill=(*_OUTLINE, 150), width=line
            )
    if solid.shape == "tube":
        for share in (-0.786, 0.786):  # the inner faces: the wall is 10.7 percent of the diameter
            pen.line([_corner(solid, share, -1, scale), _corner(solid, share, 1, scale)], fill=_OUTLINE, width=line)


def _draw_agent(pen: ImageDraw.ImageDraw, scene: Scene, scale: float) -> None:
    x, _, z = scene.eye
    ahead = (scene.yaw_sin, scene.yaw_cos)
    right = (scene.yaw_cos, -scene.yaw_sin)
    tip, back, half = 1.3, -0.7, 0.75
    points = [(tip, 0.0), (back, half), (back / 3, 0.0), (back, -half)]
    shape = [_at(x + a * ahead[0] + r * right[0], z + a * ahead[1] + r * right[1], scale) for a, r in points]
    pen.polygon(shape, fill=(20, 20, 20), outline=(255, 255, 255))


def _corner(solid: Solid, along_x: float, along_z: float, scale: float) -> tuple[float, float]:
    (xx, _, xz), _, (zx, _, zz) = solid.axes
    half_x, half_z = along_x * solid.size[0] / 2, along_z * solid.size[2] / 2
    return _at(solid.centre[0] + half_x * xx + half_z * zx, solid.centre[2] + half_x * xz + half_z * zz, scale)


def _at(x: float, z: float, scale: float) -> tuple[float, float]:
    """Pixels of a place on the ground; z grows upwards on the map."""
    if not (math.isfinite(x) and math.isfinite(z)):
        raise ValueError("a place on the map must be finite")
    return (x + MARGIN) * scale, (SIDE + MARGIN - z) * scale
