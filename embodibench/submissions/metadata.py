"""What a submitter says of a submission: ``metadata.yaml``."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt

from embodibench.cards import document
from embodibench.results.schema import Sha256

SCHEMA_VERSION: Literal["embodibench-submission/1"] = "embodibench-submission/1"
MAX_METADATA_BYTES = 20_000

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_URL = re.compile(r"https://[A-Za-z0-9.-]+(/[A-Za-z0-9._~/%?=&#+-]*)?")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


def _day(text: str) -> str:
    if not _DAY.fullmatch(text):
        raise ValueError("write a day as YYYY-MM-DD")
    datetime.date.fromisoformat(text)
    return text


def _url(text: str) -> str:
    if not _URL.fullmatch(text):
        raise ValueError("write an address that begins with https://")
    return text


def _repository(text: str) -> str:
    if not _REPOSITORY.fullmatch(text):
        raise ValueError("write a Hub repository as ORG/NAME")
    return text


class Metadata(BaseModel):
    """The submitter's statements. They are shown as such: nothing here is verified.

    Attributes:
        result: SHA-256 of ``result.json``.
        date: day of submission, UTC.
        submitter: who submits: a person or a team.
        contact: e-mail or another way to reach them.
        description: what was run, and how, in plain words.
        attempts: whole runs of this player on this suite, this one included; 1 means the first and only one.
        trained_on_suite: whether the model may have been trained on the suite's tasks.
        model_repository: Hub repository of the weights, for open-weight models.
        report: address of a paper or report.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal["embodibench-submission/1"] = SCHEMA_VERSION
    result: Sha256
    date: Annotated[str, AfterValidator(_day)]
    submitter: Annotated[str, Field(min_length=1, max_length=100)]
    contact: Annotated[str, Field(min_length=3, max_length=200)]
    description: Annotated[str, Field(min_length=1, max_length=2000)]
    attempts: Annotated[StrictInt, Field(ge=1, le=10_000)]
    trained_on_suite: Literal["yes", "no", "unknown"]
    model_repository: Annotated[str, AfterValidator(_repository), Field(max_length=200)] | None = None
    report: Annotated[str, AfterValidator(_url), Field(max_length=300)] | None = None


def parse_metadata(data: bytes, name: str) -> Metadata:
    """Metadata from the bytes of its file. Raises CardError naming line and field."""
    return document.parse(data, name).parse(Metadata)


def metadata_bytes(metadata: Metadata) -> bytes:
    """The file form of metadata: YAML, fields in the order of the class, without those that are not given."""
    fields: dict[str, Any] = metadata.model_dump(mode="json", exclude_none=True)
    # Quoted where YAML would otherwise read a date or a truth value.
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100).encode("utf-8")


def metadata_path(folder: Path) -> Path:
    """Where a submission keeps its metadata."""
    return folder / "metadata.yaml"
