"""Publishing a built leaderboard on the Hugging Face Hub: one commit for the dataset, one for the Space.

The token is found as ``huggingface_hub`` finds it (``hf auth login`` or ``HF_TOKEN``); it is neither shown nor kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from embodibench import __version__
from embodibench.errors import MissingExtraError, UsageError
from embodibench.leaderboard.dataset import DATASET
from embodibench.submissions.shown import shown

if TYPE_CHECKING:
    from huggingface_hub import HfApi

RepositoryKind = Literal["dataset", "space"]
KEPT = (".gitattributes",)
"""Files of a repository that are the Hub's own and stay."""
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_NAMED = {"dataset": ("README.md", "croissant.json"), "space": ("README.md",)}
"""Files that name the dataset."""


@dataclass(frozen=True)
class Plan:
    """What one commit would do.

    Attributes:
        new: whether the repository has to be made first.
        parent: commit that it follows, None in a new repository.
        files: path in the repository -> content: a file of the built board, or bytes.
        deleted: paths that the board does not have any more.
        tags: names for the commit, of benchmark versions that have no tag yet.
    """

    repository: str
    kind: RepositoryKind
    new: bool
    parent: str | None
    files: dict[str, Path | bytes]
    deleted: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Published:
    """What stands on the Hub now.

    Attributes:
        address: of the commit, or of the pull request.
        changed: False where the repository held all of it already, and no commit was made.
    """

    address: str
    changed: bool


class HubError(UsageError):
    """The Hub cannot be reached, or refuses."""


def check_repository(name: str, flag: str) -> None:
    """Raises UsageError unless ``name`` is ORG/NAME."""
    if not _REPOSITORY.fullmatch(name):
        raise UsageError(f"{flag} takes ORG/NAME, not '{shown(name, 80)}'")


def client(*, token: bool) -> HfApi:
    """The Hub's client.

    Raises:
        MissingExtraError: the extra ``hub`` is not installed.
        UsageError: a token is needed and there is none.
    """
    try:
        from huggingface_hub import HfApi, get_token
    except ImportError as error:
        raise MissingExtraError("publishing", "hub") from error
    if token and get_token() is None:
        raise UsageError("publishing needs a token: log in with 'hf auth login', or set HF_TOKEN")
    return HfApi(library_name="embodibench", library_version=__version__)


def plan(api: HfApi, board: Path, repository: str, kind: RepositoryKind, dataset: str, *, compare: bool = True) -> Plan:
    """What it takes to make a repository equal to the board's folder. Nothing is changed.

    Args:
        board: a folder that ``build`` made.
        dataset: name of the dataset that cards point to.
        compare: whether the Hub is asked what is there; without it, the plan tells only what the board holds.

    Raises:
        UsageError: the board has no such part.
        HubError: the Hub cannot be asked.
    """
    from huggingface_hub.errors import RepositoryNotFoundError

    folder = board / kind
    if not (folder / "README.md").is_file():
        raise UsageError(f"{board}: holds no built {kind}; make one with: embodibench leaderboard build --out DIR")
    files: dict[str, Path | bytes] = {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    for name in _NAMED[kind]:
        files[name] = (folder / name).read_bytes().replace(DATASET.encode(), dataset.encode())
    wanted = version_tags(board) if kind == "dataset" else ()
    if not compare:
        return Plan(repository, kind, False, None, files, (), wanted)
    with hub_errors(repository, "cannot be read"):
        try:
            parent = api.repo_info(repository, repo_type=kind).sha
        except RepositoryNotFoundError:
            return Plan(repository, kind, True, None, files, (), wanted)
        there = api.list_repo_files(repository, repo_type=kind, revision=parent)
        tags = {tag.name for tag in api.list_repo_refs(repository, repo_type=kind).tags} if wanted else set()
    deleted = tuple(sorted(set(there) - set(files) - set(KEPT)))
    return Plan(repository, kind, False, parent, files, deleted, tuple(tag for tag in wanted if tag not in tags))


def version_tags(board: Path) -> tuple[str, ...]:
    """Tags of the benchmark versions that the board's task cards are of: ``aai40@1-A``, sorted."""
    tasks: list[dict[str, Any]] = json.loads((board / "dataset" / "data" / "tasks.json").read_bytes())
    return tuple(sorted({f"{task['suite']}-{task['interface']}" for task in tasks}))


def carry_out(api: HfApi, todo: Plan, say: Callable[[str], None] = lambda line: None) -> Published:
    """Make the repository if it is new, one commit unless it is equal to the board already, and the tags.

    Raises:
        HubError: the Hub refuses, or somebody else committed since the plan was made.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    with hub_errors(todo.repository, "was not published"):
        if todo.new:
            sdk = "static" if todo.kind == "space" else None
            api.create_repo(todo.repository, repo_type=todo.kind, space_sdk=sdk)
        adds = [CommitOperationAdd(path_in_repo=name, path_or_fileobj=content) for name, content in todo.files.items()]
        gone = [CommitOperationDelete(path_in_repo=name) for name in todo.deleted]
        commit = api.create_commit(
            todo.repository,
            [*adds, *gone],
            repo_type=todo.kind,
            commit_message=f"Leaderboard built by embodibench {__version__}",
            parent_commit=todo.parent,
        )
        for tag in todo.tags:
            say(f"Tag {tag}")
            message = f"First commit with benchmark version {tag}"
            api.create_tag(
                todo.repository, tag=tag, tag_message=message, revision=commit.oid, repo_type=todo.kind, exist_ok=True
            )
    return Published(str(commit.commit_url), commit.oid != todo.parent)


@contextmanager
def hub_errors(repository: str, what: str) -> Iterator[None]:
    """Turns what the client raises into one line. Raises HubError."""
    from huggingface_hub import utils
    from huggingface_hub.errors import HfHubHTTPError

    # Which of httpx and httpx2 it speaks depends on its version; it hands on its own.
    lost_connection: type[Exception] = getattr(utils, "httpx").HTTPError  # noqa: B009
    try:
        yield
    except (HfHubHTTPError, lost_connection, OSError, ValueError) as error:
        said = shown(str(error).strip().split("\n")[0], 300)
        raise HubError(f"{repository}: {what}: {said}") from error
