"""``embodibench submit``."""

from __future__ import annotations

import datetime
import shlex
import sys
from datetime import UTC
from pathlib import Path
from typing import Any

import click

from embodibench.errors import UsageError
from embodibench.submissions.metadata import Metadata
from embodibench.submissions.submit import make_metadata, read_run, submit

ASKED = {
    "submitter": "Who submits (a person or a team)",
    "contact": "How to reach you",
    "description": "What was run, and how, in a sentence or two",
    "attempts": "How many whole runs of this player on this suite, this one included",
    "trained_on_suite": "May the model have been trained on tasks of this suite (yes/no/unknown)",
}


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--submitter", help="Who submits: a person or a team.")
@click.option("--contact", help="E-mail or another way to reach you; it will be public.")
@click.option("--description", help="What was run, and how, in plain words.")
@click.option("--attempts", type=int, help="Whole runs of this player on this suite, this one included.")
@click.option("--trained-on-suite", type=click.Choice(["yes", "no", "unknown"]), help="May the model know the tasks?")
@click.option("--model-repository", metavar="ORG/NAME", help="Hub repository of open weights.")
@click.option("--report", metavar="URL", help="Address of a paper or report.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("submissions"), show_default=True)
@click.option("--date", metavar="YYYY-MM-DD", hidden=True, help="Day of submission, for tests.")
@click.option("--hub", metavar="ORG/NAME", help="Open a pull request on this dataset of the Hugging Face Hub, too.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes of the replay; default: one per core.")
def command(run: Path, out: Path, date: str | None, hub: str | None, jobs: int | None, **said: Any) -> int:
    """Write a submission of the whole run in the folder RUN, and check it as a reviewer would.

    What is not given as an option is asked for on a terminal. The submission is a folder below --out, ready for a pull
    request; it holds the result, the transcript and what you say, and is searched for keys and passwords first.
    """
    if hub is not None:
        from embodibench.submissions.hub import check_hub

        check_hub(hub)
    result, data = read_run(run)
    now = datetime.datetime.now(UTC)
    fields = {"date": date or f"{now:%Y-%m-%d}", **_answers(said)}
    metadata: Metadata = make_metadata(data, fields)
    click.echo(f"Replaying {len(result.episodes)} episodes ...", err=True)
    folder, checked = submit(run, metadata, result, data, out, now=now, jobs=jobs)
    for finding in checked.findings:
        click.echo(f"Note for reviewers: {finding.rule}: {finding.message}", err=True)
    click.echo(f"Submission: {folder}")
    if hub is not None:
        from embodibench.submissions.hub import open_pull_request

        click.echo(f"Pull request: {open_pull_request(hub, folder, metadata)}")
        return 0
    click.echo("\n".join(_next_steps(folder)))
    return 0


def _answers(said: dict[str, Any]) -> dict[str, Any]:
    """Options, and for those that are missing the answers of whoever sits there."""
    missing = [name for name in ASKED if said[name] is None]
    if missing and not sys.stdin.isatty():
        flags = ", ".join("--" + name.replace("_", "-") for name in missing)
        raise UsageError(f"a submission needs {flags}; without a terminal nobody can be asked")
    kinds: dict[str, Any] = {"attempts": int, "trained_on_suite": click.Choice(["yes", "no", "unknown"])}
    for name in missing:
        said[name] = click.prompt(ASKED[name], type=kinds.get(name, str))
    return {name: value for name, value in said.items() if value is not None}


def _next_steps(folder: Path) -> list[str]:
    branch, place = f"submission-{folder.name}", Path("submissions") / folder.parent.name / folder.name
    copy = []
    if folder.resolve() != place.resolve():
        copy = [f"  mkdir -p {place.parent} && cp -r {shlex.quote(str(folder.resolve()))} {place.parent}/"]
    return [
        "Next, at the top of a clone of your fork of the EmbodiBench repository:",
        f"  git switch -c {branch}",
        *copy,
        f"  git add {place}",
        f'  git commit -m "Submission: {folder.parent.name} {folder.name}"',
        f"  git push -u origin {branch}",
        f"and open a pull request that changes nothing else. Its check can be had before: embodibench check {place}",
    ]
