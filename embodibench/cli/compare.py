"""``embodibench compare`` and ``embodibench baselines``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from embodibench.cli.beside import figure
from embodibench.cli.output import echo_json, echo_table, json_option
from embodibench.cli.score import read_checked
from embodibench.errors import UsageError
from embodibench.results import runlength
from embodibench.results.ad_hoc import suite_of
from embodibench.results.schema import MAX_STEPS, Episode
from embodibench.scoring import baselines, compare_results
from embodibench.scoring.interval import Estimate, Interval
from embodibench.scoring.metrics import estimate_json
from embodibench.scoring.paired import PairedComparison


@click.command()
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@json_option
def command(first: Path, second: Path, as_json: bool) -> None:
    """Compare the results FIRST and SECOND of one suite, trial by trial.

    Prints the paired difference, first minus second, and for each trial the first step at which the episodes part.
    """
    one, two = read_checked(first), read_checked(second)
    if one.benchmark.suite != two.benchmark.suite or one.benchmark.digest != two.benchmark.digest:
        raise UsageError("the two results are of different benchmark versions, so they cannot be compared")
    suite = suite_of(one, first)
    compared = compare_results.beside_result(suite, one.episodes, two.episodes)
    partings = [_parting(a, b) for a, b in _pairs(one.episodes, two.episodes)]
    if as_json:
        echo_json({"differences": {name: _difference_json(c) for name, c in compared.items()}, "episodes": partings})
        return
    for name, comparison in compared.items():
        _print_difference("" if name == "all" else f"{name}: ", comparison)
    if not compared:
        click.echo(f"{suite.label} has no paired difference: see its games one by one.")
    rows = [[row["task"], str(row["trial"]), row["first"], row["second"], row["parts"]] for row in partings]
    click.echo()
    echo_table(("task", "trial", "first", "second", "they part"), rows)


def _difference_json(compared: PairedComparison | Estimate) -> dict[str, Any]:
    if isinstance(compared, Estimate):
        return {"difference": estimate_json(compared)}
    counts = {"first_ahead": compared.first_ahead, "second_ahead": compared.second_ahead, "level": compared.level}
    return {"difference": estimate_json(compared.difference), **counts, "sign_p_value": compared.sign_p_value}


def _print_difference(heading: str, compared: PairedComparison | Estimate) -> None:
    estimate = compared.difference if isinstance(compared, PairedComparison) else compared
    click.echo(f"{heading}{estimate.name}, first minus second: {figure(estimate_json(estimate))}")
    if isinstance(estimate.interval, Interval):
        click.echo(f"  {_said(estimate.interval)}")
    if isinstance(compared, PairedComparison):
        counts = f"first ahead {compared.first_ahead}, second ahead {compared.second_ahead}, level {compared.level}"
        click.echo(f"  tasks or rooms: {counts} (exact sign test: p = {compared.sign_p_value:.2g})")


@click.command("baselines")
@click.argument("suite")
@click.option("--task", help="Only figures of this task, level, achievement or game.")
@click.option("--name", help="Only figures of this reference.")
@click.option("--all", "every", is_flag=True, help="Every figure of every reference.")
@json_option
def baselines_command(suite: str, task: str | None, name: str | None, every: bool, as_json: bool) -> None:
    """List who results of SUITE can stand beside; with --name or --task the published figures, each with its source.

    Pass a reference's name to 'embodibench score RUN --against NAME'.
    """
    found = baselines.figures(suite, name=name, task=task)
    if not found:
        raise UsageError(f"no published figure of '{suite}' for that task or reference")
    if as_json:
        echo_json([{field: getattr(one, field) for field in one.__dataclass_fields__} for one in found])
        return
    if name is None and task is None and not every:
        counts = Counter(one.name for one in found)
        labels = baselines.references(suite)
        echo_table(
            ("reference", "who", "figures"), [(each, labels[each], str(count)) for each, count in counts.items()]
        )
        click.echo(f"The figures of one: embodibench baselines {suite} --name NAME; of all: --all")
        return
    rows = []
    for one in found:
        spread = f" ± {one.spread:g}" if one.spread is not None else ""
        bar = f"{one.quartiles[0]:g} / {one.quartiles[1]:g} / {one.quartiles[2]:g}" if one.quartiles else ""
        n = f"{one.n} {one.n_of}" if one.n else ""
        rows.append([one.name, one.task, one.measure, f"{one.value:g}{spread} {one.unit}", bar, n])
    echo_table(("reference", "task", "measure", "value", "quartiles", "n"), rows)
    notes = dict.fromkeys((one.name, one.label, one.protocol, one.source, one.caveat) for one in found)
    click.echo()
    for reference, label, protocol, source, caveat in notes:
        click.echo(f"{reference}: {label}. {protocol}. Source: {source}." + (f" {caveat}" if caveat else ""))


def _said(interval: Interval) -> str:
    if interval.low > 0:
        return "the first is higher"
    return "the second is higher" if interval.high < 0 else "not called different: the interval holds zero"


def _pairs(first: Sequence[Episode], second: Sequence[Episode]) -> list[tuple[Episode, Episode]]:
    others = {(episode.task, episode.trial): episode for episode in second}
    return [(episode, others[episode.task, episode.trial]) for episode in first]


def _parting(one: Episode, two: Episode) -> dict[str, Any]:
    actions = [runlength.decode(episode.actions, MAX_STEPS) for episode in (one, two)]
    shorter = min(len(actions[0]), len(actions[1]))
    step = next((index for index in range(shorter) if actions[0][index] != actions[1][index]), None)
    if step is not None:
        parts = f"at step {step}"
    else:
        parts = "nowhere" if len(actions[0]) == len(actions[1]) else f"at step {shorter}, where one ends"
    return {
        "task": one.task,
        "trial": one.trial,
        "first": _brief(one),
        "second": _brief(two),
        "step": step,
        "parts": parts,
    }


def _brief(episode: Episode) -> str:
    total = sum(value * count for value, count in episode.rewards)
    passed = "" if episode.success is None else ("passed, " if episode.success else "not passed, ")
    return f"{passed}{episode.end}, {episode.steps} steps, return {total:.2f}"
