"""From faces to colours: textures, sun and shadow, then what is translucent, then the sRGB curve."""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.assembly import COLUMN, COSINE, ROW, SCALE, SINE
from embodibench.envs.aai.camera.compiling import inlined, kernel
from embodibench.envs.aai.camera.encoding import LEVELS
from embodibench.envs.aai.camera.filling import ball_depth, span, tube_depth
from embodibench.envs.aai.camera.scenery import SEAM_STEPS
from embodibench.envs.aai.camera.shadows import shadowed
from embodibench.envs.aai.camera.sky import sky_light
from embodibench.envs.aai.camera.surfaces import (
    BALL_FACE,
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
    I_BOTTOM,
    I_MATERIAL,
    I_SHAPE,
    I_SOLID,
    I_TOP,
    PLASTER,
    RAIL,
    STONE,
)
from embodibench.envs.aai.camera.textures import bricks, cloud, paving, seams

LAYERS = 8
"""Translucent faces kept per pixel, nearest first."""
GLASS_ALPHA = 0.416


@inlined
def encoded(codes, light):
    """The 8-bit code of a linear light."""
    return codes[int(min(max(light, 0.0), 1.0) * LEVELS)]


@inlined
def rim_share(u, v, width, height):
    """1 on the rim of a grey box's face, 0 on its panel."""
    border = 0.125
    edge = min(min(u / width, 1.0 - u / width), min(v / height, 1.0 - v / height))
    return 1.0 if edge < border else 0.0


@inlined
def tube_light(faces, f, sun, palette, solids, s, material, px, py, depth, surface):
    """Shade and sun colour factors of a tube's surface where the ray meets it: normal's height, and its facing."""
    x = faces[f, 0] + depth * (faces[f, 1] * px + faces[f, 2] * py + faces[f, 3])
    y = faces[f, 4] + depth * (faces[f, 5] * px + faces[f, 6] * py + faces[f, 7])
    z = faces[f, 8]
    if surface == 2:
        sign = 1.0 if z > 0.0 else -1.0
        nx, ny, nz = sign * solids[s, 15], sign * solids[s, 16], sign * solids[s, 17]
    else:
        x, y = x / solids[s, 6], y / solids[s, 7]
        nx = x * solids[s, 9] + y * solids[s, 12]
        ny = x * solids[s, 10] + y * solids[s, 13]
        nz = x * solids[s, 11] + y * solids[s, 14]
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if surface == 1:
            length = -length
        nx, ny, nz = nx / length, ny / length, nz / length
    return ny, max(nx * sun[0] + ny * sun[1] + nz * sun[2], 0.0)


