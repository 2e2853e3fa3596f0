"""The first looks at a submission: names, kinds and sizes of its files, then their form. Nothing is trusted yet."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from embodibench.errors import CardError, ResultError
from embodibench.results.files import JsonError, parse_result, read_bounded, result_bytes
from embodibench.results.schema import Result
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import LIMITS, Submission
from embodibench.submissions.metadata import Metadata, metadata_bytes, parse_metadata
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

NEEDED = ("result.json", "metadata.yaml", "README.md")


@dataclass
class Draft:
    """A submission while it is read.

    Attributes:
        findings: what was found so far.
        result, metadata, readme: None where they cannot be read.
    """

    path: Path
    findings: list[Finding] = field(default_factory=list)
    result: Result | None = None
    result_data: bytes = b""
    metadata: Metadata | None = None
    readme: bytes = b""

    @property
    def refused(self) -> bool:
        """Whether anything so far refuses the submission."""
        return any(finding.gravity == "refuse" for finding in self.findings)

    def submission(self) -> Submission | None:
        """The submission, when all of it could be read."""
        if self.result is None or self.metadata is None:
            return None
        return Submission(self.path, self.result, hashlib.sha256(self.result_data).hexdigest(), self.metadata)


def read_draft(path: Path) -> Draft:
    """Read a submission as far as its form allows."""
    draft = Draft(path)
    draft.findings += file_findings(path)
    if draft.refused:
        return draft
    try:
        draft.result_data = read_bounded(path / "result.json", LIMITS["result.json"], "a result")
        draft.readme = read_bounded(path / "README.md", LIMITS["README.md"], "a README")
        metadata_data = read_bounded(path / "metadata.yaml", LIMITS["metadata.yaml"], "metadata")
    except ResultError as error:
        draft.findings.append(found("file-kind", str(error)))
        return draft
    draft.findings += _read_result(draft)
    draft.findings += _read_metadata(draft, metadata_data)
    return draft


def file_findings(path: Path) -> Iterator[Finding]:
    """Names, kinds and sizes of the files of a folder; none is opened."""
    try:
        status = path.lstat()
    except (OSError, ValueError):
        yield found("file-kind", f"{path.name}: is not there")
        return
    if not stat.S_ISDIR(status.st_mode):
        yield found("file-kind", f"{path.name}: is {_kind(status.st_mode)}, not a folder")
        return
    names = sorted(entry.name for entry in path.iterdir())
    for name in names[:20]:
        if name not in LIMITS:
            yield found("file-names", f"holds {shown(name, 60)}; a submission may hold {', '.join(LIMITS)}")
            continue
        status = (path / name).lstat()
        if not stat.S_ISREG(status.st_mode):
            yield found("file-kind", f"{name}: is {_kind(status.st_mode)}, not a regular file")
        elif status.st_size > LIMITS[name]:
            yield found("file-size", f"{name}: has {status.st_size:,} bytes, at most {LIMITS[name]:,} are allowed")
        elif status.st_size == 0:
            yield found("file-size", f"{name}: is empty")
    for name in NEEDED:
        if name not in names:
            yield found("file-names", f"{name} is missing")


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFREG: "a file",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")


def _read_result(draft: Draft) -> Iterator[Finding]:
    try:
        draft.result = parse_result(draft.result_data, "result.json")
    except JsonError as error:
        yield found(f"json-{error.kind}", str(error))
        return
    except ResultError as error:
        yield found("result-schema", str(error))
        return
    # Written again, the bytes must be the same: spaces, escapes and the order of keys carry nothing.
    if result_bytes(draft.result) != draft.result_data:
        yield found("result-form", "result.json: is not written as this package writes results")


def _read_metadata(draft: Draft, data: bytes) -> Iterator[Finding]:
    try:
        draft.metadata = parse_metadata(data, "metadata.yaml")
    except CardError as error:
        # An error of the schema names a field; an error of the form stands before any field is known.
        rule = "metadata-schema" if _is_yaml(data) else "metadata-form"
        yield found(rule, str(error))
        return
    if metadata_bytes(draft.metadata) != data:
        yield found("metadata-form", "metadata.yaml: is not written as this package writes metadata; submit again")


def _is_yaml(data: bytes) -> bool:
    from embodibench.cards import document

    try:
        document.parse(data, "metadata.yaml")
    except CardError:
        return False
    return True
