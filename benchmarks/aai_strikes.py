"""Strikes, for ``aai_walkthrough_search.py``: push a box at what stands on a post, then run after the ball.

A beam search seldom finds the one place behind the box from which a run carries it to the post. Here places behind the
box are drawn at random, the way there is simulated, and a push that only brings the box nearer is kept as a start for
the next one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embodibench.agents.policies.walkthrough import SCRIPTS, actions
from embodibench.envs.aai.episode import Episode, Snapshot

LENGTHS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 30)
KEPT: Final = 60
"""Starts that are kept for further pushes."""
NUDGES: Final = 4
"""Runs that the way to a place may take."""

Place = NDArray[np.float64]


class EndedError(Exception):
    """The episode ended."""


@dataclass(frozen=True)
class Start:
    """A moment from which the box is pushed: snapshot, scripts so far, rank (lower is better)."""

    snapshot: Snapshot
    scripts: tuple[str, ...]
    rank: float


class Strikes:
    """The search for one trial.

    Args:
        episode: after the opening.
        mark: the return that passes.
        ball: identity of the ball on the post.
        box: identity of the box.
        rng: draws places and directions.
    """

    def __init__(self, episode: Episode, mark: float, ball: int, box: int, rng: np.random.Generator) -> None:
        self.episode = episode
        self.mark = mark
        self.ball = ball
        self.box = box
        self.rng = rng
        self.root = episode.snapshot()
        self.post = self.place(ball)
        self.height = episode.poses()[ball][0][1] - 0.4

    def run(self, seconds: float) -> tuple[str, ...] | None:
        """The scripts of a walkthrough, or None when the processor time is used up."""
        limit = time.process_time() + seconds
        starts = [Start(self.root, (), 0.0)]
        while time.process_time() < limit:
            start = starts[min(int(self.rng.exponential(3)), len(starts) - 1)]
            self.episode.restore(start.snapshot)
            scripts = list(start.scripts)
            try:
                if not self.strike(scripts):
                    continue
                if not self.fallen():
                    box = self.place(self.box)
                    if min(box) > 3 and max(box) < 37 and len(scripts) < SCRIPTS - 9:
                        rank = float(np.hypot(*(self.post - box))) + 0.35 * len(scripts)
                        starts.append(Start(self.episode.snapshot(), tuple(scripts), rank))
                        starts = sorted(starts, key=lambda kept: kept.rank)[:KEPT]
                    continue
                self.chase(scripts)
            except EndedError:
                if self.episode.total >= self.mark:
                    return tuple(scripts)
        return None

    def place(self, identity: int) -> Place:
        """Where a body is: x and z."""
        centre = self.episode.poses()[identity][0]
        return np.array([centre[0], centre[2]])

    def own(self) -> Place:
        """Where the agent is: x and z."""
        return np.array([self.episode.position[0], self.episode.position[2]])

    def fallen(self) -> bool:
        """Whether the ball has left the post."""
        return self.episode.poses()[self.ball][0][1] < self.height

    def do(self, script: str) -> None:
        """Play a script. Raises EndedError."""
        for action in actions(script):
            self.episode.step(*divmod(action, 3))
            if self.episode.end:
                raise EndedError

    def turn(self, goal: Place) -> int:
        """The turn towards a place, in degrees."""
        way = goal - self.own()
        angle = float(np.degrees(np.arctan2(way[0], way[1])))
        return 6 * round(((angle - self.episode.yaw + 180.0) % 360.0 - 180.0) / 6.0)

    def go(self, goal: Place, scripts: list[str], near: float) -> None:
        """Go to a place, in runs that end as near to it as they can. Raises EndedError."""
        for _ in range(NUDGES):
            if np.hypot(*(goal - self.own())) < near:
                return
            self.best(goal, (0,), scripts, coast=True)

    def best(self, goal: Place, changes: tuple[int, ...], scripts: list[str], *, coast: bool) -> None:
        """Play the turn and run that ends nearest to a place, or takes the ball. Raises EndedError."""
        before, turn = self.episode.snapshot(), self.turn(goal)
        found: list[tuple[float, str]] = []
        for change in changes:
            for length in LENGTHS:
                self.episode.restore(before)
                script = (f"Turn({turn + change});" if turn + change else "") + f"Go({length});"
                try:
                    self.do(script + ("Turn(30);Turn(-30);" if coast else ""))
                except EndedError:
                    if self.episode.total >= self.mark:
                        scripts.append(script)
                        raise
                    continue
                target = goal if coast else self.place(self.ball)
                found.append((float(np.hypot(*(target - self.own()))), script))
        if not found:
            raise EndedError
        self.episode.restore(before)
        scripts.append(min(found)[1])
        self.do(scripts[-1])

    def strike(self, scripts: list[str]) -> bool:
        """Get behind the box and push it; whether it was tried. Raises EndedError."""
        rng, box = self.rng, self.place(self.box)
        ahead = (self.post - box) / np.hypot(*(self.post - box))
        if rng.random() < 0.25:  # from anywhere: it may bring the box to a better place
            angle = rng.uniform(0, 2 * np.pi)
            ahead = np.array([np.cos(angle), np.sin(angle)])
        aside = np.array([ahead[1], -ahead[0]])
        behind = box - ahead * rng.uniform(2.8, 9.0) + aside * rng.normal(0, 1.2)
        if min(behind) < 0.7 or max(behind) > 39.3:
            return False
        way = behind - self.own()
        length = float(np.hypot(*way)) + 1e-9
        passing = self.own() + way / length * np.clip(np.dot(box - self.own(), way) / length, 0, length)
        if np.hypot(*(passing - box)) < 3.2:  # round the box
            across = np.array([way[1], -way[0]]) / length
            side = np.sign(np.dot(self.own() - box, across) + rng.normal(0, 0.5))
            self.go(np.clip(box + across * side * rng.uniform(3.5, 5.5), 1, 39), scripts, 1.5)
        self.go(behind, scripts, 0.7)
        if len(scripts) > SCRIPTS - 5:
            return False
        turn = self.turn((self.place(self.box) if rng.random() < 0.5 else self.post) + rng.normal(0, 0.4, 2))
        script = f"Turn({turn});" if turn else ""
        self.do(script)
        steps, most = 0, int(rng.integers(3, 26))
        while steps < most and not self.fallen():
            self.do("Go(1);")
            steps += 1
        scripts.append(f"{script}Go({steps});")
        if not self.fallen():
            # What was flung comes to rest while the agent turns.
            scripts.append("Turn(180);")
            self.do(scripts[-1])
        return True

    def chase(self, scripts: list[str]) -> None:
        """Run after the ball. Raises EndedError, with the ball taken or not."""
        while len(scripts) < SCRIPTS:
            self.best(self.place(self.ball), (-6, 0, 6), scripts, coast=False)
