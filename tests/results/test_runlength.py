"""Run-length coding gives the same values back, to the bit."""

from __future__ import annotations

import math
import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.results import runlength


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0])))
def test_decoding_gives_the_same_bits(values: list[float]) -> None:
    decoded = runlength.decode(runlength.encode(values), len(values))
    assert [struct.pack("<d", value) for value in decoded] == [struct.pack("<d", value) for value in values]


def test_zeros_of_both_signs_stay_apart() -> None:
    assert [(math.copysign(1, value), count) for value, count in runlength.encode([0.0, -0.0, -0.0])] == [
        (1, 1),
        (-1, 2),
    ]


@given(st.lists(st.sampled_from([0, 1, (1, 2), (2, 1)])))
def test_neighbours_differ(values: list[int | tuple[int, ...]]) -> None:
    runs = runlength.encode(values)
    assert all(one[0] != other[0] for one, other in pairwise(runs))


@pytest.mark.parametrize("runs", [[(1, 0)], [(1, -3)], [(1, 6), (2, 5)]])
def test_wrong_counts_are_refused(runs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match=r"below 1|more than"):
        runlength.decode(runs, 10)
