"""The folder of a submission: its name, the files it may hold, and reading them without trust."""

from __future__ import annotations

import hashlib
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from embodibench.errors import ResultError
from embodibench.results.files import parse_result, read_bounded
from embodibench.results.schema import MAX_RESULT_BYTES, MAX_TRANSCRIPT_BYTES, Result
from embodibench.submissions.metadata import MAX_METADATA_BYTES, Metadata, parse_metadata

LIMITS = {
    "result.json": MAX_RESULT_BYTES,
    "transcript.jsonl.zst": MAX_TRANSCRIPT_BYTES,
    "metadata.yaml": MAX_METADATA_BYTES,
    "README.md": 20_000,
}
"""The only files that a submission may hold, and their largest sizes in bytes."""

NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}_[a-z0-9.-]{1,60}_[a-z0-9.-]{1,40}_[0-9a-f]{8}")


@dataclass(frozen=True)
class Submission:
    """A submission that was read; its files fit their schemas, and nothing more is known of it.

    Attributes:
        path: its folder.
        result_sha256: of the bytes of ``result.json``; names its verdict.
    """

    path: Path
    result: Result
    result_sha256: str
    metadata: Metadata

    @property
    def label(self) -> str:
        """``<suite>@<N>/<folder>``."""
        return f"{self.result.benchmark.suite}/{self.path.name}"

    @property
    def transcript(self) -> Path | None:
        """Its transcript, or None where no model played."""
        return self.path / self.result.transcript.file if self.result.transcript is not None else None


def folder_name(metadata: Metadata, result: Result) -> str:
    """``<date>_<model>_<agent>_<hash>``; a policy stands in for both model and agent."""
    model = result.model.checkpoint if result.model is not None else "policy"
    agent = result.agent.name.removeprefix("policy/")
    return f"{metadata.date}_{_slug(model, 60)}_{_slug(agent, 40)}_{metadata.result[:8]}"


def read_submission(path: Path) -> Submission:
    """The submission in the folder ``path``.

    Raises:
        ResultError: the folder holds something else than a submission's files, or one of them is too large or not of
            its schema.
        CardError: the metadata are not of their schema.
    """
    refuse_strange_files(path)
    data = read_bounded(path / "result.json", LIMITS["result.json"], "a result")
    result = parse_result(data, str(path / "result.json"))
    name = path / "metadata.yaml"
    metadata = parse_metadata(read_bounded(name, LIMITS["metadata.yaml"], "metadata"), str(name))
    return Submission(path, result, hashlib.sha256(data).hexdigest(), metadata)


def refuse_strange_files(path: Path) -> None:
    """Check that a folder holds only regular files of known names and sizes; none is opened. Raises ResultError."""
    if path.is_symlink() or not path.is_dir():
        raise ResultError(f"{path}: is not a folder")
    for entry in sorted(path.iterdir()):
        status = entry.lstat()
        if entry.name not in LIMITS:
            raise ResultError(f"{path}: may hold only {', '.join(LIMITS)}; it holds {entry.name[:60]!r}")
        if not stat.S_ISREG(status.st_mode):
            raise ResultError(f"{entry}: is not a regular file")
        if status.st_size > LIMITS[entry.name]:
            raise ResultError(f"{entry}: has {status.st_size:,} bytes, at most {LIMITS[entry.name]:,} are allowed")


def _slug(text: str, length: int) -> str:
    kept = re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-.")
    return kept[:length].strip("-.") or "unnamed"
