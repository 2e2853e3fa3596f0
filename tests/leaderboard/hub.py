"""A Hub of repositories on 127.0.0.1: enough for commits, tags, pull requests and reading what was committed.

Use it as a context manager; ``environment()`` is what a process needs to speak to it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.local_server import Listener, LocalServer
from tests.submissions.hub_server import TOKEN

_KINDS = {"datasets": "dataset", "spaces": "space", "models": "model"}
_API = re.compile(r"/api/(datasets|spaces|models)/([^/]+/[^/]+)(/.*)?")
_RESOLVE = re.compile(r"/(?:(datasets|spaces)/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)")


@dataclass
class Commit:
    """A state of a repository."""

    id: str
    title: str
    files: dict[str, bytes]


@dataclass
class Repository:
    """Commits of the main branch, the oldest first; tags; pull requests as commits."""

    commits: list[Commit] = field(default_factory=lambda: [Commit("0" * 40, "initial", {".gitattributes": b""})])
    tags: dict[str, str] = field(default_factory=dict)
    pull_requests: list[Commit] = field(default_factory=list)

    @property
    def head(self) -> Commit:
        return self.commits[-1]

    def at(self, revision: str) -> Commit | None:
        """The commit of a branch, tag or id."""
        wanted = self.tags.get(revision, revision)
        if wanted == "main":
            return self.head
        return next((commit for commit in self.commits if commit.id == wanted), None)


class Hub(LocalServer):
    """The server.

    Attributes:
        repositories: (``dataset``, ``space`` or ``model``, ORG/NAME) -> what it holds.
        writers: tokens of requests that changed something.
    """

    def __init__(self) -> None:
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.writers: set[str] = set()
        super().__init__(_Handler)

    def environment(self, home: Path, token: str = TOKEN) -> dict[str, str]:
        """Variables of a process that takes this for the Hub."""
        quiet = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        return {**quiet, "HF_ENDPOINT": self.url, "HF_HOME": str(home), "HF_TOKEN": token, "NO_PROXY": "127.0.0.1"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Listener[Hub]

    def log_message(self, *words: Any) -> None:
        """Tests print nothing."""

    def do_GET(self) -> None:
        self._route("GET", b"")

    def do_HEAD(self) -> None:
        self._route("HEAD", b"")

    def do_POST(self) -> None:
        self._route("POST", self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _route(self, method: str, body: bytes) -> None:
        address = urlsplit(self.path)
        path = unquote(address.path)
        if method == "POST" and path in ("/api/repos/create", "/api/validate-yaml"):
            return self._create(json.loads(body)) if path.endswith("create") else self._answer({"errors": []})
        if (match := _RESOLVE.fullmatch(path)) is not None:
            repository = self._repository(match[1] or "models", match[2])
            return self._resolve(repository.at(match[3]) if repository else None, match[4])
        if (match := _API.fullmatch(path)) is None:
            return self._answer({"error": "no such route"}, 404)
        repository = self._repository(match[1], match[2])
        if repository is None:
            return self._answer({"error": "Repository not found"}, 404, RepoNotFound=True)
        return self._api(method, repository, match[2], match[3] or "", parse_qs(address.query), body)

    def _repository(self, kind: str, name: str) -> Repository | None:
        return self.server.hub.repositories.get((_KINDS[kind], name))

    def _api(
        self, method: str, repository: Repository, name: str, rest: str, query: dict[str, list[str]], body: bytes
    ) -> None:
        _, verb, revision = ([*rest.split("/", 2), "", ""])[:3]
        if method == "POST" and verb in ("commit", "tag"):
            self.server.hub.writers.add(self.headers.get("Authorization", "").removeprefix("Bearer "))
            return (
                self._commit(repository, name, query, body)
                if verb == "commit"
                else self._tag(repository, revision, body)
            )
        if method == "POST" and verb == "preupload":
            head = repository.head.files
            files = [
                {"path": path, "uploadMode": "regular", "shouldIgnore": False, "oid": _blob(head.get(path))}
                for path in (file["path"] for file in json.loads(body)["files"])
            ]
            return self._answer({"files": files})
        if verb == "refs":
            tags = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": at} for tag, at in repository.tags.items()]
            main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repository.head.id}
            return self._answer({"tags": tags, "branches": [main], "converts": []})
        commit = repository.at(revision.partition("/")[0] or "main")
        if commit is None:
            return self._answer({"error": "Revision not found"}, 404)
        if verb == "tree":
            return self._answer(_tree(commit, revision.partition("/")[2]))
        if verb == "paths-info":
            wanted = parse_qs(body.decode()).get("paths") or json.loads(body or b"{}").get("paths", [])
            return self._answer([entry for entry in _tree(commit, "") if entry["path"] in wanted])
        siblings = [{"rfilename": file} for file in sorted(commit.files)]
        dates = {"lastModified": "2026-12-01T00:00:00.000Z", "createdAt": "2026-12-01T00:00:00.000Z"}
        about = {"id": name, "sha": commit.id, "private": False, "disabled": False, "gated": False, "tags": []}
        return self._answer({**about, **dates, "siblings": siblings, "downloads": 0, "likes": 0})

    def _create(self, asked: dict[str, Any]) -> None:
        name = f"{asked['organization']}/{asked['name']}"
        self.server.hub.repositories[asked.get("type") or "model", name] = Repository()
        self._answer({"url": f"{self.server.hub.url}/{name}", "name": name, "id": name})

    def _commit(self, repository: Repository, name: str, query: dict[str, list[str]], body: bytes) -> None:
        rows = [json.loads(line) for line in body.splitlines()]
        header = next(row["value"] for row in rows if row["key"] == "header")
        if header.get("parentCommit") not in (None, repository.head.id):
            return self._answer({"error": "A commit has happened since"}, 412)
        files = dict(repository.head.files)
        for row in rows:
            if row["key"] == "file":
                files[row["value"]["path"]] = base64.b64decode(row["value"]["content"])
            elif row["key"] == "deletedFile":
                del files[row["value"]["path"]]
        made = Commit(hashlib.sha1(body).hexdigest(), header["summary"], files)
        place = f"{self.server.hub.url}/{name}"
        answer = {"commitUrl": f"{place}/commit/{made.id}", "commitOid": made.id, "success": True}
        if query.get("create_pr") == ["1"]:
            repository.pull_requests.append(made)
            answer["pullRequestUrl"] = f"{place}/discussions/{len(repository.pull_requests)}"
        else:
            repository.commits.append(made)
        return self._answer(answer)

    def _tag(self, repository: Repository, revision: str, body: bytes) -> None:
        commit = repository.at(revision)
        assert commit is not None
        repository.tags[json.loads(body)["tag"]] = commit.id
        self._answer({})

    def _resolve(self, commit: Commit | None, path: str) -> None:
        if commit is None or path not in commit.files:
            return self._answer({"error": "Entry not found"}, 404, EntryNotFound=True)
        data = commit.files[path]
        begin, end = 0, len(data)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is not None:
            begin, end = int(wanted[1]), min(int(wanted[2]) + 1 if wanted[2] else end, end)
        self.send_response(206 if wanted is not None else 200)
        self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", commit.id)
        self.send_header("Accept-Ranges", "bytes")
        if wanted is not None:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
        self.send_header("Content-Length", str(end - begin))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[begin:end])
        return None

    def _answer(self, value: Any, status: int = 200, **errors: bool) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name in errors:
            self.send_header("X-Error-Code", name)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _blob(data: bytes | None) -> str | None:
    """Git's name of a file's content, which the client compares with its own."""
    return None if data is None else hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _tree(commit: Commit, under: str) -> list[dict[str, Any]]:
    files = [
        {"type": "file", "path": path, "size": len(data), "oid": _blob(data)}
        for path, data in sorted(commit.files.items())
    ]
    folders = {str(parent) for path in commit.files for parent in Path(path).parents if str(parent) != "."}
    entries = files + [{"type": "directory", "path": path, "size": 0, "oid": "0" * 40} for path in sorted(folders)]
    return [entry for entry in entries if not under or str(entry["path"]).startswith(under + "/")]
