"""The README of a submission: generated from its metadata and result alone, so that it can carry nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from embodibench.results.schema import Result
from embodibench.submissions.folder import folder_name
from embodibench.submissions.metadata import Metadata

_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&$@!]|^[#=+-]")

TRAINED = {
    "yes": "may have been trained on tasks of this suite",
    "no": "was not trained on tasks of this suite",
    "unknown": "it is not known whether the model was trained on tasks of this suite",
}


def readme_bytes(metadata: Metadata, result: Result) -> bytes:
    """The file form."""
    return ("\n".join(_lines(metadata, result)) + "\n").encode("utf-8")


def player(result: Result) -> str:
    """Who played, in words: ``checkpoint with agent NAME``, or the policy."""
    if result.model is None:
        return result.agent.name
    return f"{result.model.checkpoint} with agent {result.agent.name}"


def headline(metrics: dict[str, Any]) -> list[tuple[str, str]]:
    """The primary figures of a result, name -> value with its unit."""
    primary = metrics.get("primary")
    if primary == "tasks":
        return [(f"pass rate, {name}", _estimate(rate)) for name, rate in metrics["tasks"].items()]
    named = {"pass_rate": "pass rate", "iqm": "human-normalised, interquartile mean"}
    found = [(named.get(str(primary), str(primary)), _estimate(metrics[str(primary)]))]
    if "pass_rate_passable" in metrics:
        found.append(("pass rate, tasks that the protocol can pass", _estimate(metrics["pass_rate_passable"])))
    if primary == "progress":
        found.append(("Crafter score", _estimate(metrics["score"])))
    return found


def _lines(metadata: Metadata, result: Result) -> Iterator[str]:
    yield f"# {_plain(result.benchmark.suite)}: {_plain(player(result))}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for name, value in _facts(metadata, result):
        yield f"| {name} | {_plain(value)} |"
    yield ""
    for line in metadata.description.split("\n"):
        yield f"> {_plain(line)}".rstrip()
    yield ""
    yield "What stands above are the submitter's statements and the figures of `result.json`. Check them, with no key:"
    yield ""
    folder = folder_name(metadata, result)
    yield f"    embodibench check submissions/{result.benchmark.suite}/{folder}"


def _facts(metadata: Metadata, result: Result) -> Iterator[tuple[str, str]]:
    yield from headline(result.metrics)
    yield "submitted by", metadata.submitter
    yield "contact", metadata.contact
    yield "date", metadata.date
    yield "attempts", f"{metadata.attempts}, this one included"
    yield "training", TRAINED[metadata.trained_on_suite]
    if metadata.model_repository is not None:
        yield "weights", metadata.model_repository
    if metadata.report is not None:
        yield "report", metadata.report
    if result.agent.privileged:
        yield "privileged", "the player sees more than a model would"
    yield "played", f"{result.run.created} to {result.run.finished}"
    yield "package", f"embodibench {result.benchmark.package_version}"


def _estimate(estimate: dict[str, Any] | None) -> str:
    if estimate is None:
        return "none"
    value, unit = float(estimate["value"]), str(estimate["unit"])
    if unit == "fraction":
        return f"{100 * value:.2f} %"
    return f"{value:.2f} %" if unit == "percent" else f"{value:.2f} {unit}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _ACTIVE.sub(r"\\\g<0>", " ".join(text.split()))
