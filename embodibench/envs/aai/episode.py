"""One episode of an arena: its model, its state, and the compiled step on them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from embodibench.envs.aai.blackout import dark
from embodibench.envs.aai.body import Axes, Body
from embodibench.envs.aai.exact import Floats, circle
from embodibench.envs.aai.memory import addresses, library
from embodibench.envs.aai.model import Built, build, pose
from embodibench.envs.aai.motion import advance
from embodibench.envs.aai.objects import Goal, Zone
from embodibench.envs.aai.objects.goal import KICK
from embodibench.envs.aai.scene import Scene, Solid, Triple
from embodibench.envs.aai.scratch import scratch
from embodibench.envs.aai.settle import settle
from embodibench.envs.aai.spawn import Layout, spawn
from embodibench.envs.aai.spec import ArenaSpec
from embodibench.envs.aai.state import (
    COLLECTED,
    COUNT,
    EATEN,
    END,
    FLOATS,
    GOING,
    GROUNDED,
    HEALTH,
    INTEGERS,
    NEEDED,
    RATE,
    REWARD,
    TOTAL,
    YAW,
)
from embodibench.envs.aai.tables import Integers, Tables
from embodibench.envs.aai.topple import topple

ENDS = {1: "goal", 2: "bad_goal", 3: "death_zone", 4: "health"}
"""How the compiled step says that an episode ended -> the word."""

PERIOD = 5
"""The decision period that Unity's arena keeps for its clock (it plays with 3): an episode is 5 t updates long."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of an episode, to come back to (used by searches, never by an agent)."""

    arrays: tuple[Floats | Integers, ...]


