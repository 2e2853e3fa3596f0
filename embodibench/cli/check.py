"""``embodibench check``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from embodibench.canonical import Json
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
    refused. A folder in a tree is compared with the others there. No key and no network are needed.
    Exit code 1 when something is refused, 2 when something cannot be checked here.
    """
    if sum((bool(paths), changed is not None, changed_files is not None)) != 1:
        raise UsageError("give PATHS, or --changed, or --changed-files")
    if against is not None and not against.is_dir():
        raise UsageError(f"{against}: is not a folder")
    results: Iterator[Checked | Unchecked]
    if paths:
        results = (one for path in paths for one in _check(path, against, jobs))
    else:
        listed = changes.from_git(root, changed) if changed is not None else changes.from_file(changed_files or root)
        results = iter([_check_changes(listed, root, against, jobs)])
    done = []
    for one in results:
        done.append(one)
        if not as_json:
            _print(one)
    failed = [one for one in done if isinstance(one, Unchecked)]
    accepted = all(isinstance(one, Checked) and one.accepted for one in done)
    if as_json:
        word = "unchecked" if failed else "accepted" if accepted else "refused"
        echo_json({"verdict": word, "submissions": [one.to_json() for one in done]})
    if failed:
        raise UsageError(f"{len(failed)} of {len(done)} submissions could not be checked here: {failed[0].problem}")
    return 0 if accepted else 1


@dataclass(frozen=True)
class Unchecked:
    """A submission of a tree that cannot be checked on this machine."""

    name: str
    problem: str

    def to_json(self) -> dict[str, Json]:
        """For programs."""
        return {"submission": self.name, "verdict": "unchecked", "problem": self.problem}


def _check(path: Path, against: Path | None, jobs: int | None) -> Iterator[Checked | Unchecked]:
    """One submission beside the others of its tree, or those of a tree, each beside those that came before it."""
    if not path.exists() and not path.is_symlink():
        raise UsageError(f"{path}: there is no such folder")
    folders = submissions_in(path)
    if not folders:
        raise UsageError(f"{path}: holds no submission")
    if folders == (path,):
        yield check_submission(path, against=against or _tree_of(path), jobs=jobs)
        return
    for folder in folders:
        try:
            yield check_submission(folder, against=against or folder.parent.parent, before=folder.name, jobs=jobs)
        except UsageError as error:
            yield Unchecked(shown(f"{folder.parent.name}/{folder.name}", 200), str(error))


def _tree_of(folder: Path) -> Path | None:
    """The tree that a submission lies in, or None: others of its suite stand beside it there."""
    suite = folder.absolute().parent
    return suite.parent if "@" in suite.name else None


def _check_changes(listed: tuple[changes.Change, ...], root: Path, against: Path | None, jobs: int | None) -> Checked:
    judged = changes.judge(listed)
    if judged.folder is None or judged.findings:
        return Checked(shown(str(judged.folder or "pull request"), 200), judged.findings)
    return check_submission(root / judged.folder, against=against or root / "submissions", jobs=jobs)


def _print(checked: Checked | Unchecked) -> None:
    if isinstance(checked, Unchecked):
        click.echo(f"{checked.name}: not checked: {checked.problem}")
        return
    for finding in checked.findings:
        click.echo(line_of(finding))
    counts = checked.report.counts() if checked.report is not None else {}
    replayed = ", ".join(f"{count} {word}" for word, count in counts.items())
    click.echo(
        f"{checked.name}: {'accepted' if checked.accepted else 'REFUSED'}" + (f" ({replayed})" if replayed else "")
    )


def line_of(finding: Finding) -> str:
    """A finding on one line, for people."""
    word = "refused" if finding.gravity == "refuse" else "warning"
    return f"{word}: {finding.rule}: {finding.message}"
