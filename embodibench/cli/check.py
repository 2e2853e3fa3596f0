"""``embodibench check``."""

from __future__ import annotations

from pathlib import Path

import click

from embodibench.cli.output import echo_json, json_option
from embodibench.errors import UsageError
from embodibench.submissions import changes
from embodibench.submissions.check import Checked, check_submission, submissions_in
from embodibench.submissions.findings import Finding
from embodibench.submissions.shown import shown


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--changed", metavar="BASE..HEAD", help="Check what these commits add; HEAD must be checked out.")
@click.option(
    "--changed-files", type=click.Path(path_type=Path), metavar="FILE", help="Check the changes listed there."
)
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="Folder that changed paths start from.")
@click.option("--against", type=click.Path(path_type=Path), help="Tree of other submissions, to find duplicates.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; default: one per core.")
@json_option
def command(
    paths: tuple[Path, ...],
    changed: str | None,
    changed_files: Path | None,
    root: Path,
    against: Path | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Check submissions by the rules of docs/rules.md, and say for each whether it is accepted or refused.

    PATHS are submission folders, or trees of them such as submissions/. For a pull request, give --changed BASE...HEAD,
    or --changed-files with the output of 'git diff --raw --no-renames'; anything beside one new submission folder is
    refused. No key and no network are needed. Exit code 1 when something is refused.
    """
    if sum((bool(paths), changed is not None, changed_files is not None)) != 1:
        raise UsageError("give PATHS, or --changed, or --changed-files")
    if against is not None and not against.is_dir():
        raise UsageError(f"{against}: is not a folder")
    if paths:
        results = [one for path in paths for one in _check(path, against, jobs)]
    else:
        listed = changes.from_git(root, changed) if changed is not None else changes.from_file(changed_files or root)
        results = [_check_changes(listed, root, against, jobs)]
    if as_json:
        accepted = all(one.accepted for one in results)
        echo_json({"verdict": "accepted" if accepted else "refused", "submissions": [one.to_json() for one in results]})
    else:
        for one in results:
            _print(one)
    return 0 if all(one.accepted for one in results) else 1


def _check(path: Path, against: Path | None, jobs: int | None) -> list[Checked]:
    """One submission, or those of a tree, each beside those that came before it."""
    if not path.exists() and not path.is_symlink():
        raise UsageError(f"{path}: there is no such folder")
    folders = submissions_in(path)
    if not folders:
        raise UsageError(f"{path}: holds no submission")
    if folders == (path,):
        return [check_submission(path, against=against, jobs=jobs)]
    return [
        check_submission(folder, against=against or folder.parent.parent, before=folder.name, jobs=jobs)
        for folder in folders
    ]


def _check_changes(listed: tuple[changes.Change, ...], root: Path, against: Path | None, jobs: int | None) -> Checked:
    judged = changes.judge(listed)
    if judged.folder is None or judged.findings:
        return Checked(shown(str(judged.folder or "pull request"), 200), judged.findings)
    return check_submission(root / judged.folder, against=against or root / "submissions", jobs=jobs)


def _print(checked: Checked) -> None:
    for finding in checked.findings:
        click.echo(_line(finding))
    counts = checked.report.counts() if checked.report is not None else {}
    replayed = ", ".join(f"{count} {word}" for word, count in counts.items())
    click.echo(
        f"{checked.name}: {'accepted' if checked.accepted else 'REFUSED'}" + (f" ({replayed})" if replayed else "")
    )


def _line(finding: Finding) -> str:
    word = "refused" if finding.gravity == "refuse" else "warning"
    return f"{word}: {finding.rule}: {finding.message}"
