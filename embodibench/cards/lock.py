"""The lock: for every released benchmark version, the digest of its content. Entries are only ever appended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from embodibench.cards.suites import Suite
from embodibench.data_files import folder

State: TypeAlias = Literal["released", "unreleased", "changed"]


@dataclass(frozen=True)
class Entry:
    """One released version: ``crafter@1-A``, its digest, and the package version that released it."""

    version: str
    digest: str
    package: str


def entries() -> tuple[Entry, ...]:
    """All entries, oldest first."""
    data = json.loads((folder("tasks") / "lock.json").read_bytes())
    return tuple(Entry(**entry) for entry in data["entries"])


def version_name(suite: Suite) -> str:
    """``name@N-X``: comparability version and interface letter."""
    return f"{suite.label}-{suite.card.interface}"


def state(suite: Suite) -> State:
    """Whether the content of a suite is the released one, has not been released, or was changed since."""
    known = [entry for entry in entries() if entry.version == version_name(suite)]
    if not known:
        return "unreleased"
    return "released" if known[-1].digest == suite.digest else "changed"
