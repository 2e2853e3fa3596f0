"""Agreement of two plays of the same trials: exact tests, their false alarms and what they catch."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from embodibench.scoring import agreement
from embodibench.scoring.agreement import (
    ALPHA,
    caught,
    caught_deterministic,
    caught_independent,
    compare_passes,
    compare_values,
    mcnemar,
)


@pytest.mark.parametrize(("ahead", "behind"), [(0, 0), (1, 0), (7, 0), (8, 0), (3, 9), (9, 3), (10, 10), (30, 10)])
def test_mcnemar_is_the_two_sided_binomial_test_of_the_trials_that_differ(ahead: int, behind: int) -> None:
    expected = stats.binomtest(ahead, ahead + behind, 0.5).pvalue if ahead + behind else 1.0
    assert mcnemar(ahead, behind)[0] == pytest.approx(expected, rel=1e-12)


def test_trials_that_both_pass_or_both_fail_say_nothing() -> None:
    first, second = [True] * 9 + [False], [False] * 9 + [False]
    padded = compare_passes([*first, *[True] * 50, *[False] * 50], [*second, *[True] * 50, *[False] * 50])
    assert padded.p_value == compare_passes(first, second).p_value == 2 / 2**9
    assert not padded.agrees
    assert (padded.first_higher, padded.second_higher, padded.trials) == (9, 0, 110)


def test_the_rule_does_not_mind_which_play_came_first() -> None:
    first, second = [True, True, False, True, False], [False, True, True, False, False]
    assert compare_passes(first, second).p_value == compare_passes(second, first).p_value


def test_seven_trials_cannot_disagree_and_eight_can() -> None:
    assert compare_passes([True] * 7, [False] * 7).agrees
    assert not compare_passes([True] * 8, [False] * 8).agrees


@pytest.mark.parametrize("trials", [10, 20, 40, 120])
def test_false_alarms_are_at_most_the_level_whatever_the_pass_rate(trials: int) -> None:
    """Both plays pass with probability p, so each is ahead alone with p(1-p)."""
    assert max(caught_independent(trials, p / 40, p / 40) for p in range(41)) < ALPHA


def test_the_rate_of_what_is_caught_is_the_sum_over_all_outcomes() -> None:
    trials, claimed, true = 9, 0.9, 0.1
    found = 0.0
    for outcome in itertools.product([(True, True), (True, False), (False, True), (False, False)], repeat=trials):
        if sum(one != two for one, two in outcome) < 8:
            continue  # cannot disagree
        if not compare_passes(*zip(*outcome, strict=True)).agrees:
            found += math.prod((claimed if one else 1 - claimed) * (true if two else 1 - true) for one, two in outcome)
    assert caught_independent(trials, claimed, true) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize(
    ("trials", "independent", "deterministic"),
    [(10, 0.009, 0.002), (20, 0.140, 0.228), (40, 0.482, 0.945), (120, 0.988, 1.000)],
)
def test_what_the_docs_say_of_a_rate_inflated_from_a_fifth_to_a_half(
    trials: int, independent: float, deterministic: float
) -> None:
    assert caught_independent(trials, 0.5, 0.2) == pytest.approx(independent, abs=5e-4)
    assert caught_deterministic(trials, 0.5, 0.2) == pytest.approx(deterministic, abs=5e-4)


def test_nothing_is_caught_where_nothing_differs() -> None:
    assert caught(40, 0.0, 0.0) == 0.0


def test_sign_flips_are_enumerated_exactly() -> None:
    first, second = [5.0, 7.0, 3.0, 9.0, 4.0], [3.0, 7.0, 4.0, 2.0, 1.0]
    differences = [2, -1, 7, 3]
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in itertools.product([1, -1], repeat=4)
    ]
    expected = sum(abs(total) >= 11 for total in sums) / len(sums)
    found = compare_values(first, second, np.random.default_rng(0))
    assert found.statistic == "sign-flip-exact"
    assert found.p_value == expected
    assert found.mid_p == (sum(abs(t) > 11 for t in sums) + sum(abs(t) == 11 for t in sums) / 2) / len(sums)


def test_a_tie_of_decimal_scores_is_a_tie() -> None:
    """0.1 + 0.2 is not 0.3 in floats, but the sums of flipped differences are compared as exact numbers."""
    found = compare_values([0.5, 0.5, 0.5], [0.25, 0.25, 0.25], np.random.default_rng(0))
    assert found.p_value == 2 / 8


def test_for_values_of_zero_and_one_the_two_tests_are_the_same() -> None:
    first, second = [1, 1, 0, 1, 1, 1, 0, 1], [0, 1, 1, 0, 0, 0, 0, 0]
    values = compare_values([float(v) for v in first], [float(v) for v in second], np.random.default_rng(0))
    passes = compare_passes([bool(v) for v in first], [bool(v) for v in second])
    assert (values.p_value, values.mid_p) == (passes.p_value, passes.mid_p)


@given(st.lists(st.tuples(st.integers(0, 22), st.integers(0, 22)), min_size=1, max_size=9))
def test_false_alarms_of_sign_flips_are_at_most_the_level_for_any_sizes(pairs: list[tuple[int, int]]) -> None:
    """Exchangeable plays: of all ways to swap the two plays of each trial, at most one in a hundred disagrees."""
    rng = np.random.default_rng(0)
    swaps = list(itertools.product([False, True], repeat=min(len(pairs), 7)))
    rejected = 0
    for swap in swaps:
        sides = [(b, a) if flip else (a, b) for flip, (a, b) in itertools.zip_longest(swap, pairs[:7], fillvalue=False)]
        rejected += not compare_values([float(a) for a, _ in sides], [float(b) for _, b in sides], rng).agrees
    assert rejected <= ALPHA * len(swaps)


def test_ten_worlds_of_crafter_can_disagree() -> None:
    found = compare_values([8.0] * 10, [3.0, 4, 2, 3, 5, 3, 2, 4, 3, 1], np.random.default_rng(0))
    assert found.p_value == 2 / 2**10
    assert not found.agrees


def test_many_sums_are_drawn_and_close_to_the_exact_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.4, 1, 14), rng.normal(0, 1, 14)
    exact = compare_values(first.tolist(), second.tolist(), rng)
    monkeypatch.setattr(agreement, "STATES", 100)
    drawn = compare_values(first.tolist(), second.tolist(), rng)
    assert (exact.statistic, drawn.statistic) == ("sign-flip-exact", "sign-flip-drawn")
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.01)


@pytest.mark.parametrize("pair", [([], []), ([True], [True, False])])
def test_plays_without_pairs_are_refused(pair: tuple[list[bool], list[bool]]) -> None:
    with pytest.raises(ValueError, match="same trials"):
        compare_passes(*pair)


def test_values_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        compare_values([math.nan], [1.0], np.random.default_rng(0))
