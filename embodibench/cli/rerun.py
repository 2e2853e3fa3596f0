"""``embodibench rerun``."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import click

from embodibench.canonical import Json
from embodibench.cli import eval as play
from embodibench.cli.output import echo_json, echo_table, json_option
from embodibench.errors import UsageError
from embodibench.runs import directory as run_directory
from embodibench.runs.budget import Budget
from embodibench.runs.players import cast, parameters_of
from embodibench.scoring import agreement
from embodibench.submissions import rerun
from embodibench.submissions.folder import Submission, read_submission
from embodibench.submissions.rerun import Draw, Rerun
from embodibench.submissions.verdict import add_rerun, verdict_for_rerun


@click.command()
@click.argument("path", metavar="SUBMISSION", type=click.Path(path_type=Path, file_okay=False))
@click.option("--sample", type=int, required=True, metavar="N", help="Trials that are played again.")
@click.option("--seed", default="", help="Mixed into the draw: something nobody knew when the submission was made.")
@click.option("--base-url", help="Server that speaks the OpenAI protocol, for a model that is not at its provider's.")
@play.with_options(play.spending_options)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Run directory; default: by the draw.")
@click.option("--yes", is_flag=True, help="Do not ask before a run that costs money.")
@click.option("--dry-run", is_flag=True, help="Say which trials are drawn and what they would take, and stop.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes of a policy's replay; default: one per core.")
@click.option(
    "--verdict", "verdicts", type=click.Path(path_type=Path), metavar="DIR", help="For maintainers: update the verdict."
)
@json_option
def command(
    path: Path,
    sample: int,
    seed: str,
    base_url: str | None,
    max_cost: float | None,
    max_calls: int | None,
    concurrency: int,
    out: Path | None,
    yes: bool,
    dry_run: bool,
    jobs: int | None,
    verdicts: Path | None,
    as_json: bool,
) -> int:
    """Ask the model of SUBMISSION again on N of its trials, and test whether the two plays agree.

    Suite, agent, options and parameters are those of the submission. The trials follow from the hash of the result and
    --seed. The plays agree when p is at least 0.01 under the hypothesis that one player made both (exact McNemar test
    of passes, sign-flip test of scores); docs/trust.md says what N misses. Calling again with the same words goes on
    with a rerun that was stopped. Exit code 1 when they do not agree.
    """
    submission = read_submission(path)
    suite = rerun.whole_suite(submission)
    drawn = rerun.draw(submission, suite, sample, seed)
    before = verdict_for_rerun(verdicts, submission, drawn) if verdicts is not None else None
    trials = "trials: " + ", ".join(f"{task} {trial}" for task, trial in drawn.keys)
    if submission.result.model is None:
        if dry_run:
            click.echo(f"{suite.label}: a policy is played again whole by its replay; no model is asked\n{trials}")
            return 0
        found = rerun.compare_policy(submission, drawn, jobs)
    else:
        request = rerun.request_of(submission, suite, drawn, base_url)
        if dry_run:
            from embodibench.cli.estimate import print_estimate

            print_estimate(request, suite, drawn.units)
            click.echo(trials)
            return 0
        play.check_worlds(drawn.units)
        who = cast(request, suite, date.today())
        play.refuse_blind_budget(who, max_cost)
        play.confirm(who, len(drawn.units), max_cost, max_calls, yes)
        parameters = parameters_of(suite)
        own = run_directory.identity(suite, who.identity, parameters, who.player.agent.identity, request.limits)
        own |= {"submission": submission.result_sha256, "drawn": _keys_json(drawn)}
        place = run_directory.create(out or _default_place(submission, drawn), request, own, datetime.now(UTC))
        resume = f"embodibench rerun {path} --sample {sample}{f' --seed {seed}' if seed else ''} --out {place.path}"
        budget = Budget(max_cost, max_calls)
        again, fatal = play.play_rest(place, suite, who, drawn.units, budget, concurrency, resume)
        play.refuse_fatal(fatal, resume)
        try:
            found = rerun.compare(submission, suite, drawn, again)
        except UsageError as error:
            raise UsageError(f"{error}; go on with: {resume}") from error
    if as_json:
        echo_json(found.to_json())
    else:
        _print(found)
    if verdicts is not None and before is not None:
        written = add_rerun(verdicts, before, found, f"{datetime.now(UTC):%Y-%m-%d}")
        click.echo(f"Verdict: {written.trust}", err=True)
    return 0 if found.agreement.agrees else 1


def _keys_json(drawn: Draw) -> list[Json]:
    return [[task, trial] for task, trial in drawn.keys]


def _default_place(submission: Submission, drawn: Draw) -> Path:
    seed = f"-{drawn.seed[:20]}" if drawn.seed else ""
    return Path("runs") / f"rerun-{submission.result_sha256[:8]}-{len(drawn.units)}{seed.replace(':', '-')}"


def _print(found: Rerun) -> None:
    test, drawn = found.agreement, found.draw
    how = f"with seed {drawn.seed}" if drawn.seed else "without a seed"
    click.echo(f"{found.submission}: {len(drawn.units)} of {drawn.planned} trials, drawn {how}")
    level = test.trials - test.first_higher - test.second_higher
    echo_table(
        ("compared", "submission higher", "rerun higher", "level"),
        [(found.measure, str(test.first_higher), str(test.second_higher), str(level))],
    )
    trials = f"{test.trials} {'trial' if test.trials == 1 else 'trials'}"
    click.echo(f"{found.same} of {trials} came out the same to the last reply and action")
    for note in found.notes:
        click.echo(f"Note: {note}")
    if test.statistic != "policy-replay":
        click.echo(f"{test.statistic}, two-sided: p = {test.p_value:.4f} (mid-p {test.mid_p:.4f})")
        if found.measure == "passed or not":
            chance = agreement.caught_independent(test.trials, 0.5, 0.2)
            click.echo(f"A pass rate inflated from .2 to .5 would be caught by {chance:.0%} of such reruns.")
    verdict = "agrees" if test.agrees else "DOES NOT AGREE"
    click.echo(f"{verdict} (the rule: p at least {agreement.ALPHA})")
