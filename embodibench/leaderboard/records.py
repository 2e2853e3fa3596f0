"""Fast reading of results that a verdict vouches for.

The check read these very bytes with the full schema, as their SHA-256 says. So here only what the board needs is
decoded, and typed, but not validated again: a result of 120 episodes takes 2 milliseconds in place of 100.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from embodibench.errors import ResultError, UsageError
from embodibench.results.files import read_bounded
from embodibench.results.schema import MAX_RESULT_BYTES
from embodibench.submissions.verdict_files import MAX_VERDICT_BYTES, Trust, incoherence


class Calls(msgspec.Struct, frozen=True, gc=False):
    """The columns of ``results.schema.CallsRecord`` that are counted."""

    prompts: tuple[str, ...]
    outcomes: tuple[tuple[str, int], ...]


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of an episode."""

    input: int
    cached: int
    output: int


class Episode(msgspec.Struct, frozen=True, gc=False):
    """``results.schema.Episode`` without its fingerprints of the way."""

    task: str
    trial: int
    seed: int
    status: str
    end: str
    steps: int
    actions: tuple[tuple[int | tuple[int, ...], int], ...]
    rewards: tuple[tuple[float, int], ...]
    final: str
    success: bool | None
    measures: dict[str, Any]
    calls: Calls
    usage: Usage | None
    cost: float | None
    attempts: int
    error: str | None = None

    @property
    def total(self) -> float:
        """The sum of the rewards."""
        return float(sum(value * count for value, count in self.rewards))


class Benchmark(msgspec.Struct, frozen=True):
    """Which version was played."""

    suite: str
    interface: str
    digest: str
    package_version: str
    git_commit: str | None = None


class Run(msgspec.Struct, frozen=True):
    """When it was played."""

    created: str
    finished: str


class Model(msgspec.Struct, frozen=True):
    """Which model was asked."""

    provider: str
    requested: str
    checkpoint: str
    returned: tuple[str, ...] = ()


class Agent(msgspec.Struct, frozen=True):
    """Which scaffold or policy played."""

    name: str
    version: int
    privileged: bool = False


class Record(msgspec.Struct, frozen=True):
    """What the board needs of a result. ``metrics`` are read only where they cannot be computed any more."""

    benchmark: Benchmark
    run: Run
    model: Model | None
    agent: Agent
    episodes: tuple[Episode, ...]
    metrics: dict[str, Any]


class EpisodeWords(msgspec.Struct, frozen=True):
    """The verdict on an episode."""

    task: str
    trial: int
    world: str
    protocol: str
    step: int | None = None


class Rerun(msgspec.Struct, frozen=True):
    """What asking the model again found."""

    date: str
    trials: int
    statistic: str
    p_value: float
    agrees: bool
    seed: str = ""


class Finding(msgspec.Struct, frozen=True):
    """How grave something is that the check found."""

    gravity: str


class Verdict(msgspec.Struct, frozen=True):
    """What the board needs of ``submissions.verdict_files.VerdictFile``."""

    schema_version: str
    result: str
    submission: str
    accepted: bool
    trust: Trust
    date: str
    retired: str = ""
    findings: tuple[Finding, ...] = ()
    episodes: tuple[EpisodeWords, ...] = ()
    rerun: Rerun | None = None


@dataclass(frozen=True)
class Vouched:
    """A result and the verdict on it; the verdict is that on these bytes, and ``verdict_data`` its own."""

    sha256: str
    data: bytes
    verdict: Verdict
    verdict_data: bytes


class VerdictError(UsageError):
    """A verdict file cannot be read. These are the maintainers' own files, so it stops the build."""


Known = TypeVar("Known")


def vouched(result: Path, verdicts: Path) -> tuple[str, Vouched | None]:
    """The SHA-256 of a result file, and the file with its verdict; None where there is no verdict.

    Raises:
        ResultError: the result cannot be read.
        VerdictError: the verdict cannot be read, is one on another result, or does not hold together.
    """
    data = read_bounded(result, MAX_RESULT_BYTES, "a result")
    sha256 = hashlib.sha256(data).hexdigest()
    path = verdicts / f"{sha256}.json"
    if not path.is_file():
        return sha256, None
    try:
        judged = read_bounded(path, MAX_VERDICT_BYTES, "a verdict")
        verdict = decode(judged, Verdict, str(path))
    except ResultError as error:
        raise VerdictError(str(error)) from error
    if verdict.result != sha256:
        raise VerdictError(f"{path}: is a verdict on another result ({verdict.result[:12]})")
    if problem := incoherence(verdict):
        raise VerdictError(f"{path}: {problem}")
    return sha256, Vouched(sha256, data, verdict, judged)


def decode(data: bytes, kind: type[Known], name: str) -> Known:
    """JSON bytes as ``kind``; ``name`` stands for the file in errors. Raises ResultError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ResultError(f"{name}: {error}") from error
