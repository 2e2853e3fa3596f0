"""What a model is: messages and parameters in, one reply out, with what was sent and what it used.

Agents build messages, models carry them to a provider. The types here are plain data without any SDK.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from embodibench.canonical import Json, digest

CONTEXT_OVERFLOW: Final = "context_overflow"
"""Kind of the error of a prompt that is longer than the model takes, and ``finish`` of such a call in a record."""

Role: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a message in words."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """A part of a message that is a picture.

    Attributes:
        pixels: height x width x 3, uint8, RGB.
        encoding: how it goes over the wire. The prompt hash covers pixels and encoding, not the encoded bytes, because
            those change with the version of the codec.

    Digest and file are kept once they are made, since a conversation sends the same picture again with every turn; the
    pixels must not be changed any more.
    """

    pixels: NDArray[np.uint8]
    encoding: Literal["png", "jpeg"] = "png"
    _kept: dict[str, bytes] = field(default_factory=dict, init=False, repr=False)

    def encoded(self) -> bytes:
        """The file that is sent: PNG, or JPEG of quality 75."""
        if "file" not in self._kept:
            from PIL import Image as PillowImage

            buffer = io.BytesIO()
            PillowImage.fromarray(self.pixels).save(buffer, format=self.encoding.upper())
            self._kept["file"] = buffer.getvalue()
        return self._kept["file"]

    def pixels_digest(self) -> str:
        """SHA-256 (hex) of the pixels, row by row."""
        if "digest" not in self._kept:
            self._kept["digest"] = hashlib.sha256(np.ascontiguousarray(self.pixels).tobytes()).digest()
        return self._kept["digest"].hex()

    def data_url(self) -> str:
        """The picture as a ``data:`` URL."""
        return f"data:image/{self.encoding};base64,{base64.b64encode(self.encoded()).decode('ascii')}"


Part: TypeAlias = Text | Image


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: who speaks.
        parts: texts and pictures in order.
        cache: the conversation up to and including this message stays the same in later calls, so the provider may
            cache it. Has no influence on the prompt hash.
    """

    role: Role
    parts: tuple[Part, ...]
    cache: bool = False

    @staticmethod
    def of(role: Role, text: str, *, cache: bool = False) -> Message:
        """A message of text alone."""
        return Message(role, (Text(text),), cache)

    @property
    def text(self) -> str:
        """The words of the message, pictures left out."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


def prompt_digest(messages: Sequence[Message]) -> str:
    """SHA-256 (hex) of what is asked: roles, words, and the pixels of the pictures."""
    return digest([[message.role, [_part_form(part) for part in message.parts]] for message in messages])


def _part_form(part: Part) -> Json:
    if isinstance(part, Text):
        return {"text": part.text}
    return {"encoding": part.encoding, "shape": [int(n) for n in part.pixels.shape], "sha256": part.pixels_digest()}


@dataclass(frozen=True, slots=True)
class Parameters:
    """Sampling parameters a protocol asks for. None means: do not send it.

    Attributes:
        max_tokens: the most tokens a reply may have.
        temperature: 0 is greedy where the model takes a temperature at all.
        seed: for providers with best-effort seeded sampling.
        stop: sequences that end the reply.
        effort: reasoning effort, in the provider's words.
    """

    max_tokens: int = 1024
    temperature: float | None = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    effort: str | None = None

    def to_json(self) -> dict[str, Json]:
        """As recorded in a result: every parameter that is asked for."""
        asked: dict[str, Json] = {"max_tokens": self.max_tokens}
        if self.temperature is not None:
            asked["temperature"] = self.temperature
        if self.seed is not None:
            asked["seed"] = self.seed
        if self.stop:
            asked["stop"] = list(self.stop)
        if self.effort is not None:
            asked["effort"] = self.effort
        return asked


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, normalised over providers.

    ``input`` counts every token of the prompt, cached ones included (as OpenAI counts; Anthropic's cached and
    cache-write tokens are added). ``output`` includes ``reasoning``. ``cache_write`` includes ``cache_write_hour``, the
    tokens that stay in the cache for an hour, which cost more.
    """

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    cache_write_hour: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached + other.cached,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cache_write_hour + other.cache_write_hour,
        )

    def to_json(self) -> dict[str, Json]:
        counts: dict[str, Json] = {
            "input": self.input,
            "cached": self.cached,
            "cache_write": self.cache_write,
            "output": self.output,
            "reasoning": self.reasoning,
        }
        if self.cache_write_hour:
            counts["cache_write_hour"] = self.cache_write_hour
        return counts

    @staticmethod
    def from_json(value: Mapping[str, Json]) -> Usage:
        return Usage(**{name: int(str(count)) for name, count in value.items()})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: the reply; "" for an empty one, a refusal, or a tool call in place of text. No lone surrogates.
        usage: tokens, those of failed attempts that a provider billed included, or None when it did not say.
        cost: US dollars, or None when the price or the usage is unknown.
        returned_model: the model id that the API returned, or None.
        finish: why the reply ended, in normalised words: ``stop``, ``length``, ``refusal``, ``tool_call``, ``other``;
            in records also ``context_overflow``: the prompt was too long, and the model said nothing.
        sent: the parameters that went over the wire, with their values.
        not_sent: asked-for parameters that did not, name -> why (``refused by the model``, ``not taken by the model``).
        attempts: requests made for this reply, retries included.
        seconds: wall time of the call.
        system_fingerprint: the provider's mark of its backend configuration, or None.
        cut: characters cut off the end of ``text`` because it was longer than any reply should be; ``finish`` is then
            ``length``.
    """

    text: str
    usage: Usage | None = None
    cost: float | None = None
    returned_model: str | None = None
    finish: str = "stop"
    sent: Mapping[str, Json] = field(default_factory=dict)
    not_sent: Mapping[str, str] = field(default_factory=dict)
    attempts: int = 1
    seconds: float = 0.0
    system_fingerprint: str | None = None
    cut: int = 0


class ModelError(Exception):
    """A call that brought no reply.

    Attributes:
        kind: one word: ``rate_limit``, ``server``, ``timeout``, ``connection``, ``bad_response``, ``bad_request``,
            ``context_overflow``, ``authentication``, ``unknown_model``, ``exhausted`` (a recording has no
            more replies).
        fatal: True when every further call would fail alike (wrong key, unknown model), so that the run should stop.
        attempts: requests that were made, retries included.
        billed: usage of failed attempts, where a provider reported it.
    """

    def __init__(
        self, kind: str, message: str, *, fatal: bool = False, attempts: int = 1, billed: Usage | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.fatal = fatal
        self.attempts = attempts
        self.billed = billed


@dataclass(frozen=True, slots=True)
class Identity:
    """Which model a run asked for, as recorded in its result.

    Attributes:
        provider: ``openai``, ``anthropic``, ``local``, ``recording``, ``stub``.
        requested: the name as the user gave it, without the provider prefix.
        checkpoint: the id that is sent to the API (an alias resolved by the model table).
        base_url: of the server asked, or None for the provider's default.
        sdk: name and version of the transport, for example ``openai 3.57.0``. A run that went on with another one
            names both, with "; " between.
    """

    provider: str
    requested: str
    checkpoint: str
    base_url: str | None = None
    sdk: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "provider": self.provider,
            "requested": self.requested,
            "checkpoint": self.checkpoint,
            "base_url": self.base_url,
            "sdk": self.sdk,
        }


class Model(Protocol):
    """Something that answers prompts."""

    @property
    def identity(self) -> Identity:
        """Which model this is."""
        ...

    async def generate(self, messages: Sequence[Message], parameters: Parameters, *, cache_key: str = "") -> Reply:
        """Ask once (transport retries included).

        ``cache_key`` groups calls that share a prompt prefix, for providers that route by it.

        Raises:
            ModelError: no reply could be had.
        """
        ...

    def worst_cost(self, messages: Sequence[Message], parameters: Parameters) -> float | None:
        """An upper bound in US dollars of what this call can cost, or None when the price is unknown."""
        ...

    async def close(self) -> None:
        """Release connections, servers and files."""
        ...
