"""What the reading commands print: JSON for programs, tables for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click


def echo_json(value: Any) -> None:
    """Print plain data as indented JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def echo_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns padded with spaces; plain text, so that it reads the same in a file and on a terminal."""
    table = [list(header), *map(list, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    for index, row in enumerate(table):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if index == 0:
            click.echo("  ".join("-" * width for width in widths))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
