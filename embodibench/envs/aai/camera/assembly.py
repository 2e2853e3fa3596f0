"""From solids to the faces that the eye can see, each ready to be filled and shaded.

A picture's ray through a pixel is ``d = px right + py up + ahead`` with px, py in tangents. A face is the cone of rays
between its corners: ray d is inside when ``d . (v_j x v_j+1)`` has one sign for all its edges (Olano and Greer,
"Triangle scan conversion using 2D homogeneous coordinates", 1997), so nothing has to be clipped, and two faces that
share an edge share its equation to the bit: no pixel between them is lost or drawn by both.
"""

from __future__ import annotations

import math

import numpy as np

from embodibench.envs.aai.camera.compiling import Floats, Whole, inlined, kernel
from embodibench.envs.aai.camera.surfaces import (
    BALL_FACE,
    BOX,
    F_DEPTH,
    F_EDGES,
    F_FACING,
    F_LENGTHS,
    F_SHADE,
    F_SPARE,
    F_SUN,
    F_U,
    F_V,
    FLAT_FACE,
    FOG_ORANGE,
    FOG_RED,
    GLASS,
    I_BOTTOM,
    I_IDENTITY,
    I_MATERIAL,
    I_SHAPE,
    I_SOLID,
    I_TOP,
    ROD,
    S_AXES,
    S_CENTRE,
    S_HALF,
    S_IDENTITY,
    S_MATERIAL,
    S_SHAPE,
    SPHERE,
    TUBE,
    TUBE_FACE,
    WEDGE,
)

# Columns of the camera's row.
EYE = 0
SINE = 3
COSINE = 4
SCALE = 5
COLUMN = 6
ROW = 7


