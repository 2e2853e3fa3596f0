"""``embodibench eval`` and ``embodibench resume``."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from embodibench import envs
from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.results import ad_hoc
from embodibench.results.files import read_bounded
from embodibench.results.plan import Unit, plan
from embodibench.results.schema import MAX_RESULT_BYTES, MAX_TRANSCRIPT_BYTES, Result, RunLimits
from embodibench.runs import directory as run_directory
from embodibench.runs import journal
from embodibench.runs.assemble import write_result, written_result
from embodibench.runs.budget import Budget
from embodibench.runs.directory import Request, RunDirectory
from embodibench.runs.execute import Outcome, run_units
from embodibench.runs.players import Cast, cast, parameters_of
from embodibench.runs.progress import Progress

spending_options: list[Callable[[Any], Any]] = [
    click.option("--max-cost", type=click.FloatRange(min=0), help="Stop before the run can cost more US dollars."),
    click.option("--max-calls", type=click.IntRange(min=0), help="Stop after so many model calls."),
    click.option(
        "--concurrency", type=click.IntRange(1, 256), default=4, show_default=True, help="Episodes side by side."
    ),
]


MAX_OPTION_BYTES = 200_000
"""Bytes of a file that is given as an option: options are stored in run.json and in the result."""

F = TypeVar("F", bound=Callable[..., Any])


def with_options(options: list[Callable[[Any], Any]]) -> Callable[[F], F]:
    """Apply click options in the order in which they are listed."""

    def apply(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


@click.command()
@click.option(
    "--model",
    required=True,
    help="openai/NAME, anthropic/NAME, local/NAME, recording/PATH, policy/NAME, or a bare name.",
)
@click.option("--suite", "suite_name", help="NAME or NAME@N; see 'embodibench list'.")
@click.option(
    "--arena",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An Animal-AI arena file (YAML), not a suite.",
)
@click.option("--skip-unknown", is_flag=True, help="Leave out what --arena lists and this arena does not know.")
@click.option("--agent", help="Scaffold; default: the one that the suite prescribes.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Option of the agent; may be repeated. NAME=@FILE takes the text of a file.",
)
@click.option("--base-url", help="Address of any server that speaks the OpenAI protocol.")
@click.option("--tasks", help="Only these tasks, separated by commas.")
@click.option(
    "--trials", type=click.IntRange(min=1), help="Only the first N trials of each task; with --arena: N trials of each."
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N episodes.")
@click.option("--max-steps", type=click.IntRange(min=1), help="End each episode after N environment steps.")
@with_options(spending_options)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Run directory; default: runs/<id>.")
@click.option("--yes", is_flag=True, help="Do not ask before a run that costs money.")
@click.option("--dry-run", is_flag=True, help="Say what the run would take, and stop.")
def command(
    model: str,
    suite_name: str | None,
    arena: Path | None,
    skip_unknown: bool,
    agent: str | None,
    options: tuple[str, ...],
    base_url: str | None,
    tasks: str | None,
    trials: int | None,
    limit: int | None,
    max_steps: int | None,
    max_cost: float | None,
    max_calls: int | None,
    concurrency: int,
    out: Path | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Let a model or policy play a suite, or with --arena any arena of Animal-AI.

    The run is kept in a directory that survives being killed: 'embodibench resume DIR' goes on where it stopped. A run
    that is limited by --tasks, --trials, --limit or --max-steps says that it is partial.
    """
    suite, cards = _what_is_played(suite_name, arena, trials, skip_unknown)
    limits = RunLimits(
        tasks=tuple(name.strip() for name in tasks.split(",")) if tasks is not None else None,
        trials=None if suite.ad_hoc else trials,
        episodes=limit,
        max_steps=max_steps,
    )
    request = Request(
        suite=suite.label, model=model, base_url=base_url, agent=agent, options=_options(options), limits=limits
    )
    units = plan(suite, limits)
    if dry_run:
        from embodibench.cli.estimate import print_estimate

        print_estimate(request, suite, units)
        return 0
    check_worlds(units)
    who = cast(request, suite, date.today())
    refuse_blind_budget(who, max_cost)
    confirm(who, len(units), max_cost, max_calls, yes)
    own = run_directory.identity(suite, who.identity, parameters_of(suite), who.player.agent.identity, limits)
    place = run_directory.create(out, request, own, datetime.now(UTC), cards)
    return play_and_report(place, suite, who, Budget(max_cost, max_calls), concurrency)


