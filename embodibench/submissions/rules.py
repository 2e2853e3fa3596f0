"""The rules that a submission is checked by: id, gravity, and what each demands. ``docs/rules.md`` explains them."""

from __future__ import annotations

from dataclasses import dataclass

from embodibench.submissions.findings import Finding, Gravity
from embodibench.submissions.shown import shown


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: kebab-case; names the section of ``docs/rules.md``.
        gravity: whether breaking it refuses the submission or asks a reviewer to look.
        demand: what must hold, in one line.
    """

    id: str
    gravity: Gravity
    demand: str


_REFUSE = {
    # A pull request: a list of changed paths, before anything is read.
    "change-outside": "a pull request touches exactly one submission folder and nothing outside it",
    "change-of-old": "a pull request only adds files",
    "change-mode": "added files are plain files, not executable, no symbolic links and no submodules",
    # The folder: names, kinds and sizes; nothing is opened.
    "file-names": "the folder holds result.json, metadata.yaml, README.md, a model's transcript, and nothing else",
    "file-kind": "every file is a regular file",
    "file-size": "every file is within its size",
    # The form of the files.
    "json-encoding": "result.json is UTF-8 without halves of characters",
    "json-syntax": "result.json is JSON",
    "json-duplicate-key": "no key of result.json stands twice",
    "json-number": "every number is finite and within the range of JSON",
    "json-depth": "result.json is nested no deeper than a result is",
    "result-schema": "result.json fits the schema of results",
    "result-form": "result.json is written byte for byte as this package writes it",
    "metadata-form": "metadata.yaml is YAML, written byte for byte as this package writes it",
    "metadata-schema": "metadata.yaml fits the schema of metadata",
    # Texts that people will read.
    "metadata-markup": "texts hold no HTML, no pictures, no links and no scripts",
    "metadata-characters": "texts hold visible characters in NFC, and none that change direction or hide",
    "metadata-name": "a name does not mix or imitate scripts",
    "result-text": "the words of a result are plain words",
    "secret": "no file holds a key, a token or a password",
    "home-path": "no result or metadata hold a path of somebody's home folder",
    # Whether the parts belong together.
    "folder-name": "the folder is called by its suite, date, model, agent and the hash of its result",
    "readme": "README.md is what this package generates from metadata and result",
    "result-hash": "the metadata name the SHA-256 of result.json",
    "suite-unknown": "the suite is one of this package, in this version",
    "suite-digest": "the result was made with the released content of the suite",
    "agent-identity": "agent, version, prompts and parser are those of this package",
    "player": "a policy plays without a model and a transcript, an agent with both",
    "sampling": "the parameters that were asked for are those of the suite's protocol",
    # The rows.
    "run-partial": "the run is whole: not limited, and every trial came to its end by the rules",
    "planned-rows": "there is one row for each planned trial, in the order of the plan",
    "episode-seed": "every trial is played from its pinned seed",
    "episode-lengths": "the columns of an episode's steps fit each other and its budget",
    "episode-values": "rewards, measures and times are of a size that a game has",
    "episode-attempts": "no trial was tried more often than the run had sessions",
    "call-columns": "the columns of an episode's calls fit each other, its steps and its budget",
    "token-sums": "the tokens of an episode are the sum over its calls, and parts are not more than the whole",
    "token-counts": "a call has the tokens that its prompt and its reply need",
    "cost": "the cost follows from the tokens and the price table",
    "metrics": "the metrics follow from the episodes",
    # The times.
    "date-form": "times are written as results write them",
    "date-order": "a run begins, ends and is submitted in this order",
    "date-future": "no time lies in the future",
    "date-suite": "the run is not older than the suite",
    "date-model": "the model was served when it is said to have played",
    "episode-times": "every trial was played while the run lasted",
    "session-order": "trials were played in the order of the plan, begun anew at most once a session",
    # The transcript.
    "transcript-hash": "the transcript is the one that the result names",
    "transcript-size": "the transcript unpacks to a size that its calls can have",
    "transcript-form": "the transcript is Zstandard, and its lines are replies",
    "transcript-rows": "the transcript has one line for each call, in order, with the call's prompt and reply",
    # The replay.
    "replay-world": "the actions give these rewards, fingerprints, measures and ends in the world",
    "replay-protocol": "the agent, given these replies, asks these prompts and acts alike",
    # Other submissions.
    "duplicate-result": "the result was not submitted before",
    "duplicate-play": "the same play does not stand under two models",
    "episode-reused": "no episode of another result stands in this one",
}

_WARN = {
    "package-version": "the result was made by this version of the package",
    "changed-code": "the result was made by unchanged code",
    "off-pin": "the world packages are those that the suite is pinned to",
    "agent-variant": "the agent and its options are those of the suite's protocol",
    "model-unknown": "the model table knows the checkpoint as fixed weights",
    "model-unasked": "a model was asked",
    "model-returned": "the server said that the model asked for had answered",
    "home-path-in-reply": "no reply holds a path of a home folder",
    "session-count": "a run was not begun anew again and again",
    "session-retries": "a resumed run plays again only what was open",
    "cost-unchecked": "the cost can be computed again",
    "replay-fingerprint": "fingerprints are the same on every platform",
    "duplicate-short": "short or deterministic play is the same under two models",
    "attempts-count": "the number of attempts is not below the number of submissions",
}

RULES: dict[str, Rule] = {
    **{name: Rule(name, "refuse", demand) for name, demand in _REFUSE.items()},
    **{name: Rule(name, "warn", demand) for name, demand in _WARN.items()},
}
"""All rules by id, in the order in which they are checked."""


def found(rule: str, message: str) -> Finding:
    """A finding of a rule; its message is made harmless to terminals and pages."""
    return Finding(rule, RULES[rule].gravity, shown(message, 400))
