"""From a name to a model: what each spelling means, and what is said when it cannot be."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.errors import UsageError
from embodibench.models.base import Message, Parameters
from embodibench.models.resolve import choose, resolve
from embodibench.models.stub import StubModel
from tests.models.conftest import MESSAGES, QUICK, TODAY
from tests.models.server import KEY, Provider

KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GEMINI_API_KEY": KEY}


@pytest.mark.parametrize(
    ("name", "provider", "checkpoint"),
    [
        ("gpt-4o", "openai", "gpt-4o-2024-11-20"),
        ("openai/gpt-4o", "openai", "gpt-4o-2024-11-20"),
        ("gpt-4o-2024-08-06", "openai", "gpt-4o-2024-08-06"),
        ("openai/ft:gpt-4o:me", "openai", "ft:gpt-4o:me"),
        ("claude-opus-5-5", "anthropic", "claude-opus-5-5"),
        ("claude-haiku-4-5", "anthropic", "claude-haiku-4-5-20251001"),
        ("anthropic/claude-next", "anthropic", "claude-next"),
        ("gemini-3.8-flash", "google", "gemini-3.8-flash"),
        ("google/gemini-9", "google", "gemini-9"),
        ("stub/left,right", "stub", "left,right"),
    ],
)
def test_a_name_means_a_provider_and_a_checkpoint(name: str, provider: str, checkpoint: str) -> None:
    identity = choose(name, today=TODAY, environ={}).identity
    assert (identity.provider, identity.checkpoint) == (provider, checkpoint)
    assert identity.requested == name.removeprefix(f"{provider}/")
    assert identity.base_url is None


def test_what_a_name_means_is_known_without_a_key() -> None:
    choice = choose("gpt-4o", today=TODAY, environ={})
    assert choice.takes.images
    assert choice.pinned
    assert choice.prices.worst(1_000_000, 0) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("gpt4o", "gpt-4o"),
        ("claude-opus-5.5", "claude-opus-5-5"),
        ("gemini-3.8", "gemini-3.8-flash"),
        ("smolm2", "smollm2"),
    ],
)
def test_an_unknown_name_gets_the_nearest_ones(name: str, nearest: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(name, today=TODAY, environ={})
    assert nearest in str(caught.value).split("nearest: ")[1]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "/", "openai/", "local/", "nobody/knows", "local/nothing", "zzzzzz"])
def test_a_name_that_means_nothing_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError):
        choose(name, today=TODAY, environ={})


@given(st.text(max_size=60).filter(lambda name: not name.startswith(("recording/", "stub/"))))
def test_any_name_either_means_something_or_is_a_usage_error_of_one_line(name: str) -> None:
    try:
        choose(name, today=TODAY, environ={})
    except UsageError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "successor"),
    [
        ("gpt-4o-2024-05-13", "gpt-4o-2024-11-20"),
        ("openai/gpt-4", "gpt-4o-2024-11-20"),
        ("claude-3-5-sonnet-20240620", "claude-sonnet-5-5"),
        ("gemini-1.5-pro-001", "gemini-3.8-flash"),
    ],
)
def test_a_checkpoint_that_is_gone_gets_its_successors(name: str, successor: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(name, today=TODAY, environ={})
    message = str(caught.value)
    assert "was shut down on 202" in message
    assert successor in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("today", "warned"),
    [("2026-11-14", False), ("2026-11-15", True), ("2027-01-14", True), ("2026-01-01", False)],
)
def test_a_shutdown_within_sixty_days_is_warned_of(today: str, warned: bool) -> None:
    warnings = choose("gpt-4o", today=datetime.date.fromisoformat(today), environ={}).warnings
    assert bool(warnings) is warned
    if warned:
        assert "gpt-4o-2024-11-20" in warnings[0]
        assert "2027-01-14" in warnings[0]
        assert "gpt-6-luna" in warnings[0]


def test_the_day_after_its_shutdown_a_checkpoint_is_gone() -> None:
    with pytest.raises(UsageError, match="gpt-4o means gpt-4o-2024-11-20, which was shut down on 2027-01-14"):
        choose("gpt-4o", today=datetime.date(2027, 1, 15), environ={})


@pytest.mark.parametrize(
    ("name", "variable"),
    [("gpt-4o", "OPENAI_API_KEY"), ("claude-opus-5-5", "ANTHROPIC_API_KEY"), ("gemini-3.8-flash", "GEMINI_API_KEY")],
)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_named(name: str, variable: str, value: str | None) -> None:
    environ = {} if value is None else {variable: value}
    with pytest.raises(UsageError, match=variable):
        resolve(name, today=TODAY, environ=environ)


def ask(name: str, **settings: object) -> str:
    """The reply of the model of that name."""

    async def talk() -> str:
        model = resolve(name, today=TODAY, patience=QUICK, **settings).model  # type: ignore[arg-type]
        try:
            return (await model.generate(MESSAGES, Parameters())).text
        finally:
            await model.close()

    return asyncio.run(talk())


def test_any_server_of_openais_dialect_can_be_asked_by_its_address(provider: Provider) -> None:
    assert ask("meta/llama-9", base_url=provider.openai_url, environ=KEYS).startswith("reply ")
    assert provider.requests[0].body["model"] == "meta/llama-9"


def test_any_server_of_anthropics_dialect_can_be_asked_by_its_address(provider: Provider) -> None:
    assert ask("anthropic/mine", base_url=provider.url, environ=KEYS).startswith("reply ")
    assert provider.requests[0].path == "/v1/messages"


def test_a_server_of_ones_own_needs_no_key(provider: Provider) -> None:
    resolved = resolve("mine", today=TODAY, base_url=provider.openai_url, environ={})
    assert resolved.choice.identity.base_url == provider.openai_url
    asyncio.run(resolved.model.close())


@pytest.mark.parametrize(
    ("name", "variable", "path"),
    [("gpt-4o", "OPENAI_BASE_URL", "/v1"), ("claude-opus-5-5", "ANTHROPIC_BASE_URL", "")],
)
def test_the_address_in_the_environment_is_used_and_recorded(
    provider: Provider, name: str, variable: str, path: str
) -> None:
    environ = {**KEYS, variable: provider.url + path}
    assert choose(name, today=TODAY, environ=environ).identity.base_url == provider.url + path
    assert ask(name, environ=environ).startswith("reply ")
    assert len(provider.requests) == 1


def test_an_auth_token_will_do_for_a_key(provider: Provider) -> None:
    environ = {"ANTHROPIC_AUTH_TOKEN": KEY, "ANTHROPIC_BASE_URL": provider.url}
    assert ask("claude-opus-5-5", environ=environ).startswith("reply ")


def test_behind_another_address_a_name_is_sent_as_it_is_and_priced_as_its_provider_does(provider: Provider) -> None:
    choice = choose("gpt-4o", today=TODAY, base_url=provider.openai_url, environ={})
    assert choice.identity.checkpoint == "gpt-4o"
    assert not choice.pinned
    assert choice.prices.worst(1_000_000, 0) == pytest.approx(2.5)
    assert "list prices are assumed" in choice.warnings[0]


def test_behind_another_address_a_checkpoint_may_outlive_its_shutdown() -> None:
    choice = choose("gpt-4o-2024-05-13", today=TODAY, base_url="https://gateway.example/v1", environ={})
    assert choice.identity.checkpoint == "gpt-4o-2024-05-13"


def test_another_servers_model_has_no_price_unless_it_is_named() -> None:
    where = "http://127.0.0.1:9/v1"
    assert choose("mine", today=TODAY, base_url=where, environ={}).prices.worst(1000, 0) is None
    priced = choose("mine", today=TODAY, base_url=where, price_as="openai/gpt-4o", environ={})
    assert priced.prices.worst(1_000_000, 0) == pytest.approx(2.5)
    with pytest.raises(UsageError, match="gpt-4o"):
        choose("mine", today=TODAY, base_url=where, price_as="gpt-4oo", environ={})


def test_secrets_in_an_address_are_not_recorded() -> None:
    choice = choose("mine", today=TODAY, base_url="https://me:secret@host.example/v1?token=secret", environ={})
    assert choice.identity.base_url == "https://host.example/v1"
    assert "secret" not in repr(choice.identity)
    assert "secret" not in "".join(choice.warnings)


@pytest.mark.parametrize("url", ["localhost:8000", "file:///etc/passwd", "http://", "ftp://host/"])
def test_an_address_that_is_none_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="base URL"):
        choose("mine", today=TODAY, base_url=url, environ={})


@pytest.mark.parametrize("name", ["stub/a", "recording/x.jsonl", "local/smollm2-135m"])
def test_a_model_without_a_server_takes_no_address(name: str) -> None:
    with pytest.raises(UsageError, match="no server"):
        choose(name, today=TODAY, base_url="http://127.0.0.1:9/v1", environ={})


def test_a_model_outside_the_table_is_warned_of_with_the_nearest_names() -> None:
    (warning,) = choose("openai/gpt-4oo", today=TODAY, environ={}).warnings
    assert "not in the model table" in warning
    assert "gpt-4o" in warning


def test_a_recording_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.jsonl"):
        resolve(f"recording/{tmp_path / 'nothing.jsonl'}", today=TODAY, environ={})


def test_a_stub_answers_by_the_prompt_alone() -> None:
    model = resolve("stub/left,right", today=TODAY, environ={}).model
    assert isinstance(model, StubModel)
    prompts = [(Message.of("user", f"step {step}"),) for step in range(20)]

    async def talk() -> list[str]:
        return [(await model.generate(prompt, Parameters(), cache_key=str(n))).text for n, prompt in enumerate(prompts)]

    first, second = asyncio.run(talk()), asyncio.run(talk())
    assert first == second
    assert set(first) == {"left", "right"}
    assert model.worst_cost(prompts[0], Parameters()) == 0
