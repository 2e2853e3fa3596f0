"""Protocol replay: the agent plays again with the recorded replies and must ask, act and end as recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from embodibench import envs
from embodibench.agents.base import Agent
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.agents.trace import Trace, plain, reply_hash
from embodibench.cards.schema import TaskCard
from embodibench.results import runlength
from embodibench.results.files import TranscriptLine
from embodibench.results.records import episode_record
from embodibench.results.schema import MAX_STEPS, Episode
from embodibench.verify.replies import RecordedReplies
from embodibench.verify.world import Finding, unplayable

COMPARED = ("steps", "actions", "rewards", "overridden", "opening_steps", "end", "status", "success", "measures")
"""Fields of an episode record that the replay must reproduce, beside its calls and fingerprints."""


def replay_protocol(
    task: TaskCard,
    episode: Episode,
    agent: Agent,
    lines: Sequence[TranscriptLine] | None,
    *,
    every: int,
    max_steps: int | None,
) -> Finding:
    """Play an episode again.

    Args:
        agent: the agent, or the policy, that the result names.
        lines: the episode's transcript in call order; None for a policy.
        every: steps between fingerprints, from the suite card.
        max_steps: the run's limit on steps.
    """
    refusal = unplayable(task, episode, every)
    if refusal:
        return Finding("refused", None, refusal)
    if episode.end == "not_started":
        return Finding("incomplete")
    if lines is not None:
        for index, line in enumerate(lines):
            if line.call != index:
                return Finding("refused", None, f"the transcript's call {index} is missing or out of order")
            if index < len(episode.calls.replies) and reply_hash(line.text) != episode.calls.replies[index]:
                return Finding("diverged", None, f"the reply to call {index} is not the one that the result names")
    source = RecordedReplies(episode, lines) if lines is not None else None
    environment = envs.make(task.environment.kind, task.environment.parameters)
    try:
        game = LiveGame(
            task,
            episode.trial,
            environment,
            source,
            fingerprint_every=every,
            stream=agent.identity.name,
            limits=Limits(max_steps=max_steps),
        )
        trace = asyncio.run(play(agent, game))
        again = episode_record(task, episode.trial, trace)
    finally:
        environment.close()
    if source is not None and source.divergence:
        return Finding("diverged", len(trace.actions), source.divergence)
    compared = _compare(episode, again, lines)
    if source is None or compared.verdict in ("diverged", "refused"):
        return compared
    strange = _strange_detail(trace, lines or ())
    if strange is not None:
        return Finding("diverged", None, f"the details of call {strange} are not what the parsers make of its reply")
    return replace(compared, tokens=source.tokens)


def _strange_detail(trace: Trace, lines: Sequence[TranscriptLine]) -> int | None:
    """The first call whose line says something else of its reply than the parsers do."""
    pairs = enumerate(zip(trace.calls, lines, strict=True))
    return next((index for index, (call, line) in pairs if plain(call.detail) != line.detail), None)


def _compare(episode: Episode, again: Episode, lines: Sequence[TranscriptLine] | None) -> Finding:
    if lines is not None and len(again.calls.prompts) != len(lines):
        return Finding("diverged", None, f"{len(lines)} calls are recorded, the agent makes {len(again.calls.prompts)}")
    for name in ("prompts", "replies", "outcomes", "steps"):
        if getattr(again.calls, name) != getattr(episode.calls, name):
            return Finding("diverged", None, f"the calls' {name} differ")
    for name in COMPARED:
        if repr(getattr(again, name)) != repr(getattr(episode, name)):
            return Finding("diverged", _first_difference(episode, again), f"{name} differ")
    if (again.fingerprints, again.final) != (episode.fingerprints, episode.final):
        return Finding("equal", None, "a fingerprint differs")
    return Finding("identical" if episode.status == "ok" else "incomplete")


def _first_difference(one: Episode, other: Episode) -> int | None:
    steps = zip(*(runlength.decode(e.actions, MAX_STEPS) for e in (one, other)), strict=False)
    for index, (a, b) in enumerate(steps):
        if a != b:
            return index
    return None
