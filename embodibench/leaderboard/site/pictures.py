"""Pictures of episodes, drawn again by replay and kept by the hash of what they show."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from PIL import Image

from embodibench import envs
from embodibench.canonical import Json, canonical_bytes
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.leaderboard.records import Episode
from embodibench.leaderboard.state import worlds_state
from embodibench.results import runlength
from embodibench.results.schema import MAX_STEPS

Choice: TypeAlias = Literal["none", "few", "all"]
"""Of how many episodes pictures are drawn."""

FEW = 4
STEPS = 4
SIDE = 192


@dataclass(frozen=True)
class Picture:
    """A picture of the world after ``step`` steps; ``data`` is a WebP file."""

    step: int
    data: bytes

    @property
    def file(self) -> str:
        """A name that is that of its content."""
        return hashlib.sha256(self.data).hexdigest()[:24] + ".webp"


def chosen(episodes: Sequence[Episode], choice: Choice) -> tuple[int, ...]:
    """Places of the episodes that are drawn; ``few`` takes passed and failed ones, of first and last tasks."""
    played = [place for place, episode in enumerate(episodes) if episode.steps]
    if choice != "few":
        return tuple(played) if choice == "all" else ()
    passed = [place for place in played if episodes[place].success]
    failed = [place for place in played if not episodes[place].success]
    half = FEW // 2
    picked = [*_spread(passed, half if len(failed) >= half else FEW - len(failed))]
    picked += _spread(failed, FEW - len(picked))
    return tuple(sorted(picked))


def steps_of(episode: Episode) -> tuple[int, ...]:
    """The steps after which an episode is drawn: its start, its end and some between."""
    return tuple(dict.fromkeys(round(episode.steps * place / (STEPS - 1)) for place in range(STEPS)))


def pictures(suite: Suite, episode: Episode, cache: Path | None) -> tuple[Picture, ...]:
    """Replay an episode and draw it; nothing where its world has no picture or cannot be made here.

    Args:
        cache: folder of pictures that were drawn before, by the hash of what they show; None keeps none.
    """
    steps = steps_of(episode)
    key = _key(suite, episode)
    names = [cache / f"{key}-{step}.webp" for step in steps] if cache is not None else []
    if names and all(name.is_file() for name in names):
        return tuple(Picture(step, name.read_bytes()) for step, name in zip(steps, names, strict=True))
    try:
        drawn = tuple(_draw(suite, episode, steps))
    except (NotImplementedError, UsageError, ValueError, TypeError, RuntimeError):
        # A world without pictures or without its extra, or actions that an older check let through.
        return ()
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
        for name, picture in zip(names, drawn, strict=True):
            partial = name.with_name(f"{name.name}.{os.getpid()}")
            partial.write_bytes(picture.data)
            partial.replace(name)
    return drawn


def _draw(suite: Suite, episode: Episode, steps: Iterable[int]) -> Iterable[Picture]:
    task = suite.task(episode.task)
    environment = envs.make(task.environment.kind, task.environment.parameters)
    wanted = set(steps)
    try:
        observation = environment.reset(episode.seed)
        if 0 in wanted:
            yield Picture(0, _webp(observation.render(SIDE, SIDE), task.environment.kind))
        for done, action in enumerate(runlength.decode(episode.actions, MAX_STEPS), start=1):
            step = environment.step(action)
            if done in wanted:
                yield Picture(done, _webp(step.observation.render(SIDE, SIDE), task.environment.kind))
    finally:
        environment.close()


def _webp(picture: envs.Picture, kind: str) -> bytes:
    """Tiles and screens keep their pixels; a camera's picture does not need them to the bit."""
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(buffer, "WEBP", lossless=kind != "aai", quality=80, method=4)
    return buffer.getvalue()


def _key(suite: Suite, episode: Episode) -> str:
    actions: list[Json] = [[list(a) if isinstance(a, tuple) else a, count] for a, count in episode.actions]
    what: Json = [worlds_state(), SIDE, suite.digest, episode.task, episode.trial, episode.seed, actions]
    return hashlib.sha256(canonical_bytes(what)).hexdigest()[:32]


def _spread(places: Sequence[int], count: int) -> list[int]:
    """Up to ``count`` of the places, evenly from first to last."""
    count = min(count, len(places))
    if count <= 1:
        return list(places[:count])
    return [places[round(k * (len(places) - 1) / (count - 1))] for k in range(count)]
