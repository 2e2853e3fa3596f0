"""Shortest paths for peers, with the tie-breaking of the ``astar`` package 0.93 that the published runs used."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final

from embodibench.envs.socialai.constants import Point
from embodibench.envs.socialai.room import Room

NEIGHBOURS: Final[tuple[Point, ...]] = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Order in which a cell's neighbours are looked at; it decides between paths of equal length."""


class _Node:
    """A reached cell. Nodes compare by estimated length alone: the heap's shape breaks ties, as in the package."""

    __slots__ = ("cell", "closed", "estimate", "length", "parent")

    def __init__(self, cell: Point, length: int, estimate: int, parent: _Node | None) -> None:
        self.cell = cell
        self.length = length
        self.estimate = estimate
        self.parent = parent
        self.closed = False

    def __lt__(self, other: _Node) -> bool:
        return self.estimate < other.estimate


def next_cell(room: Room, start: Point, goal: Point) -> Point | None:
    """The first cell of a shortest path, ``start`` itself when it is the goal, None when there is no path.

    A path leads over free cells, never over the agent's; its last cell, the goal, may hold anything but the agent.
    """
    if start == goal:
        return start
    nodes = {start: _Node(start, 0, abs(start[0] - goal[0]) + abs(start[1] - goal[1]), None)}
    heap = [nodes[start]]
    while heap:
        node = heappop(heap)
        if node.cell == goal:
            return _first_step(node)
        node.closed = True
        x, y = node.cell
        length = node.length + 1
        for dx, dy in NEIGHBOURS:
            cell = (x + dx, y + dy)
            if cell == room.agent_pos or not (cell == goal or room.is_free(cell)):
                continue
            known = nodes.get(cell)
            if known is None:
                known = nodes[cell] = _Node(
                    cell, length, length + abs(cell[0] - goal[0]) + abs(cell[1] - goal[1]), node
                )
            elif known.closed or length >= known.length:
                continue
            else:
                heap.remove(known)
                known.estimate += length - known.length
                known.length, known.parent = length, node
            heappush(heap, known)
    return None


def _first_step(node: _Node) -> Point:
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node.cell
