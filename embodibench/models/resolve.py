"""From the name a user types to a model that answers."""

from __future__ import annotations

import asyncio
import datetime
import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from embodibench.errors import UsageError
from embodibench.models.base import Identity, Model
from embodibench.models.prices import Free, Prices
from embodibench.models.retry import Patience
from embodibench.models.table import Checkpoint, Provider, Takes, model_table
from embodibench.models.tokens import ImageRule

STUB_WORDS = ("noop", "forward", "left", "right")
"""What ``stub/`` without words answers."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a name means, before anything is connected or any key is looked at.

    Attributes:
        identity: as recorded; ``sdk`` is filled in.
        dialect: ``openai``, ``anthropic``, ``local``, ``recording`` or ``stub``.
        takes: parameters that are sent.
        prices: of the model.
        image_rule: how its pictures are counted.
        checkpoint: the row of the model table, or None; None too at an address that is not the provider's.
        provider: the provider of an API model, or None.
        url: the address that is asked, with whatever secrets it holds; never recorded.
        warnings: sentences for the user.
    """

    identity: Identity
    dialect: str
    takes: Takes
    prices: Prices | Free
    image_rule: ImageRule = "unknown"
    checkpoint: Checkpoint | None = None
    provider: Provider | None = None
    url: str | None = field(default=None, repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def pinned(self) -> bool:
        """Whether the checkpoint's name stands for fixed weights, as far as is known."""
        return self.checkpoint is not None and self.checkpoint.pinned


@dataclass(frozen=True, slots=True)
class Resolved:
    """A model, and what to tell the user about it."""

    model: Model
    choice: Choice

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences for the user."""
        return self.choice.warnings


def resolve(
    name: str,
    *,
    today: datetime.date,
    base_url: str | None = None,
    price_as: str | None = None,
    patience: Patience | None = None,
    rng: np.random.Generator | None = None,
    environ: Mapping[str, str] | None = None,
) -> Resolved:
    """A model by its name, ready to be asked.

    Args:
        name: ``openai/x``, ``anthropic/x``, ``google/x``, ``local/x``, ``recording/PATH``, ``stub/WORD,WORD``, or a
            name or alias of the model table.
        today: decides what is still served and which prices hold.
        base_url: of a server that speaks OpenAI's (or, for ``anthropic/x``, Anthropic's) dialect.
        price_as: a name of the model table whose prices hold, for a server that passes requests on under another name.
            Without it, a model at an address that is not its provider's has its provider's price if the table knows its
            name, else the price that ``genai-prices`` knows for that address, mostly none.
        patience: time limits and retries.
        rng: for the jitter of retries.
        environ: environment variables; the process's by default.

    Raises:
        UsageError: the name is unknown, the checkpoint is no longer served, or a key is missing.
        MissingExtraError: a local model without the extra ``local``.
    """
    environ = os.environ if environ is None else environ
    choice = choose(name, today=today, base_url=base_url, price_as=price_as, environ=environ)
    return Resolved(_connect(choice, patience, rng, environ), choice)


def choose(
    name: str,
    *,
    today: datetime.date,
    base_url: str | None = None,
    price_as: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Choice:
    """What a name means; needs no key and no network. Arguments as for ``resolve``.

    Raises:
        UsageError: the name is unknown, or the checkpoint is no longer served.
    """
    choice = _choose(name, today, base_url, os.environ if environ is None else environ)
    if price_as is None:
        return choice
    row = model_table().find(price_as.rpartition("/")[2])
    if row is None:
        raise UsageError(f"price of {price_as!r}: no such model in the table{_nearest(price_as)}")
    return replace(choice, prices=Prices(row.provider, row.name, today), image_rule=row.image_rule)


def _choose(name: str, today: datetime.date, base_url: str | None, environ: Mapping[str, str]) -> Choice:
    if not name.isprintable() or not name.strip():
        raise UsageError(f"model {name!r}: not a name")
    prefix, slash, rest = name.partition("/")
    if slash and not rest and prefix != "stub":
        raise UsageError(f"model {name!r}: no name after the slash")
    if slash and base_url is not None and prefix in ("stub", "recording", "local"):
        raise UsageError(f"model {name!r} has no server, so a base URL makes no sense")
    if prefix == "stub" and slash:
        return Choice(Identity("stub", rest, rest or ",".join(STUB_WORDS)), "stub", Takes(), Free())
    if prefix == "recording" and slash:
        from embodibench.models.recording import recorded_identity

        return Choice(recorded_identity(Path(rest)), "recording", Takes(), Free())
    table = model_table()
    if prefix == "local" and slash:
        from embodibench.models.local import local_identity

        row = table.find(rest, "local")
        if row is None and not rest.endswith(".gguf"):
            raise UsageError(f"no local model {rest!r}{_nearest(rest, 'local')}, or local/PATH.gguf")
        takes = row.takes if row else Takes(images=False, effort=False)
        return Choice(local_identity(row.name if row else rest, rest), "local", takes, Free(), checkpoint=row)
    if slash and prefix in table.providers:
        return _api_choice(table.providers[prefix], rest, today, base_url, environ)
    row = table.find(name)
    if row is not None and row.provider == "local":
        return _choose(f"local/{name}", today, None, environ)
    if row is not None:
        return _api_choice(table.providers[row.provider], name, today, base_url, environ)
    if base_url is not None:
        return _api_choice(table.providers["openai"], name, today, base_url, environ)
    asked = f"any id can be asked for with its provider in front, such as openai/{rest or name}"
    raise UsageError(f"unknown model {name!r}{_nearest(name)}; {asked}")


def _api_choice(
    provider: Provider, name: str, today: datetime.date, base_url: str | None, environ: Mapping[str, str]
) -> Choice:
    from embodibench.models.anthropic import AnthropicModel
    from embodibench.models.openai import OpenAIModel

    url = base_url or _from(environ, provider.base_url_variable) or provider.base_url or ""
    if urlsplit(url).scheme not in ("http", "https") or not _host(url):
        raise UsageError(f"base URL {_shown(url)!r}: expected http://HOST... or https://HOST...")
    row = model_table().find(name, provider.name)
    elsewhere = _host(url) != _host(provider.base_url or "")
    warnings: tuple[str, ...] = ()
    if elsewhere:
        # A gateway may know only the name it was given, and may serve a checkpoint longer than its provider does.
        checkpoint = name
        warnings = (f"{name} at {_shown(url)}: {provider.name}'s list prices are assumed",) if row else ()
    elif row is not None:
        checkpoint, warnings = row.name, _served(row, name, today)
    else:
        near = _nearest(name, provider.name)
        checkpoint = name
        warnings = (f"{name} is not in the model table: what it takes and until when it is served is unknown{near}",)
    sdk = AnthropicModel.sdk() if provider.dialect == "anthropic" else OpenAIModel.sdk()
    identity = Identity(provider.name, name, checkpoint, None if url == provider.base_url else _shown(url), sdk)
    takes = row.takes if row else Takes(temperature=provider.dialect == "openai", seed=provider.dialect == "openai")
    prices = Prices(provider.name if row or not elsewhere else None, row.name if row else name, today, url)
    rule: ImageRule = row.image_rule if row else "unknown"
    pinned_row = None if elsewhere else row
    return Choice(identity, provider.dialect, takes, prices, rule, pinned_row, provider, url, warnings)


def _served(row: Checkpoint, name: str, today: datetime.date) -> tuple[str, ...]:
    """Warnings about a checkpoint. Raises UsageError when it is gone."""
    state = row.state(today)
    means = "" if name == row.name else f"{name} means {row.name}, which"
    instead = f"; in its place: {', '.join(row.successors)}" if row.successors else ""
    if state == "gone":
        raise UsageError(f"{means or row.name} was shut down on {row.shutdown}{instead}")
    if state == "leaving":
        return (f"{means or row.name} will be shut down on {row.shutdown}{instead}",)
    return ()


def _connect(
    choice: Choice,
    patience: Patience | None,
    rng: np.random.Generator | None,
    environ: Mapping[str, str],
) -> Model:
    if choice.dialect == "stub":
        from embodibench.models.stub import StubModel

        return StubModel(choice.identity.checkpoint.split(","), choice.identity.requested)
    if choice.dialect == "recording":
        from embodibench.models.recording import RecordedModel

        return RecordedModel.open(Path(choice.identity.requested))
    if choice.dialect == "local":
        from embodibench.models.local import LocalModel, gguf_path

        name = choice.checkpoint.name if choice.checkpoint else choice.identity.requested
        return LocalModel(choice.identity, gguf_path(name), takes=choice.takes, patience=patience, rng=rng)
    provider = choice.provider
    assert provider is not None
    settings: dict[str, Any] = {
        "takes": choice.takes,
        "prices": choice.prices,
        "image_rule": choice.image_rule,
        "patience": patience,
        "rng": rng,
        "sleep": asyncio.sleep,
    }
    variable, key = _key(provider, choice, environ)
    if provider.dialect == "anthropic":
        from embodibench.models.anthropic import AnthropicModel

        bearer = variable == "ANTHROPIC_AUTH_TOKEN"
        return AnthropicModel(choice.identity, key, url=choice.url, bearer=bearer, **settings)
    from embodibench.models.openai import OpenAIModel

    return OpenAIModel(choice.identity, key, url=choice.url, **settings)


def _key(provider: Provider, choice: Choice, environ: Mapping[str, str]) -> tuple[str, str]:
    """The variable that holds the key, and the key."""
    for variable in provider.keys:
        key = environ.get(variable, "").strip()
        if key:
            return variable, key
    if _host(choice.url or "") != _host(provider.base_url or ""):
        return "", "none"  # A server of one's own seldom wants a key; one that does answers 401.
    raise UsageError(
        f"model {choice.identity.requested!r}: set the environment variable {provider.keys[0]} to your API key"
    )


def _nearest(name: str, provider: str | None = None) -> str:
    table = model_table()
    known = [each for each in table.names() if (row := table.find(each)) and provider in (None, row.provider)]
    near = difflib.get_close_matches(name.rpartition("/")[2], known, n=3, cutoff=0.5)
    return f"; nearest: {', '.join(near)}" if near else ""


def _from(environ: Mapping[str, str], variable: str) -> str | None:
    return environ.get(variable) if variable else None


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _shown(url: str) -> str:
    """An address without user, password and query, which may be secret."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
