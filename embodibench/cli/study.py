"""``embodibench study``."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click

from embodibench.cli.eval import spending_options, with_options
from embodibench.errors import UsageError


@click.command()
@click.option("--paper", required=True, type=click.Path(path_type=Path), help="Main .tex file of the paper, or folder.")
@click.option("--model", required=True, help="Who reads it; names as for 'embodibench eval'.")
@click.option("--base-url", help="Address of any server that speaks the OpenAI protocol.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Where the context goes.")
@click.option(
    "--answers",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where answers are kept, so that nothing is asked twice; default: OUT with .answers.jsonl appended.",
)
@click.option(
    "--max-tokens", type=click.IntRange(1, 100_000), default=2048, show_default=True, help="Longest answer, in tokens."
)
@click.option("--force", is_flag=True, help="Replace OUT if it holds something else.")
@with_options(spending_options)
def command(
    paper: Path,
    model: str,
    base_url: str | None,
    out: Path,
    answers: Path | None,
    max_tokens: int,
    force: bool,
    max_cost: float | None,
    max_calls: int | None,
    concurrency: int,
) -> int:
    """Let a model read a paper about Crafter and write down what helps to play.

    The LaTeX source is read paragraph by paragraph. The text that comes out is a context for the SPRING agents:
    'embodibench eval --agent spring --option context=@OUT ...'. A study that was stopped goes on when the same command
    is given again.
    """
    from embodibench.agents.spring import latex
    from embodibench.agents.spring.study import study
    from embodibench.models.base import Parameters
    from embodibench.models.resolve import resolve
    from embodibench.results.files import write_bytes
    from embodibench.runs.answers import KeptAnswers
    from embodibench.runs.budget import Budget

    paragraphs = latex.paragraphs(paper)
    if not paragraphs:
        raise UsageError(f"{paper}: holds no paragraph of text")
    if model.startswith("policy/"):
        raise UsageError("a policy cannot read; name a model")
    parameters = Parameters(max_tokens=max_tokens)
    resolved = resolve(model, today=date.today(), base_url=base_url)
    for warning in resolved.warnings:
        click.echo(f"Note: {warning}", err=True)
    if max_cost is not None and resolved.model.worst_cost([], parameters) is None:
        raise UsageError("--max-cost cannot be kept: the price of this model is unknown; use --max-calls")
    click.echo(
        f"{paper}: {len(paragraphs)} paragraphs, up to {6 * len(paragraphs)} questions and the merging", err=True
    )
    place = answers if answers is not None else out.with_name(out.name + ".answers.jsonl")
    budget = Budget(max_cost, max_calls)

    async def read() -> bytes:
        kept = KeptAnswers(place, resolved.model, parameters, budget, side_by_side=concurrency)
        try:
            studied = await study(paragraphs, kept.ask)
        finally:
            await kept.close()
            await resolved.model.close()
            tokens = "unknown" if kept.usage is None else f"{kept.usage.input:,} in, {kept.usage.output:,} out"
            cost = "unknown" if budget.unpriced else f"${budget.spent:.4f}"
            click.echo(f"{kept.asked} asked, {kept.kept} kept from before; tokens {tokens}; cost {cost}", err=True)
        click.echo(f"{len(studied.relevant)} of {studied.paragraphs} paragraphs are relevant", err=True)
        if studied.cut:
            click.echo(f"Note: the context was too long; {studied.cut:,} characters were cut off its end", err=True)
        return (studied.context + "\n").encode("utf-8", "replace")

    with _only_writer(place):
        context = asyncio.run(read())
        if out.exists() and not force and out.read_bytes() != context:
            raise UsageError(f"{out} holds something else; give --force to replace it, or another --out")
        try:
            write_bytes(out, context)
        except OSError as error:
            raise UsageError(f"{out}: cannot be written: {error.strerror or error}") from error
    click.echo(f"Context: {out} ({len(context):,} bytes). Play with it: --agent spring --option context=@{out}")
    return 0


@contextmanager
def _only_writer(answers: Path) -> Iterator[None]:
    try:
        answers.parent.mkdir(parents=True, exist_ok=True)
        file = answers.open("ab")
    except OSError as error:
        raise UsageError(f"{answers}: cannot be written: {error.strerror or error}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"{answers}: another study is writing it; wait for it or stop it") from error
        yield
