"""The task cards of aai40, and the walkthroughs that prove which trials can be passed."""

from __future__ import annotations

import json

import pytest

from embodibench.agents.policies.walkthrough import OPENING, SCRIPTS, actions, stored
from embodibench.cards.suites import load
from embodibench.data_files import folder
from embodibench.envs import make

SUITE = load("aai40")
WALKTHROUGHS = stored(folder("tasks") / "aai40" / "walkthroughs.json")
UNPASSABLE = ("09-03-01", "09-08-01", "09-21-01", "09-24-01")


def test_there_are_four_tasks_on_each_of_ten_levels() -> None:
    levels = [task.group for task in SUITE.tasks]
    assert len(levels) == 40
    assert {levels.count(level) for level in levels} == {4}


def test_the_four_that_cannot_be_passed_say_so_and_why() -> None:
    assert tuple(task.id for task in SUITE.tasks if not task.passable) == UNPASSABLE
    assert all("Cannot be passed" in task.notes[-1] for task in SUITE.tasks if not task.passable)


def test_figures_carry_their_source() -> None:
    for task in SUITE.tasks:
        assert task.source.licence == "Apache-2.0"
        assert task.source.sha256 is not None
        assert task.seeds == (1, 2, 3)


@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: str(task.id))
def test_every_trial_that_can_be_passed_is_passed_by_its_walkthrough(task) -> None:  # type: ignore[no-untyped-def]
    for seed in task.seeds:
        if not task.passable:
            assert (task.id, seed) not in WALKTHROUGHS
            continue
        scripts = WALKTHROUGHS[task.id, seed]
        assert len(scripts) <= SCRIPTS
        world = make("aai", task.environment.parameters)
        world.reset(seed)
        over = False
        for action in (*OPENING, *(action for script in scripts for action in actions(script))):
            over = world.step(action).over
            if over:
                break
        while not over:
            over = world.step(0).over
        measures = world.measures()
        assert float(str(measures[task.success.measure])) >= task.success.at_least, (task.id, seed, measures)


def test_walkthroughs_name_what_found_them() -> None:
    content = json.loads((folder("tasks") / "aai40" / "walkthroughs.json").read_text(encoding="utf-8"))
    assert content["found_by"] == "benchmarks/aai_walkthrough_search.py"


@pytest.mark.parametrize(
    ("script", "steps"),
    [
        ("Go(3);", (3, 3, 3)),
        ("Go(-2);", (6, 6)),
        ("Turn(90);Go(1);", (1,) * 15 + (3,)),
        ("Turn(-25);", (2,) * 4),
        ("Turn(5);Go(0);", ()),
    ],
)
def test_scripts_become_steps_as_in_the_protocol(script: str, steps: tuple[int, ...]) -> None:
    assert actions(script) == steps


@pytest.mark.parametrize("script", ["Go(3)", "go(3);", "Go(1.5);", "Go(--5);", "Think(a);", " Go(3);"])
def test_what_is_no_script_is_refused(script: str) -> None:
    with pytest.raises(ValueError, match="not a walkthrough script"):
        actions(script)
