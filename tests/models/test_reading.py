"""Bytes from a server, read with distrust."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.models.reading import MAX_TEXT, clean, decode, excerpt, failure_of_status
from embodibench.models.retry import Failure

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["error", "message", "code"]), inner),
    max_leaves=8,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_a_bad_response(data: bytes) -> None:
    try:
        assert isinstance(decode(data), dict)
    except Failure as failure:
        assert failure.kind == "bad_response"
        assert failure.retry


@given(st.text(st.characters(), max_size=300))
def test_cleaned_text_can_be_stored_and_keeps_all_that_could_be(text: str) -> None:
    cleaned, cut = clean(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert cut == 0
    assert all(ours == theirs or "\ud800" <= theirs <= "\udfff" for ours, theirs in zip(cleaned, text, strict=True))


def test_text_beyond_the_limit_is_cut() -> None:
    assert clean("x" * (MAX_TEXT + 3)) == ("x" * MAX_TEXT, 3)


def test_a_pair_of_surrogates_in_json_is_one_character() -> None:
    assert clean(decode(b'{"text": "\\ud83d\\ude00"}')["text"]) == ("\U0001f600", 0)


@given(st.text(max_size=3000))
def test_an_excerpt_is_one_short_line(text: str) -> None:
    line = excerpt(text)
    assert len(line) <= 300
    assert line.isprintable()


@pytest.mark.parametrize("key", ["sk-proj-AbCd1234efgh5678", "sk-ant-api03-xyz_123456789", "AIzaSyA1234567890"])
def test_an_excerpt_shows_no_key(key: str) -> None:
    assert key not in excerpt(f"Incorrect API key provided: {key}. Find yours at the site.")


@given(st.integers(400, 599), values)
def test_any_error_body_becomes_a_failure_of_one_line(status: int, body: object) -> None:
    failure = failure_of_status(status, {}, body, frozenset({"seed"}), 0.0)
    assert "\n" not in failure.message
    assert len(failure.message) < 400
    assert not (failure.retry and failure.fatal)


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
        "prompt is too long: 250000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000 context window",
        "the request exceeds the available context size. try increasing the context size",
        "request (18031 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
        "Input is too long for requested model.",
    ],
)
def test_a_prompt_that_is_too_long_is_understood_in_the_words_of_many_servers(message: str) -> None:
    failure = failure_of_status(400, {}, {"error": {"message": message}}, frozenset({"seed", "stop"}), 0.0)
    assert (failure.kind, failure.fatal) == ("context_overflow", False)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {"error": {"message": "The model `x` does not exist or you do not have access to it."}}),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}}),
        (400, {"error": {"message": "x is not a valid model ID", "code": 400}}),
        (400, {"error": {"message": "nope", "code": "model_not_found"}}),
    ],
)
def test_an_unknown_model_is_understood_in_the_words_of_many_servers(status: int, body: object) -> None:
    failure = failure_of_status(status, {}, body, frozenset({"seed"}), 0.0)
    assert (failure.kind, failure.fatal) == ("unknown_model", True)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (402, {"error": {"message": "Insufficient credits"}}),
        (400, {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low."}}),
        (429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}),
        (403, {"error": {"type": "billing_error", "message": "no"}}),
    ],
)
def test_an_empty_account_is_fatal(status: int, body: object) -> None:
    assert failure_of_status(status, {}, body, frozenset(), 0.0).fatal


def test_a_rate_limit_that_speaks_of_quota_and_billing_is_still_one() -> None:
    body = [{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing."}}]
    failure = failure_of_status(429, {}, body, frozenset(), 0.0)
    assert (failure.kind, failure.retry, failure.fatal) == ("rate_limit", True, False)


def test_deep_json_is_no_crash() -> None:
    with pytest.raises(Failure):
        decode(b'{"a":' * 200_000)
    assert decode(json.dumps({"a": [[[]]]}).encode()) == {"a": [[[]]]}
