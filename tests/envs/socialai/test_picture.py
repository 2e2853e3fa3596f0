"""The picture for people."""

from __future__ import annotations

import numpy as np
import pytest

from embodibench.envs.socialai.world import SocialAIWorld


def test_the_picture_has_the_size_asked_for_and_shows_everybody() -> None:
    world = SocialAIWorld(tree="ColorBoxesLLMCSParamEnv")
    world.reset(0)
    observation = world.step(5).observation
    picture = observation.render(300, 400)
    assert picture.shape == (300, 400, 3) and picture.dtype == np.uint8
    assert np.array_equal(picture, observation.render(300, 400))
    with pytest.raises(ValueError, match="at least"):
        observation.render(20, 20)


def test_gaze_and_pointing_change_the_picture() -> None:
    world = SocialAIWorld(tree="EPointingBoxesTestInformationSeekingParamEnv")
    observation = world.reset(0)
    peer = world.episode.scene.peer
    assert peer is not None
    pictures = set()
    for facing in range(4):
        for pointing in (None, 0, 1, 2, 3):
            peer.facing, peer.pointing = facing, pointing
            pictures.add(observation.render(200, 200).tobytes())
    assert len(pictures) == 20


def test_every_kind_of_thing_is_drawn() -> None:
    for tree in ("RoleReversalCollaborationParamEnv", "SocialAIParamEnv"):
        world = SocialAIWorld(tree=tree)
        for seed in range(12):
            assert len(np.unique(world.reset(seed).render(120, 120).reshape(-1, 3), axis=0)) > 8
