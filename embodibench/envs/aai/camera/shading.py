"""From faces to colours: a row at a time, run by run of one face; then what is translucent, then the sRGB curve."""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.assembly import COLUMN, COSINE, ROW, SCALE, SINE
from embodibench.envs.aai.camera.compiling import Bytes, Floats, Whole, inlined, kernel
from embodibench.envs.aai.camera.encoding import LEVELS
from embodibench.envs.aai.camera.filling import tube_depth
from embodibench.envs.aai.camera.layers import LAYERS, gather_row
from embodibench.envs.aai.camera.scenery import SEAM_STEPS
from embodibench.envs.aai.camera.shadows import shadow_at
from embodibench.envs.aai.camera.sky import sky_light
from embodibench.envs.aai.camera.surfaces import (
    BOARD,
    BRICK,
    CARTON,
    F_DEPTH,
    F_FACING,
    F_LENGTHS,
    F_SHADE,
    F_SPARE,
    F_SUN,
    F_U,
    F_V,
    FLAT,
    FLAT_FACE,
    FOG_ORANGE,
    FOG_RED,
    I_MATERIAL,
    I_SHAPE,
    I_SOLID,
    PLASTER,
    RAIL,
    S_AXES,
    S_COLOUR,
    S_HALF,
    STONE,
)
from embodibench.envs.aai.camera.textures import bricks, cloud, fog, panels, paving, seams

GLASS_ALPHA = 0.416
"""Of transparent walls and tunnels (Animal-AI's material)."""


@inlined
def around(palette: Floats, material: int, c: int, up: float) -> float:
    """Light from everywhere but the sun on a face whose normal rises by ``up``, channel c."""
    side = palette[material, 0, c]
    if up > 0.0:
        return float(side + up * (palette[material, 1, c] - side))
    return float(side - up * (palette[material, 2, c] - side))


@kernel
def sky_run(camera: Floats, sun: Floats, py: float, first: int, last: int, light: Floats) -> None:
    """Colour columns first..last-1 of a row as sky."""
    for i in range(first, last):
        px = (i - camera[COLUMN]) * camera[SCALE]
        x, z = camera[COSINE] * px + camera[SINE], camera[COSINE] - camera[SINE] * px
        light[i, 0], light[i, 1], light[i, 2] = sky_light(x, py, z, sun)


@kernel
def plane_run(
    camera: Floats, sun: Floats, faces: Floats, marks: Whole, f: int, casters: Floats, bounds: Floats, cells: Whole,
    links: Whole, seam_table: Floats, py: float, first: int, last: int, near: Floats, light: Floats,
) -> None:  # fmt: skip
    """Colour columns first..last-1 of a row, which all show the flat face f."""
    scale, middle, sine, cosine = camera[SCALE], camera[COLUMN], camera[SINE], camera[COSINE]
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    eye_y = camera[1]
    eye_x, eye_z = camera[0] - eye_y * kx, camera[2] - eye_y * kz
    shade0, shade1, shade2 = faces[f, F_SHADE], faces[f, F_SHADE + 1], faces[f, F_SHADE + 2]
    gain0, gain1, gain2 = faces[f, F_SUN], faces[f, F_SUN + 1], faces[f, F_SUN + 2]
    u0, u1, u2 = faces[f, F_U], faces[f, F_U + 1], faces[f, F_U + 2] * py + faces[f, F_U + 3]
    v0, v1, v2 = faces[f, F_V], faces[f, F_V + 1], faces[f, F_V + 2] * py + faces[f, F_V + 3]
    u_up, v_up = faces[f, F_U + 2], faces[f, F_V + 2]
    tilt_x, tilt_y = faces[f, F_DEPTH], faces[f, F_DEPTH + 1]
    width, height = faces[f, F_LENGTHS], faces[f, F_LENGTHS + 1]
    sunny = faces[f, F_FACING] > 0.0
    material = marks[f, I_MATERIAL]
    for i in range(first, last):
        px = (i - middle) * scale
        depth = 1.0 / near[i]
        du, dv = u1 * px + u2, v1 * px + v2
        u, v = u0 + depth * du, v0 + depth * dv
        step = scale * depth
        # how far the texture moves from this pixel to the next, across and down, together: the footprint's sides
        slope_x, slope_y = tilt_x * depth, tilt_y * depth
        across = step * (abs(u1 - slope_x * du) + abs(u_up - slope_y * du))
        along = step * (abs(v1 - slope_x * dv) + abs(v_up - slope_y * dv))
        red, green, blue = shade0, shade1, shade2
        if sunny:
            x = eye_x + depth * (cosine * px + sine - py * kx)
            z = eye_z + depth * (cosine - sine * px - py * kz)
            lit = 1.0 - shadow_at(casters, bounds, cells, links, sun, x, z, eye_y + depth * py)
            red, green, blue = red + lit * gain0, green + lit * gain1, blue + lit * gain2
        if material == STONE:
            slab, grain, joint = paving(u - 1.0, v - 1.0, across, along)
            solid = (1.0 - joint) * grain
            red *= (0.89 + 0.32 * slab) * solid + 0.52 * joint
            green *= (0.88 + 0.38 * slab) * solid + 0.40 * joint
            blue *= (0.80 + 0.58 * slab) * solid + 0.22 * joint
        else:
            tone = 1.0
            if material == BRICK:
                tone = 1.0 - 0.96 * bricks(u, v, across, along)
            elif material == BOARD:
                tone = 1.0 - 0.94 * seams(u, across, seam_table, SEAM_STEPS)
            elif material == CARTON:
                tone = panels(u, v, across, along, width, height)
            elif material == PLASTER:
                tone = 0.97 + 0.03 * cloud(2.0 * u, 2.0 * v)
            red, green, blue = tone * red, tone * green, tone * blue
        light[i, 0], light[i, 1], light[i, 2] = red, green, blue


