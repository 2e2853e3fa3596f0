"""Every object kind of Animal-AI 3.1.3, one file a kind, and how to find one by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from embodibench.envs.aai.objects.agent import AGENT
from embodibench.envs.aai.objects.base import Kind, Motion, Piece
from embodibench.envs.aai.objects.cardbox import HEAVY, LIGHT
from embodibench.envs.aai.objects.goal import GOALS, Goal
from embodibench.envs.aai.objects.l_object import J_OBJECT, L_OBJECT
from embodibench.envs.aai.objects.ramp import RAMP
from embodibench.envs.aai.objects.transparent_wall import TRANSPARENT_WALL
from embodibench.envs.aai.objects.tunnel import TRANSPARENT_TUNNEL, TUNNEL
from embodibench.envs.aai.objects.u_object import U_OBJECT
from embodibench.envs.aai.objects.wall import WALL
from embodibench.envs.aai.objects.zone import DEATH_ZONE, HOT_ZONE, Zone

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            AGENT,
            WALL,
            TRANSPARENT_WALL,
            RAMP,
            TUNNEL,
            TRANSPARENT_TUNNEL,
            LIGHT,
            HEAVY,
            L_OBJECT,
            J_OBJECT,
            U_OBJECT,
            *GOALS,
            DEATH_ZONE,
            HOT_ZONE,
        )
    }
)
"""3.x name -> kind."""

ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {alias: kind.name for kind in KINDS.values() for alias in kind.aliases}
)
"""4.x name -> 3.x name."""


def find(name: str) -> Kind | None:
    """The kind of this name, 3.x or 4.x, or None."""
    return KINDS.get(ALIASES.get(name, name))


def nearest(name: str) -> list[str]:
    """Up to three known names that look like ``name``."""
    known = [*KINDS, *ALIASES]
    lower = {known_name.lower(): known_name for known_name in known}
    return [lower[match] for match in get_close_matches(name.lower(), list(lower), n=3, cutoff=0.5)]


__all__ = ["ALIASES", "KINDS", "Goal", "Kind", "Motion", "Piece", "Zone", "find", "nearest"]
