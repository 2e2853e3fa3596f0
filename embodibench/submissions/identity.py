"""Whether the parts of a submission belong together, and whether its texts can be shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from embodibench import __version__, agents
from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError
from embodibench.models.table import is_pinned, model_table
from embodibench.results.schema import ModelSection, Result
from embodibench.runs.players import parameters_of
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import Submission, folder_name
from embodibench.submissions.readme import readme_bytes
from embodibench.submissions.rules import found
from embodibench.submissions.secrets import has_home_path, secrets_in
from embodibench.submissions.shown import shown

_LABEL = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}@[0-9]{1,6}")
_WORDS = re.compile(r"[A-Za-z0-9 ,.:;/@+~_(){}=?%'*!-]*")
"""Names of models, servers and versions: plain ASCII without the signs of HTML and Markdown."""
_NAME = re.compile(r"[A-Za-z0-9_.@+/ -]*")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_FREE = ("agent.options", "model.asked", "model.sent")
"""Parts that hold texts of any kind, such as a context or a stop sequence; no board shows them."""


def find_suite(result: Result) -> Suite | Finding:
    """The suite of a result, or why there is none."""
    label = result.benchmark.suite
    if not _LABEL.fullmatch(label):
        return found("suite-unknown", f"'{shown(label, 60)}' is not a suite with its version")
    try:
        return suites.load(label)
    except UsageError as error:
        return found("suite-unknown", str(error))


def folder_findings(submission: Submission, readme: bytes, parent: str, name: str) -> Iterator[Finding]:
    """Folder, README and hash. ``parent`` and ``name`` are the last two parts of the folder's path."""
    result, metadata = submission.result, submission.metadata
    if metadata.result != submission.result_sha256:
        yield found("result-hash", f"metadata.yaml names {metadata.result[:12]}, it is {submission.result_sha256[:12]}")
    right = folder_name(metadata, result)
    if (parent, name) != (result.benchmark.suite, right):
        yield found(
            "folder-name",
            f"it lies in {shown(parent, 60)}/{shown(name, 130)}, its place is {result.benchmark.suite}/{right}",
        )
    try:
        right_readme = readme_bytes(metadata, result)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return  # the metrics, which it shows, are refused by their own rule
    if readme != right_readme:
        yield found("readme", "README.md: is not what this package generates from metadata and result")


def version_findings(suite: Suite, result: Result) -> Iterator[Finding]:
    """Benchmark, package and world packages."""
    benchmark = result.benchmark
    if (benchmark.digest, benchmark.interface) != (suite.digest, suite.card.interface):
        yield found(
            "suite-digest",
            f"made with {suite.label}-{shown(benchmark.interface, 10)} of digest {benchmark.digest[:12]}, "
            f"this package has {suite.card.interface} of {suite.digest[:12]}",
        )
    if benchmark.package_version != __version__:
        yield found("package-version", f"made by {shown(benchmark.package_version, 40)}, checked by {__version__}")
    if benchmark.git_dirty:
        yield found("changed-code", "made by a checkout with changes that were not committed")
    for package, installed in benchmark.off_pin.items():
        yield found("off-pin", f"{shown(package, 40)} {shown(installed, 40)} is not the pinned version")


def player_findings(suite: Suite, result: Result) -> Iterator[Finding]:
    """Agent, policy and model."""
    section, kind = result.agent, suite.tasks[0].environment.kind
    policy = section.name.startswith("policy/")
    if policy != (result.model is None) or policy != (result.transcript is None):
        yield found("player", "a policy has no model and no transcript, an agent has both")
        return
    try:
        if policy:
            agent = agents.make_policy(section.name.removeprefix("policy/"), kind)
        else:
            agents.refuse_other_world(section.name, kind)
            agent = agents.make(section.name, section.options)
        now: dict[str, Any] = agent.identity.to_json()
    except Exception as error:  # options of strangers may be anything; whatever goes wrong, they are not ours
        yield found("agent-identity", f"{type(error).__name__}: {error}")
        return
    for name, value in section.model_dump(mode="json").items():
        if repr(now[name]) != repr(value):
            yield found("agent-identity", f"agent {shown(section.name, 60)}: its {name} is not the one of this package")
    protocol = suite.card.protocol
    if not policy and (section.name != protocol.agent or _differ(protocol.options, section.options)):
        yield found("agent-variant", f"the suite's agent is {protocol.agent}; this one makes a row of its own")
    if result.model is not None:
        yield from _model_findings(suite, result.model)


