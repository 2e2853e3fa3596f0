"""Whole, honest submissions, made by the documented path once in a test process, and copies of them to be changed."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from embodibench.agents.trace import reply_hash
from embodibench.cards import suites
from embodibench.cli.main import run
from embodibench.errors import UsageError
from embodibench.results.files import (
    TranscriptLine,
    pack_transcript,
    parse_result,
    read_transcript,
    result_bytes,
)
from embodibench.scoring.metrics import compute
from embodibench.submissions.folder import folder_name
from embodibench.submissions.metadata import Metadata, metadata_bytes, parse_metadata
from embodibench.submissions.readme import readme_bytes

STATEMENTS = {
    "--submitter": "The tests",
    "--contact": "tests@example.org",
    "--description": "Played to be checked.",
    "--attempts": "1",
    "--trained-on-suite": "no",
}
RUNS: dict[str, tuple[str, ...]] = {
    "policy": ("--model", "policy/random", "--suite", "socialai"),
    "model": ("--model", "stub/move forward,turn left,toggle,turn right,I wait", "--suite", "socialai"),
    "world": ("--model", "policy/random", "--suite", "crafter"),
    "long": ("--model", "stub/Do,Move West,Move North,Sleep,Move East", "--suite", "crafter"),
}
"""Name of a base -> what is played: short and long, with a model and without."""


class Bases:
    """Submissions by name; each is made when it is first asked for."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._made: dict[str, Path] = {}

    def run(self, name: str) -> Path:
        """The run directory of a base."""
        self.get(name)
        return self.place / name / "run"

    def get(self, name: str) -> Path:
        """The submission folder of a base."""
        if name not in self._made:
            place = self.place / name
            place.mkdir()
            self._made[name] = play_and_submit(place, *RUNS[name])
        return self._made[name]


def play_and_submit(place: Path, *words: str, statements: dict[str, str] | None = None) -> Path:
    """Play a suite and submit it, in the folder ``place``."""
    play(place / "run", *words)
    code, out = call(*submit_words(place / "run", place / "submissions", statements or {}))
    assert code == 0, out
    return Path(next(line for line in out.splitlines() if line.startswith("Submission: ")).removeprefix("Submission: "))


def play(out: Path, *words: str) -> None:
    """Play into the run directory ``out``."""
    code, said = call("eval", *words, "--out", str(out), "--yes")
    assert code == 0, said


def submit_words(run_directory: Path, out: Path, statements: dict[str, str]) -> list[str]:
    """The command line that submits a run."""
    said = [word for pair in {**STATEMENTS, **statements}.items() for word in pair]
    return ["submit", str(run_directory), "--out", str(out), "--jobs", "1", *said]


def call(*words: str) -> tuple[int, str]:
    """Run the command line in this process: exit code, and what it printed on both streams."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run(list(words))
    return code, said.getvalue()


@dataclass
class Copy:
    """A submission as plain data, to be changed and written again with everything else made to fit.

    Attributes:
        data: the result.
        lines: the transcript, None for a policy.
        metadata: its fields.
        recompute: whether the metrics are made to follow from the episodes.
        result_last: what is done to the bytes of the result before they are hashed.
        transcript_last: what is done to the bytes of the transcript before they are hashed.
        metadata_last: what is done to the bytes of the metadata.
        readme_last: what is done to the bytes of the README.
        name_last: what is done to the folder's suite and name.
        after: what is done to the folder when it is written.
    """

    base: Path
    data: dict[str, Any]
    lines: list[dict[str, Any]] | None
    metadata: dict[str, Any]
    recompute: bool = True
    result_last: Callable[[bytes], bytes] = field(default=lambda data: data)
    transcript_last: Callable[[bytes], bytes] = field(default=lambda data: data)
    metadata_last: Callable[[bytes], bytes] = field(default=lambda data: data)
    readme_last: Callable[[bytes], bytes] = field(default=lambda data: data)
    name_last: Callable[[str, str], tuple[str, str]] = field(default=lambda suite, name: (suite, name))
    after: Callable[[Path], None] = field(default=lambda folder: None)

    @classmethod
    def of(cls, base: Path) -> Copy:
        data = json.loads((base / "result.json").read_bytes())
        # A test may run from a checkout with changes, which a check warns of.
        data["benchmark"] |= {"git_commit": "a" * 40, "git_dirty": False}
        path = base / "transcript.jsonl.zst"
        lines = [line.model_dump(mode="json") for line in read_transcript(path)] if path.exists() else None
        metadata = parse_metadata((base / "metadata.yaml").read_bytes(), "metadata").model_dump(mode="json")
        return cls(base, data, lines, metadata)

    @property
    def episodes(self) -> list[dict[str, Any]]:
        return self.data["episodes"]

    def own_lines(self, episode: int) -> list[dict[str, Any]]:
        """The transcript lines of an episode."""
        assert self.lines is not None
        key = (self.episodes[episode]["task"], self.episodes[episode]["trial"])
        return [line for line in self.lines if (line["task"], line["trial"]) == key]

    def reply(self, episode: int, call: int, text: str) -> None:
        """Another reply, with its hash."""
        self.own_lines(episode)[call]["text"] = text
        self.episodes[episode]["calls"]["replies"][call] = reply_hash(text)

    def write(self, root: Path) -> Path:
        """Write it below ``root`` with hashes, metrics, README and name that fit; returns its folder."""
        files = {}
        if self.lines is not None:
            packed = pack_transcript(TranscriptLine.model_validate(line) for line in self.lines)
            content = self.transcript_last(packed.data)
            section = packed.section.model_dump(mode="json")
            section |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            if self.data["transcript"] is not None:
                self.data["transcript"] = {**section, "file": self.data["transcript"]["file"]}
            files["transcript.jsonl.zst"] = content
        result = parse_result(json.dumps(self.data).encode(), "changed")
        if self.recompute:
            with contextlib.suppress(UsageError, ArithmeticError, ValueError, KeyError):
                metrics = compute(suites.load(result.benchmark.suite), result.episodes)
                result = result.model_copy(update={"metrics": json.loads(json.dumps(metrics))})
        data = self.result_last(result_bytes(result))
        metadata = Metadata.model_construct(**{**self.metadata, "result": hashlib.sha256(data).hexdigest()})
        suite, name = self.name_last(result.benchmark.suite, folder_name(metadata, result))
        folder = root / suite / name
        folder.mkdir(parents=True)
        files |= {
            "result.json": data,
            "metadata.yaml": self.metadata_last(metadata_bytes(metadata)),
            "README.md": self.readme_last(readme_bytes(metadata, result)),
        }
        for file, content in files.items():
            (folder / file).write_bytes(content)
        self.after(folder)
        return folder


def tree_of(base: Path, place: Path) -> Path:
    """A tree of submissions that holds a copy of ``base``."""
    target = place / "tree" / base.parent.name / base.name
    shutil.copytree(base, target)
    return place / "tree"
