"""A scene's picture and its identity buffer."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
import numpy.typing as npt

from embodibench.envs.aai.scene import Scene

HALF_VIEW: Final = 1.19175359259421
"""Tangent of half the vertical field of view, 50 degrees."""
SMALLEST: Final = 4
LARGEST: Final = 2048
BAND: Final = 64
"""Rows that are drawn together: few enough for their buffers to stay in the processor's cache."""
AGENT_SHADOW_RADIUS: Final = 0.42
AGENT_SHADOW_LIFT: Final = 0.04
"""The agent throws the shadow of a ball, which is nearest to the recorded outlines of its furred body."""


def draw(scene: Scene, height: int, width: int, *, threads: int = 1) -> npt.NDArray[np.uint8]:
    """The picture that the agent sees.

    Args:
        scene: what stands where; it is only read.
        height, width: of the picture in pixels, each in 4..2048. The vertical field of view is 100 degrees.
        threads: how many bands of rows are drawn at once; the picture does not depend on it.

    Returns:
        An array of height x width x 3 bytes (sRGB), row 0 on top. The same scene gives the same bytes in every process
        and on every processor. All 0 while the light is off.

    Raises:
        ValueError: for a size outside 4..2048 or an object kind that the camera does not know.
    """
    _check_size(height, width)
    picture = np.zeros((height, width, 3), np.uint8)
    if scene.dark:
        return picture
    from embodibench.envs.aai.camera import filling, scenery, shading, staging
    from embodibench.envs.aai.camera.encoding import encoding_table

    stage = staging.set_up(scene, height, width)
    casters, bounds, cells, links = staging.light_up(
        stage, (scene.eye[0], scene.eye[1] + AGENT_SHADOW_LIFT, scene.eye[2]), AGENT_SHADOW_RADIUS
    )
    fixed = (casters, bounds, cells, links, scenery.seam_table(), encoding_table())

    def band(top: int) -> None:
        rows = min(BAND, height - top)
        near, shown = np.empty((rows, width)), np.empty((rows, width), np.int32)
        filling.fill(stage.camera, stage.faces, stage.marks, stage.opaque, top, near, shown)
        shading.shade(
            stage.camera, stage.sun, stage.palette, stage.solids, stage.faces, stage.marks, stage.opaque, stage.total,
            *fixed, top, near, shown, picture,
        )  # fmt: skip

    tops = range(0, height, BAND)
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(band, tops))
    else:
        for top in tops:
            band(top)
    return picture


def identities(scene: Scene, height: int, width: int, *, through: bool = False) -> npt.NDArray[np.int32]:
    """Which object each pixel of the picture shows.

    Args:
        scene, height, width: as of ``draw``.
        through: look through what is translucent (zones, transparent walls and tunnels) at what stands behind.

    Returns:
        An array of height x width: the identity of the nearest solid, or ``GROUND`` (-3), ``FENCE`` (-4), ``SKY`` (-1),
        ``SUN`` (-2). It does not depend on the light: a dark scene has the same one.

    Raises:
        ValueError: for a size outside 4..2048 or an object kind that the camera does not know.
    """
    return seen(scene, height, width, through=through)[0]


def seen(
    scene: Scene, height: int, width: int, *, through: bool = False
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The identity buffer of ``identities``, and the distance from the eye of what each pixel shows (0: sky)."""
    _check_size(height, width)
    from embodibench.envs.aai.camera import filling, naming, staging

    stage = staging.set_up(scene, height, width)
    buffer, depths = np.empty((height, width), np.int32), np.empty((height, width))
    near, shown = np.empty((height, width)), np.empty((height, width), np.int32)
    filling.fill(stage.camera, stage.faces, stage.marks, stage.opaque, 0, near, shown)
    total = stage.opaque if through else stage.total
    naming.name_pixels(
        stage.camera, stage.sun, stage.faces, stage.marks, stage.opaque, total, 0, near, shown, buffer, depths
    )
    return buffer, depths


def picture_digest(picture: npt.NDArray[np.uint8]) -> str:
    """SHA-256, in hex, of a picture: "HEIGHTxWIDTH" and a line feed, then its bytes row by row, red, green, blue.

    Raises:
        ValueError: for what is no height x width x 3 array of bytes.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(f"a picture is height x width x 3 bytes, not {picture.dtype} of shape {picture.shape}")
    head = f"{picture.shape[0]}x{picture.shape[1]}\n".encode("ascii")
    return hashlib.sha256(head + picture.tobytes()).hexdigest()


def _check_size(height: int, width: int) -> None:
    for name, value in (("height", height), ("width", width)):
        if not SMALLEST <= value <= LARGEST:
            raise ValueError(f"picture {name} {value}: give one in {SMALLEST}..{LARGEST}")