@kernel
def rail_run(
    camera: Floats, sun: Floats, palette: Floats, faces: Floats, f: int, py: float, first: int, last: int,
    near: Floats, light: Floats,
) -> None:  # fmt: skip
    """Colour columns first..last-1 of a row, which all show the round rail f."""
    for i in range(first, last):
        px = (i - camera[COLUMN]) * camera[SCALE]
        v = faces[f, F_V] + (faces[f, F_V + 1] * px + faces[f, F_V + 2] * py + faces[f, F_V + 3]) / near[i]
        part = min(max(2.0 * v / faces[f, F_LENGTHS + 1] - 1.0, -1.0), 1.0)
        rest = math.sqrt(1.0 - part * part)
        nx = part * faces[f, F_SPARE] + rest * faces[f, F_SPARE + 3]
        ny = part * faces[f, F_SPARE + 1] + rest * faces[f, F_SPARE + 4]
        nz = part * faces[f, F_SPARE + 2] + rest * faces[f, F_SPARE + 5]
        facing = max(nx * sun[0] + ny * sun[1] + nz * sun[2], 0.0)
        for c in range(3):
            light[i, c] = around(palette, RAIL, c, ny) + facing * palette[RAIL, 3, c]


@inlined
def tube_normal(faces: Floats, f: int, solids: Floats, s: int, px: float, py: float, depth: float, surface: int):  # type: ignore[no-untyped-def]
    """The normal of a tube's surface (0 outer, 1 inner, 2 end) where the ray (px, py, 1) meets it."""
    x = faces[f, 0] + depth * (faces[f, 1] * px + faces[f, 2] * py + faces[f, 3])
    y = faces[f, 4] + depth * (faces[f, 5] * px + faces[f, 6] * py + faces[f, 7])
    z = faces[f, 8] + depth * (faces[f, 9] * px + faces[f, 10] * py + faces[f, 11])
    a = S_AXES
    if surface == 2:
        sign = 1.0 if z > 0.0 else -1.0
        return sign * solids[s, a + 6], sign * solids[s, a + 7], sign * solids[s, a + 8]
    x, y = x / solids[s, S_HALF], y / solids[s, S_HALF + 1]
    nx = x * solids[s, a] + y * solids[s, a + 3]
    ny = x * solids[s, a + 1] + y * solids[s, a + 4]
    nz = x * solids[s, a + 2] + y * solids[s, a + 5]
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if surface == 1:
        length = -length
    return nx / length, ny / length, nz / length


@kernel
def tube_light(
    camera: Floats, sun: Floats, palette: Floats, solids: Floats, faces: Floats, marks: Whole, f: int,
    casters: Floats, bounds: Floats, cells: Whole, links: Whole, px: float, py: float, depth: float, colour: Floats,
) -> None:  # fmt: skip
    """Write the linear colour of the tube f where the ray (px, py, 1) meets it at this depth."""
    _, surface = tube_depth(faces, f, px, py, depth * (1.0 - 1e-9))
    s, material = marks[f, I_SOLID], marks[f, I_MATERIAL]
    nx, ny, nz = tube_normal(faces, f, solids, s, px, py, depth, surface)
    facing = nx * sun[0] + ny * sun[1] + nz * sun[2]
    lit = 0.0
    if facing > 0.0:
        wx = camera[0] + depth * (camera[COSINE] * px + camera[SINE])
        wy = camera[1] + depth * py
        wz = camera[2] + depth * (camera[COSINE] - camera[SINE] * px)
        x, z = wx - wy * sun[0] / sun[1], wz - wy * sun[2] / sun[1]
        lit = facing * (1.0 - shadow_at(casters, bounds, cells, links, sun, x, z, wy))
    for c in range(3):
        colour[c] = solids[s, S_COLOUR + c] * (around(palette, material, c, ny) + lit * palette[material, 3, c])


