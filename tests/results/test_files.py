"""Files from strangers are checked before they are believed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zstandard

from embodibench.errors import ResultError
from embodibench.results.files import (
    MAX_TRANSCRIPT_CONTENT,
    TranscriptLine,
    comparable,
    pack_transcript,
    parse_result,
    read_result,
    read_transcript,
    result_bytes,
    write_bytes,
)
from tests.runs.command import call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    words = ["eval", "--model", "policy/random", "--suite", "crafter", "--limit", "2", "--max-steps", "20"]
    assert call(*words, "--out", "run", cwd=folder).returncode == 0
    return folder / "run"


def test_reading_what_was_written_gives_the_same_bytes(run: Path) -> None:
    data = (run / "result.json").read_bytes()
    assert result_bytes(parse_result(data, "r")) == data


def test_comparable_drops_only_what_may_differ(run: Path) -> None:
    result = read_result(run)
    other = result.model_copy(update={"run": result.run.model_copy(update={"id": "x", "finished": "later"})})
    assert comparable(other) == comparable(result)
    limited = result.model_copy(update={"run": result.run.model_copy(update={"partial": False})})
    assert comparable(limited) != comparable(result)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"a": NaN}', "NaN is not a finite number"),
        ('{"a": -Infinity}', "not a finite number"),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ("[" * 100_000, "nested deeper"),
        ('{"a": ' * 200 + "1" + "}" * 200, "nested deeper"),
        ("{", "not valid JSON"),
        ("{}", "Field required"),
        ('"' + "[" * 100 + '"', "Input should be"),
    ],
)
def test_bad_json_is_one_line(text: str, what: str) -> None:
    with pytest.raises(ResultError, match=what) as error:
        parse_result(text.encode(), "theirs.json")
    assert "theirs.json" in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(ResultError, match="not UTF-8 at byte 1"):
        parse_result(b'"\xff"', "theirs.json")


@pytest.mark.parametrize("value", [1e308 * 10, float("nan")])
def test_an_infinite_reward_is_refused(run: Path, value: float) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["episodes"][0]["rewards"][0][0] = value
    with pytest.raises(ResultError, match="finite"):
        parse_result(json.dumps(data).encode(), "theirs.json")


def test_an_unknown_field_is_refused(run: Path) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["verified"] = True
    with pytest.raises(ResultError, match="verified"):
        parse_result(json.dumps(data).encode(), "theirs.json")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="there is no such file"):
        read_result(tmp_path)


def test_writing_replaces_at_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    write_bytes(path, b"after")
    assert path.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [path]


def test_transcripts_round_trip(tmp_path: Path) -> None:
    lines = [TranscriptLine(task="t", trial=0, call=i, prompt="A" * 16, text="é\n\u2028" * i) for i in range(50)]
    packed = pack_transcript(lines)
    path = tmp_path / "transcript.jsonl.zst"
    path.write_bytes(packed.data)
    assert list(read_transcript(path, packed.section)) == lines
    assert packed.section.lines == 50


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl.zst"
    compressor = zstandard.ZstdCompressor(level=19).compressobj()
    with path.open("wb") as file:
        block = b"\n" * 1_000_000
        for _ in range(MAX_TRANSCRIPT_CONTENT // len(block) + 2):
            file.write(compressor.compress(block))
        file.write(compressor.flush())
    assert path.stat().st_size < 1_000_000
    with pytest.raises(ResultError):
        list(read_transcript(path))


def test_a_file_that_is_not_zstandard_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl.zst"
    path.write_bytes(b"hello")
    with pytest.raises(ResultError, match="not a Zstandard file"):
        list(read_transcript(path))
