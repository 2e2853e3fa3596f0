"""Task cards and suite cards: the data that says what a benchmark version is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Words = Annotated[str, Field(min_length=1, max_length=4000)]


class Card(BaseModel):
    """Base of all cards: frozen, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EnvironmentSection(Card):
    """Which world, and its parameters (checked by the world when it is made)."""

    kind: Name
    parameters: dict[str, Any] = Field(default_factory=dict)


class Success(Card):
    """The pass rule: a figure of the world reaches a mark.

    Attributes:
        measure: name of an entry of the world's ``measures()``.
        at_least: the episode passes when the measure is this or more. True counts as 1.
    """

    measure: str
    at_least: float


class Budgets(Card):
    """What an episode may use; None is no bound beside the world's own."""

    max_steps: Annotated[int, Field(ge=1)] | None = None
    max_calls: Annotated[int, Field(ge=1)] | None = None


class Source(Card):
    """Where a task comes from.

    Attributes:
        work: the publication, in words.
        doi: of the publication, without ``https://doi.org/``.
        upstream: identifier of the upstream file or environment.
        sha256: of the upstream file.
        licence: SPDX identifier of the upstream work.
    """

    work: Words
    doi: str | None = None
    url: str | None = None
    upstream: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    licence: str | None = None


class TaskCard(Card):
    """One situation with a pass or score rule.

    Attributes:
        id: of the task inside its suite.
        title: short name for people.
        capability: what the task measures.
        group: the level, game or case study that the task is reported under.
        environment: the world.
        seeds: one per trial.
        budgets: bounds of an episode.
        success: the pass rule; None where only a score is taken.
        notes: what a reader of a score should know, for example that the task cannot be passed under the protocol.
        passable: False when the protocol cannot pass the task (a note says why).
        source: where it comes from.
    """

    id: Name
    title: Words
    capability: Words
    group: str | None = None
    environment: EnvironmentSection
    seeds: Annotated[tuple[Annotated[int, Field(ge=0, lt=2**31)], ...], Field(min_length=1)]
    budgets: Budgets = Budgets()
    success: Success | None = None
    notes: tuple[Words, ...] = ()
    passable: bool = True
    source: Source


class Sampling(Card):
    """Sampling parameters that the protocol asks of every model; null: leave it to the model."""

    max_tokens: Annotated[int, Field(ge=1)] = 1024
    temperature: float | None = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()


class Protocol(Card):
    """How a suite is played.

    Attributes:
        agent: name of the scaffold that the suite prescribes; others make rows of their own.
        sampling: parameters asked of the model.
        fingerprint_every: the record keeps a fingerprint of the world after every so many steps.
    """

    agent: Name
    options: dict[str, Any] = Field(default_factory=dict)
    sampling: Sampling = Sampling()
    fingerprint_every: Annotated[int, Field(ge=1)]


class Change(Card):
    """One entry of a suite's changelog."""

    version: Annotated[str, Field(pattern=r"^[0-9]+-[A-Z]$")]
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    change: Words
    comparable: bool


class SuiteCard(Card):
    """A named, versioned set of tasks with one protocol.

    Attributes:
        name: of the suite.
        version: comparability version N; results of different N are not comparable.
        interface: letter that is bumped by changes that keep results comparable.
        tasks: ids, in the order in which they are reported. Each has a file ``<id>.yaml`` beside the suite card.
        scoring: the rule by which metrics are computed.
        pinned: world package -> version whose results are reproduced to the bit.
        baselines: names of the baseline tables that the suite is compared with.
    """

    name: Name
    version: Annotated[int, Field(ge=1)]
    interface: Annotated[str, Field(pattern=r"^[A-Z]$")]
    title: Words
    description: Words
    tasks: Annotated[tuple[Name, ...], Field(min_length=1)]
    protocol: Protocol
    scoring: Literal["crafter", "pass_rate", "socialai", "atari"]
    pinned: dict[str, str] = Field(default_factory=dict)
    baselines: tuple[str, ...] = ()
    extra: str | None = None
    source: tuple[Source, ...] = ()
    changelog: tuple[Change, ...] = ()
