"""The conformance pack of a suite: what its worlds, texts, pictures, prompts and parsers do with fixed inputs.

The pack is stored beside the cards and is part of the suite's digest. Rebuilding it on another machine, with other
versions of NumPy and the rest, proves that this installation plays the same benchmark; a change of code that could
change a score changes the pack, and with it the digest, although no card did.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from embodibench import agents, envs
from embodibench.agents.base import Agent
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.envs.base import Action, Environment, Observation
from embodibench.errors import UsageError
from embodibench.models.base import Message, Reply
from embodibench.results import runlength

FEW_TASKS = 4
LONG, SHORT = 300, 60
"""Steps of a sample: long where a suite has few tasks, short where it has many."""
CALLS = 6
"""Calls of the agent whose prompts are stored, unless it names another number (``sample_calls``)."""
PICTURE_SIZE = 64


def build(suite: Suite) -> dict[str, Any]:
    """The pack's files, name -> content, made by this installation."""
    worlds = [_sample(task, trial, steps) for task, trial, steps in _samples(suite)]
    agent = agents.make(suite.card.protocol.agent, suite.card.protocol.options)
    task = suite.tasks[0]
    corpus = getattr(agent, "corpus", None)
    return {
        "worlds.json": worlds,
        "prompts.json": {"agent": agent.identity.to_json(), "prompts": _prompts(suite, task, agent)},
        "replies.json": corpus() if corpus is not None else {},
    }


def differences(suite: Suite) -> list[str]:
    """What this installation does otherwise than the stored pack, a sentence each."""
    stored = read(suite)
    found = []
    for name, content in build(suite).items():
        if name not in stored:
            found.append(f"{name} is not stored")
        else:
            found += _compare(stored[name], json.loads(json.dumps(content)), name)
    return found


def read(suite: Suite) -> dict[str, Any]:
    """The stored pack, file name -> content."""
    return {path.name: json.loads(path.read_bytes()) for path in sorted(_folder(suite).glob("*.json"))}


def write(suite: Suite) -> None:
    """Store what this installation does (for maintainers, when a new version of the suite is made)."""
    folder = _folder(suite)
    folder.mkdir(exist_ok=True)
    for name, content in build(suite).items():
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        (folder / name).write_text(text + "\n", encoding="utf-8")


def fixed_actions(environment: Environment, name: str, steps: int) -> list[Action]:
    """Actions that look random and are the same everywhere: a linear congruential generator seeded by a name."""
    state = int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:4], "big") & 0x7FFFFFFF
    shape: tuple[int, ...] | None = getattr(environment, "action_shape", None)
    sizes = shape or (int(getattr(environment, "action_count")),)  # noqa: B009 - not every world has it
    actions: list[Action] = []
    for _ in range(steps):
        parts = []
        for size in sizes:
            state = (1103515245 * state + 12345) & 0x7FFFFFFF
            parts.append((state >> 16) % size)
        actions.append(tuple(parts) if shape else parts[0])
    return actions


def _samples(suite: Suite) -> Iterator[tuple[TaskCard, int, int]]:
    few = len(suite.tasks) <= FEW_TASKS
    for task in suite.tasks:
        for trial in range(min(3, len(task.seeds)) if few else 1):
            yield task, trial, LONG if few else SHORT


def _sample(task: TaskCard, trial: int, steps: int) -> dict[str, Any]:
    environment = envs.make(task.environment.kind, task.environment.parameters)
    try:
        observation = environment.reset(task.seeds[trial])
        fingerprints = [environment.fingerprint().hex()]
        views = [_views(observation)]
        actions: list[Action] = []
        rewards: list[float] = []
        end = None
        for action in fixed_actions(environment, f"{task.id}/{trial}", steps):
            step = environment.step(action)
            actions.append(action)
            rewards.append(step.reward)
            if len(actions) % 20 == 0:
                fingerprints.append(environment.fingerprint().hex())
            if len(actions) % 60 == 0 and not step.over:
                views.append(_views(step.observation))
            if step.over:
                end = step.info.get("end")
                break
        return {
            "task": task.id,
            "trial": trial,
            "actions": runlength.encode(actions),
            "rewards": runlength.encode(rewards),
            "fingerprints": fingerprints,
            "final": environment.fingerprint().hex(),
            "end": end,
            "views": views,
            "measures": dict(environment.measures()),
        }
    finally:
        environment.close()


def _views(observation: Observation) -> dict[str, str]:
    """Hashes of the views that the world offers."""
    views = {}
    with contextlib.suppress(NotImplementedError):
        views["text"] = hashlib.sha256(observation.text().encode("utf-8")).hexdigest()
    with contextlib.suppress(NotImplementedError):
        pixels = np.ascontiguousarray(observation.render(PICTURE_SIZE, PICTURE_SIZE))
        views["picture"] = hashlib.sha256(pixels.tobytes()).hexdigest()
    return views


class _Recorder:
    """Replies with fixed texts and keeps the prompts' hashes."""

    def __init__(self, replies: Sequence[str]) -> None:
        self.replies = replies
        self.prompts: list[str] = []

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        self.prompts.append(prompt)
        return Reply(text=self.replies[call % len(self.replies)])


def _prompts(suite: Suite, task: TaskCard, agent: Agent) -> list[str]:
    """SHA-256 of the first prompts that the agent asks on a task when the replies are fixed."""
    replies = getattr(agent, "sample_replies", ("",))
    recorder = _Recorder(replies)
    calls = int(getattr(agent, "sample_calls", CALLS))
    environment = envs.make(task.environment.kind, task.environment.parameters)
    try:
        limited = task.model_copy(update={"budgets": task.budgets.model_copy(update={"max_calls": calls})})
        game = LiveGame(
            limited, 0, environment, recorder, fingerprint_every=10**6, stream="conformance", limits=Limits()
        )
        asyncio.run(play(agent, game))
    finally:
        environment.close()
    return recorder.prompts


def _compare(stored: Any, found: Any, where: str) -> list[str]:
    if isinstance(stored, dict) and isinstance(found, dict):
        names = sorted({*stored, *found})
        return [text for name in names for text in _compare(stored.get(name), found.get(name), f"{where}: {name}")]
    if isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        pairs = enumerate(zip(stored, found, strict=True))
        return [text for index, (a, b) in pairs for text in _compare(a, b, f"{where}[{index}]")][:20]
    return [] if stored == found else [f"{where} differs from the stored pack"]


def _folder(suite: Suite) -> Path:
    if suite.path is None:
        raise UsageError(f"{suite.label} has no conformance pack")
    return suite.path / "conformance"
