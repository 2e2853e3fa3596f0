"""An HTTP server on 127.0.0.1 that lives as long as a with-block."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Generic, TypeVar

Owner = TypeVar("Owner")
Self = TypeVar("Self", bound="LocalServer")


class Listener(ThreadingHTTPServer, Generic[Owner]):
    """What handlers know as ``self.server``; ``hub`` is the test's own object."""

    daemon_threads = True
    hub: Owner


class LocalServer:
    """Start on entering, stop on leaving. ``handler`` answers; it finds this object as ``self.server.hub``."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server: Listener[Any] = Listener(("127.0.0.1", 0), handler)
        self._server.hub = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self: Self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"
