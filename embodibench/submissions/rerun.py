"""Asking the model of a submission again, on trials that its submitter could not choose.

The third level of trust. Which trials are played again follows from the SHA-256 of the result and a seed. Without a
seed a submitter could try out changes that carry no meaning (a run's id, a time) until the draw spares what was
tampered with; so a verdict needs a seed that did not exist when the submission was made, such as the hash of the
commit that merged it, which nobody could choose and everybody can look up.

Nothing in a submission is opened or connected to: a server's address comes from the maintainer, never from the result.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from embodibench.canonical import Json
from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.errors import ResultError, UsageError
from embodibench.models.table import model_table
from embodibench.results.plan import Unit, plan
from embodibench.results.schema import Episode, ModelSection, Result, RunLimits
from embodibench.runs.directory import Request
from embodibench.runs.players import make_agent, parameters_of
from embodibench.scoring import agreement, baselines
from embodibench.scoring.agreement import Agreement
from embodibench.scoring.compare_results import HUMAN_TABLE
from embodibench.scoring.crafter import ACHIEVEMENTS
from embodibench.scoring.human_normalised import normalise
from embodibench.submissions.folder import Submission
from embodibench.submissions.shown import shown

Key: TypeAlias = tuple[str, int]

ENOUGH = 40
"""Trials that a verdict needs, or all of a suite that has fewer; ``docs/trust.md`` says what fewer would miss."""

_SEED = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_API = ("openai", "anthropic", "google")


@dataclass(frozen=True)
class Draw:
    """What is played again.

    Attributes:
        seed: what was mixed with the result's hash; "" for nothing.
        units: the drawn trials, in the order of the plan.
        planned: trials of the whole suite.
    """

    seed: str
    units: tuple[Unit, ...]
    planned: int

    @property
    def keys(self) -> tuple[Key, ...]:
        return tuple(unit.key for unit in self.units)

    @property
    def enough(self) -> bool:
        """Whether a verdict may rest on it."""
        return bool(self.seed) and len(self.units) >= min(ENOUGH, self.planned)


@dataclass(frozen=True)
class Rerun:
    """What asking again has found.

    Attributes:
        measure: what was compared in each trial, in words.
        agreement: the test.
        same: trials that came out the same to the last action and reply.
        notes: sentences for the reader.
    """

    submission: str
    result_sha256: str
    draw: Draw
    measure: str
    agreement: Agreement
    same: int
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        test = self.agreement
        return {
            "submission": self.submission,
            "result": self.result_sha256,
            "seed": self.draw.seed,
            "trials": [[task, trial] for task, trial in self.draw.keys],
            "planned": self.draw.planned,
            "measure": self.measure,
            "statistic": test.statistic,
            "submission_higher": test.first_higher,
            "rerun_higher": test.second_higher,
            "p_value": test.p_value,
            "mid_p": test.mid_p,
            "alpha": agreement.ALPHA,
            "agrees": test.agrees,
            "came_out_the_same": self.same,
            "notes": list(self.notes),
        }


def whole_suite(submission: Submission) -> Suite:
    """The suite of a submission that this package can play again.

    Raises:
        UsageError: this package does not hold that version of the suite.
        ResultError: the submission is not a whole run of it.
    """
    result = submission.result
    suite = suites.load(result.benchmark.suite)
    if result.benchmark.digest != suite.digest:
        raise UsageError(
            f"{submission.label}: made with another content of {suite.label}; rerun it with embodibench "
            f"{shown(result.benchmark.package_version, 40)}"
        )
    planned = [unit.key for unit in plan(suite, RunLimits())]
    if [(episode.task, episode.trial) for episode in result.episodes] != planned:
        raise ResultError(
            f"{submission.label}: does not hold the planned trials of {suite.label}; see: embodibench check"
        )
    if any(episode.status != "ok" for episode in result.episodes):
        raise ResultError(f"{submission.label}: not every trial came to its end; see: embodibench check")
    return suite


def draw(submission: Submission, suite: Suite, sample: int, seed: str = "") -> Draw:
    """``sample`` of the suite's trials, all equally likely, without repetition.

    The trials get the first raw 64-bit words of PCG64, seeded by the SHA-256 of the result's SHA-256 and the seed, and
    those with the smallest are taken; raw words, unlike NumPy's distributions, are the same in every version.

    Raises:
        UsageError: the suite has fewer trials, or the seed is not a plain word.
    """
    units = plan(suite, RunLimits())
    if not 1 <= sample <= len(units):
        raise UsageError(f"--sample {sample}: {suite.label} has {len(units)} trials; give 1 to {len(units)}")
    if seed and not _SEED.fullmatch(seed):
        raise UsageError("--seed takes up to 100 letters, digits and .:_-")
    text = f"embodibench-rerun/1\n{submission.result_sha256}\n{seed}"
    words = np.random.PCG64(int(hashlib.sha256(text.encode()).hexdigest(), 16)).random_raw(len(units))
    chosen = sorted(np.argsort(words, kind="stable")[:sample].tolist())
    return Draw(seed, tuple(units[index] for index in chosen), len(units))


def request_of(submission: Submission, suite: Suite, drawn: Draw, base_url: str | None) -> Request:
    """What to ask for, so that the drawn trials are played as the submission says it played them.

    Raises:
        UsageError: the model cannot be asked again, or agent or parameters are not those of this package.
    """
    result = submission.result
    if result.model is None:
        raise UsageError(f"{submission.label}: a policy asks no model")
    request = Request(
        suite=suite.label,
        model=_model_name(submission.label, result.model, base_url),
        base_url=base_url,
        agent=result.agent.name,
        options=result.agent.options,
        limits=RunLimits(tasks=tuple(dict.fromkeys(task for task, _ in drawn.keys))),
    )
    _refuse_other_protocol(submission, suite, request)
    return request


def _model_name(label: str, model: ModelSection, base_url: str | None) -> str:
    if model.provider in _API:
        if model.base_url is not None and base_url is None:
            raise UsageError(
                f"{label}: its model was served at {shown(model.base_url, 100)}, an address that only its submitter "
                "vouches for; serve the model and give --base-url"
            )
        return f"{model.provider}/{model.checkpoint}"
    if model.provider == "local":
        # By its name in the model table alone: any other name is a path, and no path of a submission is opened.
        row = model_table().find(model.requested, "local")
        if row is None or base_url is not None:
            raise UsageError(f"{label}: only local models of the model table can be asked again, without --base-url")
        _refuse_other_weights(label, row.name, model.checkpoint)
        return f"local/{row.name}"
    raise UsageError(f"{label}: its replies come from a {shown(model.provider, 20)}; there is no model to ask again")


def _refuse_other_weights(label: str, name: str, checkpoint: str) -> None:
    from embodibench.models.local import local_identity

    here = local_identity(name, name).checkpoint
    if here != checkpoint:
        raise UsageError(f"{label}: was played by {shown(checkpoint, 100)}, {name} is here {here}")


def _refuse_other_protocol(submission: Submission, suite: Suite, request: Request) -> None:
    result = submission.result
    now: dict[str, Any] = make_agent(request, suite).identity.to_json()
    for name, value in result.agent.model_dump(mode="json").items():
        if now[name] != value:
            raise UsageError(
                f"{submission.label}: its agent's {name} is not the one of this package; see: embodibench check"
            )
    assert result.model is not None
    if result.model.asked != parameters_of(suite).to_json():
        raise UsageError(
            f"{submission.label}: its parameters are not those of the suite's protocol; see: embodibench check"
        )


def compare(submission: Submission, suite: Suite, drawn: Draw, again: Result) -> Rerun:
    """Test whether the submission and the rerun agree on the drawn trials.

    Raises:
        UsageError: a drawn trial has not come to its end in the rerun, so that there is nothing to compare.
    """
    pairs = _pairs(submission.result, again, drawn.keys)
    broken = [second for _, second in pairs if second.status != "ok"]
    if broken:
        first = broken[0]
        raise UsageError(
            f"{len(broken)} of {len(pairs)} drawn trials did not come to their end ({first.task} trial {first.trial}: "
            f"{first.status}, {first.end}); nothing was compared"
        )
    measure = MEASURES[suite.card.scoring]
    values = [[_value(suite, episode) for episode in side] for side in zip(*pairs, strict=True)]
    if all(isinstance(value, bool) for side in values for value in side):
        test = agreement.compare_passes(*([bool(value) for value in side] for side in values))
    else:
        # Signs are drawn only where too many sums would have to be enumerated; the draw is that of the trials.
        rng = np.random.Generator(np.random.PCG64(int(submission.result_sha256, 16)))
        test = agreement.compare_values(values[0], values[1], rng)
    same = sum(is_same(one, two) for one, two in pairs)
    notes = tuple(_notes(submission.result, again))
    return Rerun(submission.label, submission.result_sha256, drawn, measure, test, same, notes)


def compare_policy(submission: Submission, drawn: Draw, jobs: int | None = None) -> Rerun:
    """For a policy the protocol replay is the rerun: it is played again, and must act alike in every drawn trial."""
    from embodibench.verify.result import verify

    wanted = set(drawn.keys)
    report = verify(submission.result, None, jobs=jobs)
    verdicts = [verdict for verdict in report.verdicts if (verdict.task, verdict.trial) in wanted]
    same = sum(verdict.protocol == "identical" for verdict in verdicts)
    differing = len(verdicts) - same
    test = Agreement("policy-replay", float(differing == 0), float(differing == 0), 0, differing, len(verdicts))
    note = "a policy is a program: the protocol replay plays it again, and no test is needed"
    return Rerun(submission.label, submission.result_sha256, drawn, "the whole play", test, same, (note,))


MEASURES: Mapping[str, str] = {
    "pass_rate": "passed or not",
    "socialai": "passed or not",
    "crafter": "achievements unlocked",
    "atari": "human-normalised score",
}
"""What is compared in each trial, by the suite's scoring rule."""