@kernel
def shade(
    camera, sun, palette, solids, faces, marks, opaque, total, casters, grid_count, head, links, low, high,
    seam_table, codes, width, top, bottom, near, shown, picture,
):  # fmt: skip
    """Colour rows top..bottom-1 of the picture; faces opaque..total-1 are translucent."""
    scale, middle = camera[SCALE], camera[COLUMN]
    sine, cosine = camera[SINE], camera[COSINE]
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    ground_x, ground_z = camera[0] - camera[1] * kx, camera[2] - camera[1] * kz
    light = np.empty((width, 3))
    layer_near = np.empty((width, LAYERS))
    layer_face = np.empty((width, LAYERS), np.int32)
    layer_count = np.zeros(width, np.int32)
    for j in range(top, bottom):
        py = (camera[ROW] - j) * scale
        for i in range(width):
            px = (i - middle) * scale
            rx, rz = cosine * px + sine, cosine - sine * px
            f = shown[j, i]
            if f < 0:
                red, green, blue = sky_light(rx, py, rz, sun)
                light[i, 0], light[i, 1], light[i, 2] = red, green, blue
                continue
            material = marks[f, I_MATERIAL]
            if material == FLAT:
                light[i, 0], light[i, 1], light[i, 2] = faces[f, F_SHADE], faces[f, F_SHADE + 1], faces[f, F_SHADE + 2]
                continue
            depth = 1.0 / near[j, i]
            sunny = faces[f, F_FACING] > 0.0
            tone = 1.0
            u = v = across = along = 0.0
            gain0, gain1, gain2 = faces[f, F_SUN], faces[f, F_SUN + 1], faces[f, F_SUN + 2]
            base0, base1, base2 = faces[f, F_SHADE], faces[f, F_SHADE + 1], faces[f, F_SHADE + 2]
            if material == RAIL:
                v = faces[f, F_V] + depth * (faces[f, F_V + 1] * px + faces[f, F_V + 2] * py + faces[f, F_V + 3])
                part = min(max(2.0 * v / faces[f, F_LENGTHS + 1] - 1.0, -1.0), 1.0)
                rest = math.sqrt(1.0 - part * part)
                nx = part * faces[f, F_SPARE] + rest * faces[f, F_SPARE + 3]
                ny = part * faces[f, F_SPARE + 1] + rest * faces[f, F_SPARE + 4]
                nz = part * faces[f, F_SPARE + 2] + rest * faces[f, F_SPARE + 5]
                facing = max(nx * sun[0] + ny * sun[1] + nz * sun[2], 0.0)
                sunny = facing > 0.0
                gain0, gain1, gain2 = gain0 * facing, gain1 * facing, gain2 * facing
                up = palette[RAIL, 1, 0] if ny > 0.0 else palette[RAIL, 2, 0]
                base0 += abs(ny) * (up - palette[RAIL, 0, 0])
                up = palette[RAIL, 1, 1] if ny > 0.0 else palette[RAIL, 2, 1]
                base1 += abs(ny) * (up - palette[RAIL, 0, 1])
                up = palette[RAIL, 1, 2] if ny > 0.0 else palette[RAIL, 2, 2]
                base2 += abs(ny) * (up - palette[RAIL, 0, 2])
            elif marks[f, I_SHAPE] == FLAT_FACE:
                du = faces[f, F_U + 1] * px + faces[f, F_U + 2] * py + faces[f, F_U + 3]
                dv = faces[f, F_V + 1] * px + faces[f, F_V + 2] * py + faces[f, F_V + 3]
                u, v = faces[f, F_U] + depth * du, faces[f, F_V] + depth * dv
                step = scale * depth
                slope_x, slope_y = faces[f, F_DEPTH] * depth, faces[f, F_DEPTH + 1] * depth
                across = step * (abs(faces[f, F_U + 1] - slope_x * du) + abs(faces[f, F_U + 2] - slope_y * du))
                along = step * (abs(faces[f, F_V + 1] - slope_x * dv) + abs(faces[f, F_V + 2] - slope_y * dv))
            else:
                _, surface = tube_depth(faces, f, px, py, depth * (1.0 - 1e-9))
                ny, facing = tube_light(
                    faces, f, sun, palette, solids, marks[f, I_SOLID], material, px, py, depth, surface
                )
                sunny = facing > 0.0
                for c in range(3):
                    side, up, down = palette[material, 0, c], palette[material, 1, c], palette[material, 2, c]
                    around = side + ny * (up - side) if ny > 0.0 else side - ny * (down - side)
                    albedo = solids[marks[f, I_SOLID], 18 + c]
                    if c == 0:
                        base0, gain0 = albedo * around, albedo * palette[material, 3, c] * facing
                    elif c == 1:
                        base1, gain1 = albedo * around, albedo * palette[material, 3, c] * facing
                    else:
                        base2, gain2 = albedo * around, albedo * palette[material, 3, c] * facing
            if sunny:
                height = camera[1] + depth * py
                x = ground_x + depth * (rx - py * kx)
                z = ground_z + depth * (rz - py * kz)
                sunny = not shadowed(casters, grid_count, head, links, low, high, sun, x, z, height)
            if sunny:
                base0, base1, base2 = base0 + gain0, base1 + gain1, base2 + gain2
            if material == STONE:
                slab, joint = paving(u - 1.0, v - 1.0, across, along)
                solid = 1.0 - joint
                base0 *= (0.89 + 0.32 * slab) * solid + 0.52 * joint
                base1 *= (0.88 + 0.38 * slab) * solid + 0.40 * joint
                base2 *= (0.80 + 0.58 * slab) * solid + 0.22 * joint
            elif material == BRICK:
                mortar = bricks(u, v, across, along)
                tone = 1.0 - 0.96 * mortar
                base0, base1, base2 = base0 * tone, base1 * tone, base2 * tone
            elif material == CARTON:
                tone = 0.71 + 0.29 * rim_share(u, v, faces[f, F_LENGTHS], faces[f, F_LENGTHS + 1])
                base0, base1, base2 = base0 * tone, base1 * tone, base2 * tone
            elif material == PLASTER:
                tone = 0.97 + 0.03 * cloud(2.0 * u, 2.0 * v)
                base0, base1, base2 = base0 * tone, base1 * tone, base2 * tone
            elif material == BOARD:
                tone = 1.0 - 0.94 * seams(u, across, seam_table, SEAM_STEPS)
                base0, base1, base2 = base0 * tone, base1 * tone, base2 * tone
            light[i, 0], light[i, 1], light[i, 2] = base0, base1, base2
        if total > opaque:
            lay_row(
                camera, sun, palette, solids, faces, marks, opaque, total, casters, grid_count, head, links, low, high,
                width, j, py, near, light, layer_near, layer_face, layer_count,
            )  # fmt: skip
        for i in range(width):
            picture[j, i, 0] = encoded(codes, light[i, 0])
            picture[j, i, 1] = encoded(codes, light[i, 1])
            picture[j, i, 2] = encoded(codes, light[i, 2])


