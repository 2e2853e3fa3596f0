"""The rows in the schema of Every Eval Ever 0.3.0 (evalevalai.com), a file a row, laid out as its datastore is."""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from embodibench.cards.citation import URL
from embodibench.leaderboard.rows import Row, Score

SCHEMA = "0.3.0"
COLLECTION = "embodibench"
LEVEL = 0.95

_BOUNDS: dict[str, tuple[float | str, float | str]] = {
    "fraction": (0.0, 1.0),
    "percent": (0.0, 100.0),
    "points": ("-Infinity", "Infinity"),
    "reward": ("-Infinity", "Infinity"),
}
_UNITS = {"fraction": "proportion", "percent": "percent", "points": "points", "reward": "reward"}
_SHOWN = ("overall", "passable", "other", "group", "game")
"""Kinds of scores that become results; those of tasks do where the suite has no figure over them."""


def every_eval_files(row: Row) -> dict[str, bytes]:
    """``data/embodibench/<developer>/<model>/<uuid>.json`` of a row; nothing for one without a score."""
    record = evaluation(row)
    if not record["evaluation_results"]:
        return {}
    return {place(row): msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"}


def place(row: Row) -> str:
    """Where a row's file belongs in the datastore: its name is a UUID made of the SHA-256 of the result."""
    digits = row.result_sha256
    variant = "89ab"[int(digits[16], 16) % 4]
    uuid = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"
    return f"data/{COLLECTION}/{model_id(row)}/{uuid}.json"


def model_id(row: Row) -> str:
    """``developer/model``; a policy is one of ours."""
    if row.policy:
        return f"{COLLECTION}/{_part(row.player.replace('/', '-'))}"
    maker, _, name = row.player.partition("/")
    return f"{_part(maker)}/{_part(name)}" if name else f"{_part(row.provider)}/{_part(maker)}"


def _part(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "unknown"


def evaluation(row: Row) -> dict[str, Any]:
    """The record of a row."""
    played = str(_seconds(row.finished))
    own = [score for score in row.scores if score.kind in _SHOWN] if row.primary != "tasks" else list(row.scores)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{row.suite}/{model_id(row)}/{row.id}",
        "evaluation_timestamp": played,
        # The record is made of the result alone: a clock would give other bytes tomorrow.
        "retrieved_timestamp": played,
        "source_metadata": {
            "source_name": "EmbodiBench leaderboard",
            "source_type": "evaluation_run",
            "source_organization_name": "EmbodiBench",
            "source_organization_url": URL,
            "evaluator_relationship": "third_party",
            "additional_details": {
                "submission": row.submission,
                "result_sha256": row.result_sha256,
                "trust": row.trust,
                "benchmark_digest": row.digest,
                "attempts_stated": str(row.attempts),
                "trained_on_suite_stated": row.trained_on_suite,
            },
        },
        "eval_library": {"name": "embodibench", "version": row.package_version},
        "model_info": {
            "name": row.player,
            "id": model_id(row),
            "developer": model_id(row).split("/", 1)[0],
            "inference_platform": row.provider or "embodibench",
            "additional_details": {
                "deployment_type": "self_deployed" if row.policy or row.provider == "local" else "unknown",
                "model_availability": "open_weights" if row.policy or row.model_repository else "unknown",
                "requested": row.requested,
                "returned": ", ".join(row.returned),
            },
        },
        "evaluation_results": list(_results(row, own)),
    }


def _results(row: Row, scores: Sequence[Score]) -> Iterator[dict[str, Any]]:
    for score in scores:
        if score.value is None:
            continue
        low, high = _BOUNDS[score.unit]
        uncertainty: dict[str, Any] = {"num_samples": score.n}
        if score.low is not None and score.high is not None:
            bounds = {"lower": score.low, "upper": score.high, "confidence_level": LEVEL, "method": score.method}
            uncertainty["confidence_interval"] = bounds
        details = {"kind": score.kind, "why_no_interval": score.reason}
        yield {
            "evaluation_result_id": f"{row.id}/{score.kind}/{score.name}",
            "evaluation_name": f"{row.suite}/{score.name}",
            "source_data": {"dataset_name": row.suite, "source_type": "url", "url": [URL]},
            "metric_config": {
                "metric_id": f"embodibench.{row.suite_name}.{_metric(row, score)}",
                "metric_name": _metric(row, score),
                "metric_unit": _UNITS[score.unit],
                "lower_is_better": False,
                "score_type": "continuous",
                "min_score": low,
                "max_score": high,
            },
            "score_details": {
                "score": score.value,
                "uncertainty": uncertainty,
                "details": {name: text for name, text in details.items() if text},
            },
            "generation_config": {
                "generation_args": {
                    "agentic_eval_config": {
                        "additional_details": {"agent": row.agent, "agent_version": str(row.agent_version)}
                    }
                },
                "additional_details": {
                    "calls": str(row.calls),
                    "cost_usd": "unknown" if row.cost is None else str(row.cost),
                },
            },
        }


def _metric(row: Row, score: Score) -> str:
    if score.kind in ("group", "task"):
        return "pass_rate"
    return "game_score" if score.kind == "game" else score.name


def _seconds(moment: str) -> int:
    """Seconds since 1970 of a time as results have it; 0 where it is none."""
    try:
        return calendar.timegm(time.strptime(moment, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return 0