@inlined
def seen_from(camera: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world point relative to the eye, as (right, up, ahead)."""
    rx, ry, rz = x - camera[0], y - camera[1], z - camera[2]
    return rx * camera[4] - rz * camera[3], ry, rx * camera[3] + rz * camera[4]


@kernel
def place_face(camera: Floats, height: int, corners: Floats, count: int, faces: Floats, marks: Whole, at: int) -> bool:
    """Write edges, depth and rows of the face with these corners; False where no row of the picture can show it."""
    local = np.empty((4, 3))
    ahead = 0
    low, high = math.inf, -math.inf
    for k in range(count):
        right, up, front = seen_from(camera, corners[k, 0], corners[k, 1], corners[k, 2])
        local[k, 0], local[k, 1], local[k, 2] = right, up, front
        if front > 1e-6:
            ahead += 1
            low, high = min(low, up / front), max(high, up / front)
    if ahead == 0:
        return False
    top, bottom = 0, height
    if ahead == count:
        first = camera[ROW] - high / camera[SCALE] - 1.0
        last = camera[ROW] - low / camera[SCALE] + 2.0
        top = int(min(max(first, 0.0), float(height)))
        bottom = int(min(max(last, 0.0), float(height)))
    if top >= bottom:
        return False
    ax, ay, az = local[1, 0] - local[0, 0], local[1, 1] - local[0, 1], local[1, 2] - local[0, 2]
    bx, by, bz = local[2, 0] - local[0, 0], local[2, 1] - local[0, 1], local[2, 2] - local[0, 2]
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    reach = nx * local[0, 0] + ny * local[0, 1] + nz * local[0, 2]
    if reach == 0.0:
        return False
    sign = 1.0 if reach > 0.0 else -1.0
    faces[at, F_DEPTH], faces[at, F_DEPTH + 1], faces[at, F_DEPTH + 2] = nx / reach, ny / reach, nz / reach
    for k in range(4):
        e = F_EDGES + 3 * k
        if k >= count:
            faces[at, e], faces[at, e + 1], faces[at, e + 2] = 0.0, 0.0, 1.0
            continue
        n = k + 1 if k + 1 < count else 0
        faces[at, e] = sign * (local[k, 1] * local[n, 2] - local[k, 2] * local[n, 1])
        faces[at, e + 1] = sign * (local[k, 2] * local[n, 0] - local[k, 0] * local[n, 2])
        faces[at, e + 2] = sign * (local[k, 0] * local[n, 1] - local[k, 1] * local[n, 0])
    marks[at, I_SHAPE] = FLAT_FACE
    marks[at, I_TOP], marks[at, I_BOTTOM] = top, bottom
    return True


@inlined
def lay_texture(
    camera: Floats, faces: Floats, at: int, column: int,
    ox: float, oy: float, oz: float, ax: float, ay: float, az: float,
) -> None:  # fmt: skip
    """Write how far along the axis a from the point o a ray's end lies: of the eye, and per depth of px, py and 1."""
    ex, ey, ez = camera[0] - ox, camera[1] - oy, camera[2] - oz
    faces[at, column] = ex * ax + ey * ay + ez * az
    faces[at, column + 1] = ax * camera[4] - az * camera[3]
    faces[at, column + 2] = ay
    faces[at, column + 3] = ax * camera[3] + az * camera[4]


@kernel
def paint_face(
    palette: Floats, solids: Floats, s: int, normal_y: float, facing: float, faces: Floats, marks: Whole, at: int
) -> None:
    """Write the face's colour in shadow and in the sun, linear, for its material and the way it faces."""
    material = int(solids[s, S_MATERIAL])
    faces[at, F_FACING] = max(facing, 0.0)
    marks[at, I_MATERIAL] = material
    marks[at, I_IDENTITY] = int(solids[s, S_IDENTITY])
    marks[at, I_SOLID] = s
    for c in range(3):
        side, up, down = palette[material, 0, c], palette[material, 1, c], palette[material, 2, c]
        around = side + normal_y * (up - side) if normal_y > 0.0 else side - normal_y * (down - side)
        albedo = solids[s, 18 + c]
        faces[at, F_SHADE + c] = albedo * around
        faces[at, F_SUN + c] = albedo * palette[material, 3, c] * max(facing, 0.0)


@kernel
def box_faces(
    camera: Floats, height: int, sun: Floats, palette: Floats, solids: Floats, s: int,
    faces: Floats, marks: Whole, at: int,
) -> int:  # fmt: skip
    """Append the faces of a box or wedge that are turned to the eye; the new number of faces."""
    corners = np.empty((4, 3))
    wedge = int(solids[s, S_SHAPE]) == WEDGE
    cx, cy, cz = solids[s, S_CENTRE], solids[s, S_CENTRE + 1], solids[s, S_CENTRE + 2]
    for axis in range(3):
        if axis == 1:
            u, v = 0, 2
        elif axis == 0:
            u, v = 2, 1
        else:
            u, v = 0, 1
        hn, hu, hv = solids[s, S_HALF + axis], solids[s, S_HALF + u], solids[s, S_HALF + v]
        for side in range(2):
            sign = 1.0 if side == 1 else -1.0
            sloped = wedge and ((axis == 1 and side == 1) or (axis == 2 and side == 1))
            if sloped and axis == 2:
                continue
            nx = sign * solids[s, S_AXES + 3 * axis]
            ny = sign * solids[s, S_AXES + 3 * axis + 1]
            nz = sign * solids[s, S_AXES + 3 * axis + 2]
            ux, uy, uz = solids[s, S_AXES + 3 * u], solids[s, S_AXES + 3 * u + 1], solids[s, S_AXES + 3 * u + 2]
            vx, vy, vz = solids[s, S_AXES + 3 * v], solids[s, S_AXES + 3 * v + 1], solids[s, S_AXES + 3 * v + 2]
            # u runs to the right for who looks at the face from outside
            turn = sign if axis == 0 else (-sign if axis == 2 else 1.0)
            ux, uy, uz = ux * turn, uy * turn, uz * turn
            mx, my, mz = cx + hn * nx, cy + hn * ny, cz + hn * nz
            if sloped:
                # the slope falls from the top edge at local -z to the bottom edge at local +z
                length = math.sqrt(hn * hn + hv * hv)
                ky, kz = hv / length, hn / length
                zx, zy, zz = vx, vy, vz
                vx, vy, vz = (zx * hv - nx * hn) / length, (zy * hv - ny * hn) / length, (zz * hv - nz * hn) / length
                nx, ny, nz = ky * nx + kz * zx, ky * ny + kz * zy, ky * nz + kz * zz
                hv = length
                mx, my, mz = cx, cy, cz
            if (camera[0] - mx) * nx + (camera[1] - my) * ny + (camera[2] - mz) * nz <= 0.0:
                continue
            count = 4
            for k in range(4):
                a = -hu if k == 0 or k == 3 else hu
                b = -hv if k < 2 else hv
                if wedge and axis == 0 and k >= 2:
                    # a triangle: its third corner is the top end of the upright edge at local -z
                    if k == 3:
                        count = 3
                        break
                    a = -hu * turn
                corners[k, 0] = mx + a * ux + b * vx
                corners[k, 1] = my + a * uy + b * vy
                corners[k, 2] = mz + a * uz + b * vz
            if not place_face(camera, height, corners, count, faces, marks, at):
                continue
            ox, oy, oz = mx - hu * ux - hv * vx, my - hu * uy - hv * vy, mz - hu * uz - hv * vz
            lay_texture(camera, faces, at, F_U, ox, oy, oz, ux, uy, uz)
            lay_texture(camera, faces, at, F_V, ox, oy, oz, vx, vy, vz)
            faces[at, F_LENGTHS], faces[at, F_LENGTHS + 1] = 2.0 * hu, 2.0 * hv
            facing = nx * sun[0] + ny * sun[1] + nz * sun[2]
            paint_face(palette, solids, s, ny, facing, faces, marks, at)
            at += 1
    return at


@kernel
def round_face(
    camera: Floats, height: int, palette: Floats, solids: Floats, s: int, faces: Floats, marks: Whole, at: int
) -> int:
    """Append a ball or tube, filled pixel by pixel within its rows; the new number of faces."""
    shape = int(solids[s, S_SHAPE])
    hx, hy, hz = solids[s, S_HALF], solids[s, S_HALF + 1], solids[s, S_HALF + 2]
    reach = hx if shape == SPHERE else math.sqrt(max(hx, hy) * max(hx, hy) + hz * hz)
    x, y, z = solids[s, S_CENTRE], solids[s, S_CENTRE + 1], solids[s, S_CENTRE + 2]
    right, up, front = seen_from(camera, x, y, z)
    if front <= -reach:
        return at
    top, bottom = 0, height
    if front > 1.01 * reach:
        # the ball's outline in the upright plane through the eye bounds its rows
        spread = front * front - reach * reach
        middle, half = up * front, reach * math.sqrt(up * up + spread)
        top = int(min(max(camera[ROW] - (middle + half) / spread / camera[SCALE] - 1.0, 0.0), float(height)))
        bottom = int(min(max(camera[ROW] - (middle - half) / spread / camera[SCALE] + 2.0, 0.0), float(height)))
    if top >= bottom:
        return at
    marks[at, I_SHAPE] = BALL_FACE if shape == SPHERE else TUBE_FACE
    marks[at, I_TOP], marks[at, I_BOTTOM] = top, bottom
    faces[at, F_SPARE], faces[at, F_SPARE + 1], faces[at, F_SPARE + 2] = right, up, front
    faces[at, F_SPARE + 3] = reach
    paint_face(palette, solids, s, 0.0, 0.0, faces, marks, at)
    if shape == TUBE:
        # eye and ray in the tube's own frame, scaled to a unit circle
        for k in range(3):
            ax, ay, az = solids[s, S_AXES + 3 * k], solids[s, S_AXES + 3 * k + 1], solids[s, S_AXES + 3 * k + 2]
            scale = 1.0 / solids[s, S_HALF + k] if k < 2 else 1.0
            lay_texture(camera, faces, at, 4 * k, x, y, z, ax * scale, ay * scale, az * scale)
        faces[at, F_SPARE + 4] = hz
    return at + 1


@kernel
def rod_face(
    camera: Floats, height: int, palette: Floats, solids: Floats, s: int, faces: Floats, marks: Whole, at: int
) -> int:
    """Append a round rail as the strip between its two outlines; the new number of faces."""
    cx, cy, cz = solids[s, S_CENTRE], solids[s, S_CENTRE + 1], solids[s, S_CENTRE + 2]
    ex, ey, ez = camera[0] - cx, camera[1] - cy, camera[2] - cz
    x0, x1, x2 = solids[s, S_AXES], solids[s, S_AXES + 1], solids[s, S_AXES + 2]
    y0, y1, y2 = solids[s, S_AXES + 3], solids[s, S_AXES + 4], solids[s, S_AXES + 5]
    z0, z1, z2 = solids[s, S_AXES + 6], solids[s, S_AXES + 7], solids[s, S_AXES + 8]
    a, b = ex * x0 + ey * x1 + ez * x2, ex * y0 + ey * y1 + ez * y2
    radius, half = solids[s, S_HALF], solids[s, S_HALF + 2]
    square = a * a + b * b
    if square <= radius * radius * 1.0001:
        return at
    away = math.sqrt(square)
    # unit vectors across: towards the eye, and square to that (upwards)
    ta, tb = a / away, b / away
    pa, pb = -tb, ta
    px, py, pz = pa * x0 + pb * y0, pa * x1 + pb * y1, pa * x2 + pb * y2
    tx, ty, tz = ta * x0 + tb * y0, ta * x1 + tb * y1, ta * x2 + tb * y2
    near, side = radius * radius / away, radius * math.sqrt(square - radius * radius) / away
    corners = np.empty((4, 3))
    for k in range(4):
        p = -side if k < 2 else side
        q = -half if k == 0 or k == 3 else half
        corners[k, 0] = cx + near * tx + p * px + q * z0
        corners[k, 1] = cy + near * ty + p * py + q * z1
        corners[k, 2] = cz + near * tz + p * pz + q * z2
    if not place_face(camera, height, corners, 4, faces, marks, at):
        return at
    lay_texture(camera, faces, at, F_U, corners[0, 0], corners[0, 1], corners[0, 2], z0, z1, z2)
    lay_texture(camera, faces, at, F_V, corners[0, 0], corners[0, 1], corners[0, 2], px, py, pz)
    faces[at, F_LENGTHS], faces[at, F_LENGTHS + 1] = 2.0 * half, 2.0 * side
    paint_face(palette, solids, s, 0.0, 1.0, faces, marks, at)
    faces[at, F_SPARE], faces[at, F_SPARE + 1], faces[at, F_SPARE + 2] = px, py, pz
    faces[at, F_SPARE + 3], faces[at, F_SPARE + 4], faces[at, F_SPARE + 5] = tx, ty, tz
    return at + 1


@kernel
def assemble(
    camera: Floats, height: int, sun: Floats, palette: Floats, solids: Floats, faces: Floats, marks: Whole
) -> tuple[int, int]:
    """Write the faces that can be seen, the translucent ones last; how many are opaque, and how many in all."""
    at, opaque = 0, 0
    for clear in range(2):
        for s in range(solids.shape[0]):
            translucent = int(solids[s, S_MATERIAL]) in (FOG_RED, FOG_ORANGE, GLASS)
            if translucent != (clear == 1):
                continue
            shape = int(solids[s, S_SHAPE])
            if shape in (BOX, WEDGE):
                at = box_faces(camera, height, sun, palette, solids, s, faces, marks, at)
            elif shape == ROD:
                at = rod_face(camera, height, palette, solids, s, faces, marks, at)
            else:
                at = round_face(camera, height, palette, solids, s, faces, marks, at)
        if clear == 0:
            opaque = at
    return opaque, at
