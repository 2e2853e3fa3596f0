"""policy/asocial for the SocialAI School: it knows the rules and the room, but pays no attention to the peer.

Of two objects of a kind it uses a random one; it takes apples whoever looks, and does its part of a collaboration at
once. What it scores is what can be had without the peer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

import numpy as np

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.agents.policies.socialai_plans import Plan
from embodibench.canonical import Json
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.objects import Thing
from embodibench.envs.socialai.world import SocialAIWorld


class LonePlan(Plan):
    """A plan that neither waits for the peer nor knows which object is right."""

    waits_for_peer = False

    def __init__(self, episode: Episode, rng: np.random.Generator) -> None:
        scene = episode.scene
        target: Thing | None = scene.target
        if scene.distractor is not None and rng.integers(2):
            target = scene.distractor
        if scene.left:
            target = scene.left[int(rng.integers(len(scene.left)))]
        super().__init__(episode, target)


class AsocialPolicy:
    """Plays to the end of the episode."""

    identity: Final = AgentIdentity(name="policy/asocial", version=1, privileged=True)

    async def play(self, game: Game) -> None:
        """Act until the episode ends."""
        plan = LonePlan(cast(SocialAIWorld, game.environment).episode, game.rng)
        while not game.over:
            game.act(plan.next())

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None
