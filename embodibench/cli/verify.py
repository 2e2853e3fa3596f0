"""``embodibench verify``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from embodibench.cli.output import echo_json, json_option
from embodibench.results.ad_hoc import suite_of
from embodibench.results.files import read_result
from embodibench.verify.result import verify
from embodibench.verify.verdicts import Verdict


@click.command()
@click.argument("result", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; default: one per core.")
@click.option("--verbose", is_flag=True, help="Name every episode, the identical ones too.")
@json_option
def command(result: Path, jobs: int | None, verbose: bool, as_json: bool) -> int:
    """Replay every episode of RESULT, a run directory or a result file, and compare.

    No key and no network are needed. The recorded actions must give the recorded rewards, fingerprints and end in the
    world, and the agent must ask the recorded prompts and act alike when it is given the recorded replies. Episodes
    that differ are named; exit code 1 when any does. Replay proves that these actions earn this score; it does not
    prove which model chose them.
    """
    path = result / "result.json" if result.is_dir() else result
    checked = read_result(result)
    transcript = path.parent / checked.transcript.file if checked.transcript else None

    suite = suite_of(checked, result)
    with _watch(len(checked.episodes), verbose and not as_json) as watch:
        report = verify(checked, transcript, suite=suite, jobs=jobs, watch=watch)
    if as_json:
        echo_json(report.to_json())
    else:
        for verdict in () if verbose else report.verdicts:
            if not {verdict.world, verdict.protocol} <= {"identical", "incomplete"}:
                click.echo(_line(verdict))
        for problem in report.problems:
            click.echo(f"problem: {problem}")
        counts = report.counts()
        total = len(report.verdicts)
        click.echo(", ".join(f"{word} {count} of {total}" for word, count in counts.items()))
        whole = not checked.run.partial
        held = "verified" if whole else "verified as far as it was played (partial)"
        against = " against the cards beside it: an ad hoc arena, no suite of this package" if suite.ad_hoc else ""
        click.echo(held + against if report.accepted else "NOT verified")
    return 0 if report.accepted else 1


@contextmanager
def _watch(episodes: int, verbose: bool) -> Iterator[Callable[[Verdict], None] | None]:
    """What is told of each episode when it is done: its line, or on a terminal how far the replay is."""
    if verbose:
        yield lambda verdict: click.echo(_line(verdict))
    elif sys.stderr.isatty():
        with click.progressbar(length=episodes, label="Replaying", file=sys.stderr) as bar:
            yield lambda _verdict: bar.update(1)
    else:
        yield None


def _line(verdict: Verdict) -> str:
    word = verdict.world if verdict.world == verdict.protocol else f"world {verdict.world}, protocol {verdict.protocol}"
    where = f" at step {verdict.step}" if verdict.step is not None else ""
    what = f": {verdict.what}" if verdict.what else ""
    return f"{verdict.task} trial {verdict.trial}: {word}{where if what else ''}{what}"
