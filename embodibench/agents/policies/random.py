"""A policy that acts at random: the floor that every score is read against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.canonical import Json
from embodibench.envs.base import Action, Environment
from embodibench.errors import UsageError


class RandomPolicy:
    """Every action with the same probability, from the game's own random stream.

    It plays any world that says what its actions are, by one of two attributes of the environment:

    * ``action_count: int`` - actions are the integers 0..action_count-1;
    * ``action_shape: tuple[int, ...]`` - an action is one index for each branch, branch i in 0..action_shape[i]-1;
      every branch is drawn by itself.
    """

    identity: Final = AgentIdentity(name="policy/random", version=1)

    async def play(self, game: Game) -> None:
        """Act until the episode ends.

        Raises:
            UsageError: the world has neither attribute.
        """
        draw = _sampler(game.environment)
        while not game.over:
            game.act(draw(game.rng))

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None


def _sampler(environment: Environment) -> Callable[[np.random.Generator], Action]:
    count = getattr(environment, "action_count", None)
    if count is not None:
        return lambda rng: int(rng.integers(count))
    shape = getattr(environment, "action_shape", None)
    if shape is not None:
        return lambda rng: tuple(int(rng.integers(branch)) for branch in shape)
    kind = type(environment).__name__
    raise UsageError(f"policy/random cannot play {kind}: it names neither action_count nor action_shape")


__all__ = ["RandomPolicy"]
