"""The world beside recordings of the original (EMBODIBENCH_REFERENCE_DATA)."""

from __future__ import annotations

from pathlib import Path

import pytest

from embodibench.envs.socialai.trees import case_study, names
from embodibench.envs.socialai.trees.notation import one_line
from embodibench.envs.socialai.world import SocialAIWorld
from tests.envs.socialai import recorded

pytestmark = pytest.mark.reference


def test_every_recorded_start_layout_is_reproduced(reference_data: Path) -> None:
    wrong = []
    for line in recorded.load(reference_data, recorded.LAYOUTS):
        episode = recorded.begin(line["params"], line["seed"], 10, from_tree=True)
        room, layout = episode.scene.room, line["layout"]
        walls = {
            (x, y)
            for x in range(1, room.columns - 1)
            for y in range(1, room.rows - 1)
            if (thing := room.get(x, y)) is not None and thing.type == "wall"
        }
        same = (
            (room.columns, room.rows) == (layout["room_w"], layout["room_h"])
            and (room.agent_pos, room.agent_dir) == (tuple(layout["agent_pos"]), layout["agent_dir"])
            and recorded.objects(episode) == recorded.recorded_objects(layout)
            and walls == {tuple(cell) for cell in layout["inner_walls"]}
            and recorded.picture(episode) == line["obs_image"]
        )
        if not same:
            wrong.append((line["env_id"], line["seed"]))
    assert wrong == []


def test_named_trees_draw_the_recorded_parameters_and_layouts(reference_data: Path) -> None:
    worlds: dict[str, SocialAIWorld] = {}
    for line in recorded.load(reference_data, recorded.LAYOUTS):
        if line["env_id"] not in worlds:
            worlds[line["env_id"]] = SocialAIWorld(tree=line["env_id"])
        world = worlds[line["env_id"]]
        world.reset(line["seed"])
        assert world.measures()["parameters"] == line["params"]
        assert recorded.objects(world.episode) == recorded.recorded_objects(line["layout"])


@pytest.mark.parametrize("name", recorded.SMALL + recorded.LARGE)
def test_every_step_of_the_recorded_runs_is_identical(reference_data: Path, name: str) -> None:
    size = 7 if name in recorded.SMALL else 10
    wrong = [
        (run["params"], run["policy"], run["seed"], number, found)
        for run in recorded.load(reference_data, name)
        for number, found in recorded.differences(run, size)
        if found
    ]
    assert wrong == []


def test_every_registered_tree_is_the_original_one(reference_data: Path) -> None:
    original = {}
    for line in (reference_data / "socialai" / "trees.txt").read_text(encoding="utf-8").splitlines():
        if " :: " in line:
            name, tree = line.split(" :: ")
            original[name.strip().removeprefix("SocialAI-").removesuffix("-v1")] = tree.strip()
    del original["DrawingEnv"]  # crashes in the original, and serves no study
    assert {name: one_line(case_study(name)) for name in names()} == original
