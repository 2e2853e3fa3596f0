"""The wire formats of OpenAI and Anthropic, from the server's side, and their prompt caches."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BLOCK = 128
SHORTEST_CACHED = 1024
IMAGE_TOKENS = 100


@dataclass(frozen=True, slots=True)
class Request:
    """One request that reached the server.

    Attributes:
        path: of the URL, such as ``/v1/chat/completions``.
        headers: with lower-case names.
        body: the decoded JSON.
    """

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of what is asked: the model and the messages, cache marks left out."""
        asked = {name: self.body.get(name) for name in ("model", "system", "messages")}
        return hashlib.sha256(json.dumps(_unmarked(asked), sort_keys=True).encode()).hexdigest()


class PrefixCache:
    """Prompts that were seen, as prefixes. OpenAI finds the longest by itself, Anthropic goes by the marks."""

    def __init__(self) -> None:
        self._cache: set[str] = set()
        self._lock = threading.Lock()

    def shared(self, tokens: list[str]) -> int:
        """Tokens at the start of a prompt that an earlier prompt began with; the prompt is remembered."""
        with self._lock:
            cached = 0
            for length, prefix in _prefixes(tokens, range(BLOCK, len(tokens) + 1, BLOCK)):
                if prefix in self._cache and cached == length - BLOCK:
                    cached = length
                self._cache.add(prefix)
        return cached if cached >= SHORTEST_CACHED else 0

    def marked(self, tokens: list[str], marks: list[int]) -> tuple[int, int]:
        """Tokens read from and written to the cache, for a prompt with cache marks after so many tokens."""
        read = written = 0
        with self._lock:
            for length, prefix in _prefixes(tokens, marks):
                if length < SHORTEST_CACHED:
                    continue
                if prefix in self._cache:
                    read = length
                else:
                    written = length - read
                    self._cache.add(prefix)
        return read, written


class OpenAIWire:
    """Chat Completions."""

    def error(self, status: int, message: str, code: str = "", parameter: str = "") -> dict[str, Any]:
        kind = "invalid_request_error" if status < 429 else "server_error"
        return {"error": {"message": message, "type": kind, "param": parameter or None, "code": code or None}}

    def too_long(self, length: int, context: int) -> str:
        return f"This model's maximum context length is {context} tokens. However, your messages resulted in {length}."

    def tokens(self, request: Request) -> tuple[list[str], list[int]]:
        tokens: list[str] = []
        for message in request.body["messages"]:
            tokens.append(message["role"])
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for part in parts:
                tokens += _part_tokens(part.get("text"), part.get("image_url"))
        return tokens, []

    def reply(self, cache: PrefixCache, request: Request, text: str, kind: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        finish = "stop"
        if kind == "empty":
            message["content"] = ""
        elif kind == "null":
            message["content"] = None
        elif kind == "refusal":
            message |= {"content": None, "refusal": "I cannot help with that."}
        elif kind == "filtered":
            message["content"], finish = "", "content_filter"
        elif kind == "tool_call":
            call = {"id": "call_1", "type": "function", "function": {"name": "act", "arguments": "{}"}}
            message |= {"content": None, "tool_calls": [call]}
            finish = "tool_calls"
        elif kind == "length":
            finish = "length"
        elif kind == "surrogate":
            message["content"] = "a\ud83d b"
        elif kind == "invalid_utf8":
            message["content"] = "aINVALIDb"
        tokens, _ = self.tokens(request)
        cached = cache.shared(tokens)
        written = len(_text_tokens(message["content"] or ""))
        reply: dict[str, Any] = {
            "id": f"chatcmpl-{request.digest[:8]}",
            "object": "chat.completion",
            "created": 0,
            "model": request.body["model"],
            "system_fingerprint": "fp_test",
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": {
                "prompt_tokens": len(tokens),
                "completion_tokens": written,
                "total_tokens": len(tokens) + written,
                "prompt_tokens_details": {"cached_tokens": cached},
                "completion_tokens_details": {"reasoning_tokens": 0},
            },
        }
        if kind == "no_usage":
            del reply["usage"]
        if kind == "no_choices":
            reply["choices"] = []
        return reply


class AnthropicWire:
    """Messages."""

    def error(self, status: int, message: str, code: str = "", parameter: str = "") -> dict[str, Any]:
        kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
        kind = kinds.get(status, "invalid_request_error" if status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}

    def too_long(self, length: int, context: int) -> str:
        return f"prompt is too long: {length} tokens > {context} maximum"

    def tokens(self, request: Request) -> tuple[list[str], list[int]]:
        tokens: list[str] = []
        marks: list[int] = []
        system = request.body.get("system") or []
        turns = [{"role": "system", "content": system}, *request.body["messages"]]
        for message in turns:
            tokens.append(message["role"])
            content = message["content"]
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                tokens += _part_tokens(part.get("text"), part.get("source"))
                if part.get("cache_control"):
                    marks.append(len(tokens))
        return tokens, marks

    def reply(self, cache: PrefixCache, request: Request, text: str, kind: str) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        stop = "end_turn"
        if kind in ("empty", "null", "no_choices"):
            content = []
        elif kind in ("refusal", "filtered"):
            content, stop = [], "refusal"
        elif kind == "tool_call":
            content, stop = [{"type": "tool_use", "id": "toolu_1", "name": "act", "input": {}}], "tool_use"
        elif kind == "length":
            stop = "max_tokens"
        elif kind == "surrogate":
            content = [{"type": "text", "text": "a\ud83d b"}]
        elif kind == "invalid_utf8":
            content = [{"type": "text", "text": "aINVALIDb"}]
        tokens, marks = self.tokens(request)
        read, written = cache.marked(tokens, marks)
        reply: dict[str, Any] = {
            "id": f"msg_{request.digest[:8]}",
            "type": "message",
            "role": "assistant",
            "model": request.body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": len(tokens) - read - written,
                "cache_read_input_tokens": read,
                "cache_creation_input_tokens": written,
                "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
                "output_tokens": sum(len(_text_tokens(part.get("text", ""))) for part in content),
            },
        }
        if kind == "no_usage":
            del reply["usage"]
        return reply


def _part_tokens(text: str | None, picture: Any) -> list[str]:
    if picture is not None:
        return [hashlib.sha256(json.dumps(picture, sort_keys=True).encode()).hexdigest()] * IMAGE_TOKENS
    return _text_tokens(text or "")


def _text_tokens(text: str) -> list[str]:
    """Four characters a token."""
    return [text[start : start + 4] for start in range(0, len(text), 4)]


def _prefixes(tokens: list[str], lengths: Any) -> list[tuple[int, str]]:
    """SHA-256 of the first so many tokens, for increasing lengths."""
    running, at, prefixes = hashlib.sha256(), 0, []
    for length in lengths:
        for token in tokens[at:length]:
            running.update(token.encode("utf-8", "surrogatepass") + b"\0")
        at = length
        prefixes.append((length, running.hexdigest()))
    return prefixes


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unmarked(part) for name, part in value.items() if name != "cache_control"}
    if isinstance(value, list):
        return [_unmarked(part) for part in value]
    return value
