"""From checks and reruns to verdict files. Only maintainers' CI writes them into ``leaderboard/verdicts/``."""

from __future__ import annotations

from pathlib import Path

import embodibench
from embodibench.errors import UsageError
from embodibench.results.provenance import git_state
from embodibench.submissions import verdict_files
from embodibench.submissions.check import Checked
from embodibench.submissions.folder import Submission
from embodibench.submissions.rerun import ENOUGH, Draw, Rerun
from embodibench.submissions.shown import shown
from embodibench.submissions.verdict_files import (
    EpisodeVerdict,
    FindingRecord,
    VerdictFile,
    read_verdict,
    write_verdict,
)


def verdict_of(checked: Checked, date: str, before: VerdictFile | None = None) -> VerdictFile:
    """The verdict on a checked submission.

    Args:
        date: day of the check, UTC.
        before: the verdict that stands so far: a retired row stays retired, and a rerun stays on record.

    Raises:
        UsageError: the submission's result could not be read, so there is nothing to name the verdict by.
    """
    submission = checked.submission
    if submission is None:
        raise UsageError(f"{checked.name}: cannot be read, so it has no verdict file; see: embodibench check")
    retired = before.retired if before is not None else ""
    rerun = before.rerun if before is not None else None
    trust: verdict_files.Trust = "self-reported"
    if checked.accepted:
        trust = "re-run" if rerun is not None and rerun.agrees else "replayed"
    verdicts = checked.report.verdicts if checked.report is not None else ()
    return VerdictFile(
        result=submission.result_sha256,
        submission=checked.name,
        accepted=checked.accepted and not retired,
        retired=retired,
        trust=trust,
        date=date,
        package_version=embodibench.__version__,
        git_commit=git_state()[0],
        findings=tuple(
            FindingRecord(rule=one.rule, gravity=one.gravity, message=one.message) for one in checked.findings
        ),
        episodes=tuple(
            EpisodeVerdict(
                task=shown(one.task, 150),
                trial=one.trial,
                world=one.world,
                protocol=one.protocol,
                step=one.step,
                what=shown(one.what, 400),
            )
            for one in verdicts
        ),
        rerun=rerun,
    )


def standing(folder: Path, result_sha256: str) -> VerdictFile | None:
    """The verdict on a result that stands in ``folder``, or None. Raises ResultError when it cannot be read."""
    path = folder / f"{result_sha256}.json"
    return read_verdict(path) if path.exists() else None


def retire(folder: Path, name: str, because: str) -> Path:
    """Take a row off the board: the verdict stays, with the reason.

    Args:
        name: the SHA-256 of its result, or the first 8 digits or more.

    Raises:
        UsageError: no verdict, or more than one, begins so; or no reason is given.
    """
    reason = " ".join(because.split())
    if not reason or not reason.isprintable() or len(reason) > 500:
        raise UsageError("--because: say why in one sentence; readers of the board will see it")
    if len(name) < 8 or not all(char in "0123456789abcdef" for char in name):
        raise UsageError("--retire takes the SHA-256 of a result, or the first 8 digits or more")
    found = sorted(folder.glob(f"{name}*.json"))
    if len(found) != 1:
        raise UsageError(f"{folder}: {len(found)} verdicts begin with {name}")
    verdict = read_verdict(found[0])
    return write_verdict(folder, verdict.model_copy(update={"accepted": False, "retired": reason}))


def verdict_for_rerun(folder: Path, submission: Submission, draw: Draw) -> VerdictFile:
    """The verdict that a rerun may raise.

    Raises:
        UsageError: there is none, it does not stand at ``replayed``, or the draw is not one that a verdict may rest on.
    """
    verdict = standing(folder, submission.result_sha256)
    if verdict is None or not verdict.accepted or verdict.trust == "self-reported":
        raise UsageError(
            f"{submission.label}: only an accepted submission whose verdict stands at 'replayed' can become 're-run'"
        )
    if not draw.seed:
        raise UsageError("a verdict needs --seed: something that did not exist when the submission was made")
    if not draw.enough:
        raise UsageError(
            f"a verdict needs --sample {min(ENOUGH, draw.planned)} or more; fewer trials would show little"
        )
    return verdict


def add_rerun(folder: Path, before: VerdictFile, rerun: Rerun, date: str) -> VerdictFile:
    """Write what a rerun found into the verdict; trust becomes ``re-run``, or ``replayed`` where it does not agree."""
    record = verdict_files.Rerun(
        date=date,
        trials=rerun.agreement.trials,
        statistic=rerun.agreement.statistic,
        p_value=rerun.agreement.p_value,
        agrees=rerun.agreement.agrees,
        seed=rerun.draw.seed,
    )
    trust: verdict_files.Trust = "re-run" if record.agrees else "replayed"
    verdict = before.model_copy(update={"rerun": record, "trust": trust})
    write_verdict(folder, verdict)
    return verdict
