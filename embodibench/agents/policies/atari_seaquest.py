"""Rules for Seaquest: shoot what comes along the lane, keep out of its way, and surface for air."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from embodibench.agents.policies.atari_things import Box, boxes, first
from embodibench.canonical import Json

LOW_AIR: Final = 18
FULL_AIR: Final = 60
SURFACE: Final = 48
"""The submarine breathes at this row or above."""


def decide(things: Sequence[Mapping[str, Json]]) -> str:
    """A move, with FIRE when something is in line."""
    player = first(things, "Player")
    if player is None:
        return "NOOP"
    air = first(things, "OxygenBar")
    left = air.value if air is not None else 0
    if left <= LOW_AIR or (player.y <= SURFACE and left < FULL_AIR):
        return "UP"
    enemies = boxes(things, "Shark", "Submarine")
    if not enemies:
        return "FIRE"
    target = min(enemies, key=lambda enemy: (abs(enemy.centre - player.centre), abs(enemy.middle - player.middle)))
    return _attack(player, target)


def _attack(player: Box, target: Box) -> str:
    side = "RIGHT" if target.middle > player.middle else "LEFT"
    if abs(target.centre - player.centre) > 6:
        return ("DOWN" if target.centre > player.centre else "UP") + "FIRE"
    faces = "RIGHT" if player.facing == "E" else "LEFT"
    return "FIRE" if faces == side else f"{side}FIRE"