def _differ(asked: dict[str, Any], options: dict[str, Any]) -> bool:
    return any(options.get(name) != value for name, value in asked.items())


def _model_findings(suite: Suite, model: ModelSection) -> Iterator[Finding]:
    asked = parameters_of(suite).to_json()
    if repr(sorted(asked.items())) != repr(sorted(model.asked.items())):
        yield found(
            "sampling", f"asked for {json.dumps(model.asked)}, the suite's protocol asks for {json.dumps(asked)}"
        )
    for sent in model.sent:
        for name in sorted(sent.keys() & asked.keys()):
            if repr(sent[name]) != repr(asked[name]):
                yield found(
                    "sampling", f"sent {name} {shown(str(sent[name]), 40)}, the protocol asks for {asked[name]}"
                )
                return
    table = model_table()
    if model.provider not in (*table.providers, "recording", "stub"):
        yield found("player", f"there is no provider {shown(model.provider, 60)}")
        return
    if model.provider in ("recording", "stub"):
        yield found("model-unasked", f"the replies come from a {model.provider}, not from a model")
        return
    row = table.find(model.checkpoint)
    if row is not None and row.provider != model.provider and model.base_url is None:
        yield found("player", f"{shown(model.checkpoint, 80)} is a model of {row.provider}, not of {model.provider}")
    if not is_pinned(model.provider, model.checkpoint):
        yield found("model-unknown", f"{shown(model.checkpoint, 80)} is not known to stand for fixed weights")
    for name in model.returned:
        if name != model.checkpoint and name.rpartition("/")[2] != model.checkpoint.rpartition("/")[2]:
            yield found("model-returned", f"asked was {shown(model.checkpoint, 60)}, {shown(name, 60)} answered")


def word_findings(result: Result) -> Iterator[Finding]:
    """The words of a result, which a board shows: plain ones, and no secrets."""
    for where, text in _words(result):
        if not _WORDS.fullmatch(text):
            yield found("result-text", f"result.json: {where} is {shown(text, 60)}, which holds more than plain signs")
    for where, name in _names(result):
        if not _NAME.fullmatch(name):
            yield found("result-text", f"result.json: {where} holds more than plain signs: {shown(name, 60)}")

    free: dict[str, Any] = {"agent.options": result.agent.options}
    if result.model is not None:
        free |= {"model.asked": result.model.asked, "model.sent": list(result.model.sent)}
    commit = result.benchmark.git_commit
    if commit is not None and not _COMMIT.fullmatch(commit):
        yield found("result-text", f"result.json: benchmark.git_commit is {shown(commit, 60)}, not a commit")
    for name, value in free.items():
        for where, text in _strings(name, value):
            if not all(char.isprintable() or char in "\n\t" for char in text):
                yield found("result-text", f"result.json: {where} holds characters that cannot be seen")


def secret_findings(name: str, text: str) -> Iterator[Finding]:
    """Secrets and home paths in a file of metadata or results; where, never what."""
    for number, line in enumerate(text.split("\n"), start=1):
        for kind in secrets_in(line):
            yield found("secret", f"{name}:{number}: holds {kind}; revoke it, it may have been seen")
        if has_home_path(line):
            yield found("home-path", f"{name}:{number}: holds a path of somebody's home folder")


def _words(result: Result) -> Iterator[tuple[str, str]]:
    """Words that name things, with their place."""
    for part in ("benchmark", "run", "model", "agent", "environment", "prices"):
        section = getattr(result, part)
        if section is not None:
            for field, value in section.model_dump(mode="json").items():
                if f"{part}.{field}" not in _FREE:
                    yield from _strings(f"{part}.{field}", value)


def _names(result: Result) -> Iterator[tuple[str, str]]:
    for number, episode in enumerate(result.episodes):
        where = f"episodes.{number}"
        yield f"{where}.task", episode.task
        yield f"{where}.end", episode.end
        yield from ((f"{where}.calls.outcomes", word) for word, _ in episode.calls.outcomes)
        # A replay of an episode that ended by the rules has nothing to compare such a sentence with.
        if episode.status == "ok" and episode.error is not None:
            yield f"{where}.error", f"({episode.error})"


def _strings(where: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield f"the keys of {where}", str(key)
            yield from _strings(f"{where}.{shown(str(key), 40)}", part)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _strings(f"{where}.{number}", part)
