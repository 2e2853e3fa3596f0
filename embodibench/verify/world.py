"""World replay: the recorded actions in the world must give the recorded rewards, fingerprints and end."""

from __future__ import annotations

from dataclasses import dataclass

from embodibench import envs
from embodibench.agents.trace import Trace, plain
from embodibench.cards.schema import TaskCard
from embodibench.envs.base import Step
from embodibench.results import runlength
from embodibench.results.consistency import is_empty
from embodibench.results.records import succeeded
from embodibench.results.schema import MAX_STEPS, Episode
from embodibench.verify.verdicts import Word


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict of one depth, and the first difference. ``tokens``: see ``verdicts.Verdict``."""

    verdict: Word
    step: int | None = None
    what: str = ""
    tokens: str = ""


def replay_world(task: TaskCard, episode: Episode, every: int) -> Finding:
    """Replay an episode's actions.

    Args:
        task: the card of the episode's task.
        episode: the record.
        every: steps between fingerprints, from the suite card.
    """
    refusal = unplayable(task, episode, every)
    if refusal:
        return Finding("refused", None, refusal)
    if episode.end == "not_started":
        return Finding("incomplete")
    actions = runlength.decode(episode.actions, MAX_STEPS)
    rewards = runlength.decode(episode.rewards, MAX_STEPS)
    overridden = runlength.decode(episode.overridden, MAX_STEPS) or [False] * len(actions)
    environment = envs.make(task.environment.kind, task.environment.parameters)
    drift: Finding | None = None
    step: Step | None = None
    try:
        environment.reset(episode.seed)
        if episode.fingerprints and environment.fingerprint().hex() != episode.fingerprints[0]:
            drift = Finding("equal", 0, "the fingerprint after reset differs")
        for index, action in enumerate(actions):
            if step is not None and step.over:
                return Finding("diverged", index, "the world ended the episode before this action")
            try:
                step = environment.step(action)
            except (ValueError, TypeError) as error:
                return Finding("diverged", index, f"the world does not take this action: {error}")
            if repr(step.reward) != repr(rewards[index]):
                return Finding("diverged", index, f"reward {step.reward!r} in the world, {rewards[index]!r} recorded")
            if bool(step.info.get("overridden", False)) != overridden[index]:
                return Finding("diverged", index, "whether the world overrode the action differs")
            done = index + 1
            due = episode.fingerprints[done // every : done // every + 1] if done % every == 0 else ()
            if drift is None and due and environment.fingerprint().hex() != due[0]:
                drift = Finding("equal", index, f"the fingerprint after step {done} differs")
        return _end(task, episode, environment, step) or drift or _whole(episode, environment)
    finally:
        environment.close()


def unplayable(task: TaskCard, episode: Episode, every: int) -> str:
    """Why a record is not an episode of this task, or ""."""
    if episode.trial >= len(task.seeds):
        return f"task {task.id} has no trial {episode.trial}"
    if episode.seed != task.seeds[episode.trial]:
        return f"seed {episode.seed} is not the pinned seed of trial {episode.trial}"
    if episode.end == "not_started":
        fits = episode.status in ("budget", "api_error") and is_empty(episode)
        return "" if fits else "it was never started, and yet holds something"
    try:
        actions = sum(count for _, count in episode.actions)
        rewards = sum(count for _, count in episode.rewards)
        flags = sum(count for _, count in episode.overridden)
    except TypeError:
        return "its run-length codes are malformed"
    if not actions == rewards == episode.steps or flags not in (0, actions):
        return f"it has {actions} actions, {rewards} rewards and {flags} flags for {episode.steps} steps"
    if any(count < 1 for _, count in (*episode.actions, *episode.rewards, *episode.overridden)):
        return "its run-length codes have empty runs"
    if episode.status != "env_error" and len(episode.fingerprints) != 1 + episode.steps // every:
        return f"it has {len(episode.fingerprints)} fingerprints, {1 + episode.steps // every} are due"
    if episode.status == "env_error" and len(episode.fingerprints) > 1 + episode.steps // every:
        return "it has too many fingerprints"
    return ""


def _end(task: TaskCard, episode: Episode, environment: envs.Environment, step: Step | None) -> Finding | None:
    """What differs at the end, if anything does."""
    last = episode.steps - 1 if episode.steps else None
    over = step is not None and step.over
    if episode.status == "ok" and step is not None and over:
        end = str(step.info.get("end", "terminated" if step.terminated else "truncated"))
        if end != episode.end:
            return Finding("diverged", last, f"the world ends with '{end}', recorded is '{episode.end}'")
    elif episode.status == "ok" and episode.end not in ("agent", "max_steps", "max_calls"):
        return Finding("diverged", last, f"the world goes on, but the record ends with '{episode.end}'")
    elif episode.status != "ok" and over:
        return Finding("diverged", last, "the world ended the episode, but the record says it was broken off")
    if episode.status == "env_error":
        return None
    measures = plain(environment.measures())
    if measures != episode.measures:
        names = sorted(
            name for name in {*measures, *episode.measures} if measures.get(name) != episode.measures.get(name)
        )
        return Finding("diverged", last, f"measures differ: {', '.join(names[:5])}")
    success = succeeded(task.success, Trace(status=episode.status, measures=measures))
    if success != episode.success:
        return Finding("diverged", last, f"success is {success}, recorded is {episode.success}")
    return None


def _whole(episode: Episode, environment: envs.Environment) -> Finding:
    if episode.status == "env_error":
        return Finding("incomplete")
    if environment.fingerprint().hex() != episode.final:
        return Finding("equal", episode.steps - 1 if episode.steps else None, "the final fingerprint differs")
    return Finding("identical" if episode.status == "ok" else "incomplete")
