"""Messages: what goes over the wire, cache marks, and how tokens are counted."""

from __future__ import annotations

import base64

import pytest

from embodibench.models.anthropic import API_VERSION, MARKS
from embodibench.models.base import Image, Message, Parameters, Text, Usage
from embodibench.models.table import Takes
from tests.models.conftest import MESSAGES, Asker, picture, with_picture
from tests.models.server import Fault

EVERYTHING = Parameters(max_tokens=50, temperature=0.0, seed=7, stop=("<EOS>",), effort="low")


def test_temperature_and_seed_are_never_sent_and_recorded(anthropic_asker: Asker) -> None:
    reply = anthropic_asker.ask(parameters=EVERYTHING)
    body = anthropic_asker.provider.requests[0].body
    assert body["max_tokens"] == 50
    assert body["stop_sequences"] == ["<EOS>"]
    assert body["output_config"] == {"effort": "low"}
    assert not {"temperature", "seed", "effort", "stop"} & set(body)
    assert reply.sent == {"max_tokens": 50, "stop": ["<EOS>"], "effort": "low"}
    assert reply.not_sent == dict.fromkeys(("temperature", "seed"), "not taken by the model")


def test_the_recorded_api_version_is_the_one_that_is_sent(anthropic_asker: Asker) -> None:
    anthropic_asker.ask()
    assert anthropic_asker.provider.requests[0].headers["anthropic-version"] == API_VERSION


def test_a_model_without_effort_is_not_sent_one(anthropic_asker: Asker) -> None:
    reply = anthropic_asker.ask(parameters=EVERYTHING, takes=Takes(effort=False))
    assert "output_config" not in anthropic_asker.provider.requests[0].body
    assert reply.not_sent["effort"] == "not taken by the model"


def test_a_refused_parameter_is_dropped_once_for_the_rest_of_the_run(anthropic_asker: Asker) -> None:
    anthropic_asker.provider.refuses = frozenset({"effort"})
    first, second = anthropic_asker.ask_all([MESSAGES, MESSAGES], EVERYTHING)
    assert (first.attempts, second.attempts) == (2, 1)
    assert second.not_sent["effort"] == "refused by the model"
    assert "output_config" not in anthropic_asker.provider.requests[-1].body


def test_the_system_message_has_its_own_place(anthropic_asker: Asker) -> None:
    anthropic_asker.ask()
    body = anthropic_asker.provider.requests[0].body
    assert body["system"] == [{"type": "text", "text": "You play a game."}]
    assert [turn["role"] for turn in body["messages"]] == ["user"]


def test_empty_texts_and_messages_are_left_out(anthropic_asker: Asker) -> None:
    empty = Message.of("assistant", "")
    anthropic_asker.ask((Message.of("user", "one"), empty, Message("user", (Text(""), Text("two")))))
    texts = [
        [block["text"] for block in turn["content"]] for turn in anthropic_asker.provider.requests[0].body["messages"]
    ]
    assert texts == [["one"], ["two"]]


@pytest.mark.parametrize("encoding", ["png", "jpeg"])
def test_a_picture_goes_in_base64_with_its_type(anthropic_asker: Asker, encoding: str) -> None:
    image = Image(picture().pixels, encoding)  # type: ignore[arg-type]
    anthropic_asker.ask((Message("user", (image,)),))
    (block,) = anthropic_asker.provider.requests[0].body["messages"][0]["content"]
    assert block["source"]["type"] == "base64"
    assert block["source"]["media_type"] == f"image/{encoding}"
    assert base64.b64decode(block["source"]["data"]) == image.encoded()


def test_words_and_pictures_keep_their_order(anthropic_asker: Asker) -> None:
    anthropic_asker.ask(with_picture())
    parts = anthropic_asker.provider.requests[0].body["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image", "text"]


def test_marked_messages_carry_a_cache_mark_on_their_last_block(anthropic_asker: Asker) -> None:
    messages = (Message.of("system", "rules", cache=True), Message("user", (Text("a"), Text("b")), cache=True))
    anthropic_asker.ask((*messages, Message.of("user", "c")))
    body = anthropic_asker.provider.requests[0].body
    mark = {"type": "ephemeral"}
    assert body["system"] == [{"type": "text", "text": "rules", "cache_control": mark}]
    assert body["messages"][0]["content"] == [
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b", "cache_control": mark},
    ]
    assert "cache_control" not in body["messages"][1]["content"][0]


def test_no_more_marks_than_the_api_allows_and_the_last_ones_are_kept(anthropic_asker: Asker) -> None:
    anthropic_asker.ask([Message.of("user", f"turn {turn}", cache=True) for turn in range(7)])
    turns = anthropic_asker.provider.requests[0].body["messages"]
    marked = [index for index, turn in enumerate(turns) if "cache_control" in turn["content"][-1]]
    assert marked == [3, 4, 5, 6]
    assert len(marked) == MARKS


def test_tokens_read_from_and_written_to_the_cache_are_part_of_the_input(anthropic_asker: Asker) -> None:
    long = Message.of("system", "word" * 2000, cache=True)
    prompts = [(long, Message.of("user", f"step {step}")) for step in range(2)]
    first, second = anthropic_asker.ask_all(prompts)
    assert first.usage is not None
    assert second.usage is not None
    assert (first.usage.cached, first.usage.cache_write) == (0, 2001)
    assert (second.usage.cached, second.usage.cache_write) == (2001, 0)
    assert first.usage.input == second.usage.input > 2001
    assert first.cost is not None
    assert second.cost is not None
    assert first.cost > second.cost


def test_writes_that_stay_for_an_hour_are_told_apart_because_they_cost_more(anthropic_asker: Asker) -> None:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 70,
        "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 40},
        "output_tokens": 5,
        "output_tokens_details": {"thinking_tokens": 3},
    }
    body = {"content": [{"type": "text", "text": "go"}], "stop_reason": "end_turn", "usage": usage}
    anthropic_asker.provider.fail(Fault(kind="body", body=body))
    reply = anthropic_asker.ask()
    assert reply.usage == Usage(input=100, cached=20, cache_write=70, output=5, reasoning=3, cache_write_hour=40)
    # Claude Opus 5.5, per million: input $4, read $0.20, written $5 for 5 minutes and $8 for an hour, output $20.
    assert reply.cost == pytest.approx((10 * 4 + 20 * 0.2 + 30 * 5 + 40 * 8 + 5 * 20) / 1e6)


def test_thinking_blocks_are_not_part_of_the_text(anthropic_asker: Asker) -> None:
    content = [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": "go"}]
    body = {"content": content, "stop_reason": "end_turn"}
    anthropic_asker.provider.fail(Fault(kind="body", body=body))
    assert anthropic_asker.ask().text == "go"
