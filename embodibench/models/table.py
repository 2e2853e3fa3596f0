"""The model table: which checkpoint a name means, what it takes, and until when it is served.

One YAML file a provider, beside this module. An alias such as ``gpt-4o`` moves at the provider's will; here it means
one checkpoint, so that a row keeps its meaning.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias

from embodibench.models.tokens import ImageRule

State: TypeAlias = Literal["served", "leaving", "gone"]
"""``leaving``: a shutdown date is announced and lies within ``NOTICE`` days. ``gone``: it has passed."""

NOTICE = 60
"""Days before a shutdown from which a run is warned of it."""

_LOCAL_FILE = re.compile(r"[^@]+@sha256:[0-9a-f]{16}")

FILES = ("openai", "anthropic", "google", "local")
"""The providers of the table, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Takes:
    """What a model accepts.

    Attributes:
        temperature: whether a temperature other than the default is taken.
        temperature_at_effort_none: it is, but only together with reasoning effort ``none``.
        seed: best-effort seeded sampling.
        stop: stop sequences.
        images: pictures in messages.
        effort: a reasoning effort.
    """

    temperature: bool = True
    temperature_at_effort_none: bool = False
    seed: bool = True
    stop: bool = True
    images: bool = True
    effort: bool = True

    def words(self) -> tuple[str, ...]:
        """What is taken, as words in a fixed order."""
        words = [name for name in ("temperature", "seed", "stop", "images", "effort") if getattr(self, name)]
        return ("temperature at effort none", *words) if self.temperature_at_effort_none else tuple(words)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One row of the table.

    Attributes:
        name: the id that is sent to the API.
        provider: a key of ``Table.providers``.
        takes: the parameters it accepts.
        context: tokens of prompt and reply together, or None when unknown.
        shutdown: the day announced for its shutdown, or None when none is announced.
        successors: what the provider recommends in its place.
        image_rule: how its pictures are counted.
        pinned: the id names fixed weights; otherwise it is itself an alias that the provider may move.
        note: one sentence, or "".
        aliases: other names for it.
    """

    name: str
    provider: str
    takes: Takes
    context: int | None = None
    shutdown: datetime.date | None = None
    successors: tuple[str, ...] = ()
    image_rule: ImageRule = "unknown"
    pinned: bool = True
    note: str = ""
    aliases: tuple[str, ...] = ()

    def state(self, today: datetime.date) -> State:
        """Whether it is served on that day."""
        if self.shutdown is None or (self.shutdown - today).days > NOTICE:
            return "served"
        return "leaving" if today <= self.shutdown else "gone"


@dataclass(frozen=True, slots=True)
class Provider:
    """Who serves models, and how to ask.

    Attributes:
        name: prefix of model names, and the provider's name in ``genai-prices``.
        dialect: wire format.
        base_url: of the API, or None for a provider without one.
        base_url_variable: environment variable that the SDK reads in its place, or "".
        keys: environment variables that may hold the API key; the first is the usual one.
    """

    name: str
    dialect: Literal["openai", "anthropic", "local"]
    base_url: str | None
    base_url_variable: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All rows, and the aliases that lead to them."""

    providers: Mapping[str, Provider]
    checkpoints: Mapping[str, Checkpoint]
    aliases: Mapping[str, str]

    def find(self, name: str, provider: str | None = None) -> Checkpoint | None:
        """The row of an id or alias, of one provider if given."""
        row = self.checkpoints.get(self.aliases.get(name, name))
        return row if row is not None and provider in (None, row.provider) else None

    def names(self) -> tuple[str, ...]:
        """Every id and alias, sorted."""
        return tuple(sorted({*self.checkpoints, *self.aliases}))


@cache
def model_table() -> Table:
    """The table that ships with the package."""
    providers: dict[str, Provider] = {}
    checkpoints: dict[str, Checkpoint] = {}
    aliases: dict[str, str] = {}
    for file in FILES:
        _read(file, providers, checkpoints, aliases)
    return Table(providers, checkpoints, aliases)


def is_pinned(provider: str, checkpoint: str) -> bool:
    """Whether an id stands for fixed weights: by the table, or as a local file that is named with its hash."""
    known = model_table().find(checkpoint, provider)
    return (known is not None and known.pinned) or (provider == "local" and bool(_LOCAL_FILE.fullmatch(checkpoint)))


def _read(
    file: str, providers: dict[str, Provider], checkpoints: dict[str, Checkpoint], aliases: dict[str, str]
) -> None:
    import yaml

    text = resources.files("embodibench.models").joinpath(f"{file}.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    provider = Provider(
        file, data["dialect"], data.get("base_url"), data.get("base_url_variable", ""), tuple(data.get("keys", ()))
    )
    providers[file] = provider
    for alias, name in data.get("aliases", {}).items():
        if alias in aliases or name not in data["checkpoints"]:
            raise ValueError(f"{file}.yaml: alias {alias!r} is double or leads nowhere")
        aliases[alias] = name
    for name, row in data["checkpoints"].items():
        if name in checkpoints or name in aliases:
            raise ValueError(f"{file}.yaml: {name!r} is there twice")
        mine = tuple(alias for alias, target in data.get("aliases", {}).items() if target == name)
        checkpoints[name] = _checkpoint(name, file, row, mine)


def _checkpoint(name: str, provider: str, row: Mapping[str, Any], aliases: tuple[str, ...]) -> Checkpoint:
    unknown = set(row) - {"takes", "context", "shutdown", "successors", "images_as", "pinned", "note"}
    words = set(row["takes"])
    fields = {"temperature", "temperature_at_effort_none", "seed", "stop", "images", "effort"}
    if unknown or words - fields:
        raise ValueError(f"{provider}.yaml: {name!r} has unknown fields {sorted(unknown | (words - fields))}")
    return Checkpoint(
        name=name,
        provider=provider,
        takes=Takes(**{field: field in words for field in fields}),
        context=row.get("context"),
        shutdown=row.get("shutdown"),
        successors=tuple(row.get("successors", ())),
        image_rule=row.get("images_as", "unknown"),
        pinned=row.get("pinned", True),
        note=row.get("note", ""),
        aliases=aliases,
    )
