"""``embodibench score``."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.cli.beside import figure, print_beside, short_figure
from embodibench.cli.output import echo_json, echo_table, json_option
from embodibench.errors import ResultError, UsageError
from embodibench.results.ad_hoc import suite_of
from embodibench.results.consistency import inconsistencies
from embodibench.results.files import read_result
from embodibench.results.schema import Result
from embodibench.scoring import baselines, compare_results, crafter
from embodibench.scoring.compare_suites import crafter_spectrum_rows
from embodibench.scoring.comparison import ComparisonRow
from embodibench.scoring.metrics import compute, disagreement
from embodibench.scoring.pass_rates import MIN_TASKS


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--against", help="References to stand beside, separated by commas, or 'default'; see 'baselines SUITE'.")
@click.option("--human-table", default=compare_results.HUMAN_TABLE, show_default=True, help="For games.")
@json_option
def command(results: tuple[Path, ...], against: str | None, human_table: str, as_json: bool) -> None:
    """Show the score of run directories or result files.

    Metrics are computed again from the episodes; a file whose own metrics do not follow from them is refused. With
    --against, published figures of humans and agents stand beside them; overlapping intervals are not called a
    difference, and the quartiles of a population are drawn as what they are.
    """
    read = [(path, read_checked(path)) for path in results]
    names = None if against in (None, "default") else [name.strip() for name in str(against).split(",")]
    if names is not None:
        _refuse_unknown(names, [result for _, result in read])
    shown = []
    for number, (path, result) in enumerate(read):
        suite = suite_of(result, path)
        chosen = None if names is None else [name for name in names if name in _references(suite.label)]
        rows = compare_results.beside_published(suite, result.episodes, chosen, human_table) if against else ()
        spectrum = _spectrum(suite, result, chosen) if against else ()
        if as_json:
            metrics = compute(suite, result.episodes)
            shown.append(
                {"path": str(path), "metrics": metrics, "beside": [row.as_dict() for row in (*rows, *spectrum)]}
            )
            continue
        if number:
            click.echo()
        print_summary(result, suite)
        if rows:
            print_beside(rows, spectrum)
    if as_json:
        echo_json(shown)


def read_checked(path: Path) -> Result:
    """A result whose metrics follow from its episodes. Raises ResultError."""
    result = read_result(path)
    suite = suite_of(result, path)
    for problem in inconsistencies(suite, result):
        raise ResultError(f"{path}: {problem}")
    difference = disagreement(suite, result)
    if difference:
        raise ResultError(f"{path}: {difference}; the file was changed or made by another scoring version")
    return result


def print_summary(result: Result, suite: Suite | None = None) -> None:
    """The identity and the metrics of a result, for people; ``suite`` where it is none of the package."""
    suite = suites.load(result.benchmark.suite) if suite is None else suite
    metrics = compute(suite, result.episodes)
    player = result.agent.name if result.model is None else f"{result.model.checkpoint} with agent {result.agent.name}"
    marks = [" (privileged)"] if result.agent.privileged else []
    marks += [" AD HOC: an arena file, not a suite of this package, never ranked"] if suite.ad_hoc else []
    marks += [" PARTIAL: not the whole suite, not comparable"] if result.run.partial else []
    click.echo(f"{result.benchmark.suite}  {player}{''.join(marks)}")
    counts = metrics["episodes"]
    errors = ", ".join(f"{counts[name]} {name}" for name in ("env_error", "api_error", "budget") if counts[name])
    click.echo(
        f"episodes: {counts['ok']} of {counts['planned']} ended by the rules" + (f"; {errors}" if errors else "")
    )
    if metrics["rule"] == "crafter":
        _print_crafter(metrics)
    elif metrics["rule"] == "atari":
        _print_atari(metrics)
    else:
        _print_pass_rates(metrics)
    _print_usage(result, metrics["usage"])


def _refuse_unknown(names: Sequence[str], results: Sequence[Result]) -> None:
    """A reference may belong to one of several suites; one that belongs to none is a mistake."""
    known = {name for result in results for name in _references(result.benchmark.suite)}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.4)
            hint = f"; nearest: {', '.join(near)}" if near else "; see 'embodibench baselines SUITE'"
            raise UsageError(f"no reference '{name}' for these results{hint}")


def _references(suite: str) -> tuple[str, ...]:
    name = suite.split("@", 1)[0]
    return tuple(baselines.references(name)) if name in baselines.SUITES else ()


def _spectrum(suite: Suite, result: Result, names: Sequence[str] | None) -> tuple[ComparisonRow, ...]:
    """For crafter, rates of achievements beside those of humans."""
    if suite.card.name != "crafter" or (names is not None and "human" not in names):
        return ()
    table = compare_results.unlocks(result.episodes)
    return crafter_spectrum_rows(crafter.summarise(table, len(result.episodes)))


def _print_crafter(metrics: dict[str, Any]) -> None:
    click.echo(f"progress:      {figure(metrics['progress'])} of 22 achievements  (primary)")
    click.echo(f"Crafter score: {figure(metrics['score'])}")
    if metrics["reward"] is not None:
        click.echo(f"reward:        {figure(metrics['reward'])}")
    planned = metrics["episodes"]["planned"]
    found = [f"{name} {count}/{planned}" for name, count in metrics["spectrum"].items() if count]
    click.echo(f"unlocked ({metrics['unlocked_in_union']} of 22): {', '.join(found) or 'nothing'}")


def _print_atari(metrics: dict[str, Any]) -> None:
    iqm = f"none: {metrics['iqm_missing']}" if metrics["iqm"] is None else figure(metrics["iqm"])
    click.echo(f"human-normalised, interquartile mean: {iqm}  (primary; human table {metrics['human_table']})")
    rows = []
    for game, played in metrics["games"].items():
        mean = "" if played["mean"] is None else f"{played['mean']:g}"
        normalised = "" if played["normalised"] is None else f"{100 * played['normalised']:.1f} %"
        scores = [f"{score:g}" for score in played["scores"]]
        broken = [f"{played['broken_off']} broken off"] if played["broken_off"] else []
        rows.append([game, mean, normalised, ", ".join(scores + broken)])
    echo_table(("game", "mean score", "human-normalised", "scores"), rows)


def _print_pass_rates(metrics: dict[str, Any]) -> None:
    rows = [["all tasks", metrics["pass_rate"]]] if "pass_rate" in metrics else list(metrics["tasks"].items())
    if "pass_rate_passable" in metrics:
        rows.append(["tasks that the protocol can pass", metrics["pass_rate_passable"]])
    rows += [[name, rate] for name, rate in metrics.get("groups", {}).items()]
    echo_table(
        ("pass rate", "", "passed"),
        [[name, short_figure(rate), f"{rate['passed']}/{rate['planned']}"] for name, rate in rows],
    )
    if any("none" in rate["interval"] for _, rate in rows):
        units = "rooms" if metrics["rule"] == "socialai" else "tasks"
        click.echo(f"A line of fewer than {MIN_TASKS} {units} has no interval.")


def _print_usage(result: Result, usage: dict[str, Any]) -> None:
    if result.model is None:
        click.echo(f"{usage['steps']:,} steps; no model was asked")
        return
    tokens = "unknown tokens"
    if usage["input_tokens"] is not None:
        given = f"{usage['input_tokens']:,} input tokens ({usage['cached_tokens']:,} cached)"
        tokens = f"{given}, {usage['output_tokens']:,} output"
    outcomes = ", ".join(f"{count} {word}" for word, count in usage["outcomes"].items())
    click.echo(f"{usage['steps']:,} steps, {usage['calls']:,} calls ({outcomes or 'none'}), {tokens}")
    lost = result.run.lost
    paid = "unknown" if usage["cost"] is None or lost.cost is None else f"${usage['cost'] + lost.cost:.4f}"
    click.echo(f"cost: {paid}" + (f", {lost.calls} calls lost at a crash included" if lost.calls else ""))
