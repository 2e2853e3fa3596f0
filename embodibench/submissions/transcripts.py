"""The transcript of a submission: its size before it is unpacked, its lines, and whether they are the calls."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import zstandard

from embodibench.agents.trace import reply_hash
from embodibench.errors import ResultError
from embodibench.models.base import CONTEXT_OVERFLOW
from embodibench.models.reading import MAX_TEXT
from embodibench.results.files import TranscriptLine, read_bounded, read_transcript
from embodibench.results.schema import MAX_TRANSCRIPT_BYTES, Episode
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import Submission
from embodibench.submissions.rows import fewest_tokens
from embodibench.submissions.rules import found
from embodibench.submissions.secrets import has_home_path, secrets_in
from embodibench.submissions.shown import shown

MAX_UNPACKED = 150_000_000
SMALL, RATIO = 40_000_000, 8
"""Bytes that any transcript may unpack to, and how many times its size a large one may: replies are written text, of
which 25 MB hold about 100."""
LINE = 4_000
"""Bytes of a line beside its reply and what the parsers made of it."""
CHUNK = 256
"""Packed bytes that are unpacked at once: 64 blocks of 128 KB at most, however they were packed."""
FINISHES = frozenset({"stop", "length", "refusal", "tool_call", "other", CONTEXT_OVERFLOW})


def transcript_findings(submission: Submission) -> Iterator[Finding]:
    """Everything about the transcript that needs no replay."""
    section, path = submission.result.transcript, submission.transcript
    if section is None or path is None:
        if (submission.path / "transcript.jsonl.zst").exists():
            yield found("file-names", "transcript.jsonl.zst is there, and the result names none")
        return
    if not path.exists():
        yield found("file-names", "transcript.jsonl.zst is missing")
        return
    data = read_bounded(path, MAX_TRANSCRIPT_BYTES, "a transcript")
    if (len(data), hashlib.sha256(data).hexdigest()) != (section.bytes, section.sha256):
        yield found("transcript-hash", "transcript.jsonl.zst: is not the file whose size and SHA-256 the result names")
        return
    calls = sum(len(episode.calls.prompts) for episode in submission.result.episodes)
    problem = _unpacked_problem(data, calls)
    if problem is not None:
        yield problem
        return
    try:
        yield from _line_findings(submission)
    except ResultError as error:
        yield found("transcript-form", str(error).replace(str(path), path.name))


def _unpacked_problem(data: bytes, calls: int) -> Finding | None:
    """Unpack once without looking at anything but sizes: a small file may claim, or hold, gigabytes."""
    most = min(MAX_UNPACKED, SMALL + RATIO * len(data), calls * (8 * MAX_TEXT + LINE))
    try:
        claimed = zstandard.frame_content_size(data)
        if claimed > most:
            return found("transcript-size", f"claims {claimed:,} bytes unpacked, {most:,} are possible for its calls")
        total = lines = 0
        unpacker = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
        for start in range(0, len(data), CHUNK):
            if unpacker.eof:
                return found("transcript-form", "transcript.jsonl.zst: goes on after its end")
            chunk = unpacker.decompress(data[start : start + CHUNK])
            total += len(chunk)
            lines += chunk.count(b"\n")
            if total > most or lines > calls:
                return found(
                    "transcript-size",
                    f"unpacks to more than {calls} lines or {most:,} bytes, which its calls cannot have",
                )
        if not unpacker.eof or unpacker.unused_data:
            return found("transcript-form", "transcript.jsonl.zst: is cut off, or goes on after its end")
    except zstandard.ZstdError as error:
        return found("transcript-form", f"transcript.jsonl.zst: not a Zstandard file: {error}")
    return None


def _line_findings(submission: Submission) -> Iterator[Finding]:
    """The lines beside the calls of the result, in the order of the plan; one finding of a rule."""
    assert submission.transcript is not None
    told: set[str] = set()
    calls = _calls(submission)
    for number, line in enumerate(read_transcript(submission.transcript, submission.result.transcript), start=1):
        expected = next(calls, None)
        for rule, problem in _line_problems(line, expected):
            if rule not in told:
                told.add(rule)
                yield found(rule, f"transcript.jsonl.zst: line {number}: {problem}")
        if "transcript-rows" in told:
            return
    if next(calls, None) is not None:
        yield found("transcript-rows", "transcript.jsonl.zst: has fewer lines than the result has calls")


def _calls(submission: Submission) -> Iterator[tuple[Episode, int]]:
    for episode in submission.result.episodes:
        yield from ((episode, call) for call in range(len(episode.calls.prompts)))


def _line_problems(line: TranscriptLine, expected: tuple[Episode, int] | None) -> Iterator[tuple[str, str]]:
    where = f"{shown(line.task, 70)} trial {line.trial} call {line.call}"
    if expected is None or (expected[0].task, expected[0].trial, expected[1]) != (line.task, line.trial, line.call):
        yield "transcript-rows", f"{where} is not the call that stands here in the result"
        return
    episode, call = expected
    if line.prompt != episode.calls.prompts[call] or reply_hash(line.text) != episode.calls.replies[call]:
        yield "transcript-rows", f"{where}: its prompt or reply is not the one that the result names"
        return
    if len(line.text) > MAX_TEXT or line.finish not in FINISHES:
        yield "transcript-form", f"{where}: its reply is longer than any, or it ends in a way that none does"
    counted, overflow = episode.calls.output_tokens[call], line.finish == CONTEXT_OVERFLOW
    if overflow and line.text:
        yield "transcript-form", f"{where}: the prompt was too long, and yet there is a reply"
    if counted is not None and counted < fewest_tokens(line.text):
        yield "token-counts", f"{where}: a reply of {len(line.text)} characters is said to have {counted} tokens"
    for kind in secrets_in(line.text):
        yield "secret", f"{where}: holds {kind}; revoke it, it may have been seen"
    if has_home_path(line.text):
        yield "home-path-in-reply", f"{where}: holds a path of a home folder"
