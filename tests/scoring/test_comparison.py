"""A result beside published figures: what may be called a difference, and what is only shown."""

from __future__ import annotations

import json

import numpy as np
import pytest

from embodibench.errors import UsageError
from embodibench.scoring import crafter
from embodibench.scoring.compare_suites import (
    aai40_rows,
    atari_rows,
    crafter_rows,
    crafter_spectrum_rows,
    socialai_rows,
)
from embodibench.scoring.comparison import ComparisonRow, position, verdict
from embodibench.scoring.interval import Estimate, Interval, MaybeInterval, NoInterval
from embodibench.scoring.pass_rates import PassRate, pass_rate, pass_rates_by_level
from embodibench.scoring.quartiles import Quartiles


def estimate(low: float | None, high: float = 0.0, unit: str = "fraction") -> Estimate:
    interval: MaybeInterval = NoInterval("none") if low is None else Interval(low, high, "m", "e")
    return Estimate("rate", 0.5, unit, interval, 10)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0.6, 0.8), (0.1, 0.5), "higher"),
        ((0.1, 0.5), (0.6, 0.8), "lower"),
        ((0.1, 0.5), (0.5, 0.8), "not different"),
        ((0.1, 0.9), (0.4, 0.5), "not different"),
        ((None,), (0.4, 0.5), "not compared"),
        ((0.4, 0.5), (None,), "not compared"),
    ],
)
def test_only_intervals_that_share_no_point_are_a_difference(
    first: tuple[float, ...], second: tuple[float, ...], expected: str
) -> None:
    assert verdict(estimate(*first), estimate(*second)) == expected


def test_other_units_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="fraction with rate in percent"):
        verdict(estimate(0.1, 0.2), estimate(10.0, 20.0, "percent"))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.8, 0.9, "above"), (0.1, 0.2, "below"), (0.1, 0.25, "in or across"), (0.1, 0.9, "in or across")],
)
def test_a_model_is_beside_the_middle_half_only_with_its_whole_interval(low: float, high: float, expected: str) -> None:
    assert position(Interval(low, high, "m", "e"), Quartiles(0.25, 0.5, 0.75, 59)) == expected


