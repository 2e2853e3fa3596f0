"""Recorded replies are given again, to the same prompts and in the recorded order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from embodibench.errors import ResultError
from embodibench.models import recording
from embodibench.models.base import Message, ModelError, Parameters, Reply, prompt_digest
from embodibench.models.recording import RecordedModel

TREE = (Message.of("user", "a tree"),)
COW = (Message.of("user", "a cow"),)


def row(messages: Any, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "task": "t",
        "trial": 0,
        "call": 0,
        "prompt": prompt_digest(messages),
        "text": text,
        "finish": "stop",
    } | fields


def written(path: Path, rows: list[Any]) -> Path:
    data = b"".join(json.dumps(each).encode() + b"\n" for each in rows)
    path.write_bytes(zstandard.compress(data) if path.suffix == ".zst" else data)
    return path


def replies(model: RecordedModel, *prompts: Any) -> list[Reply]:
    async def talk() -> list[Reply]:
        return [await model.generate(prompt, Parameters()) for prompt in prompts]

    return asyncio.run(talk())


@pytest.mark.parametrize("name", ["transcript.jsonl", "transcript.jsonl.zst"])
def test_each_prompt_gets_its_replies_in_recorded_order(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, [row(TREE, "one"), row(COW, "two", finish="length"), row(TREE, "three")])
    model = RecordedModel.open(path)
    first, second, third = replies(model, TREE, TREE, COW)
    assert [reply.text for reply in (first, second, third)] == ["one", "three", "two"]
    assert third.finish == "length"
    assert first.cost == 0
    assert model.identity.checkpoint.startswith(f"{name}@sha256:")


def test_a_cache_mark_does_not_change_which_prompt_it_is(tmp_path: Path) -> None:
    model = RecordedModel.open(written(tmp_path / "t.jsonl", [row(TREE, "one")]))
    (reply,) = replies(model, (Message.of("user", "a tree", cache=True),))
    assert reply.text == "one"


@pytest.mark.parametrize(("prompts", "why"), [((COW,), "never asked"), ((TREE, TREE), "no more replies")])
def test_a_prompt_without_a_reply_left_exhausts_the_recording(tmp_path: Path, prompts: Any, why: str) -> None:
    model = RecordedModel.open(written(tmp_path / "t.jsonl", [row(TREE, "one")]))
    with pytest.raises(ModelError, match=why) as caught:
        replies(model, *prompts)
    assert caught.value.kind == "exhausted"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"7",
        b"{}",
        b'{"prompt": 1, "text": "x"}',
        b'{"prompt": "x", "text": null}',
        b'{"prompt": "x", "text": "\\ud800"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(json.dumps(row(TREE, "one")).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(ResultError, match=r"t\.jsonl, line 3") as caught:
        RecordedModel.open(path)
    assert len(str(caught.value)) < 1000


def test_an_unknown_finish_is_other(tmp_path: Path) -> None:
    model = RecordedModel.open(written(tmp_path / "t.jsonl", [row(TREE, "one", finish="<script>")]))
    assert replies(model, TREE)[0].finish == "other"


def test_a_file_that_is_not_zstd_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.zst"
    path.write_bytes(b"plain text")
    with pytest.raises(ResultError, match=r"t\.jsonl\.zst: not a zstd file"):
        RecordedModel.open(path)


def test_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=tmp_path.name):
        RecordedModel.open(tmp_path)


def test_a_decompression_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_LINE", 10_000)
    path = tmp_path / "t.jsonl.zst"
    path.write_bytes(zstandard.compress(b" " * 50_000_000))
    with pytest.raises(ResultError, match="longer than a transcript may be"):
        RecordedModel.open(path)


def test_a_transcript_of_too_many_lines_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_BYTES", 1000)
    path = written(tmp_path / "t.jsonl", [row(TREE, "x" * 50)] * 20)
    with pytest.raises(ResultError, match="longer than a transcript may be"):
        RecordedModel.open(path)
