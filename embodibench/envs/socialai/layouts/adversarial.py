"""A room with a visible apple and a peer that must not see the agent take it."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import SORTED_COLORS
from embodibench.envs.socialai.layouts.placement import Area, draw_cell, draw_room, is_taken, place_agent
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.room import WALL
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream

SMALLEST: Final = 7
OBSTACLE_COUNTS: Final = {"A_bit": (1, 2), "Medium": (3, 4), "A_lot": (5, 6)}
"""Fewest and most single walls; two may fall on one cell."""

WATCHER: Final = "Peer"


def build(
    parameters: EpisodeParameters,
    size: int,
    hidden: bool,
    draws: ArrayStream,
    choices: ChoiceStream,
    directions: ArrayStream,
) -> Scene:
    """Obstacles, apple, watcher, agent.

    Args:
        hidden: the watcher cannot be seen.
        choices: decides how many obstacles there are.
        directions: decides where the watcher looks at first.
    """
    room = draw_room(draws, size, SMALLEST)
    scene = Scene(room)
    if parameters.obstacles in OBSTACLE_COUNTS:
        for _ in range(choices.integer(*OBSTACLE_COUNTS[parameters.obstacles])):
            choices.below(2)  # the original draws something for each obstacle that shows nowhere
            x = draws.integer(1, room.columns - 2)
            room.put((x, draws.integer(1, room.rows - 2)), WALL)
    whole = Area(0, 0, room.columns, room.rows)
    room.put(draw_cell(draws, whole, lambda cell: is_taken(room, cell)), scene.apple)
    color = draws.element(SORTED_COLORS)
    if parameters.peer:
        scene.peer = PeerBody(color, WATCHER, adversarial=True, hidden=hidden)
        room.put(draw_cell(draws, whole, lambda cell: is_taken(room, cell)), scene.peer)
        scene.peer.facing = directions.integer(0, 4)
    place_agent(room, draws, whole)
    return scene
