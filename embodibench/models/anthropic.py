"""Messages through Anthropic's official SDK."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from embodibench.models.api import Answer, ApiModel, Request, bounded_client
from embodibench.models.base import Identity, Message, Parameters, Text, Usage
from embodibench.models.reading import count, mapping
from embodibench.models.retry import Failure

API_VERSION = "2026-10-21"
"""The ``anthropic-version`` that anthropic 2.14 sends. Under it no model takes a temperature."""

MARKS = 4
"""Cache marks that a request may carry."""

_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_call",
    "refusal": "refusal",
}


class AnthropicModel(ApiModel):
    """A model behind Messages. Implements ``Model``.

    Args:
        identity: which model.
        api_key: sent as a bearer token, as the API version wants it.
        url: base URL of the server, or None for Anthropic's.
        bearer: the key is an auth token (``ANTHROPIC_AUTH_TOKEN``).
        settings: those of ``ApiModel``.
    """

    def __init__(
        self, identity: Identity, api_key: str, *, url: str | None = None, bearer: bool = False, **settings: Any
    ) -> None:
        import anthropic

        super().__init__(identity, anthropic, **settings)
        self._client = anthropic.AsyncAnthropic(
            api_key=None if bearer else api_key,
            auth_token=api_key if bearer else None,
            base_url=url or "https://api.anthropic.com",
            max_retries=0,
            http_client=bounded_client(anthropic.DefaultAsyncHttpxClient, self.patience),
            timeout=self.patience.request,
        )

    @staticmethod
    def sdk() -> str:
        """Name and version of the SDK, and the version of the API that it speaks."""
        return f"anthropic {metadata.version('anthropic')}, API {API_VERSION}"

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()

    def _compose(self, messages: Sequence[Message], parameters: Parameters, cache_key: str) -> Request:
        marked = [index for index, message in enumerate(messages) if message.cache and _blocks(message, mark=False)]
        # The longest prefix is what later calls share, so the last marks count.
        kept = set(marked[-MARKS:])
        system: list[dict[str, Any]] = []
        turns: list[dict[str, Any]] = []
        for index, message in enumerate(messages):
            blocks = _blocks(message, mark=index in kept)
            if message.role == "system" and not turns:
                system += blocks
            elif blocks:
                turns.append({"role": message.role, "content": blocks})
        body: dict[str, Any] = {
            "model": self.identity.checkpoint,
            "max_tokens": parameters.max_tokens,
            "messages": turns,
        }
        if system:
            body["system"] = system
        request = Request(body, sent={"max_tokens": parameters.max_tokens})
        if parameters.temperature is not None:
            self._take(request, "temperature", "temperature", parameters.temperature, taken=False)
        if parameters.seed is not None:
            self._take(request, "seed", "seed", parameters.seed, taken=False)
        if parameters.stop:
            self._take(request, "stop", "stop_sequences", list(parameters.stop), taken=self.takes.stop)
        if parameters.effort is not None:
            self._take(request, "effort", "effort", parameters.effort, taken=self.takes.effort)
            if "effort" in body:
                body["output_config"] = {"effort": body.pop("effort")}
        return request

    async def _send(self, body: Mapping[str, Any]) -> bytes:
        response = await self._client.messages.with_raw_response.create(**body)
        content: bytes = await response.read()
        return content

    def _read(self, body: Mapping[str, Any]) -> Answer:
        usage = _usage(mapping(body.get("usage")))
        content = body.get("content")
        if not isinstance(content, list):
            raise Failure("bad_response", "the server's reply holds no message", retry=True, usage=usage)
        blocks = [mapping(block) for block in content]
        texts = [block.get("text") for block in blocks if block.get("type") == "text"]
        finish = _FINISH.get(str(body.get("stop_reason")), "other")
        return Answer(
            text="".join(text for text in texts if isinstance(text, str)),
            finish=finish,
            usage=usage,
            returned_model=body.get("model"),
        )


def _blocks(message: Message, *, mark: bool) -> list[dict[str, Any]]:
    """The content of a message; empty texts, which the API refuses, are left out. ``mark``: cache up to its end."""
    blocks: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text):
            if part.text:
                blocks.append({"type": "text", "text": part.text})
        else:
            data = base64.b64encode(part.encoded()).decode("ascii")
            source = {"type": "base64", "media_type": f"image/{part.encoding}", "data": data}
            blocks.append({"type": "image", "source": source})
    if mark and blocks:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def _usage(reported: Mapping[str, Any]) -> Usage | None:
    """Anthropic counts the tokens read from and written to the cache beside the input; here they are part of it."""
    fresh, output = count(reported.get("input_tokens")), count(reported.get("output_tokens"))
    if fresh is None or output is None:
        return None
    read = count(reported.get("cache_read_input_tokens")) or 0
    written = count(reported.get("cache_creation_input_tokens")) or 0
    parts = mapping(reported.get("cache_creation"))
    hour = count(parts.get("ephemeral_1h_input_tokens")) or 0
    written = max(written, hour + (count(parts.get("ephemeral_5m_input_tokens")) or 0))
    reasoning = count(mapping(reported.get("output_tokens_details")).get("thinking_tokens")) or 0
    return Usage(
        input=fresh + read + written,
        cached=read,
        cache_write=written,
        output=output,
        reasoning=reasoning,
        cache_write_hour=hour,
    )
