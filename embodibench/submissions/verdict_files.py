"""Verdict files: ``leaderboard/verdicts/<sha256 of the result>.json``, written by the maintainers' CI alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from embodibench.errors import ResultError
from embodibench.results.files import read_bounded, strict_json, write_bytes
from embodibench.results.schema import Finite, Sentence, Sha256, Word

SCHEMA_VERSION: Literal["embodibench-verdict/1"] = "embodibench-verdict/1"
MAX_VERDICT_BYTES = 1_000_000

Trust: TypeAlias = Literal["self-reported", "replayed", "re-run"]
"""``self-reported``: nobody has replayed it. ``replayed``: every episode, in both depths. ``re-run``: the model was
asked again, too, and agreed."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FindingRecord(_Part):
    """A finding as ``findings.Finding`` has it."""

    rule: Word
    gravity: Literal["refuse", "warn"]
    message: Sentence


class EpisodeVerdict(_Part):
    """The verdict on one episode, in the words of ``verify.verdicts``."""

    task: Word
    trial: StrictInt
    world: Word
    protocol: Word
    step: StrictInt | None = None
    what: Sentence = ""


class Rerun(_Part):
    """What asking the model again found.

    Attributes:
        trials: how many were played again.
        seed: decided which; with the result's SHA-256, anybody can draw them again.
        statistic: name of the test that was used.
        p_value: of the test, under the hypothesis that both are plays of the same model.
        agrees: whether the rule that ``docs/rules.md`` states holds.
    """

    date: Word
    trials: StrictInt
    statistic: Word
    p_value: Annotated[Finite, Field(ge=0, le=1)]
    agrees: StrictBool
    seed: Word = ""


class VerdictFile(_Part):
    """The maintainers' verdict on one result.

    Attributes:
        result: SHA-256 of ``result.json``; names the file.
        submission: ``<suite>@<N>/<folder>`` that held it.
        accepted: whether it stands on the board.
        retired: why a row was taken off the board again, or "".
        trust: the level that it reached.
        date: day of the check, UTC.
        package_version, git_commit: of the code that checked.
    """

    schema_version: Literal["embodibench-verdict/1"] = SCHEMA_VERSION
    result: Sha256
    submission: Annotated[str, Field(max_length=400)]
    accepted: StrictBool
    retired: Sentence = ""
    trust: Trust
    date: Word
    package_version: Word
    git_commit: Word | None = None
    findings: tuple[FindingRecord, ...] = ()
    episodes: tuple[EpisodeVerdict, ...] = ()
    rerun: Rerun | None = None


class AnyVerdict(Protocol):
    """A verdict, however it was read."""

    @property
    def accepted(self) -> bool: ...
    @property
    def retired(self) -> str: ...
    @property
    def trust(self) -> Trust: ...
    @property
    def findings(self) -> tuple[Any, ...]: ...
    @property
    def episodes(self) -> tuple[Any, ...]: ...
    @property
    def rerun(self) -> Any: ...


def incoherence(verdict: AnyVerdict) -> str:
    """What cannot be true together in a verdict, or ""."""
    refused = any(one.gravity == "refuse" for one in verdict.findings)
    agrees = verdict.rerun is not None and verdict.rerun.agrees
    keys = [(one.task, one.trial) for one in verdict.episodes]
    if verdict.accepted and (verdict.retired or refused):
        return "it accepts what it also " + ("retires" if verdict.retired else "refuses")
    due = "self-reported" if not keys else "re-run" if agrees else "replayed"
    if verdict.accepted and verdict.trust != due:
        return f"its trust is '{verdict.trust}', and '{due}' follows from the rest of it"
    if len(set(keys)) != len(keys):
        return "it has two verdicts on one episode"
    if verdict.rerun is not None and not (verdict.rerun.trials >= 1 and 0 <= verdict.rerun.p_value <= 1):
        return "its rerun has impossible figures"
    return ""


def verdict_bytes(verdict: VerdictFile) -> bytes:
    """The file form: JSON with one episode a line."""
    data = verdict.model_dump(mode="json")
    episodes = data.pop("episodes")
    head = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
    rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in episodes)
    return (head[:-2] + ',\n "episodes": [\n' + rows + "\n ]\n}\n").encode("utf-8")


def read_verdict(path: Path) -> VerdictFile:
    """The verdict file at ``path``. Raises ResultError."""
    data = strict_json(read_bounded(path, MAX_VERDICT_BYTES, "a verdict"), str(path))
    try:
        verdict = VerdictFile.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ResultError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    if path.name != f"{verdict.result}.json":
        raise ResultError(f"{path}: is a verdict on another result ({verdict.result[:12]})")
    if problem := incoherence(verdict):
        raise ResultError(f"{path}: {problem}")
    return verdict


def write_verdict(folder: Path, verdict: VerdictFile) -> Path:
    """Write the verdict into ``folder`` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{verdict.result}.json"
    write_bytes(path, verdict_bytes(verdict))
    return path
