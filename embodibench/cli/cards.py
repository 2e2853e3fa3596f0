"""``embodibench list``, ``show``, ``cite`` and ``schema``."""

from __future__ import annotations

from pathlib import Path

import click

import embodibench
from embodibench import agents
from embodibench.cards import suites
from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.cli.output import echo_json, echo_table, json_option
from embodibench.errors import UsageError


@click.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the suites, agents and policies of this package."""
    loaded = [suites.load(name) for name in suites.names()]
    if as_json:
        echo_json([_suite_json(suite) for suite in loaded])
        return
    rows = []
    for suite in loaded:
        kind = suite.tasks[0].environment.kind
        policies = ", ".join(agents.policies_for(kind))
        episodes = sum(len(task.seeds) for task in suite.tasks)
        rows.append(
            [suite.label, suite.card.title, str(len(suite.tasks)), str(episodes), suite.card.protocol.agent, policies]
        )
    echo_table(("suite", "title", "tasks", "episodes", "agent", "policies"), rows)
    click.echo(f"\nagents: {', '.join(agents.AGENTS)}")


@click.command()
@click.argument("name", required=False)
@click.option(
    "--arena", type=click.Path(path_type=Path, dir_okay=False), help="An Animal-AI arena file (YAML), not NAME."
)
@click.option("--skip-unknown", is_flag=True, help="Leave out what --arena lists and this arena does not know.")
@click.option("--trial", type=click.IntRange(min=0), default=0, show_default=True, help="Trial whose start is drawn.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the start of the task, or of every task of the suite, as PNG.",
)
@json_option
def show(
    name: str | None, arena: Path | None, skip_unknown: bool, trial: int, picture: Path | None, as_json: bool
) -> None:
    """Show the suite NAME, the task NAME in the form SUITE/TASK, or the arena file of --arena."""
    suite, task_name = _what_is_shown(name, arena, trial, skip_unknown)
    if not task_name:
        if picture is None or as_json:
            _show_suite(suite, as_json)
        if picture is not None:
            from embodibench.cli.pictures import save_suite

            save_suite(suite, picture)
            click.echo(f"drawn: {picture}", err=True)
        return
    task = suite.task(task_name)
    if picture is not None:
        from embodibench.cli.pictures import save_task

        save_task(task, trial, picture)
        click.echo(f"drawn: {picture}", err=True)
    if as_json:
        echo_json(task.model_dump(mode="json"))
    elif picture is None:
        _show_task(suite, task)


@click.command()
@click.argument("name")
@click.option("--style", type=click.Choice(["bibtex", "apa", "both"]), default="both", show_default=True)
def cite(name: str, style: str) -> None:
    """Print how to cite the benchmark version NAME, for example crafter@1, with the works behind it."""
    from embodibench.cards.citation import apa, bibtex

    suite = suites.load(name)
    if style in ("bibtex", "both"):
        click.echo(bibtex(suite, embodibench.__version__))
    if style in ("apa", "both"):
        click.echo(apa(suite, embodibench.__version__))


@click.command()
def schema() -> None:
    """Print the JSON Schema of result files."""
    from embodibench.results.schema import json_schema

    echo_json(json_schema())


def _what_is_shown(name: str | None, arena: Path | None, trial: int, skip_unknown: bool) -> tuple[Suite, str]:
    """The suite, and the task if one is meant."""
    if (name is None) == (arena is None):
        raise UsageError("say what to show: NAME (see 'embodibench list') or --arena FILE, not both")
    if arena is not None:
        from embodibench.cli.arenas import arena_file

        suite = arena_file(arena, trial + 1, skip_unknown).suite
        return suite, suite.tasks[0].id if len(suite.tasks) == 1 else ""
    if skip_unknown:
        raise UsageError("--skip-unknown goes with --arena only")
    suite_name, slash, task_name = str(name).partition("/")
    suite = suites.load(suite_name)
    return suite, suite.task(task_name).id if slash else ""


def _suite_json(suite: Suite) -> dict[str, object]:
    return {
        "suite": suite.label,
        "interface": suite.card.interface,
        "digest": suite.digest,
        "title": suite.card.title,
        "tasks": list(suite.card.tasks),
        "policies": list(agents.policies_for(suite.tasks[0].environment.kind)),
    }


def _show_suite(suite: Suite, as_json: bool) -> None:
    card = suite.card
    if as_json:
        echo_json({**card.model_dump(mode="json"), "digest": suite.digest})
        return
    click.echo(f"{suite.label} ({card.version}-{card.interface})  {card.title}\n")
    click.echo(click.wrap_text(card.description, 100))
    sampling = card.protocol.sampling
    click.echo(
        f"\nagent:    {card.protocol.agent}, temperature {sampling.temperature}, {sampling.max_tokens} tokens a reply"
    )
    click.echo(f"scoring:  {card.scoring}")
    pinned = ", ".join(f"{package} {version}" for package, version in card.pinned.items())
    click.echo(f"pinned:   {pinned or 'nothing'}")
    click.echo(f"digest:   {suite.digest}\n")
    echo_table(
        ("task", "title", "group", "trials"),
        [[task.id, task.title, task.group or "", str(len(task.seeds))] for task in suite.tasks],
    )
    for change in card.changelog:
        comparable = "" if change.comparable else " (not comparable with before)"
        click.echo(f"\n{change.version} {change.date}{comparable}: {change.change}")


def _show_task(suite: Suite, task: TaskCard) -> None:
    click.echo(f"{suite.label}/{task.id}  {task.title}\n")
    click.echo(click.wrap_text(task.capability, 100))
    click.echo(f"\nworld:   {task.environment.kind}")
    click.echo(f"seeds:   {', '.join(map(str, task.seeds))}")
    if task.success is not None:
        click.echo(f"passes:  {task.success.measure} >= {task.success.at_least:g}")
    budgets = [f"{name} {value}" for name, value in task.budgets.model_dump().items() if value is not None]
    click.echo(f"budgets: {', '.join(budgets) or 'none beside the world'}")
    click.echo(f"source:  {task.source.work}")
    for note in task.notes:
        click.echo("\n" + click.wrap_text(note, 100, initial_indent="- ", subsequent_indent="  "))
