"""Money: what a call cost, what it can cost at most, and when that is unknown."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.models.base import Image, Message, Parameters, Text, Usage
from embodibench.models.prices import Free, Prices
from embodibench.models.tokens import image_tokens, most_tokens, rough_tokens
from tests.models.conftest import TODAY, Asker

MILLION = 1_000_000


def test_input_cached_and_output_tokens_have_their_own_prices() -> None:
    prices = Prices("openai", "gpt-4o-2024-11-20", TODAY)
    assert prices.cost(Usage(input=MILLION)) == pytest.approx(2.5)
    assert prices.cost(Usage(input=MILLION, cached=MILLION)) == pytest.approx(1.25)
    assert prices.cost(Usage(output=MILLION)) == pytest.approx(10.0)
    assert prices.cost(Usage(output=MILLION, reasoning=MILLION)) == pytest.approx(10.0)


def test_tokens_written_to_the_cache_cost_more_and_for_an_hour_still_more() -> None:
    prices = Prices("anthropic", "claude-opus-5-5", TODAY)
    assert prices.cost(Usage(input=MILLION)) == pytest.approx(4.0)
    assert prices.cost(Usage(input=MILLION, cache_write=MILLION)) == pytest.approx(5.0)
    assert prices.cost(Usage(input=MILLION, cache_write=MILLION, cache_write_hour=MILLION)) == pytest.approx(8.0)


@pytest.mark.parametrize(
    "prices",
    [
        Prices("openai", "gpt-99", TODAY),
        Prices("nobody", "gpt-4o", TODAY),
        Prices(None, "gpt-4o", TODAY),
        Prices(None, "gpt-4o", TODAY, "http://127.0.0.1:8000/v1"),
    ],
)
def test_an_unknown_price_is_none(prices: Prices) -> None:
    assert prices.cost(Usage(input=1, output=1)) is None
    assert prices.worst(1, 1) is None


def test_unknown_usage_has_no_cost() -> None:
    assert Prices("openai", "gpt-4o-2024-11-20", TODAY).cost(None) is None


def test_a_known_server_has_its_own_prices() -> None:
    prices = Prices(None, "openai/gpt-4o", TODAY, "https://openrouter.ai/api/v1")
    assert prices.cost(Usage(input=MILLION)) is not None


def test_prices_are_those_of_the_day() -> None:
    """o3 became 80 % cheaper on 2025-06-10."""
    then = Prices("openai", "o3-2025-04-16", datetime.date(2025, 5, 1)).cost(Usage(input=MILLION))
    now = Prices("openai", "o3-2025-04-16", datetime.date(2025, 7, 1)).cost(Usage(input=MILLION))
    assert then is not None
    assert now is not None
    assert then > now


def test_the_table_and_its_date_are_recorded() -> None:
    recorded = Prices("openai", "gpt-4o-2024-11-20", TODAY).to_json()
    assert str(recorded["table"]).startswith("genai-prices 0.")
    assert recorded["day"] == "2026-11-30"
    assert Free().to_json() == {}
    assert Free().cost(None) == Free().worst(10, 10) == 0.0


counts = st.integers(0, 2_000_000)


@given(st.builds(Usage, counts, counts, counts, counts, counts, counts))
def test_no_usage_that_a_server_may_report_breaks_the_price_or_exceeds_the_bound(usage: Usage) -> None:
    prices = Prices("anthropic", "claude-haiku-5-5", TODAY)
    cost, worst = prices.cost(usage), prices.worst(usage.input, usage.output)
    assert cost is not None
    assert worst is not None
    assert cost >= 0
    if not usage.cache_write_hour:  # never asked for, so not in the bound
        assert cost <= worst * (1 + 1e-9)


@given(st.lists(st.text(), max_size=5))
def test_no_text_has_more_tokens_than_the_bound(texts: list[str]) -> None:
    messages = [Message.of("user", text) for text in texts]
    size = sum(len(text.encode()) for text in texts)
    assert size <= most_tokens(messages, "tiles") <= size + 16 * (len(texts) + 1)
    assert rough_tokens(messages) <= most_tokens(messages, "tiles")


@pytest.mark.parametrize(
    ("rule", "height", "width", "tokens"),
    [
        # The providers' own examples: 1024 x 1024 in detail "high" is 765 tokens with GPT-4o and 25,501 with
        # GPT-4o mini; 1024 x 1024 is 1024 patches; Claude counts width x height / 750.
        ("tiles", 1024, 1024, 765),
        ("mini_tiles", 1024, 1024, 25_501),
        ("patches", 1024, 1024, 1024),
        ("anthropic", 1000, 1000, 1334),
        ("tiles", 512, 512, 255),
        ("tiles", 64, 64, 255),
    ],
)
def test_a_picture_has_no_more_tokens_than_the_bound(rule: str, height: int, width: int, tokens: int) -> None:
    assert image_tokens(height, width, rule) >= tokens  # type: ignore[arg-type]
    assert image_tokens(height, width, "unknown") >= tokens


def test_pictures_count() -> None:
    image = Image(np.zeros((512, 512, 3), np.uint8))
    with_it, without = Message("user", (Text("a"), image)), Message.of("user", "a")
    assert rough_tokens([with_it]) - rough_tokens([without]) == 255
    assert most_tokens([with_it], "tiles") - most_tokens([without], "tiles") == 255


def test_no_call_costs_more_than_was_said_before(asker: Asker) -> None:
    messages = (Message.of("system", "word" * 2000, cache=True), Message.of("user", "go"))
    worst = asker.model().worst_cost(messages, Parameters(max_tokens=100))
    assert worst is not None
    for reply in asker.ask_all([messages, messages], Parameters(max_tokens=100)):
        assert reply.cost is not None
        assert reply.cost <= worst
