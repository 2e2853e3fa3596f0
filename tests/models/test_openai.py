"""Chat Completions: what goes over the wire, what does not, and how tokens are counted."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image as PillowImage

from embodibench.models.base import Image, Message, ModelError, Parameters, Usage
from embodibench.models.openai import OpenAIModel
from embodibench.models.table import Takes
from tests.models.conftest import MESSAGES, QUICK, Asker, with_picture
from tests.models.server import KEY, Fault

EVERYTHING = Parameters(max_tokens=50, temperature=0.0, seed=7, stop=("<EOS>",), effort="low")


def test_every_parameter_the_model_takes_is_sent_and_recorded(openai_asker: Asker) -> None:
    reply = openai_asker.ask(parameters=EVERYTHING)
    body = openai_asker.provider.requests[0].body
    assert body["max_completion_tokens"] == 50
    assert body["temperature"] == 0
    assert body["seed"] == 7
    assert body["stop"] == ["<EOS>"]
    assert body["reasoning_effort"] == "low"
    assert "max_tokens" not in body
    assert reply.sent == EVERYTHING.to_json()
    assert reply.not_sent == {}
    assert reply.system_fingerprint == "fp_test"


def test_what_the_table_says_the_model_does_not_take_is_not_sent_and_recorded(openai_asker: Asker) -> None:
    nothing = Takes(temperature=False, seed=False, stop=False, images=False, effort=False)
    reply = openai_asker.ask(parameters=EVERYTHING, takes=nothing)
    assert set(openai_asker.provider.requests[0].body) == {"model", "messages", "max_completion_tokens"}
    assert reply.sent == {"max_tokens": 50}
    assert reply.not_sent == dict.fromkeys(("temperature", "seed", "stop", "effort"), "not taken by the model")


@pytest.mark.parametrize(("effort", "sent"), [("none", True), ("low", False), (None, False)])
def test_some_models_take_a_temperature_only_without_reasoning(
    openai_asker: Asker, effort: str | None, sent: bool
) -> None:
    takes = Takes(temperature=False, temperature_at_effort_none=True)
    reply = openai_asker.ask(parameters=Parameters(effort=effort), takes=takes)
    assert ("temperature" in openai_asker.provider.requests[0].body) is sent
    assert ("temperature" in reply.not_sent) is not sent


def test_parameters_that_are_not_asked_for_are_neither_sent_nor_missed(openai_asker: Asker) -> None:
    reply = openai_asker.ask(parameters=Parameters(max_tokens=9, temperature=None))
    assert set(openai_asker.provider.requests[0].body) == {"model", "messages", "max_completion_tokens"}
    assert (dict(reply.sent), dict(reply.not_sent)) == ({"max_tokens": 9}, {})


@pytest.mark.parametrize(
    ("wire", "name"),
    [("temperature", "temperature"), ("seed", "seed"), ("stop", "stop"), ("reasoning_effort", "effort")],
)
def test_a_refused_parameter_is_dropped_once_for_the_rest_of_the_run(openai_asker: Asker, wire: str, name: str) -> None:
    openai_asker.provider.refuses = frozenset({wire})
    first, second = openai_asker.ask_all([MESSAGES, MESSAGES], EVERYTHING)
    assert (first.attempts, second.attempts) == (2, 1)
    for reply in (first, second):
        assert reply.not_sent == {name: "refused by the model"}
        assert name not in reply.sent
    assert [wire in request.body for request in openai_asker.provider.requests] == [True, False, False]


def test_several_parameters_may_be_refused_one_after_the_other(openai_asker: Asker) -> None:
    openai_asker.provider.refuses = frozenset({"temperature", "seed", "max_completion_tokens"})
    reply = openai_asker.ask(parameters=EVERYTHING)
    assert reply.attempts == 4
    assert set(reply.not_sent) == {"temperature", "seed"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "Unrecognized request argument supplied: seed"}}),
        (400, {"error": {"message": "Unsupported value: 'seed' does not support 7 with this model.", "param": "seed"}}),
        (400, [{"error": {"code": 400, "message": 'Invalid JSON payload received. Unknown name "seed"'}}]),
        (
            422,
            {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
        ),
        (422, {"message": "seed: Extra inputs are not permitted"}),
        (400, {"error": "unknown field seed"}),
    ],
)
def test_a_refusal_is_understood_in_the_words_of_many_servers(openai_asker: Asker, status: int, body: object) -> None:
    openai_asker.provider.fail(Fault(status, body=body))
    reply = openai_asker.ask(parameters=EVERYTHING)
    assert reply.attempts == 2
    assert reply.not_sent == {"seed": "refused by the model"}


@pytest.mark.parametrize(
    "message",
    [
        "Invalid 'messages[0].content': string too long.",
        "Could not parse the image. Unsupported image type.",
        "seed must be an integer",
    ],
)
def test_other_bad_requests_drop_nothing(openai_asker: Asker, message: str) -> None:
    openai_asker.provider.fail(Fault(400, body={"error": {"message": message, "param": None}}))
    with pytest.raises(ModelError) as caught:
        openai_asker.ask(parameters=EVERYTHING)
    assert caught.value.kind == "bad_request"


def test_servers_that_refuse_the_newer_name_of_the_limit_get_the_older_one(openai_asker: Asker) -> None:
    openai_asker.provider.refuses = frozenset({"max_completion_tokens"})
    first, second = openai_asker.ask_all([MESSAGES, MESSAGES], Parameters(max_tokens=5, temperature=None))
    assert (first.attempts, second.attempts) == (2, 1)
    assert openai_asker.provider.requests[-1].body["max_tokens"] == 5
    assert (dict(second.sent), dict(second.not_sent)) == ({"max_tokens": 5}, {})


def test_a_picture_goes_as_a_data_url_in_high_detail(openai_asker: Asker) -> None:
    pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    openai_asker.ask((Message("user", (Image(pixels),)),))
    part = openai_asker.provider.requests[0].body["messages"][0]["content"][0]
    assert part["type"] == "image_url"
    assert part["image_url"]["detail"] == "high"
    head, _, data = part["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert np.array_equal(np.asarray(PillowImage.open(io.BytesIO(base64.b64decode(data)))), pixels)


def test_words_and_pictures_keep_their_order(openai_asker: Asker) -> None:
    openai_asker.ask(with_picture())
    parts = openai_asker.provider.requests[0].body["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url", "text"]


def test_messages_without_pictures_are_plain_strings_that_every_server_reads(openai_asker: Asker) -> None:
    openai_asker.ask()
    assert openai_asker.provider.requests[0].body["messages"] == [
        {"role": "system", "content": "You play a game."},
        {"role": "user", "content": "You see a tree. What do you do?"},
    ]


def test_cached_tokens_are_part_of_the_input_and_cost_less(openai_asker: Asker) -> None:
    long = Message.of("system", "word" * 2000)
    prompts = [(long, Message.of("user", f"step {step}")) for step in range(2)]
    first, second = openai_asker.ask_all(prompts)
    assert first.usage is not None
    assert second.usage is not None
    assert first.usage.cached == 0
    assert second.usage.cached == 1920  # the longest common prefix in whole blocks of 128 tokens
    assert second.usage.input == first.usage.input > 2000
    assert first.cost is not None
    assert second.cost is not None
    assert first.cost - second.cost == pytest.approx(1920 * 1.25e-6)  # $2.50 and $1.25 a million


def test_short_prompts_are_not_cached(openai_asker: Asker) -> None:
    _, second = openai_asker.ask_all([MESSAGES, MESSAGES])
    assert second.usage is not None
    assert second.usage.cached == 0


def test_thinking_that_is_only_in_the_total_is_output_and_reasoning(openai_asker: Asker) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 40}
    body = {"choices": [{"message": {"content": "go"}, "finish_reason": "stop"}], "usage": usage}
    openai_asker.provider.fail(Fault(kind="body", body=body))
    assert openai_asker.ask().usage == Usage(input=10, output=30, reasoning=28)


def test_the_cache_key_goes_to_openai_alone(openai_asker: Asker) -> None:
    elsewhere = openai_asker.model()
    assert isinstance(elsewhere, OpenAIModel)
    there = OpenAIModel(elsewhere.identity, KEY, takes=Takes(), prices=elsewhere.prices, patience=QUICK)
    assert "prompt_cache_key" not in elsewhere._compose(MESSAGES, Parameters(), "task").body
    assert there._compose(MESSAGES, Parameters(), "task").body["prompt_cache_key"] == "task"
    assert "prompt_cache_key" not in there._compose(MESSAGES, Parameters(), "").body
    assert len(there._compose(MESSAGES, Parameters(), "task" * 100).body["prompt_cache_key"]) == 64


def test_content_in_parts_is_joined(openai_asker: Asker) -> None:
    content = [{"type": "text", "text": "go "}, {"type": "other"}, {"type": "text", "text": "left"}]
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    openai_asker.provider.fail(Fault(kind="body", body=body))
    assert openai_asker.ask().text == "go left"
