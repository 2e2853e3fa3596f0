"""The arena as a Gymnasium environment, ``embodibench/Arena-v1``, for reinforcement learning.

from embodibench.envs.aai import gym as arena
arena.register()
env = gymnasium.make("embodibench/Arena-v1", arena=spec, observation="rays")
"""

from __future__ import annotations

from typing import Any, Final, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from embodibench.envs.aai.exact import direction
from embodibench.envs.aai.objects import KINDS
from embodibench.envs.aai.rays import cast
from embodibench.envs.aai.spec import ArenaSpec
from embodibench.envs.aai.world import ArenaWorld
from embodibench.errors import UsageError

ID: Final = "embodibench/Arena-v1"
REACH: Final = 60.0
"""Length of a ray, in arena units: further than the diagonal."""

View = Literal["state", "rays", "camera"]


def register() -> None:
    """Make ``gymnasium.make("embodibench/Arena-v1")`` work; a second call changes nothing."""
    if ID not in gymnasium.registry:
        gymnasium.register(ID, entry_point="embodibench.envs.aai.gym:ArenaGym")


class ArenaGym(gymnasium.Env[NDArray[Any], NDArray[np.int64]]):  # type: ignore[misc]
    """An arena with a move and a turn as its two actions.

    Action: MultiDiscrete [3, 3]; move 0 none, 1 forward, 2 backward; turn 0 none, 1 right, 2 left.
    Observation, float32 unless said otherwise:

    * ``state`` (7,): health 0..100, velocity right, up and ahead of the agent (m/s), position x, y, z;
    * ``rays`` (rays, kinds + 1): for each ray, from left to right over ``angle`` degrees, one column a kind that is 1
      where the ray meets it, and last the distance over 60; kinds are in the order of ``objects.KINDS``;
    * ``camera`` (height, width, 3), uint8: the agent's camera.

    Args:
        arena: the arena, or its fields as plain data.
        observation: one of the three.
        rays, angle: number of rays (odd, so that one looks ahead) and the degrees they span.
        height, width: of the picture.
        render_mode: None or ``rgb_array``.

    Raises:
        UsageError: a parameter does not fit.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 17}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        arena: ArenaSpec | dict[str, Any],
        observation: View = "state",
        *,
        rays: int = 15,
        angle: float = 100.0,
        height: int = 84,
        width: int = 84,
        render_mode: str | None = None,
    ) -> None:
        if observation not in ("state", "rays", "camera"):
            raise UsageError(f"arena observation '{observation}': must be state, rays or camera")
        if rays < 1 or rays % 2 == 0 or rays > 999 or not 0 <= angle <= 360:
            raise UsageError("arena rays: an odd number up to 999, over 0..360 degrees")
        fields = arena.model_dump() if isinstance(arena, ArenaSpec) else arena
        self.world = ArenaWorld(**fields)
        self.render_mode = render_mode
        self._view = observation
        self._picture = (height, width)
        turns = np.linspace(-angle / 2, angle / 2, rays) if rays > 1 else np.zeros(1)
        self._directions = np.array([direction(float(turn)) for turn in turns])
        self.action_space = gymnasium.spaces.MultiDiscrete([3, 3])
        self.observation_space = _space(observation, rays, height, width)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start an episode; without a seed, one is drawn from the environment's own generator."""
        super().reset(seed=seed)
        self.world.reset(int(self.np_random.integers(2**31)) if seed is None else seed)
        return self._look(), {}

    def step(self, action: NDArray[np.int64]) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Move and turn for one step of 0.06 s."""
        move, turn = (int(branch) for branch in action)
        if not (0 <= move < 3 and 0 <= turn < 3):
            raise ValueError(f"arena action ({move}, {turn}): each must be 0, 1 or 2")
        step = self.world.step(3 * move + turn)
        return self._look(), step.reward, step.terminated, step.truncated, dict(step.info)

    def render(self) -> NDArray[np.uint8] | None:
        """The agent's camera, if ``render_mode`` is ``rgb_array``."""
        return self._camera() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the arena."""
        self.world.close()

    def _look(self) -> NDArray[Any]:
        if self._view == "camera":
            return self._camera()
        return self._state() if self._view == "state" else self._rays()

    def _camera(self) -> NDArray[np.uint8]:
        return self.world.observe().render(*self._picture)

    def _state(self) -> NDArray[np.float32]:
        episode = self.world.episode
        cos, sin = episode.heading
        x, y, z = episode.velocity
        return np.array([episode.health, x * cos - z * sin, y, x * sin + z * cos, *episode.position], dtype=np.float32)

    def _rays(self) -> NDArray[np.float32]:
        kinds = list(KINDS)
        seen = np.zeros((len(self._directions), len(kinds) + 1), dtype=np.float32)
        scene = self.world.scene()
        for row, (cos, sin) in enumerate(self._directions):
            across = scene.yaw_sin * cos + scene.yaw_cos * sin
            ahead = scene.yaw_cos * cos - scene.yaw_sin * sin
            kind, distance = cast(scene, across, ahead, REACH)
            if kind is not None and not scene.dark:
                seen[row, kinds.index(kind)] = 1.0
            seen[row, -1] = 1.0 if scene.dark else distance / REACH
        return seen


def _space(observation: View, rays: int, height: int, width: int) -> gymnasium.spaces.Box:
    if observation == "camera":
        return gymnasium.spaces.Box(0, 255, (height, width, 3), np.uint8)
    if observation == "rays":
        return gymnasium.spaces.Box(0.0, 1.0, (rays, len(KINDS) + 1), np.float32)
    low = np.array([0.0] + [-np.inf] * 6, dtype=np.float32)
    high = np.array([100.0] + [np.inf] * 6, dtype=np.float32)
    return gymnasium.spaces.Box(low, high, dtype=np.float32)
