"""Rules for Pong: be where the ball will cross the line of the paddle, and mind that the paddle coasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from embodibench.agents.policies.atari_things import Box, first
from embodibench.canonical import Json

TOP: Final = 35
BOTTOM: Final = 194
"""Rows between which the centre of the ball moves."""
COASTING: Final = 0.7
"""The paddle goes on for so much of its last step's motion; without this the rules swing past the ball."""
SLACK: Final = 8
"""Rows by which the paddle may be off before it moves: half of its height."""


def decide(things: Sequence[Mapping[str, Json]]) -> str:
    """RIGHT moves the paddle up, LEFT moves it down, FIRE serves."""
    player, ball = first(things, "Player"), first(things, "Ball")
    if player is None or ball is None:
        return "FIRE"
    aim = crossing(ball, player.x) if ball.dx > 0 else (TOP + BOTTOM) // 2
    heading = player.centre + COASTING * player.dy
    if aim < heading - SLACK:
        return "RIGHT"
    if aim > heading + SLACK:
        return "LEFT"
    return "NOOP"


def crossing(ball: Box, x: int) -> int:
    """The row of the ball's centre when it reaches column ``x``, with its bounces off the walls.

    The ball must move to the right (``dx`` > 0).
    """
    steps = max(0, x - ball.x - ball.w) / ball.dx
    span = BOTTOM - TOP
    along = (ball.centre + ball.dy * steps - TOP) % (2 * span)
    return TOP + round(along if along <= span else 2 * span - along)
