"""``embodibench models``: what a model's name means, what it takes, and until when it is served."""

from __future__ import annotations

import datetime
import json

import click

from embodibench.canonical import Json
from embodibench.models.table import Checkpoint, model_table


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("--all", "everything", is_flag=True, help="Also list the checkpoints that are no longer served.")
@click.option("--provider", help="Only the models of this provider.")
def models_command(as_json: bool, everything: bool, provider: str | None) -> None:
    """List the models that EmbodiBench knows by name.

    Any other model can be asked for as PROVIDER/ID, or with --base-url.
    """
    table = model_table()
    if provider is not None and provider not in table.providers:
        raise click.BadParameter(f"{provider!r}; known: {', '.join(table.providers)}", param_hint="--provider")
    today = datetime.date.today()
    rows = [row for row in table.checkpoints.values() if provider in (None, row.provider)]
    if as_json:
        click.echo(json.dumps([_as_json(row, today) for row in rows], indent=2))
        return
    shown = [row for row in rows if everything or row.state(today) != "gone"]
    _print_table(shown, today)
    if hidden := len(rows) - len(shown):
        click.echo(f"{hidden} more are no longer served: embodibench models --all")


def _as_json(row: Checkpoint, today: datetime.date) -> dict[str, Json]:
    return {
        "name": row.aliases[0] if row.aliases else row.name,
        "checkpoint": row.name,
        "provider": row.provider,
        "takes": list(row.takes.words()),
        "context": row.context,
        "shutdown": row.shutdown.isoformat() if row.shutdown else None,
        "state": row.state(today),
        "successors": list(row.successors),
        "pinned": row.pinned,
        "note": row.note,
    }


def _print_table(rows: list[Checkpoint], today: datetime.date) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Columns

    console = Console()
    # Output that is not a terminal has no width to fit into.
    width = max(console.width, 80) if console.is_terminal else 160
    roomy = width >= 100
    columns = Columns(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    columns.add_column("name = checkpoint", no_wrap=True)
    if roomy:
        columns.add_column("provider", no_wrap=True)
    columns.add_column("takes", min_width=12)
    columns.add_column("context", justify="right", no_wrap=True)
    columns.add_column("shutdown", no_wrap=True)
    columns.add_column("state", no_wrap=True)
    for row in rows:
        context = f"{row.context:,}" if row.context else "?"
        end = str(row.shutdown or "")
        cells = [", ".join(row.takes.words()), context, end, row.state(today)]
        columns.add_row(_names(row), *([row.provider] if roomy else []), *cells)
    Console(width=width).print(columns)


def _names(row: Checkpoint) -> str:
    """What to type, and below it what it means where that is another word."""
    if row.aliases:
        return "\n".join([*row.aliases, f"  = {row.name}"])
    return row.name if row.pinned else f"{row.name}\n  (may be moved)"
