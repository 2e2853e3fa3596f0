"""What a leaderboard shows: a row for each accepted submission, and what stands, waits or was refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from embodibench.submissions.verdict_files import Trust

Kind: TypeAlias = Literal["overall", "passable", "other", "group", "task", "game", "achievement"]
"""What a score is about: all tasks, those that the protocol can pass, another figure over all episodes (Crafter score,
reward), a group of tasks (a level of aai40), a task, a game, an achievement of Crafter."""


@dataclass(frozen=True, slots=True)
class Score:
    """One figure.

    Attributes:
        kind: what it is about.
        name: ``pass_rate``, ``progress``, ``score``, ``reward``, ``iqm``; or that of the group, task, game or
            achievement.
        value: in ``unit``; None where there is none, and ``reason`` says why.
        unit: ``fraction``, ``percent``, ``points`` or ``reward``.
        n: trials or episodes behind it.
        low, high: its interval, in ``unit``; None where ``reason`` says why there is none.
        reason: why there is no interval, or no value; "" where there are both.
        method: how the interval was computed.
        passed, planned: trials, where it is a rate of trials; for an achievement, episodes that unlocked it.
        normalised: human-normalised mean of a game, a fraction.
        runs: scores of the single runs of a game, in points.
    """

    kind: Kind
    name: str
    value: float | None
    unit: str
    n: int
    low: float | None = None
    high: float | None = None
    reason: str = ""
    method: str = ""
    passed: int | None = None
    planned: int | None = None
    normalised: float | None = None
    runs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """An accepted submission. Texts of the submitter are shown as what they are: statements of a stranger.

    Attributes:
        id: the first 12 digits of the SHA-256 of its result; names its page.
        submission: ``<suite>@<N>/<folder>``, its place below ``submissions/``.
        result_sha256: of the bytes of its ``result.json``.
        suite: ``<suite>@<N>``; rows of other labels are never ranked together.
        interface, digest: letter and content digest of the benchmark version it was played on.
        rule: scoring rule: ``pass_rate``, ``socialai``, ``crafter`` or ``atari``.
        player: checkpoint of the model, or ``policy/NAME``.
        policy: whether a policy played, without a language model.
        provider, requested: of the model, "" for a policy.
        returned: model ids that the API returned.
        pinned: whether the checkpoint is known to stand for fixed weights; None for a policy, which always does.
        agent, agent_version: scaffold; for a policy its name.
        privileged: whether the player sees more than a model would.
        trust: ``self-reported``, ``replayed`` or ``re-run``, from the verdict alone.
        verdict_date: day of the verdict.
        replayed: word of the verdict -> episodes.
        rerun: what asking the model again found, as a sentence, or "".
        date: day of submission.
        submitter, description, attempts, trained_on_suite, model_repository, report: the submitter's statements.
        primary: name of the primary score, or "tasks" where the suite has a figure a task and none over them.
        scores: every figure, ``overall`` first.
        episodes, ok: planned episodes, and those that ended by the rules.
        statuses: status -> episodes.
        steps, calls: of all episodes.
        outcomes: what parsers made of the replies -> how many.
        invalid_share: share of the replies whose outcome is another than ``ok``; None without replies.
        input_tokens, cached_tokens, output_tokens: None when a part is unknown.
        cost: US dollars, None when unknown.
        started, finished: of the run, as its result says.
        package_version, git_commit: of the code that played.
        transcript: whether there is one beside the result.
        units: what is paired with another row, a list for each paired comparison of its suite (``figures.units``); none
            where this package has no cards of its version.
    """

    id: str
    submission: str
    result_sha256: str
    suite: str
    interface: str
    digest: str
    rule: str
    player: str
    policy: bool
    provider: str
    requested: str
    returned: tuple[str, ...]
    pinned: bool | None
    agent: str
    agent_version: int
    privileged: bool
    trust: Trust
    verdict_date: str
    replayed: dict[str, int]
    rerun: str
    date: str
    submitter: str
    description: str
    attempts: int
    trained_on_suite: str
    model_repository: str
    report: str
    primary: str
    scores: tuple[Score, ...]
    episodes: int
    ok: int
    statuses: dict[str, int]
    steps: int
    calls: int
    outcomes: dict[str, int]
    invalid_share: float | None
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cost: float | None
    started: str
    finished: str
    package_version: str
    git_commit: str
    transcript: bool
    units: tuple[tuple[float, ...], ...] = ()

    @property
    def suite_name(self) -> str:
        """The suite without its version."""
        return self.suite.split("@", 1)[0]

    @property
    def primary_score(self) -> Score | None:
        """The figure that the suite is known by; None where it has none over all tasks (``socialai``)."""
        return next((score for score in self.scores if score.kind == "overall"), None)

    def of_kind(self, kind: Kind) -> tuple[Score, ...]:
        """The scores of one kind, in the order of the suite."""
        return tuple(score for score in self.scores if score.kind == kind)


@dataclass(frozen=True, slots=True)
class Absent:
    """A submission that is not on the board, and why. ``state``: ``waiting``, ``refused`` or ``retired``."""

    submission: str
    state: Literal["waiting", "refused", "retired"]
    reason: str


@dataclass(frozen=True)
class Rows:
    """All that a board is built from.

    Attributes:
        rows: sorted by suite, then primary score (best first), then submission.
        absent: submissions without a row, sorted.
        orphans: SHA-256 of verdicts whose submission is not there, sorted.
    """

    rows: tuple[Row, ...]
    absent: tuple[Absent, ...]
    orphans: tuple[str, ...] = ()

    @property
    def suites(self) -> tuple[str, ...]:
        """Labels of the suites that have rows, sorted."""
        return tuple(dict.fromkeys(row.suite for row in self.rows))

    def of_suite(self, label: str) -> tuple[Row, ...]:
        """The rows of one benchmark version."""
        return tuple(row for row in self.rows if row.suite == label)


def read_rows(
    submissions: Path,
    verdicts: Path,
    *,
    jobs: int = 2,
) -> Rows:
    """Read a tree of submissions beside their verdicts.

    Args:
        submissions: tree ``<suite>@<N>/<folder>``.
        verdicts: folder of ``<sha256 of result.json>.json``.
        jobs: processes.

    Raises:
        MissingExtraError: the extra ``board`` is not installed.
        UsageError: there is no such tree, or a verdict file cannot be read.
    """
    from embodibench.leaderboard.scan import Reading, scan

    return scan(submissions, Reading(verdicts), jobs=jobs)
