"""An arena as data: what a task card's environment parameters say, and what an imported Animal-AI file becomes."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Finite = Annotated[float, Field(allow_inf_nan=False)]
Vector = tuple[Finite, Finite, Finite]


class ItemSpec(BaseModel):
    """One entry of an arena: a kind and the lists that say how many of it there are, where, and how they look.

    The number of instances is the length of the longest list (at least 1); shorter lists are padded with "random".
    A negative component means random, as in Animal-AI, except for y positions, where it means 0.

    Attributes:
        kind: object kind by its Animal-AI 3.x name (``Wall``, ``GoodGoal``, ``Agent``, ...).
        positions: x, y, z in arena units; x and z in [0, 40], y the height of the base.
        rotations: yaw in degrees, clockwise seen from above, 0 faces +z.
        sizes: full extents x, y, z; a ball's diameter is x.
        colors: red, green, blue, 0..255.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    positions: tuple[Vector, ...] = ()
    rotations: tuple[Finite, ...] = ()
    sizes: tuple[Vector, ...] = ()
    colors: tuple[Vector, ...] = ()


class ArenaSpec(BaseModel):
    """A whole arena.

    Attributes:
        time_limit: ``t`` of the file; an episode without rewards lasts 5t/3 steps. 0: no limit, no decay.
        blackouts: frames at which the light toggles, or one negative period.
        items: in the order of the file, which is the order of spawning.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    time_limit: Annotated[int, Field(ge=0, le=1_000_000)]
    blackouts: tuple[int, ...] = ()
    items: tuple[ItemSpec, ...]
