"""One pull request on a dataset repository of the Hugging Face Hub that adds a submission, all files or none."""

from __future__ import annotations

import re
from pathlib import Path

from embodibench.errors import MissingExtraError, UsageError
from embodibench.submissions.folder import LIMITS
from embodibench.submissions.metadata import Metadata
from embodibench.submissions.shown import shown

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


def check_hub(repository: str) -> None:
    """Check what can be checked before anything is written.

    Raises:
        UsageError: the name is not ORG/NAME, or there is no token.
        MissingExtraError: the extra ``hub`` is not installed.
    """
    if not _REPOSITORY.fullmatch(repository):
        raise UsageError(f"--hub takes ORG/NAME, not '{shown(repository, 80)}'")
    try:
        from huggingface_hub import get_token
    except ImportError as error:
        raise MissingExtraError("--hub", "hub") from error
    if get_token() is None:
        raise UsageError("--hub needs a token: log in with 'hf auth login', or set HF_TOKEN")


def open_pull_request(repository: str, folder: Path, metadata: Metadata) -> str:
    """Open the pull request and return its address. The token is found as ``huggingface_hub`` finds it, and not kept.

    Raises:
        UsageError: the Hub refuses or cannot be reached; the submission in ``folder`` is there all the same.
    """
    from huggingface_hub import CommitOperationAdd, HfApi, utils
    from huggingface_hub.errors import HfHubHTTPError

    # Which of httpx and httpx2 it speaks depends on its version; it hands on its own.
    lost_connection: type[Exception] = getattr(utils, "httpx").HTTPError  # noqa: B009
    suite = folder.parent.name
    operations = [
        CommitOperationAdd(path_in_repo=f"submissions/{suite}/{folder.name}/{name}", path_or_fileobj=folder / name)
        for name in LIMITS
        if (folder / name).exists()
    ]
    try:
        commit = HfApi().create_commit(
            repository,
            operations,
            repo_type="dataset",
            commit_message=f"Submission: {suite} {folder.name}",
            commit_description=f"Submitted by {metadata.submitter}. Check: `embodibench check`.",
            create_pr=True,
        )
    except (HfHubHTTPError, lost_connection, OSError, ValueError) as error:
        said = shown(str(error).strip().split("\n")[0], 300)
        raise UsageError(f"{repository}: no pull request was opened: {said}; the submission is in {folder}") from error
    return str(commit.pr_url)