@inlined
def keep_layer(layer_near, layer_face, layer_count, i, inverse, f):
    """Sort a translucent face into its pixel's list, nearest first; the farthest of too many is dropped."""
    n = layer_count[i]
    if n == LAYERS:
        if inverse <= layer_near[i, n - 1]:
            return
        n -= 1
    while n > 0 and layer_near[i, n - 1] < inverse:
        layer_near[i, n], layer_face[i, n] = layer_near[i, n - 1], layer_face[i, n - 1]
        n -= 1
    layer_near[i, n], layer_face[i, n] = inverse, f
    layer_count[i] = min(layer_count[i] + 1, LAYERS)


@kernel
def gather_row(camera, faces, marks, opaque, total, width, j, py, near, layer_near, layer_face, layer_count):
    """Collect the translucent faces in front of each pixel of row j."""
    scale, middle = camera[SCALE], camera[COLUMN]
    layer_count[:] = 0
    for f in range(opaque, total):
        if j < marks[f, I_TOP] or j >= marks[f, I_BOTTOM]:
            continue
        if marks[f, I_SHAPE] == FLAT_FACE:
            first, last = span(camera, faces, f, py, width)
            for i in range(first, last):
                px = (i - middle) * scale
                inverse = faces[f, F_DEPTH] * px + faces[f, F_DEPTH + 1] * py + faces[f, F_DEPTH + 2]
                if inverse > near[j, i]:
                    keep_layer(layer_near, layer_face, layer_count, i, inverse, f)
        elif marks[f, I_SHAPE] == BALL_FACE:
            for i in range(width):
                px = (i - middle) * scale
                inverse = ball_depth(
                    faces[f, F_SPARE], faces[f, F_SPARE + 1], faces[f, F_SPARE + 2], faces[f, F_SPARE + 3], px, py
                )
                if inverse > near[j, i]:
                    keep_layer(layer_near, layer_face, layer_count, i, inverse, f)
        else:
            for i in range(width):
                px = (i - middle) * scale
                beyond = 1e-9
                for _ in range(2):
                    depth, _surface = tube_depth(faces, f, px, py, beyond)
                    if depth <= 0.0 or 1.0 / depth <= near[j, i]:
                        break
                    keep_layer(layer_near, layer_face, layer_count, i, 1.0 / depth, f)
                    beyond = depth * (1.0 + 1e-9)


@kernel
def lay_row(
    camera, sun, palette, solids, faces, marks, opaque, total, casters, grid_count, head, links, low, high,
    width, j, py, near, light, layer_near, layer_face, layer_count,
):  # fmt: skip
    """Blend the translucent faces over a row of linear light, far to near."""
    gather_row(camera, faces, marks, opaque, total, width, j, py, near, layer_near, layer_face, layer_count)
    scale, middle = camera[SCALE], camera[COLUMN]
    kx, kz = sun[0] / sun[1], sun[2] / sun[1]
    for i in range(width):
        px = (i - middle) * scale
        for n in range(layer_count[i] - 1, -1, -1):
            f = layer_face[i, n]
            depth = 1.0 / layer_near[i, n]
            material = marks[f, I_MATERIAL]
            rx, rz = camera[COSINE] * px + camera[SINE], camera[COSINE] - camera[SINE] * px
            wx, wy, wz = camera[0] + depth * rx, camera[1] + depth * py, camera[2] + depth * rz
            if material == FOG_RED or material == FOG_ORANGE:
                thick = 0.62 + 0.28 * cloud(wx + 0.3 * wy, wz + 0.2 * wy) if material == FOG_RED else 0.0
                if material == FOG_ORANGE:
                    thick = 0.30 + 0.12 * cloud(wx + 0.3 * wy, wz + 0.2 * wy)
                for c in range(3):
                    light[i, c] += thick * (faces[f, F_SHADE + c] - light[i, c])
                continue
            s = marks[f, I_SOLID]
            facing = faces[f, F_FACING]
            ny = 0.0
            if marks[f, I_SHAPE] != FLAT_FACE:
                _, surface = tube_depth(faces, f, px, py, depth * (1.0 - 1e-9))
                ny, facing = tube_light(faces, f, sun, palette, solids, s, material, px, py, depth, surface)
            lit = facing > 0.0 and not shadowed(
                casters, grid_count, head, links, low, high, sun, wx - wy * kx, wz - wy * kz, wy
            )
            for c in range(3):
                colour = faces[f, F_SHADE + c]
                gain = faces[f, F_SUN + c]
                if marks[f, I_SHAPE] != FLAT_FACE:
                    side, up, down = palette[material, 0, c], palette[material, 1, c], palette[material, 2, c]
                    colour = solids[s, 18 + c] * (side + ny * (up - side) if ny > 0.0 else side - ny * (down - side))
                    gain = solids[s, 18 + c] * palette[material, 3, c] * facing
                if lit:
                    colour += gain
                light[i, c] += GLASS_ALPHA * (min(colour, 1.0) - light[i, c])
