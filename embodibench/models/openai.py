"""Chat Completions through the official SDK: OpenAI, and every server that speaks its dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit

from embodibench.canonical import text_digest
from embodibench.models.api import Answer, ApiModel, Request, bounded_client
from embodibench.models.base import Identity, Message, Parameters, Text, Usage
from embodibench.models.reading import count, mapping
from embodibench.models.retry import Failure

LONGEST_KEY = 64
"""Characters of a ``prompt_cache_key`` that OpenAI takes; a longer one is sent as its digest."""

_FINISH = {
    "stop": "stop",
    "length": "length",
    "content_filter": "refusal",
    "tool_calls": "tool_call",
    "function_call": "tool_call",
}


class OpenAIModel(ApiModel):
    """A model behind Chat Completions. Implements ``Model``.

    Args:
        identity: which model.
        api_key: sent as a bearer token.
        url: base URL of the server, or None for OpenAI's.
        through_proxy: heed the proxies that the environment names.
        settings: those of ``ApiModel``.
    """

    def __init__(
        self, identity: Identity, api_key: str, *, url: str | None = None, through_proxy: bool = True, **settings: Any
    ) -> None:
        import openai

        super().__init__(identity, openai, **settings)
        self._limit = "max_completion_tokens"
        # Other servers may refuse an unknown field without naming it, and only OpenAI routes by the key.
        url = url or "https://api.openai.com/v1"
        self._routes_by_key = urlsplit(url).hostname == "api.openai.com"
        self._client = openai.AsyncOpenAI(
            api_key=api_key,
            base_url=url,
            max_retries=0,
            http_client=bounded_client(openai.DefaultAsyncHttpxClient, self.patience, through_proxy=through_proxy),
            timeout=self.patience.request,
        )

    @staticmethod
    def sdk() -> str:
        """Name and version of the SDK."""
        return f"openai {metadata.version('openai')}"

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()

    def _compose(self, messages: Sequence[Message], parameters: Parameters, cache_key: str) -> Request:
        body: dict[str, Any] = {"model": self.identity.checkpoint, "messages": [_message(each) for each in messages]}
        request = Request(body)
        body[self._limit] = parameters.max_tokens
        request.sent["max_tokens"] = parameters.max_tokens
        if self._limit == "max_completion_tokens":
            request.droppable.add(self._limit)
        takes = self.takes
        if parameters.temperature is not None:
            taken = takes.temperature or (takes.temperature_at_effort_none and parameters.effort == "none")
            self._take(request, "temperature", "temperature", parameters.temperature, taken=taken)
        if parameters.seed is not None:
            self._take(request, "seed", "seed", parameters.seed, taken=takes.seed)
        if parameters.stop:
            self._take(request, "stop", "stop", list(parameters.stop), taken=takes.stop)
        if parameters.effort is not None:
            self._take(request, "effort", "reasoning_effort", parameters.effort, taken=takes.effort)
        if cache_key and self._routes_by_key and "prompt_cache_key" not in self._refused:
            body["prompt_cache_key"] = cache_key if len(cache_key) <= LONGEST_KEY else text_digest(cache_key)
            request.droppable.add("prompt_cache_key")
        return request

    def _drop(self, wire: str) -> None:
        if wire == "max_completion_tokens":
            self._limit = "max_tokens"
        else:
            super()._drop(wire)

    async def _send(self, body: Mapping[str, Any]) -> bytes:
        response = await self._client.chat.completions.with_raw_response.create(**body)
        content: bytes = response.content
        return content

    def _read(self, body: Mapping[str, Any]) -> Answer:
        usage = _usage(mapping(body.get("usage")))
        choices = body.get("choices")
        choice = mapping(choices[0]) if isinstance(choices, list) and choices else None
        if choice is None or not isinstance(choice.get("message"), dict):
            raise Failure("bad_response", "the server's reply holds no message", retry=True, usage=usage)
        message = choice["message"]
        finish = _FINISH.get(str(choice.get("finish_reason")), "other")
        text = _text(message.get("content"))
        if message.get("refusal"):
            finish = "refusal"
        elif not text and (message.get("tool_calls") or message.get("function_call")):
            finish = "tool_call"
        return Answer(
            text=text,
            finish=finish,
            usage=usage,
            returned_model=body.get("model"),
            system_fingerprint=body.get("system_fingerprint"),
        )


def _message(message: Message) -> dict[str, Any]:
    if all(isinstance(part, Text) for part in message.parts):
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text):
            parts.append({"type": "text", "text": part.text})
        else:
            parts.append({"type": "image_url", "image_url": {"url": part.data_url(), "detail": "high"}})
    return {"role": message.role, "content": parts}


def _text(content: object) -> str:
    """Content is a string; some servers send a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [mapping(part).get("text") for part in content]
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def _usage(reported: Mapping[str, Any]) -> Usage | None:
    prompt, completion = count(reported.get("prompt_tokens")), count(reported.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    read, written = mapping(reported.get("prompt_tokens_details")), mapping(reported.get("completion_tokens_details"))
    reasoning = count(written.get("reasoning_tokens")) or 0
    # Gemini's and xAI's servers leave thinking out of the completion; it is in the total, and it is billed as output.
    hidden = max(0, (count(reported.get("total_tokens")) or 0) - prompt - completion)
    return Usage(
        input=prompt,
        cached=count(read.get("cached_tokens")) or 0,
        cache_write=count(read.get("cache_write_tokens")) or 0,
        output=completion + hidden,
        reasoning=max(reasoning, hidden),
    )
