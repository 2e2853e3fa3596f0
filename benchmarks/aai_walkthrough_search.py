"""Search the script language for a walkthrough of every (task, trial): at most 30 scripts of Turn and Go that pass it.

    python benchmarks/aai_walkthrough_search.py [--tasks tasks/aai40] [--out tasks/aai40/walkthroughs.json]
        [--only 05-15-01] [--seconds 60] [--again]

A beam search on the arena itself. A state is a snapshot after some scripts; its children are a turn towards points on
the shortest way to the next goal (on a grid of heights, with death zones and bad goals left out) and a run of
some length. States are ranked by what they collected and how far they still have to go. What is found is played again
from a fresh reset, with the opening and the closing of the protocol, before it is written down.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from aai_heights import CELL, SIDE, Field
from aai_strikes import Strikes

from embodibench.agents.policies.walkthrough import OPENING, SCRIPTS, actions
from embodibench.envs.aai.episode import Snapshot
from embodibench.envs.aai.objects import Goal
from embodibench.envs.aai.world import ArenaWorld

LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 30, 35)
TRAVEL = np.array(
    [0.1, 0.34, 0.7, 1.18, 1.77, 2.46, 3.2, 4.1, 4.95, 5.93, 8.04, 10.4, 12.9, 15.4, 18.1, 22.3, 26.6, 32.6, 40]
)
"""Metres that a run of each length brings the agent, from rest, until the picture."""


HINTS: dict[str, tuple[tuple[float, float, float, float, float], ...]] = {
    # The ball stops in the lava behind a post. Running aslant against the fallen wall's foot lifts the agent onto it,
    # and from its top one can jump at the ball.
    "08-30-01": ((39.2, 25.5, 0.0, 0.8, 0.6), (27.0, 31.0, 1.2, 9.0, 3.0), (27.0, 36.5, 4.3, 2.5, 2.0)),
    # A long, slightly slanted run-up over the ramp carries the agent across the gap; sliding on the edge lifts it.
    "10-22-03": ((19.5, 0.7, 0.0, 2.5, 0.5),),
}
"""Places to pass first where the shortest way on the grid misses the idea: x, z, least height, how near in x and z."""


STRIKES = {"05-15-01": (1, 2)}
"""Task -> identities of the ball on a post and of the box to push at it, where the beam search has found nothing."""


@dataclass(frozen=True)
class State:
    """A moment of the search: snapshot, scripts so far, steps so far, rank (lower is better), hints passed."""

    snapshot: Snapshot
    scripts: tuple[str, ...]
    steps: int
    rank: float
    stage: int = 0


class Search:
    """The search for one (task, trial)."""

    def __init__(self, card: dict, seed: int) -> None:  # type: ignore[type-arg]
        self.card = card
        self.seed = seed
        self.mark = float(card["success"]["at_least"])
        self.world = ArenaWorld(**card["environment"]["parameters"])
        self.world.reset(seed)
        self.episode = self.world.episode
        self.goals = {b.identity: b for b in self.episode.built.free if isinstance(b.kind, Goal)}
        bad = [(b.centre[0], b.centre[2], b.size[0] / 2) for b in self.goals.values() if b.kind.sign < 0]
        start = self.episode.snapshot()
        self.field = Field(self.episode, bad)
        self.episode.restore(start)
        self.rng = np.random.default_rng(seed)
        self.hints = HINTS.get(card["id"], ())
        self.stage = 0

    def passed(self, stage: int) -> int:
        """The number of hints passed, now that the agent is where it is."""
        x, y, z = self.episode.position
        while stage < len(self.hints):
            hx, hz, height, rx, rz = self.hints[stage]
            if abs(hx - x) > rx or abs(hz - z) > rz or y < height:
                break
            stage += 1
        return stage

    def targets(self) -> list[tuple[float, float, float, float]]:
        """Goals to go for now: x, height, z and radius."""
        poses = self.episode.poses()
        left = {i: b for i, b in self.goals.items() if i in poses and b.kind.sign > 0}
        yellow = [i for i, b in left.items() if not b.kind.ends]
        green = [i for i, b in left.items() if b.kind.ends]
        enough = [i for i in green if self.episode.total + left[i].size[0] - 0.05 >= self.mark]
        chosen = enough if enough and (not yellow or self.mark < 0.9) else yellow or enough or green
        return [(*(poses[i][0]), left[i].size[0] / 2) for i in chosen]

    def rank(self, scripts: int, steps: int) -> float:
        """Lower is better: what is still to be taken, then the way to the nearest of it, then time."""
        x, y, z = self.episode.position
        if self.stage < len(self.hints):
            hx, hz, *_ = self.hints[self.stage]
            way = float(self.field.towards(hx, -0.01 if self.stage == 0 else 5.0, hz)[self.field.node(x, y - 0.5, z)])
            far = way if np.isfinite(way) else 60.0 + float(np.hypot(hx - x, hz - z))
            return 1000.0 - 200.0 * self.stage + far - 30.0 * max(y - 0.5, 0.0) + 0.02 * steps + 0.3 * scripts
        node = self.field.node(x, y - 0.5, z)
        ways = []
        for tx, ty, tz, radius in self.targets():
            way = float(self.field.towards(tx, ty - radius, tz)[node])
            if not np.isfinite(way) or self.field.perched(tx, ty - radius, tz):
                # Out of reach: a thing to throw at it is the way, from the place right behind that thing.
                behind = self.behind(tx, tz)
                far = [float(np.hypot(bx - x, bz - z)) for bx, bz in behind]
                way = 150.0 + min(far, default=float(np.hypot(tx - x, tz - z)))
            ways.append(way)
        if not ways:
            return 1e6
        spread = 0.15 * sum(ways) if len(ways) > 1 else 0.0
        return min(ways) + spread + 0.02 * steps + 0.3 * scripts - 60.0 * self.episode.total

    def behind(self, tx: float, tz: float) -> list[tuple[float, float]]:
        """Places from which a run at a movable thing sends it towards a goal."""
        places = []
        for body in self.episode.built.free:
            if body.kind.ball:
                continue
            (bx, _, bz), _ = self.episode.poses()[body.identity]
            length = float(np.hypot(tx - bx, tz - bz)) + 1e-9
            back = max(body.size[0], body.size[2]) * 0.6 + 3.0
            places.append((bx - (tx - bx) / length * back, bz - (tz - bz) / length * back))
        return places

    def headings(self, wide: bool) -> list[tuple[float, float]]:
        """Directions (degrees) and distances that may be worth running."""
        x, y, z = self.episode.position
        found = []
        for hx, hz, *_ in self.hints[self.stage : self.stage + 1]:
            found.append((float(np.degrees(np.arctan2(hx - x, hz - z))), float(np.hypot(hx - x, hz - z))))
            found.append((found[-1][0], found[-1][1] + 3.0))
        for tx, ty, tz, radius in self.targets()[:4]:
            angle, reach = float(np.degrees(np.arctan2(tx - x, tz - z))), float(np.hypot(tx - x, tz - z))
            found.append((angle, reach + 1.0))
            field = self.field.towards(tx, ty - radius, tz)
            node = self.field.node(x, y - 0.5, z)
            for count in (3, 6, 10, 15, 22, 30, 42):
                point = self._ahead(node, field, count)
                if point is not None and np.hypot(point[0] - x, point[1] - z) > 0.4:
                    found.append(
                        (
                            float(np.degrees(np.arctan2(point[0] - x, point[1] - z))),
                            float(np.hypot(point[0] - x, point[1] - z)),
                        )
                    )
            for bx, bz in self.behind(tx, tz):
                for px, pz in ((bx, bz), (tx, tz)):
                    found.append((float(np.degrees(np.arctan2(px - x, pz - z))), float(np.hypot(px - x, pz - z))))
        for _ in range(10 if wide else 3):
            found.append((float(self.rng.uniform(0, 360)), float(self.rng.uniform(0.5, 20))))
        return found

    def _ahead(self, node: int, field: np.ndarray, count: int) -> tuple[float, float] | None:
        for _ in range(count):
            # Columns of the reversed graph are the ways out.
            row = self._out()[node]
            if not len(row) or not np.isfinite(field[node]):
                return None
            best = row[int(np.argmin(field[row]))]
            if field[best] >= field[node]:
                break
            node = int(best)
        cell = node % (SIDE * SIDE)
        return (cell // SIDE + 0.5) * CELL, (cell % SIDE + 0.5) * CELL

    def _out(self) -> list[np.ndarray]:
        if not hasattr(self, "_ways"):
            forward = self.field._graph.T.tocsr()
            self._ways = [forward.indices[forward.indptr[k] : forward.indptr[k + 1]] for k in range(forward.shape[0])]
        return self._ways

    def children(self, state: State, wide: bool) -> list[str]:
        """Scripts to try from a state."""
        self.episode.restore(state.snapshot)
        self.stage = state.stage
        yaw = self.episode.yaw
        speed = float(np.hypot(self.episode.velocity[0], self.episode.velocity[2]))
        scripts = []
        for angle, distance in self.headings(wide):
            turn = (angle - yaw + 180.0) % 360.0 - 180.0
            steps = round(turn / 6.0)
            for change in (0, -1, 1, -2, 2) if self.hints and self.stage == len(self.hints) else (0, -1, 1):
                degrees = 6 * (steps + change)
                wanted = max(distance - (speed * 0.15 if degrees else speed * 0.3), 0.1)
                nearest = int(np.argmin(abs(TRAVEL - wanted)))
                picks = {nearest, max(nearest - 1, 0), min(nearest + 1, len(LENGTHS) - 1)}
                if change:
                    picks = {nearest, min(nearest + 1, len(LENGTHS) - 1)}
                if self.hints and self.stage == len(self.hints) and distance > 15:
                    scripts.append(f"Turn({degrees});Go(45);")
                for pick in sorted(picks):
                    scripts.append((f"Turn({degrees});" if degrees else "") + f"Go({LENGTHS[pick]});")
        if wide:
            scripts += ["Turn(0);", "Go(-3);", "Go(-8);", "Turn(180);", "Turn(0);" * 1]
        return list(dict.fromkeys(scripts))

    def run(self, seconds: float, width: int, wide: bool) -> tuple[str, ...] | None:
        """Beam search; the scripts of a walkthrough, or None."""
        self.world.reset(self.seed)
        for action in OPENING:
            if self.world.step(action).over:
                return None
        limit = time.process_time() + seconds
        beam = [State(self.episode.snapshot(), (), 0, 0.0)]
        for depth in range(SCRIPTS):
            found: list[State] = []
            for state in beam:
                for script in self.children(state, wide):
                    self.episode.restore(state.snapshot)
                    steps = state.steps
                    for action in actions(script):
                        steps += 1
                        self.episode.step(*divmod(action, 3))
                        if self.episode.end:
                            break
                    if self.episode.end:
                        if self.episode.total >= self.mark:
                            return (*state.scripts, script)
                        continue
                    self.stage = self.passed(state.stage)
                    rank = self.rank(depth + 1, steps)
                    found.append(State(self.episode.snapshot(), (*state.scripts, script), steps, rank, self.stage))
                if time.process_time() > limit:
                    return None
            beam = self._thin(found, width)
            if not beam:
                return None
        return None

    def strike(self, seconds: float) -> tuple[str, ...] | None:
        """Push a box at the ball, see ``aai_strikes``; the scripts of a walkthrough, or None."""
        self.world.reset(self.seed)
        for action in OPENING:
            if self.world.step(action).over:
                return None
        # A generator of its own: how much of the other one is used up depends on how fast the machine is.
        ball, box = STRIKES[self.card["id"]]
        return Strikes(self.episode, self.mark, ball, box, np.random.default_rng(self.seed)).run(seconds)

    def _thin(self, found: list[State], width: int) -> list[State]:
        kept: list[State] = []
        seen: dict[tuple[int, ...], int] = {}
        for state in sorted(found, key=lambda state: state.rank):
            places, speeds = state.snapshot.arrays[5], state.snapshot.arrays[6]
            eaten = tuple(int(v) for v in state.snapshot.arrays[7])
            key = (int(places[0, 0]), int(places[0, 1] * 2), int(places[0, 2]), int(abs(speeds[0]).max() > 4), *eaten)
            if seen.get(key, 0) < 2:
                seen[key] = seen.get(key, 0) + 1
                kept.append(state)
            if len(kept) == width:
                break
        return kept


def proved(card: dict, seed: int, scripts: tuple[str, ...]) -> bool:  # type: ignore[type-arg]
    """Play a walkthrough from the start, opening and closing included; whether it passes."""
    world = ArenaWorld(**card["environment"]["parameters"])
    world.reset(seed)
    over = False
    for action in (*OPENING, *(action for script in scripts for action in actions(script))):
        over = world.step(action).over
        if over:
            break
    while not over:
        over = world.step(0).over
    return len(scripts) <= SCRIPTS and float(str(world.measures()["return"])) >= float(card["success"]["at_least"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, default=Path("tasks/aai40"))
    parser.add_argument("--out", type=Path, default=Path("tasks/aai40/walkthroughs.json"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--again", action="store_true", help="search again what is already known")
    arguments = parser.parse_args()
    known: dict[str, dict[str, list[str]]] = {}
    if arguments.out.exists():
        known = json.loads(arguments.out.read_text(encoding="utf-8"))["walkthroughs"]
    for path in sorted(arguments.tasks.glob("[0-9]*.yaml")):
        card = yaml.safe_load(path.read_text(encoding="utf-8"))
        if (arguments.only and path.stem not in arguments.only) or not card.get("passable", True):
            continue
        for seed in card["seeds"]:
            old = tuple(known.get(path.stem, {}).get(str(seed), ()))
            if old and not arguments.again and proved(card, seed, old):
                continue
            start = time.process_time()
            search = Search(card, seed)
            # Many arenas differ between trials in nothing that matters.
            others = (tuple(other) for other in known.get(path.stem, {}).values())
            scripts = next((other for other in others if proved(card, seed, other)), None)
            for width, wide in ((6, False), (16, True), (40, True)):
                if scripts is None and time.process_time() - start < arguments.seconds:
                    scripts = search.run(arguments.seconds / 2, width, wide)
            if scripts is None and path.stem in STRIKES:
                scripts = search.strike(arguments.seconds)
            good = scripts is not None and proved(card, seed, scripts)
            print(
                path.stem,
                seed,
                f"{time.process_time() - start:.1f} s",
                len(scripts or ()),
                "passes" if good else "-",
                flush=True,
            )
            if scripts is not None and good:
                known.setdefault(path.stem, {})[str(seed)] = list(scripts)
            elif old:
                known[path.stem].pop(str(seed))
            text = json.dumps({"found_by": "benchmarks/aai_walkthrough_search.py", "walkthroughs": known}, indent=1)
            arguments.out.write_text(text + "\n", encoding="utf-8")
    print("walkthroughs:", sum(len(trials) for trials in known.values()))


if __name__ == "__main__":
    main()