@click.command()
@click.argument("run", type=click.Path(path_type=Path, file_okay=False))
@with_options(spending_options)
def resume(run: Path, max_cost: float | None, max_calls: int | None, concurrency: int) -> int:
    """Go on with the run in the directory RUN.

    No reply that the run has received is asked for again. Episodes that ended in an error, or because a budget ran
    out, are tried again.
    """
    place = run_directory.open_run(run)
    if "drawn" in place.file.identity:
        raise UsageError(f"{run}: asks a model again on a sample; go on with: embodibench rerun SUBMISSION --out {run}")
    request = place.file.request
    suite = ad_hoc.load(request.suite, run, str(place.file.identity.get("digest")))
    check_worlds(plan(suite, request.limits))
    who = cast(request, suite, date.today())
    refuse_blind_budget(who, max_cost)
    own = run_directory.identity(suite, who.identity, parameters_of(suite), who.player.agent.identity, request.limits)
    run_directory.refuse_other(place, own)
    return play_and_report(place, suite, who, Budget(max_cost, max_calls), concurrency)


def play_and_report(place: RunDirectory, suite: Suite, who: Cast, budget: Budget, concurrency: int) -> int:
    """Play what is left of a run, write its result and show the score."""
    units = plan(suite, place.file.request.limits)
    resume = f"embodibench resume {place.path}"
    result, fatal = play_rest(place, suite, who, units, budget, concurrency, resume)
    _report(place, suite, result)
    refuse_fatal(fatal, resume)
    return 0


def play_rest(
    place: RunDirectory,
    suite: Suite,
    who: Cast,
    units: Sequence[Unit],
    budget: Budget,
    concurrency: int,
    resume: str,
) -> tuple[Result, str | None]:
    """Play those of ``units`` that are not done yet, and write the result of all that the run plans.

    Args:
        units: what is played: the run's plan, or a part of it.
        resume: the command that goes on with this run.

    Returns:
        The result, and the model's words if every further call would fail alike.

    Raises:
        click.exceptions.Exit: it was stopped with Ctrl-C.
        UsageError: the run cannot go on from what is in its directory.
    """
    for warning in who.warnings:
        click.echo(f"Note: {warning}", err=True)
    for package, installed in suite.off_pin().items():
        pinned = suite.card.pinned[package]
        click.echo(
            f"Note: {package} {installed} is installed, {suite.label} is pinned to {pinned}; recorded.", err=True
        )
    if place.result.exists() and not place.journal.exists():
        raise UsageError(
            f"{place.path}: its journal is gone, so it would be played again from the start; start a new run"
        )
    with place.lock():
        state = journal.scan(place.journal)
        if (result := written_result(place, units, state)) is not None:
            click.echo(f"{place.path} is finished: nothing is left to play, and its result stays as it is.", err=True)
            return result, None
        final = sum(state.is_final(unit.key) for unit in units)
        resumed = f", {final} of them done" if final else ""
        click.echo(f"{suite.label}: {len(units)} episodes{resumed}, kept in {place.path}", err=True)
        if state.lost:
            click.echo(
                f"Note: {len(state.lost)} calls were in flight when the run was killed; counted as paid.", err=True
            )
        progress = Progress(len(units), final, budget, priced=who.player.model is not None)
        try:
            outcome = asyncio.run(_play(place, suite, who, units, budget, progress, concurrency))
        except (KeyboardInterrupt, asyncio.CancelledError):
            click.echo(f"\nStopped; nothing is lost. Go on with: {resume}", err=True)
            raise click.exceptions.Exit(130) from None
        unplayed: Literal["budget", "api_error"] = "api_error" if outcome.fatal else "budget"
        planned = plan(suite, place.file.request.limits)
        result = write_result(place, suite, planned, who.player, who.prices, unplayed=unplayed)
    return result, outcome.fatal


