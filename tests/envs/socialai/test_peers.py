"""Peers: paths, introductions, cues, demonstrations, partners, the watcher."""

from __future__ import annotations

import pytest

from embodibench.envs.socialai.constants import EAST, WEST
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.objects import LockableBox
from embodibench.envs.socialai.peers.caretaker import warmth
from embodibench.envs.socialai.peers.paths import next_cell
from embodibench.envs.socialai.peers.watcher import Watcher
from embodibench.envs.socialai.room import WALL, Room
from embodibench.envs.socialai.world import SocialAIWorld

WAIT = 5


def waited(tree: str, seed: int, steps: int) -> tuple[SocialAIWorld, Episode]:
    world = SocialAIWorld(tree=tree, speech=True)
    world.reset(seed)
    for _ in range(steps):
        if world.episode.outcome:
            break
        world.step(WAIT)
    return world, world.episode


def test_paths_go_around_things_never_over_the_agent_and_may_end_on_a_thing() -> None:
    room = Room(10, 10, 10)
    box = LockableBox("blue")
    room.put((5, 2), box)
    assert next_cell(room, (3, 2), (5, 2)) == (4, 2)
    room.put((4, 2), WALL)
    assert next_cell(room, (3, 2), (5, 2)) in ((3, 1), (3, 3))
    room.agent_pos = (3, 1)
    assert next_cell(room, (3, 2), (5, 2)) == (3, 3)
    room.put((3, 3), WALL)
    room.put((2, 2), WALL)
    assert next_cell(room, (3, 2), (5, 2)) is None


@pytest.mark.parametrize(
    ("distance", "word"), [(0, "Hot"), (1, "Hot"), (2, "Warm"), (3, "Medium"), (5, "Medium"), (6, "Cold")]
)
def test_warmth(distance: int, word: str) -> None:
    assert warmth(distance) == word


def test_the_right_colour_is_said_once() -> None:
    for seed in range(20):
        _, episode = waited("ColorBoxesLLMCSParamEnv", seed, 10)
        assert episode.scene.target is not None
        assert episode.peer_lines == (f"Caretaker: {episode.scene.target.color} \n",)


def test_without_an_introduction_there_is_no_cue() -> None:
    _, episode = waited("AELangFeedbackBoxesTestFormatsCSParamEnv", 0, 20)
    assert episode.peer_lines == ()


def test_a_misleading_peer_says_the_colour_of_either_object_before_the_introduction() -> None:
    said = set()
    for seed in range(20):
        _, episode = waited("JAELangColorBoxesTestInformationSeekingParamEnv", seed, 3)
        assert episode.scene.target is not None and episode.scene.peer is not None
        if episode.scene.peer.introduced:
            continue  # the agent happened to stand in its line of sight
        said.add(episode.peer_lines[0] == f"Caretaker: {episode.scene.target.color} \n")
    assert said == {True, False}


@pytest.mark.parametrize("problem", ["Boxes", "Switches", "Generators", "Levers", "Doors", "Marble"])
def test_a_demonstration_is_put_back_and_has_to_be_imitated(problem: str) -> None:
    world = SocialAIWorld(
        parameters={
            "Env_type": "Information_seeking",
            "Pragmatic_frame_complexity": "No",
            "Scaffolding": "N",
            "Cue_type": "Emulation",
            "Problem": problem,
            "N": "2",
            "Peer": "Y",
        }
    )
    world.reset(0)
    at_start = [(thing.KIND, cell) for cell, thing in world.episode.scene.room.standing if thing.KIND != "npc"]
    eaten = False
    for _ in range(60):
        world.step(WAIT)
        eaten = eaten or world.episode.scene.apple.eaten
    assert eaten and not world.episode.scene.apple.eaten
    after = [(thing.KIND, cell) for cell, thing in world.episode.scene.room.standing if thing.KIND != "npc"]
    assert after == at_start


@pytest.mark.parametrize("problem", ["Boxes", "Switches", "Generators", "Levers", "Doors", "Marble"])
def test_a_helping_peer_leaves_the_apple(problem: str) -> None:
    world = SocialAIWorld(
        parameters={
            "Env_type": "Information_seeking",
            "Pragmatic_frame_complexity": "No",
            "Scaffolding": "Y",
            "Problem": problem,
            "N": "2",
            "Peer": "Y",
        }
    )
    world.reset(1)
    home = world.episode.scene.peer.cell  # type: ignore[union-attr]
    for _ in range(60):
        world.step(WAIT)
    scene = world.episode.scene
    assert scene.apple.cur_pos is not None and not scene.apple.eaten
    assert scene.peer is not None and scene.peer.cell == home


