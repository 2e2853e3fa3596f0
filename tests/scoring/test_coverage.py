"""A small run of ``benchmarks/interval_coverage.py``: printed intervals hold their truth about as often as they say."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from benchmarks import interval_coverage as coverage
from embodibench.scoring.crafter import binomial_probabilities
from embodibench.scoring.pass_rates import pass_rate

REPETITIONS = 300


@pytest.mark.parametrize(
    ("group", "lines"),
    [("pass-rates", 8), ("paired", 6), ("children", 3), ("crafter", 10), ("atari", 5)],
)
def test_printed_intervals_hold_their_truth(group: str, lines: int) -> None:
    found = list(islice(coverage.GROUPS[group](REPETITIONS, np.random.default_rng(7)), lines))
    assert len(found) == lines
    assert [line for line in found if not line.accepted] == []


def test_three_seeds_of_four_games_print_no_interval() -> None:
    line = next(iter(coverage.atari_lines(20, np.random.default_rng(0))))
    assert (line.design, line.printed, line.held) == ("3 x 4", 0.0, None)


def test_the_percentile_bootstrap_of_the_crafter_score_falls_short() -> None:
    lines = islice(coverage.crafter_lines(REPETITIONS, np.random.default_rng(7)), 10)
    shortfall = [line for line in lines if line.contrast and line.design == "10 episodes"]
    assert shortfall[0].held is not None
    assert shortfall[0].held < 0.85


def test_a_line_outside_the_band_is_reported() -> None:
    line = coverage.Line("i", "t", "d", printed=1.0, held=0.75, width=0.1, repetitions=2000)
    assert not line.accepted
    assert coverage.Line("i", "t", "d", printed=1.0, held=0.999, width=0.1, repetitions=2000).accepted is False
    assert coverage.Line("i", "t", "d", printed=0.0, held=None, width=0.0, repetitions=2000).accepted


@pytest.mark.parametrize(("rooms", "lowest", "highest"), [(20, 0.91, 0.984), (40, 0.92, 0.98)])
def test_rates_over_rooms_hold_every_truth_exactly_enumerated(rooms: int, lowest: float, highest: float) -> None:
    bounds = [pass_rate([1] * k + [0] * (rooms - k), [1] * rooms).estimate.bounds() for k in range(rooms + 1)]
    for truth in np.arange(0.02, 0.99, 0.01):
        chances = binomial_probabilities(float(truth), rooms)
        held = sum(p for p, b in zip(chances, bounds, strict=True) if b is not None and b[0] <= truth <= b[1])
        assert lowest <= held <= highest, truth


def test_ten_rooms_have_no_interval() -> None:
    assert pass_rate([1] * 5 + [0] * 5, [1] * 10).estimate.bounds() is None
