"""What the camera's tables mean: codes of shapes and materials, columns of the tables, identities of what is no solid.

All figures of geometry are in arena units, light is linear.
"""

from __future__ import annotations

from typing import Final

# Identities of what is no solid (the scene's solids have theirs, from 0).
SKY: Final = -1
SUN: Final = -2
GROUND: Final = -3
FENCE: Final = -4

# Shapes of a solid's row.
BOX: Final = 0
WEDGE: Final = 1
SPHERE: Final = 2
TUBE: Final = 3
ROD: Final = 4

# Materials.
STONE: Final = 0
BRICK: Final = 1
PLASTER: Final = 2
PLAIN: Final = 3
CARTON: Final = 4
BOARD: Final = 5
RAIL: Final = 6
FLAT: Final = 7
FOG_RED: Final = 8
FOG_ORANGE: Final = 9
GLASS: Final = 10
POST: Final = 11

MATERIALS: Final = {
    "Wall": BRICK,
    "Ramp": PLASTER,
    "CylinderTunnel": PLAIN,
    "Cardbox1": CARTON,
    "Cardbox2": CARTON,
    "LObject": CARTON,
    "LObject2": CARTON,
    "UObject": CARTON,
    "GoodGoal": FLAT,
    "GoodGoalBounce": FLAT,
    "GoodGoalMulti": FLAT,
    "GoodGoalMultiBounce": FLAT,
    "BadGoal": FLAT,
    "BadGoalBounce": FLAT,
    "DeathZone": FOG_RED,
    "HotZone": FOG_ORANGE,
    "WallTransparent": GLASS,
    "CylinderTunnelTransparent": GLASS,
}
SHAPES: Final = {"box": BOX, "wedge": WEDGE, "sphere": SPHERE, "tube": TUBE}

GREEN_BALL: Final = (189.0, 225.0, 138.0)
YELLOW_BALL: Final = (247.0, 220.0, 103.0)
RED_BALL: Final = (207.0, 89.0, 89.0)
OWN_COLOURS: Final = {
    "GoodGoal": GREEN_BALL,
    "GoodGoalBounce": GREEN_BALL,
    "GoodGoalMulti": YELLOW_BALL,
    "GoodGoalMultiBounce": YELLOW_BALL,
    "BadGoal": RED_BALL,
    "BadGoalBounce": RED_BALL,
    "WallTransparent": (255.0, 255.0, 255.0),
    "CylinderTunnelTransparent": (255.0, 255.0, 255.0),
}

# Columns of a solid's row.
S_SHAPE: Final = 0
S_MATERIAL: Final = 1
S_IDENTITY: Final = 2
S_CENTRE: Final = 3
S_HALF: Final = 6
S_AXES: Final = 9
S_COLOUR: Final = 18
SOLID_COLUMNS: Final = 21

# Columns of a face's row of floats.
F_EDGES: Final = 0  # four rows of (px, py, 1): the face is where none is negative
F_DEPTH: Final = 12  # inverse depth as (px, py, 1)
F_U: Final = 15  # place along the texture: of the eye, then along (px, py, 1) times depth
F_V: Final = 19
F_LENGTHS: Final = 23  # of the face along u and v
F_SHADE: Final = 25  # linear colour in shadow
F_SUN: Final = 28  # what the sun adds
F_FACING: Final = 31  # cosine between normal and the way to the sun, 0 when turned away
F_SPARE: Final = 32
FACE_COLUMNS: Final = 44

# Columns of a face's row of whole numbers.
I_MATERIAL: Final = 0
I_IDENTITY: Final = 1
I_SHAPE: Final = 2
I_TOP: Final = 3
I_BOTTOM: Final = 4
I_SOLID: Final = 5
INTEGER_COLUMNS: Final = 6

FLAT_FACE: Final = 0
BALL_FACE: Final = 1
TUBE_FACE: Final = 2
