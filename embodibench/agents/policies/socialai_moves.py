"""Walking for the SocialAI policies: shortest ways in turns and steps that bump into nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from embodibench.envs.socialai.constants import STEPS, Point, facing_direction
from embodibench.envs.socialai.episode import FORWARD, TURN_LEFT, TURN_RIGHT
from embodibench.envs.socialai.room import Room

Pose: TypeAlias = tuple[Point, int]
"""Where the agent stands, and the direction it looks in."""

ARRIVED: Final = -1


def first_move(room: Room, goals: Collection[Pose], shuns: Callable[[Pose], bool] = lambda pose: False) -> int | None:
    """The first action of a shortest way to one of ``goals``; ``ARRIVED`` when there, None when there is no way.

    Args:
        shuns: poses that the way must not lead through.
    """
    start: Pose = (room.agent_pos, room.agent_dir)
    if start in goals:
        return ARRIVED
    waiting: deque[tuple[Pose, int]] = deque([(start, ARRIVED)])
    seen = {start}
    while waiting:
        (cell, facing), first = waiting.popleft()
        step = STEPS[facing]
        ahead = (cell[0] + step[0], cell[1] + step[1])
        options = [(TURN_LEFT, (cell, (facing + 3) % 4)), (TURN_RIGHT, (cell, (facing + 1) % 4))]
        thing = room.at(ahead)
        if thing is None or thing.can_overlap():
            options.append((FORWARD, (ahead, facing)))
        for action, pose in options:
            if pose in seen or shuns(pose):
                continue
            seen.add(pose)
            begun = action if first == ARRIVED else first
            if pose in goals:
                return begun
            waiting.append((pose, begun))
    return None


def poses_before(cell: Point) -> list[Pose]:
    """The four poses from which one looks at a cell it touches."""
    return [((cell[0] - dx, cell[1] - dy), facing) for facing, (dx, dy) in enumerate(STEPS)]


def poses_on(cell: Point) -> list[Pose]:
    """The four poses on a cell."""
    return [(cell, facing) for facing in range(len(STEPS))]


def looks_along_line(pose: Pose, cell: Point) -> bool:
    """Whether somebody in this pose looks at a cell of its row or column."""
    (x, y), facing = pose
    dx, dy = cell[0] - x, cell[1] - y
    return (dx == 0) != (dy == 0) and facing_direction((x, y), cell) == facing
