"""The replay of a submission, in both depths, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import Submission
from embodibench.submissions.rules import found
from embodibench.verify.result import Report, verify
from embodibench.verify.verdicts import Verdict

REFERENCE = ("Linux", "x86_64")
"""Where fingerprints must be the same to the bit."""


def replay(submission: Submission, jobs: int | None, watch: Callable[[Verdict], None] | None) -> Report:
    """Replay every episode. Raises MissingExtraError when its worlds are not installed here."""
    return verify(submission.result, submission.transcript, jobs=jobs, watch=watch)


def replay_findings(submission: Submission, report: Report) -> Iterator[Finding]:
    """What the verdicts refuse, one finding a rule, with the first episode and how many there are."""
    where = submission.result.environment
    elsewhere = (where.os, where.machine) != REFERENCE
    by_rule: dict[str, list[Verdict]] = {}
    for verdict in report.verdicts:
        for rule in _rules(verdict, elsewhere):
            by_rule.setdefault(rule, []).append(verdict)
    for rule, verdicts in by_rule.items():
        first = verdicts[0]
        what = first.tokens if rule == "token-counts" else first.what
        step = "" if first.step is None or rule == "token-counts" else f" at step {first.step}"
        more = f" (and {len(verdicts) - 1} more episodes)" if len(verdicts) > 1 else ""
        yield found(rule, f"{first.task} trial {first.trial}: {_word(rule, first)}{step}: {what}{more}")
    # What the checks before have not named must not pass either.
    for problem in report.problems:
        yield found("result-schema", problem)


def _word(rule: str, verdict: Verdict) -> str:
    if rule == "token-counts":
        return "tokens"
    return verdict.protocol if rule == "replay-protocol" else verdict.world


def _rules(verdict: Verdict, elsewhere: bool) -> Iterator[str]:
    words = {verdict.world, verdict.protocol}
    if verdict.tokens:
        yield "token-counts"
    if elsewhere and words <= {"identical", "equal"}:
        if "equal" in words:
            yield "replay-fingerprint"
    elif verdict.world != "identical":
        yield "replay-world"
    elif verdict.protocol != "identical":
        yield "replay-protocol"
