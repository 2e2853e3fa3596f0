"""Proposing scores to the repository of an open-weight model: ``.eval_results/*.yaml`` as a pull request."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from embodibench.errors import UsageError
from embodibench.leaderboard.dataset import task_id
from embodibench.leaderboard.publish import Published, hub_errors
from embodibench.submissions.shown import shown

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_TRUST = ("self-reported", "replayed", "re-run")


@dataclass(frozen=True)
class Proposal:
    """A pull request that is not opened yet: path in the repository -> content."""

    repository: str
    files: dict[str, bytes]


def propose(board: Path, repository: str, dataset: str, revision: str | None) -> Proposal:
    """The entries of a model: for each benchmark version and agent, its row of the highest trust, then the newest.

    Only rows whose submitter named this repository are taken, and only suites that have one figure over all tasks.

    Args:
        board: a folder that ``build`` made.
        repository: of the model's weights.
        dataset: the published dataset, which is the source of the figures.
        revision: its commit, or None where it is not known.

    Raises:
        UsageError: the board has no row of this model.
    """
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    rows: list[dict[str, Any]] = json.loads((board / "dataset" / "data" / "rows.json").read_bytes())
    mine = [row for row in rows if row["model_repository"] == repository and row["primary_value"] is not None]
    if not mine:
        raise UsageError(f"{repository}: no row of the board names these weights and has a figure over all tasks")
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted(mine, key=lambda row: (_TRUST.index(row["trust"]), row["date"], row["submission"])):
        best[row["suite"], row["agent"]] = row
    files = {}
    for (suite, agent), row in sorted(best.items()):
        entry = EvalResultEntry(
            dataset_id=dataset,
            task_id=task_id(suite),
            value=row["primary_value"],
            dataset_revision=revision,
            date=row["finished"],
            source_url=f"https://huggingface.co/datasets/{dataset}",
            source_name="EmbodiBench leaderboard",
            notes=_notes(row),
        )
        content = yaml.safe_dump(eval_result_entries_to_yaml([entry]), sort_keys=False, allow_unicode=True)
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"embodibench-{task_id(suite)}-{agent}")
        files[f".eval_results/{name}.yaml"] = content.encode("utf-8")
    return Proposal(repository, files)


def open_proposal(api: HfApi, proposal: Proposal) -> Published:
    """Open the pull request, unless the repository holds these files already.

    Raises:
        HubError: it refuses.
    """
    from huggingface_hub import CommitOperationAdd

    with hub_errors(proposal.repository, "no pull request was opened"):
        commit = api.create_commit(
            proposal.repository,
            [CommitOperationAdd(path_in_repo=name, path_or_fileobj=data) for name, data in proposal.files.items()],
            repo_type="model",
            commit_message="Add EmbodiBench results",
            commit_description="Scores that anyone can derive again by replay; the source says how.",
            create_pr=True,
        )
    return Published(str(commit.pr_url or commit.commit_url), commit.pr_url is not None)


def _notes(row: dict[str, Any]) -> str:
    unit, low, high = row["primary_unit"], row["primary_low"], row["primary_high"]
    interval = f"95% interval {low:.4g} to {high:.4g}" if low is not None else f"no interval: {row['primary_reason']}"
    words = f"{row['primary']} ({unit}), {interval}; agent {row['agent']} {row['agent_version']}; {row['trust']}"
    return shown(f"{words}; {row['suite']}, digest {row['digest'][:12]}", 400)
