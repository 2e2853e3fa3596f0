"""How a result's figures are printed, alone and beside published ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from embodibench.cli.output import echo_table
from embodibench.scoring.comparison import ComparisonRow
from embodibench.scoring.interval import Interval, NoInterval
from embodibench.scoring.metrics import estimate_json


def print_beside(rows: Sequence[ComparisonRow], spectrum: Sequence[ComparisonRow]) -> None:
    """The result's figures beside published ones: a heading for each of its figures, a line for each reference."""
    groups: dict[str, list[list[str]]] = {}
    for row in rows:
        bar = row.reference.quartiles
        quartiles = f"{_number(bar.q25, row)} / {_number(bar.median, row)} / {_number(bar.q75, row)}" if bar else ""
        reference = short_figure(estimate_json(row.reference.estimate))
        groups.setdefault(_heading(row), []).append([f"  {row.reference.name}", reference, quartiles, said(row)])
    click.echo()
    _echo_beside([line for heading, lines in groups.items() for line in ([heading, "", "", ""], *lines)])
    _print_spectrum(spectrum)
    _print_references((*rows, *spectrum))


def _print_spectrum(rows: Sequence[ComparisonRow]) -> None:
    """Rates of single achievements side by side; they have no intervals, so nothing is said of them."""
    if not rows:
        return
    click.echo()
    table = [(r.task, *(f"{side.value:.0f} %" for side in (r.model, r.reference.estimate))) for r in rows]
    echo_table(("achievement", "this result", rows[0].reference.name), table)
    click.echo("Single achievements are shown and not compared: counts of so few episodes have no honest interval.")


def _print_references(rows: Sequence[ComparisonRow]) -> None:
    """Who each reference is, once, and all that its figures need to have said of them."""
    click.echo()
    labels: dict[str, str] = {}
    caveats: dict[str, dict[str, None]] = {}
    for one in (row.reference for row in rows):
        labels.setdefault(one.name, one.label)
        said_of = caveats.setdefault(one.name, {})
        said_of.update(dict.fromkeys(part for part in one.caveat.split("; ") if part))
    for name, label in labels.items():
        notes = "; ".join(caveats[name])
        click.echo(f"{name}: {label}." + (f" {notes}" if notes else ""))


def _heading(row: ComparisonRow) -> str:
    """What of the result the next lines are beside, and its figure."""
    words = [word for word in (row.task, row.title) if word != "all" and word != row.model.name]
    if row.task == "all" and row.model.name != "pass rate":
        words = []
    label = " ".join(dict.fromkeys((*words, *([] if row.model.name == "pass rate" else [row.model.name]))))
    return f"{label}: {figure(estimate_json(row.model))}"


def _echo_beside(table: Sequence[Sequence[str]]) -> None:
    """Lines of references in columns; a line with one cell is a heading over the whole width."""
    header = ("reference", "its figure", "quartiles", "this result is")
    lines = [header, *(row for row in table if row[1])]
    shown = [column for column in range(4) if any(row[column] for row in lines[1:])]
    widths = [max(len(row[column]) for row in lines) for column in shown]
    for row in (header, ["-" * (max(len(line[column]) for line in lines)) for column in range(4)], *table):
        cells = [row[column] for column in shown] if row[1] else row[:1]
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)).rstrip())


def said(row: ComparisonRow) -> str:
    """What may be said of the result beside the reference, or why nothing may."""
    if row.verdict != "not compared":
        placed = f"; {row.position} the middle half" if row.reference.quartiles and row.position != "not placed" else ""
        return row.verdict + placed
    if row.position != "not placed":
        return f"{row.position} the middle half"
    interval = row.reference.estimate.interval
    if isinstance(row.model.interval, Interval) and isinstance(interval, NoInterval):
        return f"not compared: {interval.reason}"
    return row.verdict


def _number(value: float, row: ComparisonRow) -> str:
    return f"{100 * value:.0f} %" if row.model.unit == "fraction" else f"{value:.1f}"


def short_figure(estimate: dict[str, Any]) -> str:
    """A value with its interval, or alone where it has none."""
    return figure(estimate).split(" (no interval")[0]


def figure(estimate: dict[str, Any]) -> str:
    """A value with its interval, in its unit."""
    value, interval, unit = estimate["value"], estimate["interval"], estimate["unit"]
    if unit == "fraction":
        value, unit = 100 * value, "percent"
        if "low" in interval:
            interval = {**interval, "low": 100 * interval["low"], "high": 100 * interval["high"]}
    sign = " %" if unit == "percent" else ""
    if "none" in interval:
        return f"{value:.2f}{sign} (no interval: {interval['none']})"
    return f"{value:.2f}{sign} [{interval['low']:.2f}, {interval['high']:.2f}]"
