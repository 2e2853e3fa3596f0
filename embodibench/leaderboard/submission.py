"""From a submission's folder to its row, or to the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.errors import CardError, ResultError, UsageError
from embodibench.leaderboard.figures import current_metrics, old_metrics, scores, units
from embodibench.leaderboard.records import Record, Rerun, Verdict, decode, vouched
from embodibench.leaderboard.rows import Absent, Row
from embodibench.leaderboard.statements import read_statements
from embodibench.models.table import is_pinned
from embodibench.results.files import read_bounded
from embodibench.submissions.folder import LIMITS, NAME, refuse_strange_files
from embodibench.submissions.metadata import Metadata
from embodibench.submissions.shown import shown
from embodibench.submissions.texts import text_findings


@dataclass(frozen=True)
class Candidate:
    """A submission whose result an accepted verdict vouches for.

    Attributes:
        folder: where it lies.
        label: ``<suite>@<N>/<folder>``.
        sha256: of its result.
        data: bytes of its result.
        verdict: on these bytes.
        verdict_data: bytes of the verdict.
        metadata: bytes of its statements, which no verdict vouches for.
        transcript: whether there is one beside the result.
    """

    folder: Path
    label: str
    sha256: str
    data: bytes
    verdict: Verdict
    verdict_data: bytes
    metadata: bytes
    transcript: bool


@dataclass(frozen=True)
class Standing:
    """What a page shows of a submission on the board: its row and all episodes.

    Attributes:
        suite: cards of its version; None where this package has others.
    """

    row: Row
    record: Record
    verdict: Verdict
    suite: Suite | None


class _RefusedError(UsageError):
    """Something that was not so when the verdict was written, or that no verdict covers."""


def look(folder: Path, verdicts: Path) -> tuple[str, Candidate | Absent]:
    """The SHA-256 of the result ("" where it cannot be read), and the submission or the reason why it has no row.

    Raises:
        VerdictError: a verdict file cannot be read.
    """
    try:
        if not NAME.fullmatch(folder.name):
            raise _RefusedError("its name is not that of a submission")
        refuse_strange_files(folder)
        sha256, found = vouched(folder / "result.json", verdicts)
    except (ResultError, _RefusedError) as error:
        return "", _absent(folder, "refused", _said(error, folder))
    if found is None:
        return sha256, _absent(folder, "waiting", "no verdict yet")
    verdict, label = found.verdict, f"{folder.parent.name}/{folder.name}"
    if verdict.submission != label:
        reason = f"its verdict is on {shown(verdict.submission, 200)}, which holds the same result"
        return sha256, _absent(folder, "refused", reason)
    if verdict.retired:
        return sha256, _absent(folder, "retired", shown(verdict.retired, 300))
    if not verdict.accepted:
        return sha256, _absent(folder, "refused", "refused by its verdict")
    try:
        metadata = read_bounded(folder / "metadata.yaml", LIMITS["metadata.yaml"], "metadata")
    except ResultError as error:
        return sha256, _absent(folder, "refused", _said(error, folder))
    transcript = (folder / "transcript.jsonl.zst").is_file()
    return sha256, Candidate(folder, label, sha256, found.data, verdict, found.verdict_data, metadata, transcript)


def stand(candidate: Candidate) -> Standing | Absent:
    """Read the result and the statements; every figure is computed from the episodes."""
    try:
        record = decode(candidate.data, Record, "result.json")
        if record.benchmark.suite != candidate.folder.parent.name:
            raise _RefusedError(f"it was played on {shown(record.benchmark.suite, 60)}")
        _refuse_other_episodes(record, candidate.verdict)
        metadata = _metadata(candidate)
        suite = _suite(record.benchmark.suite)
        metrics = current_metrics(suite, record.episodes) if suite is not None else old_metrics(record)
        row = _row(candidate, record, metadata, metrics, units(suite, record.episodes) if suite is not None else ())
    except (ResultError, CardError, _RefusedError) as error:
        return _absent(candidate.folder, "refused", _said(error, candidate.folder))
    return Standing(row, record, candidate.verdict, suite)


def _absent(folder: Path, state: Literal["waiting", "refused", "retired"], reason: str) -> Absent:
    return Absent(f"{shown(folder.parent.name, 70)}/{shown(folder.name, 130)}", state, reason)


def _said(error: Exception, folder: Path) -> str:
    return shown(str(error).replace(f"{folder}/", ""), 300)


def _refuse_other_episodes(record: Record, verdict: Verdict) -> None:
    """Every episode of a row that was replayed has its verdict, and no other has."""
    if verdict.trust != "self-reported" and {(one.task, one.trial) for one in record.episodes} != {
        (one.task, one.trial) for one in verdict.episodes
    }:
        raise _RefusedError("its verdict is on other episodes")


def _metadata(candidate: Candidate) -> Metadata:
    """The submitter's statements: no verdict vouches for them, so they are checked again."""
    metadata = read_statements(candidate.metadata, "metadata.yaml")
    if metadata.result != candidate.sha256:
        raise _RefusedError(f"metadata.yaml names the result {metadata.result[:12]}, it is {candidate.sha256[:12]}")
    for finding in text_findings(metadata):
        if finding.gravity == "refuse":
            raise _RefusedError(f"{finding.rule}: {finding.message}")
    return metadata


