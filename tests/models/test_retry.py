"""Waiting as asked, backing off, and slowing down together."""

from __future__ import annotations

import asyncio
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.models.base import ModelError, Parameters
from embodibench.models.retry import Gate, Patience, asked_wait, backoff
from tests.models.conftest import MESSAGES, QUICK, Asker, SleeplessTime
from tests.models.server import Fault


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Thu, 99 Jan 99999 00:00:00 GMT"}, None),
    ],
)
def test_the_wait_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers, now=10.0) == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=40)))
def test_no_header_breaks_the_reading(headers: dict[str, str]) -> None:
    wait = asked_wait(headers, now=0.0)
    assert wait is None or 0 <= wait < float("inf")


@given(st.integers(1, 5000), st.integers(0, 2**32))
def test_backoff_is_bounded_and_a_function_of_its_generator(failures: int, seed: int) -> None:
    patience = Patience()
    wait = backoff(patience, failures, np.random.default_rng(seed))
    assert 0.75 * patience.shortest_wait <= wait <= patience.longest_wait
    assert wait == backoff(patience, failures, np.random.default_rng(seed))


def new_gate(most: int) -> tuple[Gate, SleeplessTime]:
    sleepless = SleeplessTime()
    return Gate(most, sleepless.clock, sleepless.sleep), sleepless


def test_a_gate_lets_no_more_in_than_its_limit() -> None:
    async def crowd() -> int:
        gate, _ = new_gate(3)
        most = 0

        async def one() -> None:
            nonlocal most
            await gate.enter()
            most = max(most, gate.in_flight)
            await asyncio.sleep(0)
            gate.leave()

        await asyncio.gather(*(one() for _ in range(50)))
        assert gate.in_flight == 0
        return most

    assert asyncio.run(crowd()) == 3


def test_a_batch_of_rate_limits_halves_the_limit_once() -> None:
    async def batch() -> Gate:
        gate, _ = new_gate(64)
        rounds = [await gate.enter() for _ in range(8)]
        for round_ in rounds:
            gate.slow_down(round_, None)
        return gate

    gate = asyncio.run(batch())
    assert gate.limit == 4.0  # half of the eight that were in flight, not of the sixty-four that might have been


def test_the_next_round_halves_it_again_down_to_one() -> None:
    async def rounds() -> list[float]:
        gate, _ = new_gate(8)
        limits = []
        for _ in range(5):
            inside = []
            while gate.in_flight < int(gate.limit):
                inside.append(await gate.enter())
            gate.slow_down(inside[0], None)
            limits.append(gate.limit)
            for _ in inside:
                gate.leave()
        return limits

    assert asyncio.run(rounds()) == [4.0, 2.0, 1.0, 1.0, 1.0]


def test_a_round_of_successes_lets_one_more_in() -> None:
    gate, _ = new_gate(64)
    gate.limit = 4.0
    for _ in range(4):
        gate.speed_up()
    assert 4.5 < gate.limit <= 5.0
    for _ in range(100_000):
        gate.speed_up()
    assert gate.limit == 64.0


def test_while_a_server_asks_to_wait_nobody_starts() -> None:
    async def wait() -> SleeplessTime:
        gate, sleepless = new_gate(2)
        round_ = await gate.enter()
        gate.slow_down(round_, 30.0)
        gate.leave()
        await gate.enter()
        return sleepless

    assert asyncio.run(wait()).now == pytest.approx(30.0)


def test_someone_who_stops_waiting_takes_no_place() -> None:
    async def leave() -> int:
        gate, _ = new_gate(1)
        await gate.enter()
        waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.leave()
        waiting[1].cancel()  # It has been let in, but has not run since.
        await asyncio.sleep(0)
        await asyncio.wait_for(waiting[2], 5)
        gate.leave()
        return gate.in_flight

    assert asyncio.run(leave()) == 0


def test_a_crowd_settles_at_what_the_server_bears_and_every_call_is_answered(asker: Asker) -> None:
    asker.provider.most_in_flight = 3
    asker.provider.latency = 0.01

    async def crowd() -> list[int]:
        patience = Patience(shortest_wait=0.02, longest_wait=0.1)
        model = asker.model(patience=patience, clock=time.monotonic, sleep=asyncio.sleep)
        try:
            replies = await asyncio.gather(*(model.generate(MESSAGES, Parameters()) for _ in range(60)))
        finally:
            await model.close()
        assert len({reply.text for reply in replies}) == 1
        return [reply.attempts for reply in replies]

    attempts = asyncio.run(crowd())
    assert len(attempts) == 60
    assert sum(attempts) == len(asker.provider.requests)


def test_a_fatal_error_waits_for_nothing(asker: Asker) -> None:
    asker.provider.fail(Fault(401), times=100)
    with pytest.raises(ModelError):
        asker.ask(patience=QUICK)
    assert asker.time.slept == []
