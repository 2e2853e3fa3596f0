"""Trees: notation, drawing paths, case studies, curricula, pictures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner

from embodibench.cli.tree import tree as command
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.streams import ChoiceStream
from embodibench.envs.socialai.trees import case_study, drawing, dump, load, names, parse, sample
from embodibench.envs.socialai.trees.curriculum import Curriculum, Schedule
from embodibench.envs.socialai.trees.node import paths
from embodibench.errors import CardError, UsageError

MINE = """
Env_type:
  Information_seeking:
    Pragmatic_frame_complexity: [No, Ask]
    Scaffolding: {N: {Cue_type: Pointing}}
    Problem:
      Boxes: {N: 2, Peer: Y}
      Doors: {N: 1, Peer: N}
"""


@pytest.mark.parametrize("name", names())
def test_every_path_of_every_case_study_is_an_episode_and_its_yaml_gives_it_back(name: str) -> None:
    tree = case_study(name)
    for chosen in paths(tree):
        EpisodeParameters.from_map(chosen)
    assert parse(yaml.safe_load(dump(tree))) == tree
    ElementTree.fromstring(drawing.svg(tree, name))


def test_a_tree_in_a_file_reads_no_as_a_word(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(MINE)
    found = list(paths(load(file)))
    assert len(found) == 4
    assert {chosen["Pragmatic_frame_complexity"] for chosen in found} == {"No", "Ask"}


def test_a_deeper_value_of_the_same_name_stands() -> None:
    chosen = sample(
        case_study("SocialAIParamEnv"), lambda parameter: parameter.values[-1 if parameter.name == "N" else 0]
    )
    assert chosen["N"] == "2"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "Env_type"),
        ("Env_type: {Information_seeking: {Problem: {Boxes: {N: 1}}}}", "'Peer' is missing"),
        ("Env_type: {Information_seeking: {Problem: {Boxes: {N: 3, Peer: N}}}}", "N is '3'"),
        ("Env_type: {Wandering: {Problem: Boxes}}", "Wandering"),
        ("Env_type: {Collaboration: {Problem: [Boxes, Boxes], Role: A, Version: Social}}", "twice"),
        ("Env_type: {Collaboration: [[Boxes]]}", "must be parameters"),
        ("Env_type: {Information_seeking: ", "mine.yaml"),
    ],
)
def test_a_wrong_tree_is_refused_with_its_file_and_reason(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(CardError, match=r"mine\.yaml") as error:
        load(file)
    assert complaint in str(error.value) and "\n" not in str(error.value)


def test_the_originals_full_id_is_understood_and_a_wrong_name_gets_the_nearest() -> None:
    assert case_study("SocialAI-ColorBoxesLLMCSParamEnv-v1") == case_study("ColorBoxesLLMCSParamEnv")
    with pytest.raises(UsageError, match="ColorBoxesLLMCSParamEnv"):
        case_study("ColorBoxesLLM")


def played(curriculum: Curriculum, episodes: int, success: bool) -> set[tuple[str, str]]:
    tree, stream = case_study("AELangFeedbackTrainScaffoldingCSParamEnv"), ChoiceStream((7,))
    seen = set()
    for _ in range(episodes):
        chosen = curriculum.choose(tree, stream)
        seen.add((chosen["Scaffolding"], chosen["Pragmatic_frame_complexity"]))
        curriculum.record(success)
    return seen


@pytest.mark.parametrize(("name", "first_phase"), [("intro_seq", 4), ("intro_seq_scaf", 8)])
def test_a_curriculum_starts_wide_and_ends_with_the_hardest_format(name: str, first_phase: int) -> None:
    curriculum = Curriculum(name, Schedule(minimum=100, window=50))
    assert len(played(curriculum, 100, success=True)) == first_phase
    assert curriculum.phase == 1
    played(curriculum, 1, success=True)
    assert curriculum.phase == 2
    assert played(curriculum, 100, success=False) == {("N", "Ask_Eye_contact")}
    assert curriculum.phase == 2


def test_a_curriculum_waits_for_success() -> None:
    curriculum = Curriculum("intro_seq", Schedule(minimum=10, window=10))
    played(curriculum, 200, success=False)
    assert curriculum.phase == 1


def test_the_command_lists_shows_samples_and_draws(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert "ColorBoxesLLMCSParamEnv" in run(command, []).output.splitlines()
    shown = run(command, ["ColorBoxesLLMCSParamEnv"]).output
    assert "Cue_type" in shown and "Language_Color" in shown
    assert parse(yaml.safe_load(run(command, ["ColorBoxesLLMCSParamEnv", "--yaml"]).output)) == case_study(
        "ColorBoxesLLMCSParamEnv"
    )
    assert run(command, ["ColorLLMCSParamEnv", "--sample", "3"]).output.count("Problem=") == 3
    picture = tmp_path / "tree.svg"
    assert run(command, ["ColorLLMCSParamEnv", "--svg", str(picture)]).exit_code == 0
    ElementTree.parse(picture)
