"""``embodibench verdict``, for the maintainers' CI."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import click

from embodibench.cli.check import line_of
from embodibench.cli.output import echo_json, json_option
from embodibench.errors import ResultError, UsageError
from embodibench.results.files import read_bounded
from embodibench.results.schema import MAX_RESULT_BYTES
from embodibench.submissions.check import Checked, check_submission, submissions_in
from embodibench.submissions.folder import refuse_strange_files
from embodibench.submissions.verdict import retire, standing, verdict_of
from embodibench.submissions.verdict_files import write_verdict


@click.command()
@click.argument("path", metavar="[SUBMISSION]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of verdicts: leaderboard/verdicts.",
)
@click.option("--missing", is_flag=True, help="Only submissions without a verdict.")
@click.option("--retire", "retired", metavar="SHA", help="Take the row of this result off the board.")
@click.option("--because", default="", help="Why it is retired, in one sentence.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes of the replay; default: one per core.")
@json_option
def command(
    path: Path | None, out: Path, missing: bool, retired: str | None, because: str, jobs: int | None, as_json: bool
) -> int:
    """Check SUBMISSION, or each of a tree, and write its verdict file.

    For the maintainers' CI: verdicts count only where it wrote them. A submission whose result cannot be read gets
    none. Exit code 1 when one is refused.
    """
    if (path is None) == (retired is None):
        raise UsageError("give a submission, or --retire SHA --because TEXT")
    if retired is not None:
        click.echo(f"Retired: {retire(out, retired, because)}")
        return 0
    assert path is not None
    if not path.is_dir():
        raise UsageError(f"{path}: there is no such folder")
    accepted, shown = True, []
    for folder in submissions_in(path):
        if missing and _has_verdict(out, folder):
            continue
        tree = folder.absolute().parent.parent
        # One that has its verdict is compared with those before it: a later copy must not throw out the original. A new
        # one is compared with all, since its date is its submitter's word.
        checked = check_submission(
            folder, against=tree, before=folder.name if _has_verdict(out, folder) else None, jobs=jobs
        )
        accepted = accepted and checked.accepted
        shown.append(checked.to_json())
        if not as_json:
            _print(checked)
        if checked.submission is None:
            click.echo(f"Note: {checked.name}: cannot be read, so it has no verdict file", err=True)
            continue
        before = standing(out, checked.submission.result_sha256)
        write_verdict(out, verdict_of(checked, f"{datetime.now(UTC):%Y-%m-%d}", before))
    if as_json:
        echo_json({"verdict": "accepted" if accepted else "refused", "submissions": shown})
    elif not shown:
        click.echo("Every submission has a verdict.")
    return 0 if accepted else 1


def _has_verdict(out: Path, folder: Path) -> bool:
    try:
        refuse_strange_files(folder)
        data = read_bounded(folder / "result.json", MAX_RESULT_BYTES, "a result")
    except ResultError:
        return False
    return (out / f"{hashlib.sha256(data).hexdigest()}.json").exists()


def _print(checked: Checked) -> None:
    for finding in checked.findings:
        click.echo(line_of(finding))
    click.echo(f"{checked.name}: {'accepted' if checked.accepted else 'REFUSED'}")
