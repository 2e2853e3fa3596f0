"""``embodibench conformance``."""

from __future__ import annotations

import click

from embodibench import envs
from embodibench.cards import suites
from embodibench.cards.lock import state
from embodibench.cards.suites import Suite
from embodibench.cli.output import echo_json, json_option
from embodibench.errors import UsageError


@click.command()
@click.argument("names", nargs=-1)
@click.option("--write", is_flag=True, help="Store what this installation does (maintainers only).")
@json_option
def command(names: tuple[str, ...], write: bool, as_json: bool) -> int:
    """Check that this installation reproduces the worlds, prompts and parsers of suites (default: all).

    Exit code 1 when anything differs: results of this installation would then not be comparable. Without names, suites
    whose worlds cannot be made here, for want of an extra, are named and passed over.
    """
    from embodibench.verify import conformance

    report = {}
    for name in names or suites.names():
        suite = suites.load(name)
        lacking = "" if names else _lacking(suite)
        if lacking:
            click.echo(f"{suite.label}: not checked ({lacking})", err=True)
            continue
        if write:
            conformance.write(suite)
            suites.load.cache_clear()
            suite = suites.load(name)
        found = conformance.differences(suite)
        report[suite.label] = {"digest": suite.digest, "state": state(suite), "differences": found}
        if not as_json:
            verdict = "conforms" if not found else f"{len(found)} differences"
            click.echo(f"{suite.label}: {verdict} ({state(suite)}, digest {suite.digest[:16]})")
            for sentence in found[:10]:
                click.echo(f"  {sentence}")
    if as_json:
        echo_json(report)
    return 1 if any(entry["differences"] for entry in report.values()) else 0


def _lacking(suite: Suite) -> str:
    """Why the suite's worlds cannot be made here, or ""."""
    environment = suite.tasks[0].environment
    try:
        envs.check(environment.kind, environment.parameters)
    except UsageError as error:
        if suite.card.extra is None:
            raise
        return str(error)
    return ""
