"""``embodibench leaderboard``: build and publish."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from embodibench.cli.output import echo_json, json_option
from embodibench.errors import UsageError

if TYPE_CHECKING:
    from embodibench.leaderboard.build import Built
    from embodibench.leaderboard.publish import Plan, RepositoryKind
    from embodibench.leaderboard.site.pictures import Choice

SHOWN = 20
"""Submissions of a state that are named on screen; the summary names all."""


@click.group()
def command() -> None:
    """Build the leaderboard from submissions and verdicts, and publish it."""


@command.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="New folder for what is built.")
@click.option("--submissions", type=click.Path(path_type=Path), default=Path("submissions"), show_default=True)
@click.option("--verdicts", type=click.Path(path_type=Path), default=Path("leaderboard/verdicts"), show_default=True)
@click.option("--cache", type=click.Path(path_type=Path), help="Folder that keeps what was made, for the next build.")
@click.option("--pictures", type=click.Choice(["none", "few", "all"]), default="few", show_default=True)
@click.option("--raw", metavar="URL", help="Where 'submissions' can be read; else the site holds copies of results.")
@click.option("--site/--no-site", default=True, help="Whether the web site is built, too.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@json_option
def build(
    out: Path,
    submissions: Path,
    verdicts: Path,
    cache: Path | None,
    pictures: Choice,
    raw: str | None,
    site: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Build tables, dataset, site and the export for Every Eval Ever into a new folder.

    Only submissions with an accepted verdict stand on the board. The same inputs give the same bytes.
    """
    from embodibench.leaderboard import build as building

    watch = None if as_json else _watch
    built = building.build(
        submissions, verdicts, out, site=site, pictures=pictures, cache=cache, raw=raw, jobs=jobs, watch=watch
    )
    if as_json:
        counts = building.counts(built.rows)
        echo_json({"out": str(out), **counts, "episodes": built.episodes, "site": built.site})
    else:
        _print(built)


def _watch(done: int, total: int) -> None:
    """A line for each tenth, so that a log stays short."""
    if total >= 1000 and done < total and done * 10 // total > (done - 16) * 10 // total:
        click.echo(f"{done:,} of {total:,} submissions", err=True)


def _print(built: Built) -> None:
    from embodibench.leaderboard.build import counts

    for state in ("waiting", "refused", "retired"):
        ours = [one for one in built.rows.absent if one.state == state]
        for one in ours[:SHOWN]:
            click.echo(f"{state}: {one.submission}: {one.reason}")
        if len(ours) > SHOWN:
            click.echo(f"{state}: and {len(ours) - SHOWN:,} more; see summary.json")
    if built.rows.orphans:
        click.echo(f"verdicts without their submission: {len(built.rows.orphans):,}; see summary.json")
    for suite in built.rows.suites:
        click.echo(f"{suite}: {len(built.rows.of_suite(suite)):,} rows")
    found = counts(built.rows)
    click.echo(", ".join(f"{count:,} {state}" for state, count in found.items()) + f"; {built.episodes:,} episodes")
    click.echo(f"Board: {built.folder}" + ("" if built.site else " (without the site)"))


@command.command()
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--dataset", required=True, metavar="ORG/NAME", help="Dataset repository.")
@click.option("--space", metavar="ORG/NAME", help="Static Space for the site.")
@click.option("--eval-results", metavar="MODEL_REPO", help="Propose its scores to this model's repository.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and change nothing.")
def publish(board: Path, dataset: str, space: str | None, eval_results: str | None, dry_run: bool) -> None:
    """Publish BOARD, a folder made by 'leaderboard build', on the Hugging Face Hub.

    Each repository gets one commit that makes it equal to the board, or none if it is already; the dataset gets a tag
    for each benchmark version that has none. With --eval-results nothing is published: a pull request on the model's
    repository is opened. The token is found as huggingface_hub finds it.
    """
    from embodibench.leaderboard import build as building

    building.refuse_missing()
    from embodibench.leaderboard import publish as publishing

    if not board.is_dir():
        raise UsageError(
            f"{board}: there is no such folder; make one with: embodibench leaderboard build --out {board}"
        )
    for flag, name in (("--dataset", dataset), ("--space", space), ("--eval-results", eval_results)):
        if name is not None:
            publishing.check_repository(name, flag)
    if eval_results is not None:
        if space is not None:
            raise UsageError("--eval-results opens a pull request and publishes nothing; leave --space out")
        _propose(board, eval_results, dataset, dry_run)
        return
    api = publishing.client(token=not dry_run)
    parts: list[tuple[str, RepositoryKind]] = [(dataset, "dataset")]
    if space is not None:
        parts.append((space, "space"))
    try:
        plans = [publishing.plan(api, board, name, kind, dataset) for name, kind in parts]
    except publishing.HubError as error:
        if not dry_run:
            raise
        click.echo(f"Not compared with the Hub: {error}", err=True)
        plans = [publishing.plan(api, board, name, kind, dataset, compare=False) for name, kind in parts]
    for todo in plans:
        _say_plan(todo)
        if not dry_run:
            done = publishing.carry_out(api, todo, click.echo)
            click.echo(f"{'Published' if done.changed else 'Unchanged'}: {done.address}")
    if dry_run:
        click.echo("Nothing was changed.")


def _say_plan(todo: Plan) -> None:
    size = sum(len(one) if isinstance(one, bytes) else one.stat().st_size for one in todo.files.values())
    new = "new, " if todo.new else ""
    click.echo(
        f"{todo.kind} {todo.repository}: {new}{len(todo.files):,} files ({size / 1e6:.1f} MB), "
        f"{len(todo.deleted):,} deleted" + (f", tags {', '.join(todo.tags)}" if todo.tags else "")
    )


def _propose(board: Path, repository: str, dataset: str, dry_run: bool) -> None:
    from embodibench.leaderboard import eval_results, publish

    api = publish.client(token=not dry_run)
    revision = None
    if not dry_run:
        with publish.hub_errors(dataset, "cannot be read; publish the dataset first"):
            revision = api.repo_info(dataset, repo_type="dataset").sha
    proposal = eval_results.propose(board, repository, dataset, revision)
    for name, content in proposal.files.items():
        click.echo(f"{name}\n{content.decode('utf-8')}")
    if dry_run:
        click.echo("Nothing was changed.")
    else:
        done = eval_results.open_proposal(api, proposal)
        click.echo(f"{'Pull request' if done.changed else 'Unchanged, these scores are there'}: {done.address}")