@kernel
def lay_row(
    camera: Floats, sun: Floats, palette: Floats, solids: Floats, faces: Floats, marks: Whole,
    casters: Floats, bounds: Floats, cells: Whole, links: Whole, py: float,
    layer_near: Floats, layer_face: Whole, layer_count: Whole, light: Floats,
) -> None:  # fmt: skip
    """Blend the gathered translucent faces over a row of linear light, far to near."""
    colour = np.empty(3)
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    for i in range(light.shape[0]):
        px = (i - camera[COLUMN]) * camera[SCALE]
        for n in range(layer_count[i] - 1, -1, -1):
            f = layer_face[i, n]
            depth = 1.0 / layer_near[i, n]
            material = marks[f, I_MATERIAL]
            wx = camera[0] + depth * (camera[COSINE] * px + camera[SINE])
            wy = camera[1] + depth * py
            wz = camera[2] + depth * (camera[COSINE] - camera[SINE] * px)
            thick = GLASS_ALPHA
            if material in (FOG_RED, FOG_ORANGE):
                thick = fog(wx + 0.3 * wy, wz + 0.2 * wy, material == FOG_RED)
                for c in range(3):
                    colour[c] = faces[f, F_SHADE + c]
            elif marks[f, I_SHAPE] == FLAT_FACE:
                lit = 0.0
                if faces[f, F_FACING] > 0.0:
                    lit = 1.0 - shadow_at(casters, bounds, cells, links, sun, wx - wy * kx, wz - wy * kz, wy)
                for c in range(3):
                    colour[c] = faces[f, F_SHADE + c] + lit * faces[f, F_SUN + c]
            else:
                tube_light(
                    camera, sun, palette, solids, faces, marks, f, casters, bounds, cells, links, px, py, depth, colour
                )
            for c in range(3):
                light[i, c] += thick * (min(colour[c], 1.0) - light[i, c])


@kernel
def shade(
    camera: Floats, sun: Floats, palette: Floats, solids: Floats, faces: Floats, marks: Whole, opaque: int, total: int,
    casters: Floats, bounds: Floats, cells: Whole, links: Whole, seam_table: Floats, codes: Bytes, top: int,
    near: Floats, shown: Whole, picture: Bytes,
) -> None:  # fmt: skip
    """Colour the rows from ``top`` on that ``near`` and ``shown`` hold; faces opaque..total-1 are translucent."""
    rows, width = near.shape
    light, colour = np.empty((width, 3)), np.empty(3)
    layer_near, layer_face = np.empty((width, LAYERS)), np.empty((width, LAYERS), np.int32)
    layer_count = np.zeros(width, np.int32)
    for r in range(rows):
        py = (camera[ROW] - (top + r)) * camera[SCALE]
        first = 0
        while first < width:
            f = shown[r, first]
            last = first + 1
            while last < width and shown[r, last] == f:
                last += 1
            if f < 0:
                sky_run(camera, sun, py, first, last, light)
            elif marks[f, I_MATERIAL] == FLAT:
                for i in range(first, last):
                    for c in range(3):
                        light[i, c] = faces[f, F_SHADE + c]
            elif marks[f, I_MATERIAL] == RAIL:
                rail_run(camera, sun, palette, faces, f, py, first, last, near[r], light)
            elif marks[f, I_SHAPE] == FLAT_FACE:
                plane_run(
                    camera, sun, faces, marks, f, casters, bounds, cells, links, seam_table, py, first, last, near[r],
                    light,
                )  # fmt: skip
            else:
                for i in range(first, last):
                    px = (i - camera[COLUMN]) * camera[SCALE]
                    depth = 1.0 / near[r, i]
                    tube_light(
                        camera, sun, palette, solids, faces, marks, f, casters, bounds, cells, links, px, py, depth,
                        colour,
                    )  # fmt: skip
                    for c in range(3):
                        light[i, c] = colour[c]
            first = last
        if total > opaque:
            gather_row(camera, faces, marks, opaque, total, top + r, near[r], layer_near, layer_face, layer_count)
            lay_row(
                camera, sun, palette, solids, faces, marks, casters, bounds, cells, links, py,
                layer_near, layer_face, layer_count, light,
            )  # fmt: skip
        for i in range(width):
            for c in range(3):
                picture[top + r, i, c] = codes[int(min(max(light[i, c], 0.0), 1.0) * LEVELS)]