def refuse_fatal(fatal: str | None, resume: str) -> None:
    """Raise UsageError with the model's words when it cannot be asked."""
    if fatal:
        raise UsageError(f"the model cannot be asked: {fatal}; then: {resume}")


async def _play(
    place: RunDirectory,
    suite: Suite,
    who: Cast,
    units: Sequence[Unit],
    budget: Budget,
    progress: Progress,
    concurrency: int,
) -> Outcome:
    try:
        return await run_units(place, suite, units, who.player, budget, progress, concurrency=concurrency)
    finally:
        if who.player.model is not None:
            await who.player.model.close()


def _what_is_played(
    name: str | None, arena: Path | None, trials: int | None, skip_unknown: bool
) -> tuple[Suite, Mapping[str, bytes]]:
    """The suite, and for an arena file its cards, which go into the run directory."""
    if name is not None and arena is not None:
        raise UsageError("--suite and --arena exclude each other: a run plays a suite, or an arena file")
    if arena is not None:
        from embodibench.cli.arenas import arena_file

        file = arena_file(arena, trials or 1, skip_unknown)
        return file.suite, file.files
    if name is None:
        raise UsageError("say what to play: --suite NAME (see 'embodibench list') or --arena FILE")
    if skip_unknown:
        raise UsageError("--skip-unknown goes with --arena only")
    return suites.load(name), {}


def _report(place: RunDirectory, suite: Suite, result: Result) -> None:
    from embodibench.cli.score import print_summary

    print_summary(result, suite)
    click.echo(f"Result: {place.result}")
    for path, limit in ((place.result, MAX_RESULT_BYTES), (place.transcript, MAX_TRANSCRIPT_BYTES)):
        if path.exists() and path.stat().st_size > limit:
            click.echo(
                f"Note: {path} has {path.stat().st_size:,} bytes; files of more than {limit:,} are not read again, "
                "so this run can be neither scored again nor verified or submitted.",
                err=True,
            )
    unfinished = [episode for episode in result.episodes if episode.status != "ok" and episode.end != "max_steps"]
    if unfinished:
        click.echo(
            f"{len(unfinished)} of {len(result.episodes)} episodes did not reach their end; "
            f"try them again with: embodibench resume {place.path}"
        )


def check_worlds(units: Sequence[Unit]) -> None:
    """Make one world of each kind, so that a missing extra is one line and no run directory."""
    for environment in {unit.task.environment.kind: unit.task.environment for unit in units}.values():
        envs.check(environment.kind, environment.parameters)


def refuse_blind_budget(who: Cast, max_cost: float | None) -> None:
    if max_cost is not None and not math.isfinite(max_cost):
        raise UsageError("--max-cost takes a sum of US dollars")
    if max_cost is not None and who.player.model is not None:
        from embodibench.models.base import Message

        if who.player.model.worst_cost([Message.of("user", "?")], who.player.parameters) is None:
            raise UsageError("--max-cost cannot be kept: the price of this model is unknown; use --max-calls")


def confirm(who: Cast, episodes: int, max_cost: float | None, max_calls: int | None, yes: bool) -> None:
    """Ask before an unbounded run of a model that has a price, if there is someone to ask."""
    bounded = max_cost is not None or max_calls is not None
    if yes or bounded or who.prices is None or not sys.stdin.isatty():
        return
    click.confirm(
        f"{episodes} episodes with a paid model and no --max-cost (see --dry-run for an estimate). Go on?", abort=True
    )


def _options(words: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name:
            raise UsageError(f"--option takes NAME=VALUE, not '{word}'")
        options[name] = _text_of(value[1:], name) if value.startswith("@") else value
    return options


def _text_of(path: str, option: str) -> str:
    """The text of a file that an option names. It becomes part of the record, which must not need the file."""
    data = read_bounded(Path(path), MAX_OPTION_BYTES, f"option {option}")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}") from error
