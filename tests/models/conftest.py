"""A provider on this machine, and models of both dialects that ask it."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from embodibench.models.anthropic import AnthropicModel
from embodibench.models.api import ApiModel
from embodibench.models.base import Identity, Image, Message, Parameters, Reply, Text
from embodibench.models.openai import OpenAIModel
from embodibench.models.prices import Prices
from embodibench.models.retry import Patience
from embodibench.models.table import Takes
from tests.models.server import KEY, Provider

TODAY = datetime.date(2026, 11, 30)

QUICK = Patience(budget=100.0, request=20.0, first_contact=5.0, shortest_wait=1.0, longest_wait=10.0, replies=3)


class SleeplessTime:
    """A clock that only sleeping moves, and a sleep that takes no time: waits are counted, not waited for."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


MESSAGES = (
    Message.of("system", "You play a game."),
    Message.of("user", "You see a tree. What do you do?"),
)

PLAIN = Parameters()


def picture(height: int = 8, width: int = 8) -> Image:
    """A small black picture."""
    return Image(np.zeros((height, width, 3), np.uint8))


def with_picture() -> tuple[Message, ...]:
    """A prompt with a picture between words."""
    return (Message("user", (Text("Look:"), picture(), Text("What do you do?"))),)


@dataclass
class Asker:
    """Asks a model of one dialect at a provider. Waits between retries take no time but are counted in ``time``."""

    dialect: str
    provider: Provider
    time: SleeplessTime = field(default_factory=SleeplessTime)

    def model(self, key: str = KEY, patience: Patience = QUICK, **settings: Any) -> ApiModel:
        checkpoint = "gpt-4o-2024-11-20" if self.dialect == "openai" else "claude-opus-5-5"
        identity = Identity(self.dialect, checkpoint, checkpoint, self.provider.url)
        prices = Prices(self.dialect, checkpoint, TODAY)
        time = {"clock": self.time.clock, "sleep": self.time.sleep}
        settings = {"takes": Takes(), "prices": prices, **time, **settings}
        if self.dialect == "openai":
            return OpenAIModel(identity, key, url=self.provider.openai_url, patience=patience, **settings)
        return AnthropicModel(identity, key, url=self.provider.url, patience=patience, **settings)

    def ask(self, messages: Sequence[Message] = MESSAGES, parameters: Parameters = PLAIN, **settings: Any) -> Reply:
        return self.ask_all([messages], parameters, **settings)[0]

    def ask_all(
        self, prompts: Sequence[Sequence[Message]], parameters: Parameters = PLAIN, **settings: Any
    ) -> list[Reply]:
        """The prompts one after the other, to one model."""

        async def talk() -> list[Reply]:
            model = self.model(**settings)
            try:
                return [await model.generate(messages, parameters) for messages in prompts]
            finally:
                await model.close()

        return asyncio.run(talk())


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A server that speaks both dialects."""
    with Provider() as running:
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def asker(request: pytest.FixtureRequest, provider: Provider) -> Asker:
    """Both dialects in turn."""
    return Asker(request.param, provider)


@pytest.fixture
def openai_asker(provider: Provider) -> Asker:
    """OpenAI's dialect."""
    return Asker("openai", provider)


@pytest.fixture
def anthropic_asker(provider: Provider) -> Asker:
    """Anthropic's dialect."""
    return Asker("anthropic", provider)
