"""policy/expert and policy/asocial on the SocialAI School."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from embodibench.agents.policies.socialai_asocial import AsocialPolicy
from embodibench.agents.policies.socialai_expert import ExpertPolicy
from embodibench.envs.base import Action, Observation, Step
from embodibench.envs.socialai.world import SocialAIWorld

MODELS: Mapping[str, Any] = {"size": 7, "opening_waits": 1, "stop_when_blocked": True}

SHORTEST = {
    "AsocialBoxInformationSeekingParamEnv": (4, 7, 4, 5, 8, 3, 6, 5, 3, 6),
    "ColorBoxesLLMCSParamEnv": (4, 4, 4, 4, 5, 5, 9, 4, 4, 10, 10, 7, 5, 8, 6, 6, 5, 10, 10, 6),
}
"""Fewest actions for each seed, found on the original by search."""


class SmallGame:
    """As much of a game as a policy needs."""

    def __init__(self, world: SocialAIWorld, seed: int, limit: int) -> None:
        self.environment = world
        self.task: dict[str, Any] = {"budgets": {"max_steps": limit}}
        self.rng = np.random.default_rng(seed)
        self.observation: Observation = world.reset(seed)
        self.steps = 0
        self.limit = limit

    @property
    def over(self) -> bool:
        return self.steps >= self.limit or bool(self.environment.episode.outcome)

    def act(self, action: Action) -> Step:
        self.steps += 1
        return self.environment.step(action)


def play(policy: Any, world: SocialAIWorld, seed: int, limit: int) -> tuple[bool, int]:
    """Whether the policy solves a seed, and the actions it took."""
    game = SmallGame(world, seed, limit)
    asyncio.run(policy.play(game))
    return bool(world.measures()["success"]), game.steps


@pytest.mark.parametrize("tree", SHORTEST)
def test_the_expert_solves_the_papers_tasks_in_as_few_actions_as_possible(tree: str) -> None:
    world = SocialAIWorld(tree=tree, **MODELS)
    for seed, fewest in enumerate(SHORTEST[tree]):
        assert play(ExpertPolicy(), world, seed, 14) == (True, fewest)


@pytest.mark.parametrize(
    "tree",
    [
        "EPointingHeldoutDoorsTrainInformationSeekingParamEnv",
        "EEmulationDistrInformationSeekingParamEnv",
        "EEmulationNoDistrDoorsInformationSeekingParamEnv",
        "AELangFeedbackTrainScaffoldingCSParamEnv",
        "LeverDoorCollaborationParamEnv",
        "MarblePushCollaborationParamEnv",
        "MarblePassCollaborationParamEnv",
        "ObjectsSwitchesCollaborationParamEnv",
        "AppleStealingObst_MediumParamEnv",
        "AsocialMarbleCollaborationParamEnv",
    ],
)
def test_the_expert_solves_case_studies_within_forty_actions(tree: str) -> None:
    world = SocialAIWorld(tree=tree)
    assert [seed for seed in range(10) if not play(ExpertPolicy(), world, seed, 40)[0]] == []


def test_what_cannot_be_solved_is_not() -> None:
    # The peer stands on the only way to the door, and never walks.
    levers = SocialAIWorld(tree="JAELangColorLeversTestInformationSeekingParamEnv")
    assert not play(ExpertPolicy(), levers, 2, 40)[0]
    # The platform stands on the only cell from which the marble could be pushed to the generator the partner chose.
    marble = SocialAIWorld(tree="ObjectsMarbleCollaborationParamEnv")
    assert not play(ExpertPolicy(), marble, 9, 40)[0]


def test_without_the_peer_two_objects_are_a_coin_toss() -> None:
    world = SocialAIWorld(tree="ELangColorBoxesTestInformationSeekingParamEnv")
    solved = sum(play(AsocialPolicy(), world, seed, 40)[0] for seed in range(80))
    assert 25 <= solved <= 55


def test_without_the_peer_nothing_is_missing_where_there_is_none() -> None:
    world = SocialAIWorld(tree="AsocialBoxInformationSeekingParamEnv", **MODELS)
    assert all(play(AsocialPolicy(), world, seed, 14)[0] for seed in range(10))


def test_where_a_partner_is_needed_haste_loses_what_patience_wins() -> None:
    solved = {}
    for policy in (ExpertPolicy(), AsocialPolicy()):
        for role in ("A", "B"):
            world = SocialAIWorld(
                parameters={"Env_type": "Collaboration", "Problem": "MarblePush", "Role": role, "Version": "Social"}
            )
            name = policy.identity.name
            solved[name, role] = sum(play(policy, world, seed, 40)[0] for seed in range(10))
    assert solved["policy/expert", "A"] == solved["policy/expert", "B"] == 10
    assert solved["policy/asocial", "A"] <= 5 and solved["policy/asocial", "B"] <= 5


def test_policies_are_labelled_privileged() -> None:
    assert ExpertPolicy.identity.privileged and AsocialPolicy.identity.privileged
    assert ExpertPolicy.identity.name == "policy/expert" and AsocialPolicy.identity.name == "policy/asocial"
