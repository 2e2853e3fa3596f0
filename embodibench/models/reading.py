"""What came back over the wire, read with distrust: bytes to plain data, text that can be stored, errors to kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from embodibench.models.retry import Failure, asked_wait

MAX_TEXT = 131_072
"""Characters of a reply that are kept. No protocol asks for replies near it; a server may still send them."""

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a response that are read at all."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_OVERFLOW = re.compile(
    r"context[ _]length|context window|context size|prompt is too long|too many (input )?tokens"
    r"|input (is )?too long|maximum (prompt|input|number of) (length|tokens)|exceeds? the (available|maximum) context",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(r"not a valid model|model\b.{0,80}\b(does not exist|not found)", re.IGNORECASE)
_UNPAID = re.compile(r"insufficient_quota|billing", re.IGNORECASE)
_REFUSED = re.compile(
    r"unsupported|not (be )?(supported|permitted|allowed|accepted)|no longer (supported|accepted|available)|deprecated"
    r"|unknown|unrecognized|unexpected|extra inputs|extra fields|extra_forbidden|only the default|does not support"
    r"|may only be|invalid (parameter|argument)|removed",
    re.IGNORECASE,
)
_SECRET = re.compile(r"\b(sk|key|pk|AIza)[-_A-Za-z0-9*]{8,}")


def decode(data: bytes) -> dict[str, Any]:
    """The JSON object in a response; bytes that are not UTF-8 become U+FFFD.

    Raises:
        Failure: of the kind ``bad_response`` when there is none; another try may bring one.
    """
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise Failure("bad_response", f"the server's reply is not JSON: {excerpt(str(error))}", retry=True) from error
    if not isinstance(value, dict):
        raise Failure("bad_response", "the server's reply is not a JSON object", retry=True)
    return value


def clean(text: str) -> tuple[str, int]:
    """Text that can be stored, and how many characters were cut off its end.

    Lone surrogates, which no UTF-8 file can hold, become U+FFFD; the text is cut to ``MAX_TEXT`` characters.
    """
    return _SURROGATE.sub("\ufffd", text[:MAX_TEXT]), max(0, len(text) - MAX_TEXT)


def count(value: object) -> int | None:
    """A number of tokens, or None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        return None
    return value


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def excerpt(text: str, length: int = 300) -> str:
    """One line for an error message: bounded, printable, and without anything that looks like a key."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * length]).split())
    line = _SECRET.sub("[key]", line)
    return line if len(line) <= length else line[: length - 1] + "…"


def failure_of_status(
    status: int, headers: Mapping[str, str], body: object, droppable: frozenset[str], now: float
) -> Failure:
    """What an HTTP error means.

    Args:
        status: HTTP status.
        headers: of the reply, found by lower-case names.
        body: decoded error body, whatever it is.
        droppable: wire names of the parameters that were sent and may be left out.
        now: seconds since the epoch, for a ``Retry-After`` in the form of a date.
    """
    said, code, parameter = _error_fields(body)
    message = f"HTTP {status}: {excerpt(said)}" if said else f"HTTP {status}"
    if status == 402 or _UNPAID.search(code) or (status in (400, 429) and "credit balance" in said.lower()):
        return Failure("rate_limit", f"{message} (the account has no credit or quota left)", fatal=True)
    if status in (401, 403):
        return Failure("authentication", message, fatal=True)
    if status == 404:
        return Failure("unknown_model", message, fatal=True)
    if status in (400, 413, 422):
        return _bad_request(status, message, said, code, parameter, droppable)
    wait = asked_wait(headers, now)
    retry = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    if retry is None:
        retry = status in (408, 409, 425, 429) or status >= 500
    if status == 429:
        return Failure("rate_limit", message, retry=retry, wait=wait)
    if status in (408, 504):
        return Failure("timeout", message, retry=retry, wait=wait)
    return Failure("server" if status >= 500 or retry else "bad_request", message, retry=retry, wait=wait)


def _bad_request(status: int, message: str, said: str, code: str, parameter: str, droppable: frozenset[str]) -> Failure:
    if status == 413 or code == "context_length_exceeded" or _OVERFLOW.search(said):
        return Failure("context_overflow", message)
    if code in ("unsupported_parameter", "unsupported_value", "unknown_parameter") or _REFUSED.search(said):
        named = [parameter] if parameter else [n for n in sorted(droppable) if re.search(rf"\b{re.escape(n)}\b", said)]
        if named and named[0] in droppable:
            return Failure("bad_request", message, parameter=named[0])
    if code == "model_not_found" or _UNKNOWN.search(said):
        return Failure("unknown_model", message, fatal=True)
    return Failure("bad_request", message)


def _error_fields(body: object) -> tuple[str, str, str]:
    """Message, code and parameter out of the error bodies that are in use."""
    error = mapping(_only(body)).get("error", body)
    error = mapping(_only(error)).get("error", _only(error))
    if isinstance(error, str):
        return error, "", ""
    fields = mapping(error)
    said = fields.get("message") or fields.get("detail") or mapping(body).get("detail") or ""
    if not isinstance(said, str):
        said = json.dumps(said, default=str)[:4000]
    code, parameter = fields.get("code") or fields.get("type"), fields.get("param")
    return said, str(code or ""), parameter if isinstance(parameter, str) else ""


def _only(value: object) -> object:
    """Gemini's OpenAI-compatible server wraps its error in a list."""
    return value[0] if isinstance(value, list) and value else value