def aai40_rates(passed_per_task: int) -> dict[str, PassRate]:
    passed, planned = [passed_per_task] * 40, [3] * 40
    levels = [str(1 + task // 4) for task in range(40)]
    return {**pass_rates_by_level(passed, planned, levels), "all": pass_rate(passed, planned)}


def row_of(rows: tuple[ComparisonRow, ...], task: str, name: str) -> ComparisonRow:
    return next(row for row in rows if (row.task, row.reference.name) == (task, name))


def test_aai40_rows_hold_bars_of_populations_and_intervals_of_their_own() -> None:
    rows = aai40_rows(aai40_rates(0))
    assert len(rows) == 11 * 4
    children = row_of(rows, "3", "children")
    assert children.title == "Static Obstacles"
    assert children.reference.quartiles == Quartiles(0.75, 1.0, 1.0, 59)
    assert (children.position, children.verdict) == ("not placed", "not compared")
    bounds = children.reference.estimate.bounds()
    assert bounds is not None
    assert bounds != (0.75, 1.0)
    assert bounds == pytest.approx((0.767 - 2.0017 * 0.3439 / 59**0.5, 0.767 + 2.0017 * 0.3439 / 59**0.5), abs=1e-3)


def test_a_model_that_fails_everything_is_below_children_over_all_tasks_and_not_compared_on_a_level() -> None:
    rows = aai40_rows(aai40_rates(0))
    whole = row_of(rows, "all", "children")
    assert (whole.position, whole.verdict) == ("below", "lower")
    assert {row.verdict for row in rows if row.task != "all"} == {"not compared"}


def test_the_best_entrants_are_shown_but_are_no_sample() -> None:
    row = row_of(aai40_rows(aai40_rates(3)), "all", "top10")
    assert row.verdict == "not compared"
    assert row.position == "above"
    assert row.reference.estimate.value == pytest.approx(0.3475)


def test_a_single_agent_has_an_interval_over_tasks_and_no_bar() -> None:
    row = row_of(aai40_rows(aai40_rates(3)), "all", "dreamerv3")
    assert row.reference.quartiles is None
    assert row.position == "not placed"
    assert row.verdict == "higher"
    assert row.reference.estimate.bounds() == pytest.approx((0.105, 0.3476), abs=1e-3)


def test_children_in_two_samples_stay_apart() -> None:
    rows = aai40_rows(aai40_rates(1), ["children", "children-all"])
    one, two = row_of(rows, "3", "children").reference, row_of(rows, "3", "children-all").reference
    assert one.quartiles != two.quartiles
    assert isinstance(two.estimate.interval, NoInterval)
    assert one.caveat != two.caveat


def crafter_summary(episodes: int = 10, chance: float = 0.4) -> crafter.CrafterSummary:
    table = np.random.default_rng(3).random((episodes, 22)) < chance
    return crafter.summarise(table, episodes, np.full(episodes, 8.0))


@pytest.mark.parametrize(("episodes", "expected"), [(8, 46.2), (10, 47.5), (20, 50.0), (100, 51.7)])
def test_the_human_score_is_that_of_as_many_episodes(episodes: int, expected: float) -> None:
    row = next(r for r in crafter_rows(crafter_summary(episodes), ["human"]) if "score" in r.title)
    assert row.reference.estimate.value == pytest.approx(expected, abs=0.3)
    assert f"{episodes} episodes" in row.reference.label
    assert row.reference.spread is not None


def test_human_progress_does_not_depend_on_the_number_of_episodes() -> None:
    row = crafter_rows(crafter_summary(10), ["human"])[0]
    assert row.reference.estimate.value == pytest.approx(63.18, abs=5e-3)
    assert row.verdict == "lower"


def test_spread_over_seeds_is_no_interval() -> None:
    rows = crafter_rows(crafter_summary(), ["dreamerv3"])
    assert [row.model.name for row in rows] == ["Crafter score of 10 episodes", "mean reward"]
    assert all(row.verdict == "not compared" and row.reference.estimate.bounds() is None for row in rows)
    assert all("not a frozen policy" in row.reference.caveat for row in rows)


def test_spectrum_has_22_rows_with_human_rates() -> None:
    rows = crafter_spectrum_rows(crafter_summary())
    assert [row.task for row in rows] == list(crafter.ACHIEVEMENTS)
    diamond = rows[1].reference.estimate
    assert diamond.value == 12.0
    assert {row.verdict for row in rows} == {"not compared"}


def test_atari_rows_normalise_both_sides_by_the_same_named_table() -> None:
    model = Estimate("normalised score", 0.5, "fraction", NoInterval("3 runs"), 3)
    rows = {table: atari_rows({"pong": model}, table, ["dqn-2015"])[0] for table in ("dqn-zoo", "dqn-2015")}
    assert rows["dqn-zoo"].reference.estimate.value == pytest.approx((18.9 + 20.7) / 35.3)
    assert rows["dqn-2015"].reference.estimate.value == pytest.approx((18.9 + 20.7) / 30.0)
    assert "human table dqn-zoo" in rows["dqn-zoo"].reference.caveat
    assert rows["dqn-zoo"].verdict == "not compared"


def test_language_models_over_a_thousand_steps_never_stand_beside_normalised_scores() -> None:
    model = Estimate("normalised score", 0.5, "fraction", NoInterval("3 runs"), 3)
    assert atari_rows({"pong": model}, "dqn-zoo", ["gpt-4o"]) == ()


def test_socialai_rows_have_intervals_of_their_number_of_environments() -> None:
    rates = {"ColorBoxes": pass_rate([0] * 20, [1] * 20)}
    rows = socialai_rows(rates)
    best = row_of(rows, "ColorBoxes", "gpt-4-0613")
    assert best.reference.estimate.bounds() == pytest.approx((0.5313, 0.8881), abs=1e-4)
    assert best.verdict == "lower"
    assert row_of(rows, "ColorBoxes", "random").verdict == "not different"


def test_rows_are_plain_data() -> None:
    rows = [*aai40_rows(aai40_rates(1)), *crafter_rows(crafter_summary()), *crafter_spectrum_rows(crafter_summary())]
    for row in rows:
        data = row.as_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert data["source"]


@pytest.mark.parametrize(
    "rows", [lambda: aai40_rows(aai40_rates(1), ["adults"]), lambda: crafter_rows(crafter_summary(), ["hman"])]
)
def test_an_unknown_reference_is_a_usage_error(rows: object) -> None:
    with pytest.raises(UsageError, match="nearest"):
        rows()  # type: ignore[operator]
