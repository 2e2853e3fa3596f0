"""From the journal of a run to its result file and transcript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from embodibench.canonical import canonical_bytes
from embodibench.cards.suites import Suite
from embodibench.errors import ResultError
from embodibench.models.base import CONTEXT_OVERFLOW
from embodibench.results.files import TranscriptLine, pack_transcript, read_result, result_bytes, write_bytes
from embodibench.results.plan import Unit, is_partial
from embodibench.results.provenance import benchmark_section, environment_section
from embodibench.results.schema import (
    AgentSection,
    Episode,
    LostCalls,
    ModelSection,
    Prices,
    Result,
    RunSection,
)
from embodibench.runs import journal
from embodibench.runs.directory import RunDirectory, timestamp
from embodibench.runs.execute import Player
from embodibench.scoring.metrics import compute


def write_result(
    directory: RunDirectory,
    suite: Suite,
    units: Sequence[Unit],
    player: Player,
    prices: Prices | None,
    *,
    unplayed: Literal["budget", "api_error"] = "budget",
) -> Result:
    """Write ``result.json`` and, for a model, ``transcript.jsonl.zst``; every planned unit has an episode.

    ``unplayed`` is the status of units that were never started: the budget ran out, or the model failed for good.
    """
    state = journal.scan(directory.journal)
    packed = None
    if player.model is not None:
        packed = pack_transcript(_transcript(directory, units, state))
        write_bytes(directory.transcript, packed.data)
    episodes = tuple(_episode(directory, unit, state, unplayed) for unit in units)
    limits = directory.file.request.limits
    result = Result(
        benchmark=benchmark_section(suite),
        run=RunSection(
            id=directory.file.id,
            created=directory.file.created,
            finished=timestamp(datetime.now(UTC)),
            sessions=max(1, state.sessions),
            limits=limits,
            partial=is_partial(suite, limits, episodes),
            lost=LostCalls(calls=len(state.lost), cost=state.lost_cost),
        ),
        model=_model_section(directory, player),
        agent=AgentSection.model_validate(player.agent.identity.to_json()),
        environment=environment_section(),
        prices=prices,
        episodes=episodes,
        metrics=compute(suite, episodes),
        transcript=packed.section if packed else None,
    )
    write_bytes(directory.result, result_bytes(result))
    return result


def written_result(directory: RunDirectory, units: Sequence[Unit], state: journal.State) -> Result | None:
    """The result on disk, if it holds all that the journal does and none of ``units`` has anything left to play.

    Its bytes are what submissions and verdicts name, so a run that is finished is not written again.
    """
    if not all(state.is_final(unit.key) for unit in units):
        return None
    try:
        result = read_result(directory.path)
    except ResultError:
        return None
    # A session that was killed before it wrote the result is in the journal alone.
    complete = result.run.id == directory.file.id and result.run.sessions == state.sessions
    there = result.transcript is None or directory.transcript.is_file()
    return result if complete and there else None


def _episode(
    directory: RunDirectory, unit: Unit, state: journal.State, unplayed: Literal["budget", "api_error"]
) -> Episode:
    if unit.key in state.done:
        line = journal.read_at(directory.journal, state.done[unit.key][0])
        return Episode.model_validate(line["episode"])
    seed = unit.task.seeds[unit.trial]
    success = None if unit.task.success is None else False
    return Episode(
        task=unit.task.id,
        trial=unit.trial,
        seed=seed,
        status=unplayed,
        end="not_started",
        steps=0,
        success=success,
        cost=0.0,
    )


def _transcript(directory: RunDirectory, units: Sequence[Unit], state: journal.State) -> Iterator[TranscriptLine]:
    for unit in units:
        if unit.key in state.done:
            line = journal.read_at(directory.journal, state.done[unit.key][0])
            for row in line["transcript"]:
                yield TranscriptLine.model_validate(row)


@dataclass(slots=True)
class _Wire:
    """What went over the wire in a run, gathered from its journal."""

    sdks: dict[str, None] = field(default_factory=dict)
    sent: dict[bytes, dict[str, Any]] = field(default_factory=dict)
    not_sent: dict[str, str] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)
    fingerprints: set[str] = field(default_factory=set)


def _model_section(directory: RunDirectory, player: Player) -> ModelSection | None:
    if player.model is None:
        return None
    wire = _Wire()
    for _, line in journal.read(directory.journal):
        if line["k"] == "session" and line.get("sdk"):
            wire.sdks[line["sdk"]] = None
        elif line["k"] == "reply":
            reply = line["reply"]
            if reply["finish"] != CONTEXT_OVERFLOW:
                wire.sent[canonical_bytes(reply["sent"])] = reply["sent"]
            wire.not_sent.update(reply["not_sent"])
            if reply["returned_model"]:
                wire.returned.add(reply["returned_model"])
            if reply["system_fingerprint"]:
                wire.fingerprints.add(reply["system_fingerprint"])
    return ModelSection.model_validate(
        {
            **player.model.identity.to_json(),
            "sdk": "; ".join(wire.sdks)[:200] or player.model.identity.sdk,
            "asked": player.parameters.to_json(),
            "sent": [wire.sent[key] for key in sorted(wire.sent)],
            "not_sent": dict(sorted(wire.not_sent.items())),
            "returned": sorted(wire.returned),
            "system_fingerprints": sorted(wire.fingerprints),
        }
    )
