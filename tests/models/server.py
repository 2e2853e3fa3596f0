"""A provider of language models on 127.0.0.1: OpenAI's and Anthropic's wire formats, with faults on order.

The reply is a function of what is asked (model and messages, nothing else), so a run against it can be repeated.
Cached tokens are billed as the providers do. Use it as a context manager::

    with Provider() as provider:
        client = AsyncOpenAI(base_url=provider.openai_url, api_key=KEY)
        provider.fail(Fault(status=429, headers={"Retry-After": "0"}), times=2)
        ...
        assert provider.requests[0].body["model"] == "gpt-4o-2024-11-20"
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.models.wire import AnthropicWire, OpenAIWire, PrefixCache, Request

KEY = "test-key"


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one request.

    Attributes:
        status: HTTP status; 200 with a ``kind`` for a reply that is wrong in itself.
        headers: sent along.
        body: sent in place of the usual error body.
        kind: ``error`` (an error body of the provider's format), ``hang`` (no answer until the server closes),
            ``drop`` (the connection is reset in the middle of the body), ``truncated`` (a well-framed reply whose JSON
            stops half-way), ``empty``, ``null``, ``refusal``, ``tool_call``, ``filtered``, ``huge`` (5 MB of text),
            ``surrogate`` (a lone surrogate, escaped), ``invalid_utf8``, ``no_usage``, ``no_choices``, ``length``,
            ``text`` (plain text in place of JSON), ``endless`` (a body that never ends), ``body`` (``body`` as it is).
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    kind: str = "error"


def words_of(*words: str) -> Callable[[Request], str]:
    """A reply that is one of ``words``, chosen by what is asked."""
    return lambda request: words[int(request.digest, 16) % len(words)]


class Provider:
    """The server. Its attributes may be changed while it runs.

    Attributes:
        reply: from a request to the text of its reply.
        models: names that exist; None for any.
        refuses: parameters that are answered with a 400 naming them.
        context: longest prompt in tokens, or None.
        most_in_flight: requests served side by side; one more gets a 429. None for any number.
        latency: seconds a reply takes.
        requests: every request so far, in the order of arrival.
        peak: the most requests that were in flight at once.
    """

    def __init__(
        self,
        reply: Callable[[Request], str] | None = None,
        *,
        models: frozenset[str] | None = None,
        refuses: frozenset[str] = frozenset(),
        context: int | None = None,
        most_in_flight: int | None = None,
        latency: float = 0.0,
    ) -> None:
        self.reply = reply or (lambda request: f"reply {request.digest[:12]}")
        self.models = models
        self.refuses = refuses
        self.context = context
        self.most_in_flight = most_in_flight
        self.latency = latency
        self.requests: list[Request] = []
        self.peak = 0
        self.in_flight = 0
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self._faults: deque[Fault] = deque()
        self.cache = PrefixCache()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.provider = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Provider:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where the server listens; also the base URL of the Anthropic format."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL of the OpenAI format."""
        return f"{self.url}/v1"

    def fail(self, fault: Fault, times: int = 1) -> None:
        """Let the next ``times`` requests go wrong."""
        with self.lock:
            self._faults.extend([fault] * times)

    def next_fault(self) -> Fault | None:
        with self.lock:
            return self._faults.popleft() if self._faults else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    provider: Provider

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Hang up on everyone, as a server that dies does."""
        super().server_close()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        provider = self.server.provider
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(raw))
        with provider.lock:
            provider.requests.append(request)
            provider.in_flight += 1
            provider.peak = max(provider.peak, provider.in_flight)
            crowded = provider.most_in_flight is not None and provider.in_flight > provider.most_in_flight
        try:
            self._answer(provider, request, crowded=crowded)
        finally:
            with provider.lock:
                provider.in_flight -= 1

    def _answer(self, provider: Provider, request: Request, *, crowded: bool) -> None:
        wire = AnthropicWire() if self.path.endswith("/messages") else OpenAIWire()
        fault = provider.next_fault()
        if fault is None and crowded:
            fault = Fault(status=429)
        if fault is not None and (fault.status >= 400 or fault.kind == "body"):
            self._send_fault(wire, fault)
            return
        wrong = _mistake(provider, request, wire)
        if wrong is not None:
            self._send(wrong[0], wire.error(*wrong))
            return
        if fault is not None and fault.kind == "hang":
            provider.closing.wait()
            self.close_connection = True
            return
        if provider.latency:
            time.sleep(provider.latency)
        kind = "" if fault is None else fault.kind
        text = "x" * 5_000_000 if kind == "huge" else provider.reply(request)
        body = wire.reply(provider.cache, request, text, kind)
        self._send_reply(provider, body, kind)

    def _send_fault(self, wire: OpenAIWire | AnthropicWire, fault: Fault) -> None:
        body = fault.body
        if body is None:
            body = wire.error(fault.status, f"fault {fault.status}", "", "")
        self._send(fault.status, body, fault.headers)

    def _send_reply(self, provider: Provider, body: dict[str, Any], kind: str) -> None:
        data = json.dumps(body).encode()
        if kind == "truncated":
            self._send_bytes(200, data[: len(data) // 2])
        elif kind == "invalid_utf8":
            self._send_bytes(200, data.replace(b"INVALID", b"\xff\xfe"))
        elif kind == "text":
            self._send_bytes(200, b"<html>welcome</html>", content_type="text/html")
        elif kind == "drop":
            self._start(200, len(data))
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            # Lingering for zero seconds makes close() reset the connection, as a crashed proxy does.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
        elif kind == "endless":
            self._start(200, 1 << 40)
            with contextlib.suppress(OSError):
                while not provider.closing.is_set():
                    self.wfile.write(b" " * 65_536)
            self.close_connection = True
        else:
            self._send_bytes(200, data)

    def _send(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self._send_bytes(status, data, headers=headers or {})

    def _send_bytes(
        self,
        status: int,
        data: bytes,
        *,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        self._start(status, len(data), headers or {}, content_type)
        self.wfile.write(data)

    def _start(
        self,
        status: int,
        length: int,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing on the screen."""


def _mistake(
    provider: Provider, request: Request, wire: OpenAIWire | AnthropicWire
) -> tuple[int, str, str, str] | None:
    """Status, message, code and parameter of an error in the request itself, or None."""
    body = request.body
    key = request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get("x-api-key", "")
    if key != KEY:
        return 401, f"Incorrect API key provided: {key}.", "invalid_api_key", ""
    if provider.models is not None and body.get("model") not in provider.models:
        return 404, f"The model '{body.get('model')}' does not exist.", "model_not_found", ""
    for name in sorted(provider.refuses):
        if name in body or name in body.get("output_config", {}):
            return (
                400,
                f"Unsupported parameter: '{name}' is not supported with this model.",
                "unsupported_parameter",
                name,
            )
    length = len(wire.tokens(request)[0])
    if provider.context is not None and length > provider.context:
        return 400, wire.too_long(length, provider.context), "context_length_exceeded", "messages"
    return None
