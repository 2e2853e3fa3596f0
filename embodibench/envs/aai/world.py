"""The Animal-AI arena as a world: an agent that sees, moves and turns, goals to take and zones to avoid.

Actions are integers 0..8: ``3 * move + turn`` with move 0 none, 1 forward, 2 backward and turn 0 none, 1 right
(clockwise from above), 2 left. One step is 0.06 s: three updates of Unity's fixed time step. A turning step turns by 6
degrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, cast

import numpy as np
from pydantic import ValidationError

from embodibench.canonical import Json
from embodibench.envs.aai.episode import Episode, Snapshot
from embodibench.envs.aai.objects import KINDS, nearest
from embodibench.envs.aai.scene import Scene
from embodibench.envs.aai.spec import ArenaSpec
from embodibench.envs.base import Action, Observation, Picture, Step
from embodibench.errors import UsageError

ACTIONS: Final = 9
SMALLEST_PICTURE, LARGEST_PICTURE = 4, 2048


class ArenaObservation(Observation):
    """What the agent may look at: the picture of its camera, and the objects as data."""

    def __init__(self, world: ArenaWorld) -> None:
        self._world = world

    def render(self, height: int, width: int) -> Picture:
        """The agent's camera: 100 degrees vertically, RGB.

        Raises:
            UsageError: a side is outside 4..2048, or this installation has no renderer.
        """
        if min(height, width) < SMALLEST_PICTURE or max(height, width) > LARGEST_PICTURE:
            raise UsageError(f"a picture of {height} x {width}: sides must be {SMALLEST_PICTURE}..{LARGEST_PICTURE}")
        try:
            camera = import_module("embodibench.envs.aai.camera")
        except ModuleNotFoundError as error:
            raise UsageError("the arena's renderer (embodibench.envs.aai.camera) is not installed") from error
        return cast(Picture, camera.draw(self._world.scene(), height, width))

    def objects(self) -> tuple[Mapping[str, Json], ...]:
        """Every piece of every object: identity, kind, shape, centre, size, axes, colour (see ``scene.Solid``)."""
        return tuple(
            {
                "identity": solid.identity,
                "kind": solid.kind,
                "shape": solid.shape,
                "centre": list(solid.centre),
                "size": list(solid.size),
                "axes": [list(axis) for axis in solid.axes],
                "colour": list(solid.colour),
            }
            for solid in self._world.scene().solids
        )


class ArenaWorld:
    """An Animal-AI arena. The parameters are the fields of ``ArenaSpec``, as plain JSON data.

    Args:
        time_limit: ``t`` of the arena; 0 means no limit and no decay.
        items: what is in it, see ``ItemSpec``.
        blackouts: frames at which the light toggles.

    Raises:
        UsageError: the parameters are not an arena, or an object kind is unknown.
    """

    action_count = ACTIONS

    def __init__(self, time_limit: int, items: Any, blackouts: Any = ()) -> None:
        try:
            self.spec = ArenaSpec(time_limit=time_limit, items=items, blackouts=blackouts)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise UsageError(f"arena: {place}: {first['msg']}") from error
        for number, item in enumerate(self.spec.items):
            if item.kind not in KINDS:
                hint = ", ".join(nearest(item.kind)) or ", ".join(KINDS)
                raise UsageError(f"arena: items.{number}: unknown object kind '{item.kind}'; did you mean: {hint}")
        self._episode: Episode | None = None
        self._seed: int | None = None
        self._first: Snapshot | None = None

    @property
    def episode(self) -> Episode:
        """The episode that is being played. Raises RuntimeError before the first ``reset``."""
        if self._episode is None:
            raise RuntimeError("the world has not been reset")
        return self._episode

    def reset(self, seed: int) -> Observation:
        """Start an episode; ``seed`` decides random places, sizes, yaws and colours.

        Raises:
            UsageError: the agent found no free place.
        """
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**31:
            raise UsageError(f"seed {seed!r}: must be an integer in 0..2147483647")
        if self._episode is not None and self._first is not None and self._seed == seed:
            self._episode.restore(self._first)
        else:
            self._episode = Episode(self.spec, int(seed))
            self._first = self._episode.snapshot()
            self._seed = int(seed)
        return ArenaObservation(self)

    def step(self, action: Action) -> Step:
        """Advance by three updates.

        Raises:
            ValueError: the action is not an integer in 0..8.
            RuntimeError: before the first ``reset``, or after the end.
        """
        episode = self.episode
        if isinstance(action, bool) or not isinstance(action, int | np.integer) or not 0 <= action < ACTIONS:
            raise ValueError(f"arena action {action!r}: must be an integer in 0..8 (3 * move + turn)")
        if episode.end:
            raise RuntimeError(f"the episode has ended ({episode.end}); reset the world")
        reward = episode.step(*divmod(int(action), 3))
        why = self.episode.end
        info: dict[str, Json] = {"end": why} if why else {}
        return Step(ArenaObservation(self), reward, bool(why) and why != "health", why == "health", info)

    def observe(self) -> Observation:
        """What can be seen now, as ``reset`` and ``step`` give it."""
        return ArenaObservation(self)

    def scene(self) -> Scene:
        """Everything there is to see, for the renderer, the map and the text view."""
        return self.episode.scene()

    def fingerprint(self) -> bytes:
        """16 bytes over the full state (see ``Episode.fingerprint``)."""
        return self.episode.fingerprint()

    def measures(self) -> Mapping[str, Json]:
        """Counts so far.

        Keys: ``return`` (sum of rewards), ``health`` (0..100), ``eaten`` (balls taken, bad ones too), ``collected``
        (disappearing goals), ``position`` (x, y, z of the agent's centre), ``yaw`` (degrees), ``dark``, ``unplaced``
        (``item.instance`` of what found no free place) and ``end`` ("" while it goes on).
        """
        episode = self.episode
        return {
            "return": episode.total,
            "health": episode.health,
            "eaten": episode.eaten,
            "collected": episode.collected,
            "position": list(episode.position),
            "yaw": episode.yaw,
            "dark": episode.dark,
            "unplaced": [f"{item}.{instance}" for item, instance in episode.layout.unplaced],
            "end": episode.end,
        }

    def close(self) -> None:
        """Release the model."""
        self._episode = None
        self._first = None
