"""The result file: one JSON file that holds a run's identity, all its episodes and its metrics.

Files may come from strangers, so every number is finite and every text and list is bounded. ``json_schema()`` is the
published JSON Schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, StrictBool, StrictInt

from embodibench.canonical import Json

SCHEMA_VERSION: Literal["embodibench-result/1"] = "embodibench-result/1"
MAX_RESULT_BYTES = 5_000_000
MAX_TRANSCRIPT_BYTES = 25_000_000
MAX_STEPS = 1_000_000
"""More steps than any suite's episode can have."""

Count = Annotated[StrictInt, Field(ge=0, le=2**53)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Word = Annotated[str, Field(max_length=200)]
Sentence = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^\S(.*\S)?$")]
"""A word that is not blank and has no blanks around it."""
Hash = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
ActionValue = StrictInt | tuple[StrictInt, ...]
Item = TypeVar("Item")
Column = Annotated[tuple[Item, ...], FailFast()]
"""A sequence that is refused at its first wrong entry: a file of a million wrong ones must not take a minute."""


class Part(BaseModel):
    """Base of all parts of a result: frozen, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UsageRecord(Part):
    """Tokens, as ``models.base.Usage`` counts them."""

    input: Count = 0
    cached: Count = 0
    cache_write: Count = 0
    output: Count = 0
    reasoning: Count = 0
    cache_write_hour: Count = 0


class CallsRecord(Part):
    """The model calls of an episode, one column a field, one entry a call.

    Attributes:
        prompts: short hash (96 bits of SHA-256, URL-safe base64) of each prompt.
        replies: short hash of each reply.
        outcomes: run-length coded parse outcomes.
        steps: run-length coded numbers of environment steps that followed each call.
        input_tokens, output_tokens: of each call; null where the provider did not say.
    """

    prompts: Column[Hash] = ()
    replies: Column[Hash] = ()
    outcomes: Column[tuple[Word, Count]] = ()
    steps: Column[tuple[Count, Count]] = ()
    input_tokens: Column[Count | None] = ()
    output_tokens: Column[Count | None] = ()


class Times(Part):
    """Wall times of an episode; dropped by ``comparable``."""

    started: Word
    seconds: Annotated[Finite, Field(ge=0)]


class Episode(Part):
    """What happened in one trial.

    Attributes:
        actions: run-length coded executed actions.
        rewards: run-length coded rewards.
        overridden: run-length coded flags, one per step, or empty when the world replaced no action.
        fingerprints: of the world after reset and after every k steps, k from the suite card.
        final: fingerprint after the last step; "" only for an ``env_error``.
        success: whether the task's pass rule holds; null where the task has none. Never true for an error.
        opening_steps: steps before the first model call.
        usage: sum over calls, null when a call's usage is unknown.
        cost: US dollars, null when unknown.
    """

    task: Word
    trial: Count
    seed: Count
    status: Literal["ok", "env_error", "api_error", "budget"]
    end: Word
    error: Sentence | None = None
    steps: Annotated[Count, Field(le=MAX_STEPS)]
    actions: Column[tuple[ActionValue, Count]] = ()
    rewards: Column[tuple[Finite, Count]] = ()
    overridden: Column[tuple[StrictBool, Count]] = ()
    fingerprints: Column[Fingerprint] = ()
    final: Fingerprint | Literal[""] = ""
    success: StrictBool | None = None
    measures: dict[str, Any] = Field(default_factory=dict)
    opening_steps: Count = 0
    calls: CallsRecord = CallsRecord()
    usage: UsageRecord | None = UsageRecord()
    cost: Annotated[Finite, Field(ge=0)] | None = None
    attempts: Annotated[Count, Field(ge=1)] = 1
    times: Times | None = None


class Benchmark(Part):
    """Which benchmark version was played, by which code."""

    suite: Word
    interface: Word
    digest: Sha256
    package_version: Word
    git_commit: Word | None = None
    git_dirty: StrictBool | None = None
    off_pin: dict[str, Word] = Field(default_factory=dict)


class ModelSection(Part):
    """Which model was asked, what was sent, and what the API said it was.

    Attributes:
        asked: parameters that the protocol asked for.
        sent: the distinct sets of parameters that went over the wire.
        not_sent: asked-for parameters that did not, and why.
        returned: distinct model ids that the API returned, sorted.
        system_fingerprints: distinct marks of the backend configuration, sorted.
    """

    provider: Name
    requested: Name
    checkpoint: Name
    base_url: Word | None = None
    sdk: Word | None = None
    asked: dict[str, Any] = Field(default_factory=dict)
    sent: Column[dict[str, Any]] = ()
    not_sent: dict[str, Word] = Field(default_factory=dict)
    returned: Column[Word] = ()
    system_fingerprints: Column[Word] = ()


class AgentSection(Part):
    """Which scaffold or policy played."""

    name: Word
    version: Count
    prompts: Word = ""
    parser: Word = ""
    privileged: StrictBool = False
    options: dict[str, Any] = Field(default_factory=dict)


class EnvironmentSection(Part):
    """What the run ran on."""

    python: Word
    implementation: Word
    os: Word
    machine: Word
    packages: dict[str, Word]


class Prices(Part):
    """The price table that costs were computed with, and the day whose prices hold."""

    table: Word
    day: Word


class LostCalls(Part):
    """Calls that were in flight when a process died: asked again, and paid twice."""

    calls: Count = 0
    cost: Annotated[Finite, Field(ge=0)] | None = 0.0


class RunLimits(Part):
    """What a run was limited to; all null for a whole suite."""

    tasks: Annotated[tuple[Word, ...], Field(max_length=10_000)] | None = None
    trials: Count | None = None
    episodes: Count | None = None
    max_steps: Count | None = None


class RunSection(Part):
    """The run itself. ``partial``: limited, or not every planned trial was brought to its end."""

    id: Word
    created: Word
    finished: Word
    sessions: Annotated[Count, Field(ge=1)]
    limits: RunLimits
    partial: StrictBool
    lost: LostCalls = LostCalls()


class TranscriptSection(Part):
    """The transcript beside the result."""

    file: Literal["transcript.jsonl.zst"] = "transcript.jsonl.zst"
    sha256: Sha256
    bytes: Annotated[Count, Field(le=MAX_TRANSCRIPT_BYTES)]
    lines: Count


class Result(Part):
    """A whole result file."""

    schema_version: Literal["embodibench-result/1"] = SCHEMA_VERSION
    benchmark: Benchmark
    run: RunSection
    model: ModelSection | None
    agent: AgentSection
    environment: EnvironmentSection
    prices: Prices | None = None
    episodes: Column[Episode]
    metrics: dict[str, Any]
    transcript: TranscriptSection | None = None


def json_schema() -> dict[str, Json]:
    """The JSON Schema of a result file."""
    schema: dict[str, Json] = Result.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "EmbodiBench result"
    return schema
