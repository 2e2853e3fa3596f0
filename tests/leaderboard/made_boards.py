"""Small trees of submissions with verdicts, made of episodes that nobody played; a verdict vouches for them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from embodibench.cards import suites
from embodibench.envs.crafter.names import ACHIEVEMENTS
from embodibench.results.files import result_bytes
from embodibench.results.schema import (
    AgentSection,
    Benchmark,
    CallsRecord,
    EnvironmentSection,
    Episode,
    ModelSection,
    Result,
    RunLimits,
    RunSection,
    UsageRecord,
)
from embodibench.scoring.metrics import compute
from embodibench.submissions.folder import folder_name
from embodibench.submissions.metadata import Metadata, metadata_bytes
from embodibench.submissions.verdict_files import EpisodeVerdict, Rerun, Trust, VerdictFile, write_verdict


def submit(
    root: Path,
    suite_name: str,
    skill: float,
    *,
    seed: int = 0,
    model: str | None = "example-model",
    agent: AgentSection | None = None,
    trust: Trust = "replayed",
    cost: float | None = 1.5,
    end: str = "success",
    error: str | None = None,
    **said: Any,
) -> str:
    """Write a submission of ``skill`` (share of what it passes) with an accepted verdict; returns its SHA-256."""
    suite, rng = suites.load(suite_name), np.random.default_rng(seed)
    episodes = tuple(
        _episode(suite, task.id, trial, trial_seed, rng.random() < skill, rng, model is not None, cost, end, error)
        for task in suite.tasks
        for trial, trial_seed in enumerate(task.seeds)
    )
    result = Result(
        benchmark=Benchmark(suite=suite.label, interface="A", digest=suite.digest, package_version="0.1.0"),
        run=RunSection(
            id="run", created="2026-11-30", finished="2026-11-30", sessions=1, limits=RunLimits(), partial=False
        ),
        model=None
        if model is None
        else ModelSection(provider="example", requested=model, checkpoint=model, returned=(model,)),
        agent=agent or AgentSection(name="policy/random" if model is None else suite.card.protocol.agent, version=1),
        environment=EnvironmentSection(
            python="3.11", implementation="CPython", os="Linux", machine="x86_64", packages={}
        ),
        episodes=episodes,
        metrics=compute(suite, episodes),
    )
    data = result_bytes(result)
    sha256 = hashlib.sha256(data).hexdigest()
    statements = {"submitter": "A team", "contact": "team@example.org", "description": "Made up.", "attempts": 1}
    metadata = Metadata(result=sha256, date="2026-11-30", trained_on_suite="no", **{**statements, **said})
    folder = root / "submissions" / suite.label / folder_name(metadata, result)
    folder.mkdir(parents=True)
    (folder / "result.json").write_bytes(data)
    (folder / "metadata.yaml").write_bytes(metadata_bytes(metadata))
    words = [EpisodeVerdict(task=e.task, trial=e.trial, world="identical", protocol="identical") for e in episodes]
    verdict = VerdictFile(
        result=sha256,
        submission=f"{suite.label}/{folder.name}",
        accepted=True,
        trust=trust,
        date="2026-12-01",
        package_version="0.1.0",
        episodes=tuple(words) if trust != "self-reported" else (),
        rerun=Rerun(date="2026-12-01", trials=40, statistic="mcnemar-exact", p_value=1.0, agrees=True, seed="5eed")
        if trust == "re-run"
        else None,
    )
    write_verdict(root / "verdicts", verdict)
    return sha256


def _episode(
    suite: suites.Suite,
    task: str,
    trial: int,
    seed: int,
    passed: bool,
    rng: np.random.Generator,
    asked: bool,
    cost: float | None,
    end: str,
    error: str | None,
) -> Episode:
    crafter = suite.card.scoring == "crafter"
    found: Sequence[str] = [name for name in ACHIEVEMENTS if rng.random() < 0.4] if crafter else ()
    calls = CallsRecord(
        prompts=("A" * 16,) * 2, replies=("B" * 16,) * 2, outcomes=(("ok", 1), ("invalid", 1)), steps=((2, 2),)
    )
    return Episode(
        task=task,
        trial=trial,
        seed=seed,
        status="ok",
        end=end,
        error=error,
        steps=4,
        actions=((1, 3), (2, 1)),
        rewards=((0.0, 3), (1.0 if passed else 0.0, 1)),
        final="0" * 32,
        success=passed if suite.card.scoring in ("pass_rate", "socialai") else None,
        measures=_measures(suite, found, rng),
        calls=calls if asked else CallsRecord(),
        usage=UsageRecord(input=1000, output=50) if asked else UsageRecord(),
        cost=None if cost is None or not asked else cost / 100,
    )


def _measures(suite: suites.Suite, found: Sequence[str], rng: np.random.Generator) -> dict[str, Any]:
    if suite.card.scoring == "crafter":
        return {"achievements": dict.fromkeys(found, 1)}
    return {"score": float(rng.integers(-15, 15)), "end": "game_over"} if suite.card.scoring == "atari" else {}
