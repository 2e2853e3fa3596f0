"""How patiently a model is asked: retries within a budget of time, and fewer requests at once when told to slow down.

The SDKs' own retries are switched off (``max_retries=0``). They try again twice, wait at most 8 s, draw jitter from the
global random state, give up when a server asks for more than two minutes, and know nothing of the other requests in
flight; a benchmark run wants to outlast a rate limit, to slow down as a whole, and to record how often it asked.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from embodibench.models.base import Usage

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits of time, all in seconds, and of requests.

    Attributes:
        budget: from the first request of a call to the last moment at which another may start.
        request: one request, from the first byte sent to the last received.
        first_contact: in place of ``budget`` while no server has answered at all, so that a wrong address is said soon.
        shortest_wait: before the first retry; doubles with each.
        longest_wait: between two tries, unless the server asks for more.
        replies: requests that may be answered with nonsense before giving up; each is paid for.
        most_in_flight: requests at once, before any slowing down.
    """

    budget: float = 600.0
    request: float = 300.0
    first_contact: float = 30.0
    shortest_wait: float = 0.5
    longest_wait: float = 30.0
    replies: int = 3
    most_in_flight: int = 64


@dataclass(eq=False)
class Failure(Exception):  # noqa: N818 - becomes a ModelError once nothing more can be tried
    """One request that brought no reply.

    Attributes:
        kind: as in ``ModelError``.
        message: one line for people.
        retry: whether the same request may succeed later.
        wait: seconds that the server asks to wait, or None.
        fatal: every further call would fail alike.
        parameter: wire name of a parameter that the model refuses, or "".
        usage: tokens that were billed nonetheless.
    """

    kind: str
    message: str
    retry: bool = False
    wait: float | None = None
    fatal: bool = False
    parameter: str = ""
    usage: Usage | None = None

    def __str__(self) -> str:
        return self.message


def asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds a server asks to wait: ``retry-after-ms``, or ``retry-after`` in seconds or as a date.

    Args:
        headers: of the reply, found by lower-case names.
        now: seconds since the epoch, for a date.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        date = email.utils.parsedate_tz(headers.get("retry-after", ""))
        return None if date is None else max(0.0, email.utils.mktime_tz(date) - now)
    except (TypeError, ValueError, OverflowError):
        return None


def backoff(patience: Patience, failures: int, rng: np.random.Generator) -> float:
    """Seconds before the next try after so many failures: doubling, capped, shortened by up to a quarter at random."""
    wait = min(patience.shortest_wait * 2.0 ** min(failures - 1, 30), patience.longest_wait)
    return wait * (1.0 - 0.25 * float(rng.random()))


@dataclass
class Gate:
    """How many requests may be in flight: one more per round of successes, half as many after a 429 (AIMD).

    A batch of requests that are all told to slow down halves the number once, not once each. While a server has asked
    everyone to wait, no request starts.

    Attributes:
        most: requests at once when nothing is wrong.
        limit: requests at once now; its whole part counts.
    """

    most: int
    clock: Clock
    sleep: Sleep
    limit: float = 0.0
    in_flight: int = 0
    round: int = 0
    _closed_until: float = -math.inf
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.limit = float(self.most)

    async def enter(self) -> int:
        """Wait for a place. Returns the round, which ``slow_down`` wants to know."""
        if self.in_flight >= int(self.limit) or self._waiting:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except BaseException:
                if place.done() and not place.cancelled():
                    self.leave()
                raise
        else:
            self.in_flight += 1
        try:
            while (seconds := self._closed_until - self.clock()) > 0:
                await self.sleep(seconds)
        except BaseException:
            self.leave()
            raise
        return self.round

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._admit()

    def speed_up(self) -> None:
        """A request succeeded."""
        self.limit = min(float(self.most), self.limit + 1.0 / self.limit)
        self._admit()

    def slow_down(self, round_: int, wait: float | None) -> None:
        """A request of that round met a rate limit; ``wait`` is what the server asked for, if it did."""
        if round_ == self.round:
            self.limit = max(1.0, min(self.limit, float(self.in_flight)) / 2.0)
            self.round += 1
        if wait is not None:
            self._closed_until = max(self._closed_until, self.clock() + wait)

    def _admit(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)
