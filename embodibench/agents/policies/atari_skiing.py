"""Rules for Skiing: steer for the middle of the next gate, and straight down when on course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from embodibench.agents.policies.atari_things import Box, boxes, first
from embodibench.canonical import Json

STRAIGHT: Final = 8
"""Facing when the skier goes straight down; 0 is across to the left, 15 across to the right."""
SOFTEST: Final = 4
"""The most that the skier turns away from straight: further across he all but stops."""
PASSED: Final = 12
"""A gate is still ahead when its flags are at most so many rows above the skier's feet."""


def decide(things: Sequence[Mapping[str, Json]]) -> str:
    """The turn that brings the skier to the facing that leads to the gate."""
    player = first(things, "Player")
    if player is None:
        return "NOOP"
    wanted = STRAIGHT + max(-SOFTEST, min(SOFTEST, _offset(player, boxes(things, "Flag")) // 4))
    facing = cast(int, player.facing)
    if facing < wanted:
        return "RIGHT"
    if facing > wanted:
        return "LEFT"
    return "NOOP"


def _offset(player: Box, flags: Sequence[Box]) -> int:
    """Columns from the skier to the middle of the next gate, positive to the right; 0 when none is in sight."""
    ahead = [flag for flag in flags if flag.y + flag.h > player.y + player.h - PASSED]
    if not ahead:
        return 0
    row = min(flag.y for flag in ahead)
    gate = [flag for flag in ahead if abs(flag.y - row) < 8]
    return sum(flag.middle for flag in gate) // len(gate) - player.middle
