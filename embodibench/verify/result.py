"""Verification of a whole result: identity, completeness, metrics, and every episode in both depths."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from embodibench import agents, envs
from embodibench.agents.base import Agent
from embodibench.canonical import Json
from embodibench.cards import suites
from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.errors import ResultError
from embodibench.processes import processes
from embodibench.results.consistency import inconsistencies
from embodibench.results.files import TranscriptLine, read_transcript
from embodibench.results.schema import AgentSection, Episode, Result
from embodibench.verify.protocol import replay_protocol
from embodibench.verify.verdicts import Verdict
from embodibench.verify.world import replay_world


@dataclass(frozen=True)
class Report:
    """What a verification found.

    Attributes:
        problems: what is wrong with the result as a whole, a sentence each.
        verdicts: one per episode, in the order of the result.
    """

    problems: tuple[str, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def accepted(self) -> bool:
        """Whether the result holds, as far as it goes."""
        return not self.problems and all(verdict.accepted for verdict in self.verdicts)

    def counts(self) -> dict[str, int]:
        """World verdict, or the protocol's where that is worse -> how many episodes."""
        counts: dict[str, int] = {}
        for verdict in self.verdicts:
            word = verdict.world if verdict.protocol in ("identical", verdict.world) else verdict.protocol
            counts[word] = counts.get(word, 0) + 1
        return dict(sorted(counts.items()))

    def to_json(self) -> dict[str, Json]:
        episodes: list[Json] = [verdict.to_json() for verdict in self.verdicts]
        return {
            "accepted": self.accepted,
            "problems": list(self.problems),
            "counts": dict[str, Json](self.counts()),
            "episodes": episodes,
        }


@dataclass(frozen=True)
class Job:
    """One episode to replay, as it is sent to a worker process, which loads no suite of its own.

    Attributes:
        suite: label of the suite.
        task: None if the suite has no task of the episode's name.
        every: steps between fingerprints, from the suite card.
    """

    suite: str
    task: TaskCard | None
    every: int
    episode: Episode
    agent: AgentSection
    lines: tuple[TranscriptLine, ...] | None
    max_steps: int | None


def verify(
    result: Result,
    transcript: Path | None,
    *,
    suite: Suite | None = None,
    jobs: int | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> Report:
    """Replay every episode of a result.

    Args:
        result: the result, schema checked.
        transcript: its transcript; needed when a model played.
        suite: what was played, where it is no suite of this package (see ``results.ad_hoc``). By default, and always
            where trust is given, the package's suite of the name that the result gives.
        jobs: processes; default one per core.
        watch: is called with each verdict as it comes.

    Raises:
        UsageError: this package does not hold the suite that the result names, or its worlds cannot be made here
            (MissingExtraError: an extra is not installed).
        ResultError: the transcript is missing or malformed.
    """
    suite = suites.load(result.benchmark.suite) if suite is None else suite
    for environment in {task.environment.kind: task.environment for task in suite.tasks}.values():
        envs.check(environment.kind, environment.parameters)
    problems = tuple(_problems(result, suite))
    lines = _lines_by_episode(result, transcript)
    tasks = {task.id: task for task in suite.tasks}
    work = [
        Job(
            suite.label,
            tasks.get(episode.task),
            suite.card.protocol.fingerprint_every,
            episode,
            result.agent,
            None if lines is None else tuple(lines.get((episode.task, episode.trial), ())),
            result.run.limits.max_steps,
        )
        for episode in result.episodes
    ]
    verdicts = []
    for verdict in _run(work, jobs or os.cpu_count() or 1):
        verdicts.append(verdict)
        if watch is not None:
            watch(verdict)
    return Report(problems, tuple(verdicts))


def replay(job: Job) -> Verdict:
    """Both depths of one episode. A protocol replay that gives the identical record has replayed the world too."""
    task, episode, every = job.task, job.episode, job.every
    if task is None:
        return Verdict(episode.task, episode.trial, "refused", "refused", None, f"no task of {job.suite}")
    agent = _agent(job.agent, task.environment.kind)
    protocol = replay_protocol(task, episode, agent, job.lines, every=every, max_steps=job.max_steps)
    if protocol.verdict == "identical":
        return Verdict(episode.task, episode.trial, "identical", "identical", tokens=protocol.tokens)
    world = replay_world(task, episode, every)
    shown = world if world.what else protocol
    return Verdict(
        episode.task, episode.trial, world.verdict, protocol.verdict, shown.step, shown.what, protocol.tokens
    )


def _run(work: Sequence[Job], jobs: int) -> Iterator[Verdict]:
    if jobs == 1 or len(work) == 1:
        yield from map(replay, work)
        return
    with processes(min(jobs, len(work))) as submit:
        for future in [submit(replay, job) for job in work]:
            yield future.result()


def _agent(section: AgentSection, kind: str) -> Agent:
    if section.name.startswith("policy/"):
        return agents.make_policy(section.name.removeprefix("policy/"), kind)
    return agents.make(section.name, section.options)


def _problems(result: Result, suite: Suite) -> Iterator[str]:
    from embodibench.scoring.metrics import disagreement

    if result.benchmark.digest != suite.digest:
        yield (
            f"the result was made with another content of {suite.label} (digest {result.benchmark.digest[:12]}, "
            f"this package has {suite.digest[:12]}); verify it with embodibench {result.benchmark.package_version}"
        )
    kind = suite.tasks[0].environment.kind
    now = _agent(result.agent, kind).identity.to_json()
    for name, value in result.agent.model_dump(mode="json").items():
        if now[name] != value:
            yield f"agent {result.agent.name}: its {name} is not the one of this package"
    yield from inconsistencies(suite, result)
    difference = disagreement(suite, result)
    if difference:
        yield difference


def _lines_by_episode(result: Result, path: Path | None) -> dict[tuple[str, int], list[TranscriptLine]] | None:
    if result.model is None:
        return None
    if result.transcript is None or path is None:
        raise ResultError("the result names no transcript, so its protocol cannot be replayed")
    lines: dict[tuple[str, int], list[TranscriptLine]] = {}
    played = {(episode.task, episode.trial) for episode in result.episodes}
    for line in read_transcript(path, result.transcript):
        if (line.task, line.trial) not in played:
            raise ResultError(f"{path}: has a reply of {line.task} trial {line.trial}, which the result does not hold")
        lines.setdefault((line.task, line.trial), []).append(line)
    return lines
