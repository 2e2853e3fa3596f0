"""A scene's picture and its identity buffer."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from embodibench.envs.aai.camera import surfaces as table
from embodibench.envs.aai.scene import Scene, Solid

HALF_VIEW: Final = 1.19175359259421
"""Tangent of half the vertical field of view, 50 degrees."""
SMALLEST: Final = 4
LARGEST: Final = 512
AGENT_RADIUS: Final = 0.5


def draw(scene: Scene, height: int, width: int) -> npt.NDArray[np.uint8]:
    """The picture that the agent sees.

    Args:
        scene: what stands where; it is only read.
        height, width: of the picture in pixels, each in 4..512. The vertical field of view is 100 degrees.

    Returns:
        An array of height x width x 3 bytes (sRGB), row 0 on top. The same scene gives the same bytes in every process
        and on every processor. All 0 while the light is off.

    Raises:
        ValueError: for a size outside 4..512.
    """
    _check_size(height, width)
    picture = np.zeros((height, width, 3), np.uint8)
    if scene.dark:
        return picture
    from embodibench.envs.aai.camera import scenery, shading
    from embodibench.envs.aai.camera.encoding import encoding_table

    view = _View(scene, height, width)
    casters, count, grid = _casters(scene, view)
    shading.shade(
        view.camera, view.sun, view.palette, view.solids, view.faces, view.marks, view.opaque, view.total,
        casters, count, *grid, scenery.seam_table(), encoding_table(), width, 0, height, view.near, view.shown, picture,
    )  # fmt: skip
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
        ValueError: for a size outside 4..512.
    """
    _check_size(height, width)
    from embodibench.envs.aai.camera import naming

    view = _View(scene, height, width)
    buffer = np.empty((height, width), np.int32)
    total = view.opaque if through else view.total
    naming.name_pixels(
        view.camera, view.sun, view.faces, view.marks, view.opaque, total, width, height, view.near, view.shown, buffer
    )
    return buffer


def picture_digest(picture: npt.NDArray[np.uint8]) -> str:
    """SHA-256, in hex, of a picture's pixels (row by row, red, green, blue), with its height and width before them."""
    pixels = np.ascontiguousarray(picture, dtype=np.uint8)
    head = f"{pixels.shape[0]}x{pixels.shape[1]}\n".encode("ascii")
    return hashlib.sha256(head + pixels.tobytes()).hexdigest()


def _check_size(height: int, width: int) -> None:
    for name, value in (("height", height), ("width", width)):
        if not SMALLEST <= value <= LARGEST:
            raise ValueError(f"picture {name} {value}: give one in {SMALLEST}..{LARGEST}")


def _row(solid: Solid) -> list[float]:
    from embodibench.envs.aai.camera.encoding import linear

    material = table.MATERIALS[solid.kind]
    colour = table.OWN_COLOURS.get(solid.kind, solid.colour)
    red, green, blue = colour
    plain = material in (table.CARTON, table.FOG_RED, table.FOG_ORANGE)
    light = (1.0, 1.0, 1.0) if plain else (linear(red), linear(green), linear(blue))
    width, height, depth = solid.size
    x, y, z = solid.axes
    return [
        table.SHAPES[solid.shape], material, solid.identity, *solid.centre, 0.5 * width, 0.5 * height, 0.5 * depth,
        *x, *y, *z, *light,
    ]  # fmt: skip


class _View:
    """A scene's faces, filled: what stands in each pixel."""

    def __init__(self, scene: Scene, height: int, width: int) -> None:
        from embodibench.envs.aai.camera import assembly, filling, scenery

        fixed, bare = scenery.scenery()
        rows = [_row(solid) for solid in scene.solids]
        translucent = (table.FOG_RED, table.FOG_ORANGE, table.GLASS)
        solid_rows = [row for row in rows if row[table.S_MATERIAL] not in translucent]
        clear_rows = [row for row in rows if row[table.S_MATERIAL] in translucent]
        self.bare = bare
        moving = np.array(solid_rows + clear_rows, dtype=np.float64).reshape(-1, table.SOLID_COLUMNS)
        self.solids = np.concatenate([fixed, moving])
        self.first_clear = len(fixed) + len(solid_rows)
        scale = 2.0 * HALF_VIEW / height
        self.camera = np.array(
            [*scene.eye, scene.yaw_sin, scene.yaw_cos, scale, 0.5 * (width - 1), 0.5 * (height - 1)], dtype=np.float64
        )
        self.sun = np.array(scenery.SUN, dtype=np.float64)
        self.palette = scenery.palette()
        room = 3 * len(self.solids) + 8
        self.faces = np.zeros((room, table.FACE_COLUMNS))
        self.marks = np.zeros((room, table.INTEGER_COLUMNS), np.int32)
        common: tuple[Any, ...] = (self.camera, height, self.sun, self.palette, self.solids)
        self.opaque = assembly.assemble(*common, 0, self.first_clear, self.faces, self.marks, 0)
        self.total = assembly.assemble(*common, self.first_clear, len(self.solids), self.faces, self.marks, self.opaque)
        self.near = np.empty((height, width))
        self.shown = np.empty((height, width), np.int32)
        filling.fill(self.camera, self.faces, self.marks, self.opaque, width, 0, height, self.near, self.shown)


def _casters(scene: Scene, view: _View) -> tuple[npt.NDArray[np.float64], int, tuple[Any, ...]]:
    """What throws shadows, and the grid that finds it."""
    from embodibench.envs.aai.camera import shadows

    agent = np.zeros((1, table.SOLID_COLUMNS))
    agent[0, table.S_SHAPE] = table.SPHERE
    agent[0, table.S_CENTRE : table.S_CENTRE + 3] = scene.eye
    agent[0, table.S_HALF : table.S_HALF + 3] = AGENT_RADIUS
    solids = np.concatenate([view.solids[view.bare : view.first_clear], agent])
    casters = np.zeros((len(solids), shadows.CASTER_COLUMNS))
    for s in range(len(solids)):
        shadows.prepare_caster(view.sun, solids, s, casters, s)
    cells = shadows.CELLS * shadows.CELLS
    head = np.empty(cells, np.int32)
    low, high = np.empty(cells), np.empty(cells)
    links = np.empty((max(1, shadows.count_links(casters, len(casters))), 2), np.int32)
    shadows.list_casters(casters, len(casters), head, links, low, high)
    return casters, len(casters), (head, links, low, high)