def test_pointing_names_the_right_object_alone() -> None:
    for seed in range(12):
        world = SocialAIWorld(
            parameters={
                "Env_type": "Information_seeking",
                "Pragmatic_frame_complexity": "No",
                "Scaffolding": "N",
                "Cue_type": "Pointing",
                "Problem": "Boxes",
                "N": "2",
                "Peer": "Y",
            }
        )
        world.reset(seed)
        for _ in range(40):
            world.step(WAIT)
        scene = world.episode.scene
        peer, target, other = scene.peer, scene.target, scene.distractor
        assert peer is not None and target is not None and other is not None and peer.pointing is not None
        ahead = [(1, 0), (0, 1), (-1, 0), (0, -1)][peer.pointing]
        cell, met = peer.cell, []
        while scene.room.at(cell) is not WALL:
            cell = (cell[0] + ahead[0], cell[1] + ahead[1])
            met.append(scene.room.at(cell))
        assert target in met and other not in met


@pytest.mark.parametrize("problem", ["Boxes", "Switches", "Generators"])
def test_the_left_object_of_the_opened_colour_becomes_the_right_one(problem: str) -> None:
    world = SocialAIWorld(
        parameters={"Env_type": "Collaboration", "Problem": problem, "Role": "B", "Version": "Asocial"}
    )
    world.reset(2)
    scene = world.episode.scene
    assert scene.choice is None
    box = scene.right[1]
    box.use(scene.room)
    world.step(WAIT)
    assert scene.choice == 1
    thing = scene.left[1]
    thing.push(scene.room, EAST) if problem == "Generators" else thing.use(scene.room)
    if problem == "Switches":
        assert scene.box is not None and not scene.box.is_locked
        scene.box.use(scene.room)
    assert scene.peer_apple is not None and scene.peer_apple.cur_pos is not None


def test_a_follower_does_the_rest_once_the_agent_has_chosen() -> None:
    done = 0
    for problem in ("Boxes", "Switches", "Generators", "Marble"):
        for seed in range(5):
            world = SocialAIWorld(
                parameters={"Env_type": "Collaboration", "Problem": problem, "Role": "B", "Version": "Social"}
            )
            world.reset(seed)
            world.episode.scene.right[seed % 2].use(world.episode.scene.room)
            for _ in range(60):
                world.step(WAIT)
            apple = world.episode.scene.peer_apple
            done += apple is not None and apple.eaten
    assert done >= 17  # a marble whose platform stands behind it cannot be pushed


def test_the_watcher_acts_on_every_fifth_step() -> None:
    world = SocialAIWorld(tree="AppleStealingObst_NoParamEnv")
    world.reset(0)
    peer = world.episode.scene.peer
    assert peer is not None and isinstance(world.episode.mind, Watcher)
    facings = []
    for _ in range(20):
        facings.append(peer.facing)
        world.step(WAIT)
    assert all(facings[start : start + 5] == facings[start : start + 1] * 5 for start in (0, 5, 10, 15))
    assert all((facings[start] - facings[start + 5]) % 4 in (1, 3) for start in (0, 5, 10))


def test_stealing_is_worth_nothing_while_the_watcher_looks() -> None:
    for seen, end in ((True, "no_credit"), (False, "success")):
        world = SocialAIWorld(tree="AppleStealingObst_NoParamEnv")
        world.reset(0)
        scene = world.episode.scene
        peer, apple = scene.peer, scene.apple.cur_pos
        assert peer is not None and apple is not None
        scene.room.agent_pos, scene.room.agent_dir = (apple[0] - 1, apple[1]), EAST
        peer.facing = WEST if seen else EAST
        assert world.step(3).info["end"] == end


def test_a_hidden_watcher_is_an_empty_cell_that_stands_still() -> None:
    world = SocialAIWorld(tree="AppleStealingWalkObst_NoParamEnv", hidden_peer=True)
    world.reset(0)
    peer = world.episode.scene.peer
    assert peer is not None
    start = (peer.cell, peer.facing)
    for _ in range(30):
        world.step(WAIT)
    assert (peer.cell, peer.facing) == start
    assert "npc" not in {fact["kind"] for fact in world.step(WAIT).observation.objects()}
