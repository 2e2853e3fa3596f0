"""The figures in ``baselines/``: complete, sourced, and equal to what their own raw rows give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from embodibench.data_files import folder
from embodibench.errors import UsageError
from embodibench.scoring import baselines, crafter
from embodibench.scoring.aggregates import iqm
from embodibench.scoring.baseline_tables import (
    FILES,
    AaiIndividual,
    AaiLevel,
    AaiTask,
    BaselineError,
    Craftax,
    CrafterHumanExpected,
    CrafterHumanGroup,
    CrafterRate,
    Row,
    read_table,
)
from embodibench.scoring.quartiles import quartiles

TOP_TEN = ["Trrrrr", "ironbar", "sirius", "BronzeBlood", "Oltau.ai/Psidon"]
TOP_TEN += ["sungbinchoi", "DeepFox", "Melflo", "ARF-RL", "UniboTeam"]
LEVELS = [*(str(level) for level in range(1, 11)), "all"]
CHILDREN = {
    "1": (0.602, 0.271, 0.50, 0.50, 0.75, 0.597),
    "2": (0.729, 0.276, 0.75, 0.75, 1.0, 0.790),
    "3": (0.767, 0.344, 0.75, 1.0, 1.0, 0.911),
    "4": (0.568, 0.337, 0.25, 0.75, 0.75, 0.621),
    "5": (0.610, 0.360, 0.25, 0.75, 1.0, 0.669),
    "6": (0.737, 0.342, 0.50, 1.0, 1.0, 0.855),
    "7": (0.475, 0.307, 0.25, 0.50, 0.75, 0.492),
    "8": (0.445, 0.318, 0.25, 0.50, 0.75, 0.403),
    "9": (0.479, 0.354, 0.25, 0.50, 0.75, 0.460),
    "10": (0.182, 0.282, 0.0, 0.0, 0.25, 0.073),
    "all": (0.5593, 0.2547, 0.40, 0.60, 0.7625, 0.588),
}
TOP10 = {
    "1": (0.775, 0.142, 0.75, 0.75, 0.75),
    "2": (0.775, 0.079, 0.75, 0.75, 0.75),
    "3": (0.150, 0.175, 0.0, 0.125, 0.25),
    "4": (0.375, 0.243, 0.25, 0.25, 0.50),
    "5": (0.400, 0.269, 0.25, 0.50, 0.50),
    "6": (0.275, 0.142, 0.25, 0.25, 0.25),
    "7": (0.450, 0.230, 0.25, 0.375, 0.6875),
    "8": (0.075, 0.121, 0.0, 0.0, 0.1875),
    "9": (0.200, 0.158, 0.0625, 0.25, 0.25),
    "10": (0.0, 0.0, 0.0, 0.0, 0.0),
    "all": (0.3475, 0.0682, 0.28125, 0.35, 0.375),
}


def individuals(name: str) -> list[AaiIndividual]:
    rows = baselines.table("aai40_individuals.csv", AaiIndividual)
    if name == "top10":
        return [row for row in rows if row.individual in TOP_TEN]
    return [row for row in rows if row.population == name]


def level_row(name: str, level: str) -> AaiLevel:
    rows = baselines.table("aai40_levels.csv", AaiLevel)
    return next(row for row in rows if (row.name, row.level) == (name, level))


def fractions(name: str, level: str) -> list[float]:
    column = "all" if level == "all" else f"level_{level}"
    return [getattr(row, column) for row in individuals(name)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["children", "top10"])
def test_level_figures_follow_from_the_individuals(name: str, level: str) -> None:
    values, row = fractions(name, level), level_row(name, level)
    expected = (CHILDREN if name == "children" else TOP10)[level]
    bar = quartiles(values)
    assert (np.mean(values), np.std(values, ddof=1)) == pytest.approx(expected[:2], abs=6e-4)
    assert (bar.q25, bar.median, bar.q75) == pytest.approx(expected[2:5], abs=1e-9)
    assert (row.proportion, row.sd) == pytest.approx((np.mean(values), np.std(values, ddof=1)), abs=1e-6)
    assert (row.q25, row.median, row.q75, row.n) == pytest.approx((bar.q25, bar.median, bar.q75, bar.n), abs=1e-9)
    assert row.iqm == pytest.approx(float(iqm(np.array(values)[:, None])), abs=1e-6)
    if name == "children":
        assert row.iqm == pytest.approx(expected[5], abs=6e-4)


def test_children_overall_and_what_was_published() -> None:
    assert baselines.reference("aai40", "children").value == pytest.approx(1320 / 2360, abs=1e-6)
    published = baselines.reference("aai40", "children-published")
    assert published.value == pytest.approx(2834 / 4720)
    assert "WRONG" in published.caveat


def test_top_ten_overall() -> None:
    assert baselines.reference("aai40", "top10").value == pytest.approx(0.3475)


@pytest.mark.parametrize("name", ["children", "children-all", "top10", "dreamerv3", "trrrrr"])
def test_levels_of_aai40_are_sums_of_their_tasks(name: str) -> None:
    tasks = [row for row in baselines.table("aai40_tasks.csv", AaiTask) if row.name == name]
    assert len(tasks) == 40
    for level in LEVELS:
        of_level = [row for row in tasks if level in ("all", row.level)]
        row = level_row(name, level)
        assert sum(task.passes for task in of_level) == row.passes
        assert sum(task.trials for task in of_level) == row.trials
        if name != "children-all":
            assert row.proportion == pytest.approx(row.passes / row.trials, abs=1e-6)


def test_the_two_samples_of_children_are_apart_and_say_what_they_are() -> None:
    complete, everyone = (baselines.reference("aai40", name, "3") for name in ("children", "children-all"))
    assert (complete.n, everyone.n) == (59, 104)
    assert complete.quartiles is not None
    assert everyone.quartiles is not None
    assert (complete.quartiles[0], everyone.quartiles[0]) == (0.75, 0.25)
    assert "59 of 107" in complete.caveat
    assert "n varies" in everyone.caveat


@pytest.mark.parametrize(("name", "levels"), [("children", ["10"]), ("children-all", ["4", "5", "9", "10"])])
def test_levels_on_which_a_quarter_of_the_children_passes_nothing(name: str, levels: list[str]) -> None:
    assert [level for level in LEVELS if level_row(name, level).q25 == 0] == levels


def group_rates() -> np.ndarray:
    rows = baselines.table("crafter_human_groups.csv", CrafterHumanGroup)
    table = {(row.group, row.achievement): row.rate for row in rows}
    return np.array([[table[group, name] for name in crafter.ACHIEVEMENTS] for group in range(5)])


def test_human_crafter_scores_follow_from_the_groups() -> None:
    mean, deviation = crafter.score_over_runs(group_rates())
    row = baselines.reference("crafter", "human", measure="score")
    assert (mean, deviation) == pytest.approx((50.53, 6.79), abs=5e-3)
    assert (row.value, row.spread) == pytest.approx((mean, deviation), abs=5e-5)
    assert crafter.score_of_mean_rates(group_rates()) == pytest.approx(52.05, abs=5e-3)
    assert baselines.reference("crafter", "human-mean-rates").value == pytest.approx(52.05, abs=5e-3)


@pytest.mark.parametrize(
    ("name", "score"),
    [("dreamerv2", 10.79), ("ppo", 4.61), ("rainbow", 4.41), ("plan2explore", 2.12), ("rnd", 2.01), ("random", 1.55)],
)
def test_scores_of_mean_rates_follow_from_the_achievements(name: str, score: float) -> None:
    rates = {row.achievement: row.rate for row in _achievements("crafter_achievements.csv", name)}
    value = crafter.score_of_mean_rates([rates[a] for a in crafter.ACHIEVEMENTS])
    assert value == pytest.approx(score, abs=6e-3)
    assert baselines.reference("crafter", f"{name}-mean-rates").value == pytest.approx(score)


def test_progress_in_the_unit_of_balrog_follows_from_its_achievements() -> None:
    names = {row.name for row in _achievements("crafter_balrog_achievements.csv")}
    assert len(names) == 18
    for name in names:
        rates = [row.rate for row in _achievements("crafter_balrog_achievements.csv", name)]
        assert np.mean(rates) == pytest.approx(baselines.reference("crafter", name).value, abs=1e-3)


def _achievements(file: str, name: str | None = None) -> list[CrafterRate]:
    return [row for row in baselines.table(file, CrafterRate) if name in (None, row.name)]


def test_few_human_episodes_are_expected_to_score_less() -> None:
    rows = {row.episodes: row for row in baselines.table("crafter_human_expected.csv", CrafterHumanExpected)}
    assert sorted(rows) == list(range(1, 101))
    assert [rows[n].score_expected for n in (10, 20, 100)] == pytest.approx([47.6, 50.0, 51.8], abs=0.2)
    assert all(row.score_expected_low < row.score_expected < row.score_expected_high for row in rows.values())
    assert all(row.progress_expected == pytest.approx(63.18, abs=5e-3) for row in rows.values())


@pytest.mark.reference
def test_shipped_human_groups_are_those_of_the_record(reference_data: Path) -> None:
    groups = json.loads((reference_data / "crafter" / "crafter_reward-human.json").read_text())
    rates = [[100 * np.mean(np.array(g[f"achievement_{a}"]) >= 1) for a in crafter.ACHIEVEMENTS] for g in groups]
    assert group_rates() == pytest.approx(np.array(rates))


def test_every_file_is_known_described_and_read() -> None:
    place = folder("baselines")
    assert {path.name for path in place.glob("*.csv")} == set(FILES)
    readme = (place / "README.md").read_text(encoding="utf-8")
    assert [name for name in FILES if name not in readme] == []
    assert baselines.check() > 3000


@pytest.mark.parametrize("file", FILES)
def test_every_row_has_source_unit_and_protocol(file: str) -> None:
    rows: tuple[Row, ...] = read_table(folder("baselines") / file, FILES[file])
    assert all(row.source and row.unit and row.protocol for row in rows)
    assert all((row.n is None) == (row.n_of == "") for row in rows)


def test_no_reference_has_two_figures_for_one_measure_of_one_task() -> None:
    for suite in baselines.SUITES:
        keys = [(f.name, f.task, f.measure) for f in baselines.figures(suite)]
        assert len(keys) == len(set(keys)), [key for key in keys if keys.count(key) > 1][:3]


@pytest.mark.parametrize(
    ("suite", "names"),
    [
        ("aai40@1", ["children", "children-all", "top10", "dreamerv3", "random"]),
        ("crafter", ["human", "dreamerv3", "random", "spring"]),
        ("atari", ["ppo", "rainbow", "agent57", "dreamerv3"]),
        ("ocalm", ["ocalm", "ocalm-ppo-true-reward"]),
        ("socialai", ["gpt-4-0613", "random"]),
    ],
)
def test_names_for_the_command_line(suite: str, names: list[str]) -> None:
    assert set(names) <= set(baselines.references(suite))


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UsageError, match="nearest: children"):
        baselines.reference("aai40", "childern")
    with pytest.raises(UsageError, match="aai40, atari, crafter"):
        baselines.figures("minecraft")
    with pytest.raises(UsageError, match="no figure for '3' as reward"):
        baselines.reference("aai40", "children", "3", "reward")


GOOD = "name,label,kind,budget,reward,n,n_of,unit,protocol,caveat,source\na,A,rl,1B,18.3,,,percent,p,,s\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("18.3", "much", r"craftax.csv, line 2, field 'reward': 'much' is not a number"),
        ("18.3", "nan", r"line 2, field 'reward': 'nan' is not finite"),
        ("18.3", "", r"line 2, field 'reward'"),
        (",,,percent", ",x,,percent", r"line 2, field 'n': 'x' is not a whole number"),
        (",s\n", ",\n", r"line 2, field 'source': every figure needs its source"),
        (",s\n", "\n", r"line 2: 10 fields instead of 11"),
        ("reward", "rewards", r"line 1: wrong columns; missing \['reward'\], unknown \['rewards'\]"),
        ("reward,", "reward,reward,", r"line 1: wrong columns"),
    ],
)
def test_a_wrong_file_is_named_with_line_and_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "craftax.csv"
    path.write_text(GOOD, encoding="utf-8")
    assert read_table(path, Craftax)[0].reward == 18.3
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BaselineError, match=message):
        read_table(path, Craftax)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"craftax\.csv: cannot be read"):
        read_table(tmp_path / "craftax.csv", Craftax)


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "craftax.csv"
    path.write_bytes(GOOD.encode().replace(b"18.3", b"\xff"))
    with pytest.raises(BaselineError, match="not CSV in UTF-8"):
        read_table(path, Craftax)


def test_quartiles_are_of_type_7_and_refuse_missing_individuals() -> None:
    bar = quartiles([0.0, 0.25, 0.5, 1.0])
    assert (bar.q25, bar.median, bar.q75, bar.n) == (0.1875, 0.375, 0.625, 4)
    with pytest.raises(ValueError, match="finite"):
        quartiles([0.5, float("nan")])