def _suite(label: str) -> Suite | None:
    """The suite of this version; None where this package has another version of it, or none."""
    try:
        return suites.load(label)
    except CardError:
        raise
    except UsageError:
        return None


def _row(
    candidate: Candidate,
    record: Record,
    metadata: Metadata,
    metrics: dict[str, Any],
    paired: tuple[tuple[float, ...], ...],
) -> Row:
    verdict, model, agent, usage = candidate.verdict, record.model, record.agent, metrics["usage"]
    statuses = {word: count for word, count in metrics["episodes"].items() if word != "planned"}
    outcomes: dict[str, int] = usage["outcomes"]
    replies = sum(outcomes.values())
    return Row(
        id=candidate.sha256[:12],
        submission=candidate.label,
        result_sha256=candidate.sha256,
        suite=record.benchmark.suite,
        interface=record.benchmark.interface,
        digest=record.benchmark.digest,
        rule=metrics["rule"],
        player=model.checkpoint if model is not None else agent.name,
        policy=model is None,
        provider=model.provider if model is not None else "",
        requested=model.requested if model is not None else "",
        returned=model.returned if model is not None else (),
        pinned=is_pinned(model.provider, model.checkpoint) if model is not None else None,
        agent=agent.name,
        agent_version=agent.version,
        privileged=agent.privileged,
        trust=verdict.trust,
        verdict_date=verdict.date,
        replayed=_replayed(verdict),
        rerun=_rerun(verdict.rerun),
        date=metadata.date,
        submitter=metadata.submitter,
        description=metadata.description,
        attempts=metadata.attempts,
        trained_on_suite=metadata.trained_on_suite,
        model_repository=metadata.model_repository or "",
        report=metadata.report or "",
        primary=metrics["primary"],
        scores=scores(metrics, record.episodes),
        episodes=len(record.episodes),
        ok=statuses["ok"],
        statuses=statuses,
        steps=usage["steps"],
        calls=usage["calls"],
        outcomes=outcomes,
        invalid_share=1 - outcomes.get("ok", 0) / replies if replies else None,
        input_tokens=usage["input_tokens"],
        cached_tokens=usage["cached_tokens"],
        output_tokens=usage["output_tokens"],
        cost=usage["cost"],
        started=record.run.created,
        finished=record.run.finished,
        package_version=record.benchmark.package_version,
        git_commit=record.benchmark.git_commit or "",
        transcript=candidate.transcript,
        units=paired,
    )


def _replayed(verdict: Verdict) -> dict[str, int]:
    """Word -> episodes, of the worse of the two depths, as ``verify.result.Report.counts`` counts them."""
    counts: dict[str, int] = {}
    for one in verdict.episodes:
        word = one.world if one.protocol in ("identical", one.world) else one.protocol
        counts[word] = counts.get(word, 0) + 1
    return dict(sorted(counts.items()))


def _rerun(rerun: Rerun | None) -> str:
    if rerun is None:
        return ""
    word = "agrees" if rerun.agrees else "does not agree"
    drawn = f", drawn with seed {rerun.seed[:12]}" if rerun.seed else ""
    test = f"{rerun.statistic}, p = {rerun.p_value:.3g}"
    return f"{rerun.trials} trials played again on {rerun.date}{drawn}: {word} ({test})"
