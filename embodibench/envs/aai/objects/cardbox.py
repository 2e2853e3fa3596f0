"""Cardboard boxes. They weigh 1 and 2 kg against an agent of 100 kg: they are flung, not pushed."""

from __future__ import annotations

from typing import Final

from embodibench.envs.aai.objects.base import Kind

SLIPPERY: Final = 0.25
"""Friction of the boxes' own material; averaged with the default 0.6 it makes 0.425."""

LIGHT: Final = Kind(
    "Cardbox1",
    (0.5, 0.5, 0.5),
    (10.0, 10.0, 10.0),
    "free",
    mass=1.0,
    friction=SLIPPERY,
    aliases=("LightBlock",),
    built_in_yaw=180.0,
    own_colour=True,
)
HEAVY: Final = Kind(
    "Cardbox2",
    (0.5, 0.5, 0.5),
    (10.0, 10.0, 10.0),
    "free",
    mass=2.0,
    friction=SLIPPERY,
    aliases=("HeavyBlock",),
    own_colour=True,
)
