"""The little of the Hugging Face Hub that a pull request with files needs, on 127.0.0.1.

Use it as a context manager; ``url`` goes into ``HF_ENDPOINT``::

    with Hub("org/board") as hub:
        ...
        assert hub.pull_requests[0].files["README.md"] == b"..."
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.local_server import Listener, LocalServer

TOKEN = "hf_" + "TestTokenThatIsNoToken" * 2


@dataclass
class PullRequest:
    """One commit that came as a pull request."""

    title: str
    description: str
    files: dict[str, bytes] = field(default_factory=dict)


class Hub(LocalServer):
    """The server.

    Attributes:
        repository: the only dataset that exists.
        large: endings of files that must come by LFS.
        broken: answer to a commit in place of taking it: an HTTP status, or 0.
        pull_requests: those that were opened.
        tokens: the tokens that requests carried.
        stored: contents that came by LFS, by SHA-256.
    """

    def __init__(self, repository: str) -> None:
        self.repository = repository
        self.large: tuple[str, ...] = ()
        self.broken = 0
        self.pull_requests: list[PullRequest] = []
        self.tokens: set[str] = set()
        self.stored: dict[str, bytes] = {}
        super().__init__(_Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Listener[Hub]

    def log_message(self, *words: Any) -> None:
        """Tests print nothing."""

    def do_GET(self) -> None:
        self._route("GET")

    def do_POST(self) -> None:
        self._route("POST")

    def do_PUT(self) -> None:
        self._route("PUT")

    def _route(self, method: str) -> None:
        hub = self.server.hub
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        hub.tokens.add(self.headers.get("Authorization", "").removeprefix("Bearer "))
        address = urlsplit(self.path)
        dataset = f"/api/datasets/{hub.repository}"
        if method == "PUT" and address.path.startswith("/lfs/"):
            return self._store(address.path, body)
        if method == "POST" and address.path == f"/datasets/{hub.repository}.git/info/lfs/objects/batch":
            return self._batch(json.loads(body))
        if not address.path.startswith(dataset):
            known = f"/api/datasets/{hub.repository}" in address.path
            return self._answer(200 if known else 404, {"error": "Repository not found"})
        rest = address.path.removeprefix(dataset)
        if method == "GET" and rest in ("", "/revision/main"):
            return self._answer(200, {"id": hub.repository, "sha": "0" * 40, "siblings": []})
        if method == "POST" and rest == "/preupload/main":
            return self._preupload(json.loads(body))
        if method == "POST" and rest == "/commit/main":
            return self._commit(body, parse_qs(address.query))
        return self._answer(404, {"error": "no such route"})

    def _preupload(self, asked: dict[str, Any]) -> None:
        files = []
        for file in asked["files"]:
            mode = "lfs" if file["path"].endswith(self.server.hub.large or ("\0",)) else "regular"
            files.append({"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": None})
        self._answer(200, {"files": files})

    def _batch(self, asked: dict[str, Any]) -> None:
        objects = []
        for item in asked["objects"]:
            upload = {"href": f"{self.server.hub.url}/lfs/{item['oid']}", "header": {}}
            objects.append({"oid": item["oid"], "size": item["size"], "actions": {"upload": upload}})
        self._answer(200, {"transfer": "basic", "objects": objects}, kind="application/vnd.git-lfs+json")

    def _store(self, path: str, body: bytes) -> None:
        digest = path.rpartition("/")[2]
        assert hashlib.sha256(body).hexdigest() == digest
        self.server.hub.stored[digest] = body
        self._answer(200, {})

    def _commit(self, body: bytes, query: dict[str, list[str]]) -> None:
        hub = self.server.hub
        if hub.broken:
            self._answer(hub.broken, {"error": "the Hub says no"})
            return
        if query.get("create_pr") != ["1"]:
            self._answer(403, {"error": "you may only open pull requests"})
            return
        made = PullRequest("", "")
        for line in body.splitlines():
            row = json.loads(line)
            value = row["value"]
            if row["key"] == "header":
                made.title, made.description = value["summary"], value["description"]
            elif row["key"] == "file":
                made.files[value["path"]] = base64.b64decode(value["content"])
            elif row["key"] == "lfsFile":
                made.files[value["path"]] = hub.stored[value["oid"]]
        hub.pull_requests.append(made)
        number = len(hub.pull_requests)
        place = f"{hub.url}/datasets/{hub.repository}"
        answer = {"commitUrl": f"{place}/commit/{'1' * 40}", "commitOid": "1" * 40, "success": True}
        self._answer(200, {**answer, "pullRequestUrl": f"{place}/discussions/{number}"})

    def _answer(self, status: int, value: Any, kind: str = "application/json") -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
