"""A scene as the kernels' tables: its solids' rows, the faces turned to the eye, and what throws shadows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from embodibench.envs.aai.camera import assembly, casters, scenery
from embodibench.envs.aai.camera import surfaces as table
from embodibench.envs.aai.camera.compiling import Floats, Whole
from embodibench.envs.aai.camera.encoding import decoding_table
from embodibench.envs.aai.camera.picture import HALF_VIEW
from embodibench.envs.aai.scene import Scene, Triple

_WHITE: Final = (255.0, 255.0, 255.0)
_OWN_LIGHT: Final = (table.CARTON, table.FOG_RED, table.FOG_ORANGE)


@dataclass(frozen=True)
class Stage:
    """The tables of one scene seen at one size; faces ``opaque``..``total``-1 are translucent."""

    camera: Floats
    sun: Floats
    palette: Floats
    solids: Floats
    faces: Floats
    marks: Whole
    opaque: int
    total: int


def solid_rows(scene: Scene) -> Floats:
    """The scenery's rows and then the scene's solids', in the columns that ``surfaces`` names.

    Raises:
        ValueError: for an object kind that the camera does not know.
    """
    rows = []
    for solid in scene.solids:
        material = table.MATERIALS.get(solid.kind)
        if material is None:
            raise ValueError(f"object kind {solid.kind!r} has no look: one of {', '.join(table.MATERIALS)}")
        colour = _WHITE if material in _OWN_LIGHT else table.OWN_COLOURS.get(solid.kind, solid.colour)
        x, y, z = solid.axes
        rows.append(
            (table.SHAPES[solid.shape], material, solid.identity, *solid.centre, *solid.size, *x, *y, *z, *colour)
        )
    fixed = scenery.scenery()
    solids = np.empty((len(fixed) + len(rows), table.SOLID_COLUMNS))
    solids[: len(fixed)] = fixed
    if rows:
        own = solids[len(fixed) :]
        own[:] = rows
        own[:, table.S_HALF : table.S_HALF + 3] *= 0.5
        gamma = np.clip(own[:, table.S_COLOUR :], 0.0, 255.0)
        code = gamma.astype(np.int64)
        curve = decoding_table()
        own[:, table.S_COLOUR :] = curve[code] + (gamma - code) * (curve[code + 1] - curve[code])
    return solids


def set_up(scene: Scene, height: int, width: int) -> Stage:
    """The tables of a scene for a picture of this size."""
    solids = solid_rows(scene)
    scale = 2.0 * HALF_VIEW / height
    camera = np.array(
        [*scene.eye, scene.yaw_sin, scene.yaw_cos, scale, 0.5 * (width - 1), 0.5 * (height - 1)], dtype=np.float64
    )
    sun = np.array(scenery.SUN, dtype=np.float64)
    room = 3 * len(solids)
    faces, marks = np.empty((room, table.FACE_COLUMNS)), np.empty((room, table.INTEGER_COLUMNS), np.int32)
    opaque, total = assembly.assemble(camera, height, sun, scenery.palette(), solids, faces, marks)
    return Stage(camera, sun, scenery.palette(), solids, faces, marks, opaque, total)


def light_up(stage: Stage, agent: Triple, radius: float) -> tuple[Floats, Floats, Whole, Whole]:
    """Casters, and the grid over them: heights' bounds, cells, links. The agent throws a ball's shadow."""
    ball = np.zeros((1, table.SOLID_COLUMNS))
    ball[0, table.S_SHAPE] = table.SPHERE
    ball[0, table.S_CENTRE : table.S_CENTRE + 3] = agent
    ball[0, table.S_HALF : table.S_HALF + 3] = radius
    throwing = np.empty((len(stage.solids) + 1, casters.CASTER_COLUMNS))
    count = casters.gather_casters(stage.sun, stage.solids, scenery.BARE, ball, throwing)
    throwing = throwing[:count]
    bounds, cells = np.empty((casters.CELLS**2, 2)), np.empty(casters.CELLS**2, np.int32)
    links = np.empty((casters.count_links(throwing), 2), np.int32)
    casters.list_casters(throwing, bounds, cells, links)
    return throwing, bounds, cells, links
