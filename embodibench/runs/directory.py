"""The folder of a run: its identity, its lock and its files."""

from __future__ import annotations

import fcntl
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import embodibench
from embodibench.agents.base import AgentIdentity
from embodibench.canonical import Json
from embodibench.cards.suites import Suite
from embodibench.errors import ResultError, UsageError
from embodibench.models.base import Identity, Parameters
from embodibench.results.ad_hoc import write_cards
from embodibench.results.files import write_bytes
from embodibench.results.schema import RunLimits


class Request(BaseModel):
    """What the user asked for: enough to build the run again when it is resumed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    model: str
    base_url: str | None = None
    agent: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    limits: RunLimits = RunLimits()


class RunFile(BaseModel):
    """The content of ``run.json``: identity must match for a resume; the rest says how and when."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    id: str
    created: str
    request: Request
    identity: dict[str, Any]


def identity(
    suite: Suite, model: Identity | None, parameters: Parameters, agent: AgentIdentity, limits: RunLimits
) -> dict[str, Json]:
    """What makes two sessions parts of one run. Concurrency, executor, cost limits and place are not in it."""
    limits_json: Json = limits.model_dump(mode="json")
    model_json = {name: value for name, value in model.to_json().items() if name != "sdk"} if model else None
    return {
        "suite": suite.label,
        "digest": suite.digest,
        "package_version": embodibench.__version__,
        "model": model_json,
        "parameters": parameters.to_json() if model else None,
        "agent": agent.to_json(),
        "limits": limits_json,
    }


class RunDirectory:
    """Paths and identity of one run."""

    def __init__(self, path: Path, file: RunFile) -> None:
        self.path = path
        self.file = file

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def result(self) -> Path:
        return self.path / "result.json"

    @property
    def transcript(self) -> Path:
        return self.path / "transcript.jsonl.zst"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the run's writer lock.

        Raises:
            UsageError: another process holds it.
        """
        with (self.path / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UsageError(f"{self.path}: another process is playing this run; wait for it or stop it") from error
            yield


def create(
    path: Path | None, request: Request, own: dict[str, Json], now: datetime, cards: Mapping[str, bytes] | None = None
) -> RunDirectory:
    """A new run directory at ``path`` (default: ``runs/<id>``), or the one that is there if it is the same run.

    ``cards`` are the files of an ad hoc arena; a run of a suite of the package has none.

    Raises:
        UsageError: ``path`` holds something else, or another run.
    """
    run_id = f"{now:%Y%m%d-%H%M%S}_{request.suite.replace('@', '-')}_{_slug(request.model)}_{secrets.token_hex(2)}"
    path = path if path is not None else Path("runs") / run_id
    if (path / "run.json").exists():
        existing = open_run(path)
        refuse_other(existing, own)
        return existing
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} exists and is not a run; give --out another folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_cards(path, cards or {})
        file = RunFile(id=run_id, created=timestamp(now), request=request, identity=own)
        write_bytes(path / "run.json", (json.dumps(file.model_dump(mode="json"), indent=1) + "\n").encode())
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    return RunDirectory(path, file)


def open_run(path: Path) -> RunDirectory:
    """The run in the folder ``path``. Raises ResultError when there is none."""
    try:
        data = (path / "run.json").read_bytes()
    except OSError as error:
        raise ResultError(f"{path}: is not a run directory (it has no readable run.json)") from error
    try:
        return RunDirectory(path, RunFile.model_validate_json(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ResultError(f"{path}/run.json: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def refuse_other(run: RunDirectory, own: dict[str, Json]) -> None:
    """Check that the run may be resumed with this suite, package, model and agent.

    Raises:
        UsageError: names the first thing that differs.
    """
    for name, value in own.items():
        before = run.file.identity.get(name)
        if before != value:
            raise UsageError(
                f"{run.path} is another run: its {name} is {_brief(before)}, now it would be {_brief(value)}; "
                "start a new one, or use what it was started with"
            )


def timestamp(now: datetime) -> str:
    """UTC, to the second, as results write it."""
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _brief(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 160 else text[:157] + "..."


def _slug(model: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-." else "-" for c in Path(model).name)
    return kept.strip("-.")[:40] or "model"
