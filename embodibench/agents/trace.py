"""What happened in an episode, as the game writes it down: the raw form of an episode record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from embodibench.canonical import Json, short_hash
from embodibench.envs.base import Action
from embodibench.models.base import Usage


def reply_hash(text: str) -> str:
    """The short hash of a reply's text."""
    return short_hash(hashlib.sha256(text.encode("utf-8")).hexdigest())


def plain(measures: Mapping[str, Json]) -> dict[str, Json]:
    """A world's figures as they come back from a JSON file: tuples become lists."""
    return cast("dict[str, Json]", json.loads(json.dumps(measures, allow_nan=False)))


@dataclass(slots=True)
class CallTrace:
    """One model call.

    Attributes:
        prompt: short hash of the prompt.
        reply: short hash of the reply's text.
        outcome: what the parser made of it, one word; ``unjudged`` until the agent says.
        detail: further parse results for the transcript, such as a second parser's outcome.
        steps: environment steps taken after this call and before the next.
        text: the reply, which goes to the transcript.
        finish: why the reply ended.
        usage: tokens, None when unknown.
        cost: US dollars, None when unknown.
    """

    prompt: str
    reply: str = ""
    outcome: str = "unjudged"
    detail: Mapping[str, Json] = field(default_factory=dict)
    steps: int = 0
    text: str = ""
    finish: str = "stop"
    usage: Usage | None = None
    cost: float | None = None


@dataclass(slots=True)
class Trace:
    """One episode while it is played.

    Attributes:
        actions: executed actions, one per step.
        rewards: one per step.
        overridden: steps (from 0) whose action the world replaced.
        fingerprints: hex, after reset and after every ``fingerprint_every`` steps.
        final: hex fingerprint after the last step.
        opening_steps: steps taken before the first call.
        calls: model calls in order.
        status: ``ok``, ``env_error``, ``api_error`` or ``budget``.
        end: why the episode ended, one word.
        error: a sentence for people when the status is not ``ok``.
        measures: the world's own figures at the end.
    """

    actions: list[Action] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    overridden: list[int] = field(default_factory=list)
    fingerprints: list[str] = field(default_factory=list)
    final: str = ""
    opening_steps: int = 0
    calls: list[CallTrace] = field(default_factory=list)
    status: str = "ok"
    end: str = ""
    error: str | None = None
    measures: dict[str, Json] = field(default_factory=dict)