class Episode:
    """An arena being played. Everything that can change is in ``_state``: nine arrays.

    Raises (on construction):
        UsageError: an object kind is unknown, or the agent found no free place.
    """

    def __init__(self, spec: ArenaSpec, seed: int) -> None:
        import mujoco

        self.spec = spec
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.layout: Layout = spawn(spec, self.rng)
        settled = settle(self.layout.bodies)
        bodies = topple(settled.bodies, settled.unstable)
        solid = [body for body in bodies if body.kind.motion in ("fixed", "settles")]
        free = tuple(body for body in bodies if body.kind.motion == "free")
        self.bodies = bodies
        self.built: Built = build(solid, free, self.layout.agent.centre)
        self.tables = _tables(self.built, bodies, self.layout.yaw)
        self._data = mujoco.MjData(self.built.model)
        self._fixed_solids = {body.identity: body.solids(body.centre, body.axes) for body in bodies}
        self._start()

    def _start(self) -> None:
        built, data, tables = self.built, self._data, self.tables
        model = built.model
        self._floats = np.zeros(FLOATS)
        self._floats[HEALTH] = 100.0
        self._floats[RATE] = 1.0 / (PERIOD * self.spec.time_limit) if self.spec.time_limit else 0.0
        self._integers = np.zeros(INTEGERS, dtype=np.int64)
        self._integers[NEEDED] = sum(isinstance(body.kind, Goal) and body.kind.sign > 0 for body in built.free)
        self._touching = np.zeros(model.ngeom, dtype=np.int64)
        self._places = built.places.copy()
        self._speeds = np.zeros((len(built.places), 6))
        self._present = np.ones(len(built.places), dtype=np.int64)
        self._idle = np.zeros(len(built.places), dtype=np.int64)
        for number, body in enumerate(built.free, start=1):
            if isinstance(body.kind, Goal) and body.kind.bounces:
                self._speeds[number, :2] = (KICK * body.heading[1], KICK * body.heading[0])
        native = library()
        self._state = (
            model.geom_contype,
            model.geom_conaffinity,
            self._floats,
            self._integers,
            self._touching,
            self._places,
            self._speeds,
            self._present,
            self._idle,
        )
        self._arguments = (
            native.functions,
            *addresses(model, data),
            native.offsets,
            data.qpos,
            *self._state,
            tables.yaws,
            built.owners,
            built.frictions,
            built.kinds,
            built.numbers,
            built.masses,
            built.inertias,
            built.limits,
            tables.rewards,
            tables.rules,
            built.balls,
            tables.zones,
            *scratch(len(built.places)),
            np.zeros(len(built.balls), dtype=np.int64),
        )

    def step(self, move: int, turn: int) -> float:
        """One environment step (three updates); its reward."""
        advance(*self._arguments, move, turn)
        return float(self._floats[REWARD])

    @property
    def end(self) -> str:
        """Why the episode ended, or ""."""
        code = int(self._integers[END])
        return "" if code == GOING else ENDS[code]

    @property
    def health(self) -> float:
        """0..100."""
        return float(self._floats[HEALTH])

    @property
    def total(self) -> float:
        """Sum of the rewards so far."""
        return float(self._floats[TOTAL])

    @property
    def eaten(self) -> int:
        """Balls taken so far, the bad ones too."""
        return int(self._integers[EATEN])

    @property
    def collected(self) -> int:
        """Disappearing goals taken so far."""
        return int(self._integers[COLLECTED])

    @property
    def updates(self) -> int:
        """Updates of 0.02 s so far."""
        return int(self._integers[COUNT])

    @property
    def grounded(self) -> bool:
        """Whether a push has an effect."""
        return bool(self._integers[GROUNDED])

    @property
    def position(self) -> Triple:
        """The agent's centre, Unity's axes."""
        x, z, y = (float(value) for value in self._places[0, :3])
        return x, y, z

    @property
    def velocity(self) -> Triple:
        """The agent's velocity in m/s, Unity's axes."""
        x, z, y = (float(value) for value in self._speeds[0, :3])
        return x, y, z

    @property
    def speeds(self) -> Floats:
        """(bodies, 6) linear and angular velocities in MuJoCo's axes, the agent first; a copy."""
        return self._speeds.copy()

    @property
    def yaw(self) -> float:
        """Of the agent, in degrees, [0, 360)."""
        return float(np.mod(self.layout.yaw + 2.0 * self._integers[YAW], 360.0))

    @property
    def heading(self) -> tuple[float, float]:
        """Cosine and sine of the agent's yaw."""
        turned = int(self._integers[YAW])
        return float(self.tables.yaws[0, turned]), float(self.tables.yaws[1, turned])

    @property
    def dark(self) -> bool:
        """Whether the light is off."""
        return dark(self.spec.blackouts, self.updates)

    def poses(self) -> dict[int, tuple[Triple, Axes]]:
        """Identity -> centre and axes of every free body that still exists."""
        return {
            body.identity: pose(self._places[number], offset)
            for number, (body, offset) in enumerate(zip(self.built.free, self.built.offsets, strict=True), start=1)
            if self._present[number]
        }

    def scene(self) -> Scene:
        """What there is to see."""
        poses = self.poses()
        solids: list[Solid] = []
        for body in self.bodies:
            if body.kind.motion != "free":
                solids += self._fixed_solids[body.identity]
            elif body.identity in poses:
                solids += body.solids(*poses[body.identity])
        cos, sin = self.heading
        return Scene(tuple(solids), self.position, cos, sin, self.dark)

    def fingerprint(self) -> bytes:
        """16 bytes over everything that can change, the random generator, and the arena's clock and goal count."""
        hasher = hashlib.blake2b(digest_size=16)
        for array in self._state:
            hasher.update(array.tobytes())
        state = self.rng.bit_generator.state
        hasher.update(repr((state["state"], state["has_uint32"], state["uinteger"])).encode())
        hasher.update(np.float64(self.layout.yaw).tobytes())
        return hasher.digest()

    @property
    def state(self) -> tuple[Floats | Integers, ...]:
        """The arrays that hold everything that can change, themselves (for tests; whoever writes them cheats)."""
        return self._state

    def snapshot(self) -> Snapshot:
        """Everything that can change, copied."""
        return Snapshot(tuple(array.copy() for array in self._state))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a moment of this episode."""
        for array, kept in zip(self._state, snapshot.arrays, strict=True):
            array[...] = kept


def _tables(built: Built, bodies: tuple[Body, ...], yaw: float) -> Tables:
    goals = [(body, body.kind) for body in built.free if isinstance(body.kind, Goal)]
    zones = [(body, body.kind) for body in bodies if isinstance(body.kind, Zone)]
    cos, sin = circle(yaw + 2.0 * np.arange(180, dtype=np.float64))
    rows = []
    for body, zone in zones:
        x, y, z = body.centre
        right, ahead = body.axes[0], body.size
        # In MuJoCo's plane the local x axis is (cos, -sin): right = (cos, 0, -sin).
        rows.append((x, z, y, ahead[0] / 2, ahead[2] / 2, ahead[1] / 2, right[0], -right[2], float(zone.deadly)))
    return Tables(
        np.stack([cos, sin]),
        np.array([goal.sign * body.size[0] for body, goal in goals], dtype=np.float64),
        np.array([2 if goal.sign < 0 else 0 if goal.ends else 1 for _, goal in goals], dtype=np.int64),
        np.array(rows, dtype=np.float64).reshape(-1, 9),
    )
