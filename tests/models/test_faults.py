"""What goes wrong between us and a provider, in both dialects: what is retried, what is raised, what is recorded."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from embodibench.models.base import ModelError, Parameters, Reply
from embodibench.models.prices import Prices
from embodibench.models.reading import MAX_TEXT
from embodibench.models.retry import Patience
from tests.models.conftest import MESSAGES, QUICK, TODAY, Asker
from tests.models.server import KEY, Fault, Provider


def error_of(asker: Asker, **settings: object) -> ModelError:
    """The error that a call ends in."""
    with pytest.raises(ModelError) as caught:
        asker.ask(**settings)  # type: ignore[arg-type]
    return caught.value


def test_a_call_without_faults_takes_one_attempt(asker: Asker) -> None:
    reply = asker.ask()
    assert reply.attempts == 1
    assert reply.text.startswith("reply ")
    assert reply.finish == "stop"
    assert reply.cut == 0
    assert reply.returned_model == asker.model().identity.checkpoint


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_passing_http_errors_are_retried(asker: Asker, status: int) -> None:
    asker.provider.fail(Fault(status), times=2)
    reply = asker.ask()
    assert reply.attempts == 3
    assert reply.text.startswith("reply ")


@pytest.mark.parametrize("kind", ["hang", "drop", "truncated", "text", "endless"])
def test_broken_replies_are_retried(asker: Asker, kind: str) -> None:
    asker.provider.fail(Fault(kind=kind))
    reply = asker.ask(patience=replace(QUICK, request=2.0 if kind == "hang" else 20.0))
    assert reply.attempts == 2
    assert reply.text.startswith("reply ")


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit"), (500, "server"), (529, "server"), (504, "timeout")])
def test_when_the_budget_is_spent_the_last_failure_is_raised(asker: Asker, status: int, kind: str) -> None:
    asker.provider.fail(Fault(status), times=1000)
    error = error_of(asker)
    assert (error.kind, error.fatal) == (kind, False)
    assert error.attempts == len(asker.provider.requests) == len(asker.time.slept) + 1
    assert QUICK.budget - QUICK.longest_wait < asker.time.now <= QUICK.budget


def test_a_server_that_hangs_ends_in_a_timeout(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="hang"), times=1000)
    error = error_of(asker, patience=Patience(budget=1.0, request=0.2, shortest_wait=0.9))
    assert (error.kind, error.fatal, error.attempts) == ("timeout", False, 2)


def test_a_wait_beyond_the_budget_is_not_begun_by_anyone(asker: Asker) -> None:
    asker.provider.fail(Fault(429, headers={"Retry-After": "3600"}), times=2)

    async def talk() -> list[ModelError | Reply]:
        model = asker.model(patience=replace(QUICK, most_in_flight=1))
        try:
            calls = (model.generate(MESSAGES, Parameters()) for _ in range(3))
            return await asyncio.gather(*calls, return_exceptions=True)  # type: ignore[return-value]
        finally:
            await model.close()

    first, second, third = asyncio.run(talk())
    assert isinstance(first, ModelError)
    assert isinstance(second, ModelError)
    assert isinstance(third, Reply)
    assert (first.kind, first.attempts) == (second.kind, second.attempts) == ("rate_limit", 1)
    assert asker.time.slept == []


def test_a_server_that_asks_for_no_wait_is_not_hammered(asker: Asker) -> None:
    asker.provider.fail(Fault(429, headers={"Retry-After": "0"}), times=3)
    assert asker.ask().attempts == 4
    assert len(asker.time.slept) == 3
    assert min(asker.time.slept) >= 0.75 * QUICK.shortest_wait


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": "9", "retry-after-ms": "50"}, 0.05),
    ],
)
def test_the_wait_that_a_server_asks_for_is_kept_to(asker: Asker, headers: dict[str, str], seconds: float) -> None:
    asker.provider.fail(Fault(429, headers=headers))
    assert asker.ask().attempts == 2
    assert asker.time.now == pytest.approx(seconds)


def test_without_such_a_wait_it_doubles_up_to_a_limit_and_varies(asker: Asker) -> None:
    asker.provider.fail(Fault(500), times=6)
    assert asker.ask().attempts == 7
    for slept, longest in zip(asker.time.slept, (1.0, 2.0, 4.0, 8.0, 10.0, 10.0), strict=True):
        assert 0.75 * longest <= slept <= longest


@pytest.mark.parametrize("kind", ["truncated", "text"])
def test_nonsense_is_paid_for_so_it_is_asked_for_only_a_few_times(asker: Asker, kind: str) -> None:
    asker.provider.fail(Fault(kind=kind), times=1000)
    error = error_of(asker)
    assert error.kind == "bad_response"
    assert len(asker.provider.requests) == QUICK.replies


def test_a_dropped_connection_is_a_connection_error(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="drop"), times=1000)
    assert error_of(asker).kind == "connection"


def test_a_server_that_never_answered_is_given_up_early_and_for_good(asker: Asker) -> None:
    with Provider() as gone:
        pass
    error = error_of(Asker(asker.dialect, gone, asker.time))
    assert (error.kind, error.fatal) == ("connection", True)
    assert asker.time.now <= QUICK.first_contact
    assert gone.url in str(error)


def test_a_server_that_answered_before_is_given_the_whole_budget(asker: Asker) -> None:
    async def talk() -> ModelError:
        with Provider() as provider:
            model = Asker(asker.dialect, provider, asker.time).model()
            await model.generate(MESSAGES, Parameters())
        try:
            await model.generate(MESSAGES, Parameters())
        except ModelError as error:
            return error
        finally:
            await model.close()
        raise AssertionError("the server is gone")

    error = asyncio.run(talk())
    assert (error.kind, error.fatal) == ("connection", False)
    assert asker.time.now > QUICK.budget - QUICK.longest_wait


def test_a_wrong_key_is_fatal_and_not_shown(asker: Asker) -> None:
    error = error_of(asker, key="sk-proj-very-secret-0123456789")
    assert error.kind == "authentication"
    assert error.fatal
    assert error.attempts == 1
    assert "very-secret" not in str(error)


def test_a_forbidden_call_is_fatal(asker: Asker) -> None:
    asker.provider.fail(Fault(403))
    error = error_of(asker)
    assert (error.kind, error.fatal) == ("authentication", True)


def test_an_unknown_model_is_fatal(asker: Asker) -> None:
    asker.provider.models = frozenset({"another"})
    error = error_of(asker)
    assert (error.kind, error.fatal, error.attempts) == ("unknown_model", True, 1)


def test_a_prompt_beyond_the_context_is_not_retried_and_not_fatal(asker: Asker) -> None:
    asker.provider.context = 5
    error = error_of(asker)
    assert (error.kind, error.fatal, error.attempts) == ("context_overflow", False, 1)


def test_any_other_bad_request_is_not_retried_and_not_fatal(asker: Asker) -> None:
    asker.provider.fail(Fault(400))
    error = error_of(asker)
    assert (error.kind, error.fatal, error.attempts) == ("bad_request", False, 1)


def test_an_empty_account_is_fatal_although_it_looks_like_a_rate_limit(asker: Asker) -> None:
    body = {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}
    asker.provider.fail(Fault(429, body=body), times=1000)
    error = error_of(asker)
    assert (error.kind, error.fatal, error.attempts) == ("rate_limit", True, 1)


def test_an_error_page_in_html_becomes_one_short_line(asker: Asker) -> None:
    asker.provider.fail(Fault(400, body="<html>\n" + "x" * 100_000 + "</html>"))
    message = str(error_of(asker))
    assert len(message) < 500
    assert "\n" not in message


def test_the_server_decides_whether_to_retry(asker: Asker) -> None:
    asker.provider.fail(Fault(500, headers={"x-should-retry": "false"}))
    assert error_of(asker).attempts == 1
    asker.provider.fail(Fault(400, headers={"x-should-retry": "true"}))
    assert error_of(asker).kind == "bad_request"
    asker.provider.fail(Fault(499, headers={"x-should-retry": "true"}))
    assert asker.ask().attempts == 2


@pytest.mark.parametrize("kind", ["empty", "null"])
def test_empty_content_is_an_empty_reply(asker: Asker, kind: str) -> None:
    asker.provider.fail(Fault(kind=kind))
    reply = asker.ask()
    assert (reply.text, reply.finish, reply.attempts) == ("", "stop", 1)


@pytest.mark.parametrize("kind", ["refusal", "filtered"])
def test_a_refusal_is_an_empty_reply_that_says_so(asker: Asker, kind: str) -> None:
    asker.provider.fail(Fault(kind=kind))
    reply = asker.ask()
    assert (reply.text, reply.finish, reply.attempts) == ("", "refusal", 1)


def test_a_tool_call_in_place_of_text_is_an_empty_reply_that_says_so(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="tool_call"))
    reply = asker.ask()
    assert (reply.text, reply.finish, reply.attempts) == ("", "tool_call", 1)


def test_a_reply_at_the_token_limit_says_so(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="length"))
    assert asker.ask().finish == "length"


def test_five_megabytes_of_text_are_cut_and_marked(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="huge"))
    reply = asker.ask()
    assert reply.text == "x" * MAX_TEXT
    assert reply.cut == 5_000_000 - MAX_TEXT
    assert reply.finish == "length"


def test_a_lone_surrogate_becomes_the_replacement_character(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="surrogate"))
    assert asker.ask().text == "a\ufffd b"


def test_ids_that_a_server_returns_can_be_stored(openai_asker: Asker) -> None:
    choices = [{"message": {"content": "go"}, "finish_reason": "stop"}]
    body = {"model": "m\ud800" + "x" * 1000, "system_fingerprint": 7, "choices": choices}
    openai_asker.provider.fail(Fault(kind="body", body=body))
    reply = openai_asker.ask()
    assert reply.returned_model == "m\ufffd" + "x" * 198
    assert reply.system_fingerprint is None


def test_a_compressed_reply_is_not_unpacked(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="body", body={}, headers={"Content-Encoding": "gzip"}), times=1000)
    error = error_of(asker)
    assert error.kind == "bad_response"
    assert "compressed" in str(error)
    assert asker.provider.requests[0].headers["accept-encoding"] == "identity"


def test_bytes_that_are_not_utf8_become_replacement_characters(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="invalid_utf8"))
    reply = asker.ask()
    assert reply.text == "a\ufffd\ufffdb"
    assert reply.attempts == 1


def test_without_a_usage_block_usage_and_cost_are_unknown(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="no_usage"))
    reply = asker.ask()
    assert reply.usage is None
    assert reply.cost is None
    assert reply.text.startswith("reply ")


def test_tokens_of_a_failed_attempt_that_was_billed_are_kept(openai_asker: Asker) -> None:
    openai_asker.provider.fail(Fault(kind="no_choices"))
    once = openai_asker.ask()
    usage = once.usage
    plain = openai_asker.ask().usage
    assert usage is not None
    assert plain is not None
    assert once.attempts == 2
    assert usage.input == 2 * plain.input


def test_requests_are_priced_one_by_one(openai_asker: Asker) -> None:
    """Above 272,000 tokens a request of GPT-6 Luna costs twice as much; two shorter ones do not."""
    usage = {"prompt_tokens": 200_000, "completion_tokens": 0}
    good = {"choices": [{"message": {"content": "go"}, "finish_reason": "stop"}], "usage": usage}
    for body in ({"usage": usage}, good):
        openai_asker.provider.fail(Fault(kind="body", body=body))
    reply = openai_asker.ask(prices=Prices("openai", "gpt-6-luna", TODAY))
    assert reply.usage is not None
    assert reply.usage.input == 400_000
    assert reply.cost == pytest.approx(400_000 * 0.1e-6)


def test_an_error_says_what_its_attempts_were_billed(openai_asker: Asker) -> None:
    plain = openai_asker.ask().usage
    openai_asker.provider.fail(Fault(kind="no_choices"), times=1000)
    error = error_of(openai_asker)
    assert error.kind == "bad_response"
    assert error.billed is not None
    assert plain is not None
    assert error.billed.input == QUICK.replies * plain.input


def test_an_error_inside_a_successful_response_is_an_error(openai_asker: Asker) -> None:
    body = {"error": {"message": "Provider returned error", "code": 429}}
    openai_asker.provider.fail(Fault(kind="body", body=body))
    assert openai_asker.ask().attempts == 2


@pytest.mark.parametrize("body", [[], {}, {"choices": [{}]}, {"choices": "x"}, {"content": "x"}, "[" * 100_000, "7"])
def test_json_that_is_no_reply_is_asked_again(asker: Asker, body: object) -> None:
    asker.provider.fail(Fault(kind="body", body=body))
    reply = asker.ask()
    assert reply.attempts == 2
    assert reply.text.startswith("reply ")


@pytest.mark.parametrize("tokens", [-1, 1.5, True, "7", None, 10**400])
def test_token_counts_that_cannot_be_are_unknown(openai_asker: Asker, tokens: object) -> None:
    body = {"choices": [{"message": {"content": "go"}}], "usage": {"prompt_tokens": tokens, "completion_tokens": 1}}
    openai_asker.provider.fail(Fault(kind="body", body=body))
    reply = openai_asker.ask()
    assert (reply.text, reply.usage, reply.finish) == ("go", None, "other")


def test_a_cancelled_call_gives_its_place_back(asker: Asker) -> None:
    asker.provider.fail(Fault(kind="hang"))

    async def talk() -> Reply:
        model = asker.model(patience=Patience(request=30.0, most_in_flight=1))
        lost = asyncio.create_task(model.generate(MESSAGES, Parameters()))
        while not asker.provider.requests:
            await asyncio.sleep(0.005)
        lost.cancel()
        try:
            return await asyncio.wait_for(model.generate(MESSAGES, Parameters()), 10)
        finally:
            await model.close()

    assert asyncio.run(talk()).attempts == 1


def test_the_key_is_sent_and_right(asker: Asker) -> None:
    asker.ask()
    assert asker.provider.requests[0].headers["authorization"] == f"Bearer {KEY}"
