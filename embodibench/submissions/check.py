"""The check of a submission: from the kinds of its files to the replay of every episode.

Nothing in a submission is executed, no path named in it is opened, and a stage is only reached when nothing before it
refuses: sizes before contents, form before meaning, bounds before replay.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from embodibench.canonical import Json
from embodibench.cards.suites import Suite
from embodibench.submissions.costs import cost_findings
from embodibench.submissions.dates import date_findings
from embodibench.submissions.duplicates import duplicate_findings
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import NAME, Submission
from embodibench.submissions.form import Draft, read_draft
from embodibench.submissions.identity import (
    find_suite,
    folder_findings,
    player_findings,
    secret_findings,
    version_findings,
    word_findings,
)
from embodibench.submissions.replays import replay, replay_findings
from embodibench.submissions.rows import episode_findings, metric_findings, plan_findings
from embodibench.submissions.rules import RULES, found
from embodibench.submissions.shown import shown
from embodibench.submissions.texts import text_findings
from embodibench.submissions.transcripts import transcript_findings
from embodibench.verify.result import Report
from embodibench.verify.verdicts import Verdict

MOST = 5
"""Findings of one rule that are told."""


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        name: of the folder, made harmless.
        findings: in the order of the rules.
        submission: None where it could not be read.
        report: verdicts on the episodes; None where the check ended before the replay.
    """

    name: str
    findings: tuple[Finding, ...]
    submission: Submission | None = None
    report: Report | None = None

    @property
    def accepted(self) -> bool:
        """Whether nothing refuses the submission."""
        return not any(finding.gravity == "refuse" for finding in self.findings)

    def to_json(self) -> dict[str, Json]:
        findings: list[Json] = [dict[str, Json](finding.to_json()) for finding in self.findings]
        return {
            "submission": self.name,
            "result": self.submission.result_sha256 if self.submission is not None else None,
            "verdict": "accepted" if self.accepted else "refused",
            "findings": findings,
            "episodes": dict[str, Json](self.report.counts()) if self.report is not None else None,
        }


def check_submission(
    path: Path,
    *,
    against: Path | None = None,
    before: str | None = None,
    place: tuple[str, str] | None = None,
    now: datetime.datetime | None = None,
    jobs: int | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> Checked:
    """Check the submission in the folder ``path``.

    Args:
        path: the folder.
        against: a tree ``<suite>@<N>/<folder>`` of other submissions to compare with.
        before: compare only with folders whose names sort before this.
        place: suite and name that the folder will have, when it does not lie there yet.
        now: the time of the check, aware; the clock's by default.
        jobs: processes of the replay; one per core by default.
        watch: is called with the verdict on each episode.

    Raises:
        MissingExtraError: the suite's worlds are not installed here, so nothing can be replayed.
    """
    draft = read_draft(path)
    absolute = path.absolute()
    name = f"{shown(absolute.parent.name, 70)}/{shown(absolute.name, 130)}"
    submission = draft.submission()
    if draft.refused or submission is None:
        return Checked(name, _sorted(draft.findings))
    suite = find_suite(submission.result)
    if not isinstance(suite, Suite):
        return Checked(name, _sorted([*draft.findings, suite]), submission)
    at = now or datetime.datetime.now(UTC)
    stages: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: _meaning(suite, draft, submission, place or (absolute.parent.name, absolute.name), at),
        lambda: _figures(suite, submission),
        lambda: transcript_findings(submission),
        lambda: _beside(submission, against, before),
    )
    for stage in stages:
        draft.findings += stage()
        if draft.refused:
            return Checked(name, _sorted(draft.findings), submission)
    report = replay(submission, jobs, watch)
    draft.findings += replay_findings(submission, report)
    return Checked(name, _sorted(draft.findings), submission, report)


def submissions_in(path: Path) -> tuple[Path, ...]:
    """The submission folders of a path: itself, those of one suite, or those of a whole tree, sorted.

    Only names are looked at; links are not followed.
    """
    if NAME.fullmatch(path.absolute().name) or not path.is_dir() or (path / "result.json").exists():
        return (path,)
    folders = sorted(entry for entry in path.iterdir() if entry.is_dir() and not entry.is_symlink())
    own = [folder for folder in folders if NAME.fullmatch(folder.name)]
    inner = [
        folder
        for suite in folders
        if suite not in own and "@" in suite.name
        for folder in sorted(suite.iterdir())
        if folder.is_dir() or folder.is_symlink()
    ]
    return tuple(own + inner)


def _meaning(
    suite: Suite, draft: Draft, submission: Submission, place: tuple[str, str], now: datetime.datetime
) -> Iterator[Finding]:
    """What texts, identity, plan and dates say."""
    result, metadata = submission.result, submission.metadata
    yield from text_findings(metadata)
    yield from word_findings(result)
    yield from secret_findings("result.json", draft.result_data.decode("utf-8"))
    yield from secret_findings("metadata.yaml", "\n".join(str(value) for _, value in metadata))
    yield from folder_findings(submission, draft.readme, *place)
    yield from version_findings(suite, result)
    yield from player_findings(suite, result)
    yield from plan_findings(suite, result)
    yield from date_findings(suite, result, metadata, now)


def _figures(suite: Suite, submission: Submission) -> Iterator[Finding]:
    """Rows, costs and metrics; the rows are those of the plan by now."""
    findings = list(episode_findings(suite, submission.result))
    yield from findings
    if not any(finding.rule in ("episode-lengths", "episode-values") for finding in findings):
        yield from cost_findings(submission.result)
        yield from metric_findings(suite, submission.result)


def _beside(submission: Submission, against: Path | None, before: str | None) -> Iterator[Finding]:
    if against is not None:
        yield from duplicate_findings(submission, against, before)


def _sorted(findings: list[Finding]) -> tuple[Finding, ...]:
    """Each finding once, in the order of the rules, and of one rule no more than anybody reads."""
    kept: list[Finding] = []
    for rule in RULES:
        own = list(dict.fromkeys(finding for finding in findings if finding.rule == rule))
        kept += own[:MOST]
        if len(own) > MOST:
            kept.append(found(rule, f"and {len(own) - MOST} more of this rule"))
    return tuple(kept)
