"""From the episodes of results to comparison rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from embodibench.cards.schema import SuiteCard, TaskCard
from embodibench.cards.suites import Suite
from embodibench.errors import ResultError, UsageError
from embodibench.results.schema import Episode
from embodibench.scoring.compare_results import beside_published, beside_result, finished_scores
from embodibench.scoring.crafter import ACHIEVEMENTS
from embodibench.scoring.interval import Estimate, NoInterval
from embodibench.scoring.paired import PairedComparison


def suite(name: str, scoring: str, groups: dict[str, str]) -> Suite:
    tasks = tuple(
        TaskCard.model_validate(
            {
                "id": task,
                "title": task,
                "capability": "test",
                "group": group,
                "environment": {"kind": "test"},
                "seeds": [1, 2, 3],
                "source": {"work": "test"},
            }
        )
        for task, group in groups.items()
    )
    card = SuiteCard.model_validate(
        {
            "name": name,
            "version": 1,
            "interface": "A",
            "title": name,
            "description": "test",
            "tasks": list(groups),
            "protocol": {"agent": "test", "fingerprint_every": 1},
            "scoring": scoring,
        }
    )
    return Suite(card, tasks, Path())


def episode(task: str, trial: int, status: str = "ok", success: bool | None = None, **more: Any) -> Episode:
    record = {"task": task, "trial": trial, "seed": trial + 1, "status": status, "end": "test", "steps": 0}
    return Episode.model_validate({**record, "success": success, **more})


AAI40 = suite("aai40", "pass_rate", {f"task-{i:02}": f"level-{1 + i // 4:02}" for i in range(40)})
CRAFTER = suite("crafter", "crafter", {"open-world": "open-world"})
ATARI = suite("atari", "atari", {"pong": "pong", "freeway": "freeway"})
SOCIALAI = suite("socialai", "socialai", {"color-boxes": "color-boxes"})


def aai40(passes: Sequence[int], status: str = "ok") -> list[Episode]:
    return [
        episode(f"task-{i:02}", trial, status, trial < passes[i] and status == "ok")
        for i in range(40)
        for trial in range(3)
    ]


def crafter(unlocks: Sequence[int]) -> list[Episode]:
    return [
        episode("open-world", i, measures={"achievements": dict.fromkeys(ACHIEVEMENTS[:n], 2)}, rewards=[[1.0, n]])
        for i, n in enumerate(unlocks)
    ]


def test_levels_of_aai40_find_their_published_level() -> None:
    rows = beside_published(AAI40, aai40([3] * 20 + [0] * 20), ["children"])
    assert [row.task for row in rows] == [*(str(level) for level in range(1, 11)), "all"]
    assert [row.model.value for row in rows] == [1.0] * 5 + [0.0] * 5 + [0.5]
    assert rows[-1].verdict == "not different"


def test_episodes_that_ended_in_errors_are_planned_and_not_passed() -> None:
    episodes = aai40([3] * 40)[:60] + aai40([3] * 40, "api_error")[60:]
    assert beside_published(AAI40, episodes, ["children"])[-1].model.value == 0.5


def test_crafter_stands_beside_humans_at_its_number_of_episodes() -> None:
    rows = beside_published(CRAFTER, crafter([5, 6, 7, 8, 9, 10, 11, 5, 6, 7]))
    human = [row for row in rows if row.reference.name == "human"]
    assert human[0].model.value == pytest.approx(100 * 7.4 / 22)
    assert all("10 episodes" in row.reference.label for row in human)
    assert {"dreamerv3", "spring", "random"} <= {row.reference.name for row in rows}


def test_socialai_groups_find_the_tasks_of_the_paper() -> None:
    rows = beside_published(SOCIALAI, [episode("color-boxes", room, success=room < 15) for room in range(20)])
    assert {row.task for row in rows} == {"ColorBoxes"}
    assert rows[0].model.bounds() == pytest.approx((0.5313, 0.8881), abs=1e-4)
    assert "gpt-4-0613" in {row.reference.name for row in rows}


def test_only_games_that_came_to_their_end_have_a_score() -> None:
    over, broken = {"score": 3.0, "end": "game over"}, {"score": 21.0, "end": None}
    episodes = [episode("pong", 0, measures=over), episode("pong", 1, measures=broken)]
    episodes += [episode("pong", 2, "api_error", measures=over), episode("freeway", 0, "env_error")]
    assert finished_scores(ATARI, episodes) == {"pong": [3.0], "freeway": []}
    rows = beside_published(ATARI, episodes, ["dqn-2015"], human_table="dqn-2015")
    assert [(row.task, row.model.value) for row in rows] == [("pong", pytest.approx(23.7 / 30))]


def test_measures_that_are_not_what_the_world_writes_are_refused() -> None:
    with pytest.raises(ResultError, match="episode pong 0: measure 'score'"):
        finished_scores(ATARI, [episode("pong", 0, measures={"score": "many", "end": "game over"})])
    with pytest.raises(ResultError, match="episode open-world 0: measure 'achievements'"):
        beside_published(CRAFTER, [episode("open-world", 0, measures={"achievements": [1, 2]})])


def test_suites_without_published_figures_have_no_rows() -> None:
    other = suite("ocalm", "atari", {"pong": "pong"})
    assert beside_published(other, [episode("pong", 0)]) == ()


def test_an_unknown_reference_is_refused() -> None:
    with pytest.raises(UsageError, match="nearest: children"):
        beside_published(AAI40, aai40([0] * 40), ["childen"])


def test_two_results_on_the_same_tasks() -> None:
    result = beside_result(AAI40, aai40([3] * 10 + [1] * 30), aai40([0] * 40))["all"]
    assert isinstance(result, PairedComparison)
    assert result.difference.value == pytest.approx(0.5)
    assert (result.first_ahead, result.differs) == (40, True)


def test_two_crafter_results_are_compared_world_by_world() -> None:
    first, second = crafter([5, 6, 7, 8, 9, 10, 11, 5, 6, 7]), crafter([4, 4, 6, 6, 8, 9, 9, 4, 4, 6])
    difference = beside_result(CRAFTER, first, second[::-1])["all"]
    assert isinstance(difference, Estimate)
    assert difference.value == pytest.approx(100 * 14 / 220)
    assert not isinstance(difference.interval, NoInterval)


@pytest.mark.parametrize("change", ["missing", "twice", "seed"])
def test_results_with_other_trials_are_not_compared(change: str) -> None:
    first, second = aai40([1] * 40), aai40([1] * 40)
    if change == "missing":
        second = second[:-1]
    elif change == "twice":
        second[1] = second[0]
    else:
        second[0] = second[0].model_copy(update={"seed": 99})
    with pytest.raises(UsageError, match=r"do not hold the same trials|other seeds"):
        beside_result(AAI40, first, second)


def test_games_have_no_paired_comparison() -> None:
    assert beside_result(ATARI, [episode("pong", 0)], [episode("pong", 0)]) == {}


def test_the_tasks_of_socialai_are_compared_room_by_room_and_never_pooled() -> None:
    tasks = {"asocial-box": 10, "color-boxes": 20, "color-boxes-generalisation": 20}
    three = suite("socialai", "socialai", {task: task for task in tasks})
    good, bad = (
        [episode(task, room, success=room < passes) for task, rooms in tasks.items() for room in range(rooms)]
        for passes in (8, 1)
    )
    found = beside_result(three, good, bad)
    assert list(found) == list(tasks)
    for task, rooms in tasks.items():
        compared = found[task]
        assert isinstance(compared, PairedComparison)
        assert compared.difference.value == pytest.approx(7 / rooms)
        assert (compared.first_ahead, compared.second_ahead, compared.level) == (7, 0, rooms - 7)
