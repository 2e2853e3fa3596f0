"""From a run to a submission folder: what must hold is checked first, and the folder comes into being at one moment."""

from __future__ import annotations

import datetime
import hashlib
import secrets as random_names
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from embodibench.cards import suites
from embodibench.errors import ResultError, UsageError
from embodibench.results.files import parse_result, read_bounded, result_bytes, write_bytes
from embodibench.results.plan import is_whole
from embodibench.results.schema import MAX_RESULT_BYTES, MAX_TRANSCRIPT_BYTES, Result
from embodibench.submissions.check import Checked, check_submission
from embodibench.submissions.folder import folder_name
from embodibench.submissions.metadata import Metadata, metadata_bytes
from embodibench.submissions.readme import readme_bytes
from embodibench.submissions.shown import shown
from embodibench.verify.verdicts import Verdict

RESULT, TRANSCRIPT, METADATA, README = "result.json", "transcript.jsonl.zst", "metadata.yaml", "README.md"


class NotAccepted(UsageError):  # noqa: N818 - it says what happened
    """A submission was made and did not pass the check; nothing was written.

    Attributes:
        checked: what the check found.
    """

    exit_code = 1

    def __init__(self, checked: Checked) -> None:
        refusals = [finding for finding in checked.findings if finding.gravity == "refuse"]
        more = f" (and {len(refusals) - 1} more)" if len(refusals) > 1 else ""
        super().__init__(
            f"not written, since the check would refuse it: {refusals[0].rule}: {refusals[0].message}{more}"
        )
        self.checked = checked


def read_run(path: Path) -> tuple[Result, bytes]:
    """The result of a run that may be submitted, and its bytes.

    Raises:
        ResultError: there is no result, or it is not one; the message names what to do.
        UsageError: the run is not the whole of a suite of this package.
    """
    if not path.exists():
        raise ResultError(f"{path}: there is no such run")
    file = path / RESULT if path.is_dir() else path
    if path.is_dir() and not file.exists() and (path / "run.json").exists():
        raise ResultError(f"{path}: this run has not come to its end; go on with: embodibench resume {path}")
    result = parse_result(read_bounded(file, MAX_RESULT_BYTES, "a result"), str(file))
    refuse_unfit(path, result)
    # Written again: a file that was laid out otherwise, but says the same, may be submitted.
    return result, result_bytes(result)


def refuse_unfit(path: Path, result: Result) -> None:
    """Check that a result is a whole run of a suite. Raises UsageError with the reason."""
    try:
        suite = suites.load(result.benchmark.suite)
    except UsageError as error:
        label = shown(result.benchmark.suite, 60)
        raise UsageError(f"{path}: only runs of the suites of this package can be submitted, not '{label}'") from error
    limits = result.run.limits
    try:
        whole = is_whole(suite, limits)
    except UsageError:
        whole = False
    if not whole:
        set_limits = ", ".join(name for name, value in limits.model_dump().items() if value is not None)
        raise UsageError(
            f"{path}: only whole runs can be submitted, and this one was limited ({set_limits}); play the suite without"
        )
    broken = [episode for episode in result.episodes if episode.status != "ok"]
    if broken:
        raise UsageError(
            f"{path}: {len(broken)} of {len(result.episodes)} episodes did not end by the rules "
            f"(the first is {shown(broken[0].task)} trial {broken[0].trial}: {broken[0].status}); try them again with: "
            f"embodibench resume {path}"
        )


def make_metadata(data: bytes, fields: dict[str, Any]) -> Metadata:
    """Metadata of a result's bytes. Raises UsageError naming the flag that is wrong."""
    try:
        return Metadata.model_validate({**fields, "result": hashlib.sha256(data).hexdigest()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        flag = "--" + str(first["loc"][0]).replace("_", "-")
        raise UsageError(f"{flag}: {first['msg'].removeprefix('Value error, ')}") from error


def submit(
    run: Path,
    metadata: Metadata,
    result: Result,
    data: bytes,
    out: Path,
    *,
    now: datetime.datetime,
    jobs: int | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> tuple[Path, Checked]:
    """Write the submission of a run below ``out``, and check it as a reviewer would.

    Args:
        run: the run directory, which holds the transcript.
        result: its result, and ``data``, its bytes.
        out: tree of submissions; the other submissions in it are compared with.

    Returns:
        The folder and the check, which may hold warnings.

    Raises:
        NotAccepted: the check refuses it; nothing is left behind.
        UsageError: it is there already, or cannot be written.
    """
    folder = out / result.benchmark.suite / folder_name(metadata, result)
    if folder.exists():
        raise UsageError(f"{folder}: is there already")
    files = {RESULT: data, METADATA: metadata_bytes(metadata), README: readme_bytes(metadata, result)}
    if result.transcript is not None:
        source = (run if run.is_dir() else run.parent) / result.transcript.file
        files[TRANSCRIPT] = read_bounded(source, MAX_TRANSCRIPT_BYTES, "a transcript")
    with _beside(folder) as draft:
        for name, content in files.items():
            write_bytes(draft / name, content)
        place = (result.benchmark.suite, folder.name)
        checked = check_submission(draft, against=out, place=place, now=now, jobs=jobs, watch=watch)
        if not checked.accepted:
            raise NotAccepted(checked)
        draft.rename(folder)
    return folder, checked


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """A new folder that becomes ``folder`` by a rename, or vanishes. Raises UsageError when it cannot be made."""
    draft = folder.parent / f".{folder.name}.{random_names.token_hex(4)}"
    made = _make_parents(folder.parent)
    try:
        draft.mkdir()
    except OSError as error:
        raise UsageError(f"{folder.parent}: cannot be written: {error.strerror or error}") from error
    try:
        yield draft
    finally:
        if draft.exists():
            shutil.rmtree(draft)
        if not folder.exists():
            for parent in made:
                if not any(parent.iterdir()):
                    parent.rmdir()


def _make_parents(path: Path) -> list[Path]:
    """Make a folder and those above it; returns those that were not there, the deepest first."""
    missing = [place for place in (path, *path.parents) if not place.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be made: {error.strerror or error}") from error
    return missing