def _value(suite: Suite, episode: Episode) -> bool | float:
    """What is compared in a trial.

    Raises:
        ResultError: the episode lacks it.
    """
    rule = suite.card.scoring
    if rule in ("pass_rate", "socialai"):
        return bool(episode.success)
    if rule == "crafter":
        counts = episode.measures.get("achievements")
        if not isinstance(counts, dict):
            raise ResultError(f"episode {episode.task} {episode.trial}: has no achievements")
        return float(sum(bool(counts.get(name)) for name in ACHIEVEMENTS))
    score = episode.measures.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ResultError(f"episode {episode.task} {episode.trial}: has no score")
    game = suite.task(episode.task).group or episode.task
    return float(normalise([score], *baselines.human_table(HUMAN_TABLE)[game])[0])


def is_same(one: Episode, two: Episode) -> bool:
    """Whether two episodes are one play: every reply, action and reward, and the end."""
    return (one.calls.replies, one.actions, one.rewards, one.final, one.end) == (
        two.calls.replies,
        two.actions,
        two.rewards,
        two.final,
        two.end,
    )


def _pairs(first: Result, second: Result, keys: Sequence[Key]) -> list[tuple[Episode, Episode]]:
    one, two = ({(episode.task, episode.trial): episode for episode in each.episodes} for each in (first, second))
    return [(one[key], two[key]) for key in keys]


def _notes(first: Result, second: Result) -> list[str]:
    one, two = first.model, second.model
    assert one is not None and two is not None
    notes = []
    for what, before, now in (
        ("model ids returned", one.returned, two.returned),
        ("backend marks", one.system_fingerprints, two.system_fingerprints),
        ("parameters sent", one.sent, two.sent),
        ("transport", (one.sdk,), (two.sdk,)),
    ):
        if before != now:
            notes.append(f"{what}: then {shown(str(list(before)), 150)}, now {shown(str(list(now)), 150)}")
    if any(sent.get("temperature") == 0 for sent in two.sent):
        notes.append("temperature 0 was sent: the more trials come out the same, the less chance there is in the rest")
    return notes
