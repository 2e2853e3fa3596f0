"""Changes of calls, replies and tokens."""

from __future__ import annotations

import zstandard

from embodibench.agents.trace import reply_hash
from tests.submissions.bases import Copy
from tests.submissions.hostile import hostile


@hostile("replay-protocol", base="model")
def edited_reply(copy: Copy) -> None:
    old = copy.own_lines(0)[0]["text"]
    copy.reply(0, 0, "toggle" if old != "toggle" else "turn left")


@hostile("replay-protocol", base="model")
def edited_prompt_hash(copy: Copy) -> None:
    copy.own_lines(0)[1]["prompt"] = copy.episodes[0]["calls"]["prompts"][1] = "A" * 16


@hostile("replay-protocol", base="model")
def searched_actions_with_replies_of_another_kind(copy: Copy) -> None:
    for episode in range(3):
        for line in copy.own_lines(episode):
            copy.reply(episode, line["call"], "move forward")


@hostile("replay-protocol", base="model")
def better_outcomes(copy: Copy) -> None:
    calls = copy.episodes[0]["calls"]
    calls["outcomes"] = (
        [["ok", len(calls["prompts"])]] if calls["outcomes"][0][0] != "ok" else [["x", len(calls["prompts"])]]
    )


@hostile("replay-protocol", base="model")
def edited_detail(copy: Copy) -> None:
    copy.own_lines(0)[0]["detail"] = {"mention@1": ["toggle", "ok"]}


@hostile("replay-protocol", base="model")
def opening_without_a_call(copy: Copy) -> None:
    """One step more before the first call, one fewer after it."""
    episode = copy.episodes[0]
    episode["opening_steps"] += 1
    steps = [value for value, count in episode["calls"]["steps"] for _ in range(count)]
    steps[0] -= 1
    episode["calls"]["steps"] = [[value, 1] for value in steps]


@hostile("call-columns", base="model")
def one_call_too_many(copy: Copy) -> None:
    assert copy.lines is not None
    own = copy.own_lines(0)
    copy.lines.insert(len(own), {**own[-1], "call": len(own)})
    calls = copy.episodes[0]["calls"]
    for name in ("prompts", "replies", "input_tokens", "output_tokens"):
        calls[name].append(calls[name][-1])
    calls["outcomes"].append(["ok", 1])
    calls["steps"].append([0, 1])
    copy.episodes[0]["usage"]["input"] += calls["input_tokens"][-1]
    copy.episodes[0]["usage"]["output"] += calls["output_tokens"][-1]


@hostile("call-columns", base="model")
def columns_of_other_lengths(copy: Copy) -> None:
    copy.episodes[0]["calls"]["outcomes"][0][1] += 1


@hostile("call-columns", base="model")
def outcomes_by_the_billion(copy: Copy) -> None:
    copy.episodes[0]["calls"]["outcomes"] = [["ok", 2**52]]


@hostile("token-sums", base="model")
def tokens_that_do_not_add_up(copy: Copy) -> None:
    copy.episodes[0]["usage"]["input"] -= 1


@hostile("token-sums", base="model")
def more_reasoning_than_output(copy: Copy) -> None:
    copy.episodes[0]["usage"]["reasoning"] = copy.episodes[0]["usage"]["output"] + 1


@hostile("token-sums", base="model")
def usage_that_is_hidden(copy: Copy) -> None:
    copy.episodes[0]["usage"] = None


@hostile("token-counts", base="model")
def reply_without_tokens(copy: Copy) -> None:
    calls = copy.episodes[0]["calls"]
    copy.episodes[0]["usage"]["output"] -= calls["output_tokens"][0]
    calls["output_tokens"][0] = 0


@hostile("token-counts", base="model")
def prompt_of_one_token(copy: Copy) -> None:
    calls = copy.episodes[0]["calls"]
    copy.episodes[0]["usage"]["input"] -= calls["input_tokens"][0] - 1
    calls["input_tokens"][0] = 1


@hostile("token-counts", base="model")
def prompt_of_a_million_tokens(copy: Copy) -> None:
    calls = copy.episodes[0]["calls"]
    copy.episodes[0]["usage"]["input"] += 1_000_000 - calls["input_tokens"][0]
    calls["input_tokens"][0] = 1_000_000


@hostile("secret", base="model")
def token_in_a_reply(copy: Copy) -> None:
    old = copy.own_lines(0)[0]["text"]
    copy.reply(0, 0, f"{old} ghp_{'a1' * 20}")


# The transcript's file.


@hostile("transcript-hash", base="model")
def transcript_of_another_run(copy: Copy) -> None:
    other = zstandard.compress(b"")
    copy.after = lambda folder: (folder / "transcript.jsonl.zst").write_bytes(other) and None


@hostile("transcript-form", base="model")
def truncated_transcript(copy: Copy) -> None:
    copy.transcript_last = lambda data: data[: len(data) // 2]


@hostile("transcript-form", base="model")
def transcript_that_is_none(copy: Copy) -> None:
    copy.transcript_last = lambda data: b"PK\x03\x04" + data


@hostile("transcript-form", base="model")
def transcript_line_of_another_form(copy: Copy) -> None:
    copy.transcript_last = lambda data: zstandard.compress(
        zstandard.ZstdDecompressor().decompressobj().decompress(data).replace(b'"detail"', b'"details"', 1)
    )


@hostile("transcript-form", base="model")
def end_of_a_reply_that_is_none(copy: Copy) -> None:
    copy.own_lines(0)[0]["finish"] = "<b>"


@hostile("transcript-size", base="model")
def two_gigabytes_claimed(copy: Copy) -> None:
    # A frame's header: magic number, an eight-byte size and a single segment, and a block that is not there.
    header = b"\x28\xb5\x2f\xfd" + b"\xe0" + (2**31).to_bytes(8, "little")
    copy.transcript_last = lambda data: header + b"\x01\x00\x00"


@hostile("transcript-size", base="model")
def bomb(copy: Copy) -> None:
    copy.transcript_last = lambda data: zstandard.ZstdCompressor(level=3).compressobj().compress(b"") + _bomb()


@hostile("transcript-size", base="model")
def bomb_of_lines(copy: Copy) -> None:
    copy.transcript_last = lambda data: zstandard.compress(b"\n" * 50_000_000)


@hostile("transcript-rows", base="model")
def missing_line(copy: Copy) -> None:
    assert copy.lines is not None
    copy.lines.pop()


@hostile("transcript-rows", base="model")
def swapped_lines(copy: Copy) -> None:
    assert copy.lines is not None
    copy.lines[0], copy.lines[1] = copy.lines[1], copy.lines[0]


@hostile("transcript-rows", base="model")
def line_of_another_suite(copy: Copy) -> None:
    copy.own_lines(0)[0]["task"] = "open-world"


@hostile("transcript-rows", base="model")
def reply_of_another_hash(copy: Copy) -> None:
    copy.episodes[0]["calls"]["replies"][0] = reply_hash("something else")


def _bomb() -> bytes:
    """A gigabyte of zeros, whose frame does not say so."""
    compressor = zstandard.ZstdCompressor(level=3, write_content_size=False).compressobj()
    block = bytes(1 << 24)
    return b"".join(compressor.compress(block) for _ in range(64)) + compressor.flush()
