"""The streams give the numbers of the generators they stand for."""

from __future__ import annotations

import copy
import hashlib
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream, choice_key, layout_key

SEEDS = st.integers(0, 2**31 - 1)


@given(SEEDS, st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 40)), max_size=60))
def test_array_stream_draws_as_numpy_random_state(seed: int, ranges: list[tuple[int, int]]) -> None:
    key = layout_key(seed)
    numpy_generator = np.random.RandomState(list(key))
    stream = ArrayStream(key)
    for low, span in ranges:
        assert stream.integer(low, low + span) == numpy_generator.randint(low, low + span)


@given(SEEDS)
def test_a_plain_key_seeds_as_numpy_random_seed(seed: int) -> None:
    assert ArrayStream(seed).integer(0, 1000) == np.random.RandomState(seed).randint(0, 1000)


@given(SEEDS, st.lists(st.integers(1, 40), max_size=60))
def test_choice_stream_draws_as_python_random(seed: int, bounds: list[int]) -> None:
    python_generator = random.Random(seed)
    stream = ChoiceStream(choice_key(seed))
    for bound in bounds:
        assert stream.element(range(bound)) == python_generator.choice(range(bound))
        assert stream.integer(bound, 2 * bound) == python_generator.randint(bound, 2 * bound)
        assert stream.fraction() == python_generator.random()


def test_layout_key_is_the_head_of_the_sha512_of_the_decimal_seed() -> None:
    head = hashlib.sha512(b"17").digest()
    assert layout_key(17) == (int.from_bytes(head[:4], "little"), int.from_bytes(head[4:8], "little"))


def test_a_restarted_stream_repeats_itself_and_a_copy_goes_on_alike() -> None:
    stream = ArrayStream(layout_key(3))
    first = [stream.word() for _ in range(200)]
    twin = copy.deepcopy(stream)
    assert [stream.word() for _ in range(5)] == [twin.word() for _ in range(5)]
    stream.restart(layout_key(3))
    assert [stream.word() for _ in range(200)] == first


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        ArrayStream(0).integer(3, 3)
