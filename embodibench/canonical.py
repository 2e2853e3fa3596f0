"""Canonical bytes and digests, so that equal content has one hash on every machine (RFC 8785, SHA-256)."""

from __future__ import annotations

import base64
import hashlib
from typing import TypeAlias

import rfc8785

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def canonical_bytes(value: Json) -> bytes:
    """The RFC 8785 form of ``value``: sorted keys, shortest numbers, UTF-8.

    Raises:
        ValueError: for NaN, infinities, integers beyond 2**53 and lone surrogates, which JSON cannot carry.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"no canonical JSON form: {error}") from error


def digest(value: Json) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of ``text`` in UTF-8, in hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def short_hash(sha256_hex: str) -> str:
    """The first 96 bits of a SHA-256 as 16 URL-safe characters: how a record names a prompt or reply."""
    return base64.urlsafe_b64encode(bytes.fromhex(sha256_hex)[:12]).decode("ascii")
