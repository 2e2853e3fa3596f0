"""A model behind an API: composing a request, sending it until a reply comes or patience ends, reading the reply.

The official SDKs carry the bytes. Their replies are taken raw and read here, because what comes back is not always what
the SDKs' types promise. One object is one model of one run, used from one event loop.
"""

from __future__ import annotations

import abc
import asyncio
import functools
import operator
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from embodibench.canonical import Json
from embodibench.models.base import Identity, Image, Message, ModelError, Parameters, Reply, Usage
from embodibench.models.prices import Free, Prices
from embodibench.models.reading import MAX_BODY, clean, decode, excerpt, failure_of_status
from embodibench.models.retry import Clock, Failure, Gate, Patience, Sleep, backoff
from embodibench.models.table import Takes
from embodibench.models.tokens import ImageRule, most_tokens

NOT_TAKEN = "not taken by the model"
REFUSED = "refused by the model"


@dataclass(slots=True)
class Request:
    """One composed request.

    Attributes:
        body: arguments of the SDK's call.
        sent: asked-for parameters that are in it, by the names of ``Parameters``.
        not_sent: those that are not, with the reason.
        droppable: wire names of what may be left out when the model refuses it.
    """

    body: dict[str, Any]
    sent: dict[str, Json] = field(default_factory=dict)
    not_sent: dict[str, str] = field(default_factory=dict)
    droppable: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply, read."""

    text: str
    finish: str
    usage: Usage | None
    returned_model: object = None
    system_fingerprint: object = None


class ApiModel(abc.ABC):
    """What the providers have in common. Implements ``Model``.

    Args:
        identity: which model.
        sdk: the provider's SDK, a module.
        takes: what the model accepts; what it does not is never sent.
        prices: of the model.
        image_rule: how pictures are counted for ``worst_cost``.
        patience: time limits and retries.
        rng: for the jitter of retries.
        clock: monotonic seconds.
        sleep: as ``asyncio.sleep``.
    """

    def __init__(
        self,
        identity: Identity,
        sdk: ModuleType,
        *,
        takes: Takes,
        prices: Prices | Free,
        image_rule: ImageRule = "unknown",
        patience: Patience | None = None,
        rng: np.random.Generator | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._identity = identity
        self._sdk = sdk
        self.takes = takes
        self.prices = prices
        self.image_rule: ImageRule = image_rule
        self.patience = patience or Patience()
        self._rng = rng if rng is not None else np.random.default_rng(0)
        self._clock = clock
        self._sleep = sleep
        self.gate = Gate(self.patience.most_in_flight, clock, sleep)
        self._refused: set[str] = set()
        self._met = False

    @property
    def identity(self) -> Identity:
        """Which model this is."""
        return self._identity

    def worst_cost(self, messages: Sequence[Message], parameters: Parameters) -> float | None:
        """US dollars that one request can cost at most, or None: every byte a token, the longest reply, nothing cached.

        A failed request that the provider bills without saying so is not in it.
        """
        return self.prices.worst(most_tokens(messages, self.image_rule), parameters.max_tokens)

    async def generate(self, messages: Sequence[Message], parameters: Parameters, *, cache_key: str = "") -> Reply:
        """Ask once, retrying as long as patience lasts.

        Raises:
            ModelError: no reply could be had.
        """
        if not self.takes.images and any(isinstance(part, Image) for message in messages for part in message.parts):
            message = f"{self._identity.checkpoint} takes no pictures, and the prompt has some"
            raise ModelError("bad_request", message, fatal=True, attempts=0)
        began = self._clock()
        first = began
        attempts = failures = nonsense = 0
        billed: list[Usage] = []
        while True:
            request = self._compose(messages, parameters, cache_key)
            round_ = await self.gate.enter()
            try:
                if attempts == 0:
                    first = self._clock()  # Waiting for a place is not the server's fault.
                attempts += 1
                answer = await self._try(request)
                self.gate.speed_up()
                break
            except Failure as failure:
                if failure.usage is not None:
                    billed.append(failure.usage)
                if failure.parameter:
                    self._drop(failure.parameter)
                    continue
                failures += 1
                nonsense += failure.kind == "bad_response"
                if failure.kind == "rate_limit":
                    asked = failure.wait
                    # Nobody sits out a wait that ends after everyone's patience.
                    self.gate.slow_down(round_, asked if asked and asked <= self.patience.budget else None)
                wait = self._wait(failure, failures, nonsense, self._clock() - first)
                if wait is None:
                    raise self._error(failure, attempts, billed) from failure
            finally:
                self.gate.leave()
            await self._sleep(wait)
        return self._reply(request, answer, attempts, billed, self._clock() - began)

    @abc.abstractmethod
    def _compose(self, messages: Sequence[Message], parameters: Parameters, cache_key: str) -> Request:
        """What to send, without what the model has refused."""

    @abc.abstractmethod
    async def _send(self, body: Mapping[str, Any]) -> bytes:
        """Send it through the SDK; the body of the response. The SDK's errors pass through."""

    @abc.abstractmethod
    def _read(self, body: Mapping[str, Any]) -> Answer:
        """Read a response. Raises Failure for one that holds no reply."""

    @abc.abstractmethod
    async def close(self) -> None:
        """Release the connections."""

    def _take(self, request: Request, name: str, wire: str, value: Json, *, taken: bool) -> None:
        """Put an asked-for parameter into a request, or say why not."""
        if not taken:
            request.not_sent[name] = NOT_TAKEN
        elif wire in self._refused:
            request.not_sent[name] = REFUSED
        else:
            request.body[wire] = value
            request.sent[name] = value
            request.droppable.add(wire)

    def _drop(self, wire: str) -> None:
        """Leave a refused parameter out for the rest of the run.

        Only what was in a request can be refused, so asking again ends.
        """
        self._refused.add(wire)

    async def _try(self, request: Request) -> Answer:
        import httpx2

        sdk = self._sdk
        droppable = frozenset(request.droppable)
        try:
            async with asyncio.timeout(self.patience.request):
                data = await self._send(request.body)
        except TimeoutError as error:
            raise Failure("timeout", f"no reply within {self.patience.request:g} s", retry=True) from error
        except OversizeError as error:
            raise Failure("bad_response", str(error), retry=True) from error
        except sdk.APITimeoutError as error:
            if type(error.__cause__).__name__ == "ConnectTimeout":
                raise self._connection_failure(error) from error
            raise Failure("timeout", f"no reply within {self.patience.request:g} s", retry=True) from error
        except (sdk.APIConnectionError, httpx2.HTTPError) as error:
            raise self._connection_failure(error) from error
        except sdk.APIStatusError as error:
            self._met = True
            body = error.body if isinstance(error.body, str) else {"error": error.body}
            if isinstance(error.body, dict) and "error" in error.body:
                body = error.body
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            raise failure_of_status(error.status_code, headers, body, droppable, time.time()) from error
        self._met = True
        body = decode(data)
        if body.get("error"):  # OpenRouter and others put an error into a reply that says 200.
            status = body["error"].get("code") if isinstance(body["error"], dict) else None
            status = status if isinstance(status, int) and 400 <= status < 600 else 502
            raise failure_of_status(status, {}, body, droppable, 0.0)
        return self._read(body)

    def _connection_failure(self, error: BaseException) -> Failure:
        if isinstance(error.__cause__, OversizeError):
            return Failure("bad_response", str(error.__cause__), retry=True)
        where = self._identity.base_url or self._identity.provider
        why = excerpt(str(error.__cause__ or error)) or type(error.__cause__ or error).__name__
        # A server that never answered is more likely misspelt than down.
        return Failure("connection", f"no connection to {where}: {why}", retry=True, fatal=not self._met)

    def _wait(self, failure: Failure, failures: int, nonsense: int, elapsed: float) -> float | None:
        """Seconds until the next try, or None to give up."""
        if not failure.retry or nonsense >= self.patience.replies:
            return None
        # A server that asks for no wait at all, again and again, is not taken at its word.
        wait = failure.wait or backoff(self.patience, failures, self._rng)
        unmet = failure.kind == "connection" and not self._met
        budget = min(self.patience.first_contact, self.patience.budget) if unmet else self.patience.budget
        return wait if elapsed + wait <= budget else None

    def _error(self, failure: Failure, attempts: int, billed: Sequence[Usage]) -> ModelError:
        tries = f" ({attempts} attempts)" if attempts > 1 else ""
        message = f"{self._identity.checkpoint}: {failure.message}{tries}"
        return ModelError(failure.kind, message, fatal=failure.fatal, attempts=attempts, billed=_total(billed))

    def _reply(self, request: Request, answer: Answer, attempts: int, billed: Sequence[Usage], seconds: float) -> Reply:
        text, cut = clean("" if answer.finish == "refusal" else answer.text)
        requests = [*billed, answer.usage] if answer.usage is not None else []
        # Request by request, because a price may depend on the length of one.
        costs = [self.prices.cost(usage) for usage in requests]
        known = [cost for cost in costs if cost is not None]
        return Reply(
            text=text,
            usage=_total(requests),
            cost=sum(known) if len(known) == len(costs) > 0 else self.prices.cost(None),
            returned_model=_mark(answer.returned_model),
            finish="length" if cut else answer.finish,
            sent=request.sent,
            not_sent=request.not_sent,
            attempts=attempts,
            seconds=seconds,
            system_fingerprint=_mark(answer.system_fingerprint),
            cut=cut,
        )


class OversizeError(Exception):
    """A response is longer than any reply, or may be."""


def bounded_client(default: type[Any], patience: Patience, *, through_proxy: bool = True, limit: int = MAX_BODY) -> Any:
    """The SDK's own HTTP client, which stops reading a response after ``limit`` bytes.

    ``through_proxy``: heed the proxies that the environment names.
    """
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._stream:
                size += len(chunk)
                if size > limit:
                    raise OversizeError(f"the server's reply is longer than {limit} bytes")
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        # Compressed, a few kilobytes can be gigabytes; none was asked for.
        if response.headers.get("content-encoding", "identity") != "identity":
            raise OversizeError("the server's reply is compressed, which was not asked for")
        response.stream = Bounded(response.stream)

    return default(
        timeout=httpx2.Timeout(patience.request, connect=min(10.0, patience.request)),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [bound]},
        trust_env=through_proxy,
    )


def _mark(value: object) -> str | None:
    """An id that a server returned, fit to be stored."""
    return clean(value[:200])[0] if isinstance(value, str) else None


def _total(usages: Sequence[Usage]) -> Usage | None:
    return functools.reduce(operator.add, usages) if usages else None
