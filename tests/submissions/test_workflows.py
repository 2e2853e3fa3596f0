"""What the workflows promise: rights, pins, and that no text of a stranger becomes a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.submissions.workflows import FOLDER, ROOT, step, workflow

NAMES = ("submission-check", "submission-verdict")


def steps(name: str) -> Iterator[dict[str, Any]]:
    for job in workflow(name)["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("name", NAMES)
def test_no_expression_stands_in_a_command(name: str) -> None:
    assert not [one["run"] for one in steps(name) if "${{" in one.get("run", "")]


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_githubs_own_and_pinned_by_commit_with_their_version(name: str) -> None:
    text = (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    for action in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


@pytest.mark.parametrize("name", NAMES)
def test_no_checkout_leaves_a_key_behind_or_takes_code_of_a_pull_request(name: str) -> None:
    found = [one["with"] for one in steps(name) if one.get("uses", "").startswith("actions/checkout@")]
    assert found
    for settings in found:
        assert settings["persist-credentials"] is False
        assert settings["ref"] in ("main", "${{ github.event.pull_request.base.sha }}")


def test_the_untrusted_job_has_no_secrets_and_may_only_read() -> None:
    text = (FOLDER / "submission-check.yml").read_text(encoding="utf-8")
    data = workflow("submission-check")
    assert data["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in data["jobs"].values())
    assert list(data["on"]) == ["pull_request"]
    assert "secrets" not in text.replace("no secrets", "") and "github.token" not in text


def test_every_pull_request_is_looked_at_since_a_filter_sees_the_first_300_files_alone() -> None:
    assert workflow("submission-check")["on"]["pull_request"] is None


def test_nothing_runs_with_rights_on_code_of_a_pull_request() -> None:
    for path in FOLDER.glob("*.yml"):
        assert "pull_request_target" not in path.read_text(encoding="utf-8")


def test_the_trusted_jobs_have_the_rights_they_need_and_no_more() -> None:
    data = workflow("submission-verdict")
    assert data["permissions"] == {}
    assert data["jobs"]["comment"]["permissions"] == {
        "actions": "read",
        "contents": "read",
        "pull-requests": "write",
    }
    assert data["jobs"]["verdict"]["permissions"] == {"contents": "write"}


def test_verdicts_are_written_after_a_merge_to_main_alone() -> None:
    data = workflow("submission-verdict")
    assert data["on"]["push"]["branches"] == ["main"]
    condition = data["jobs"]["verdict"]["if"]
    assert "github.event_name != 'workflow_run'" in condition and "github.ref == 'refs/heads/main'" in condition


def test_the_pull_request_is_named_by_the_event_and_never_by_the_report() -> None:
    env = step("submission-verdict", "comment", "Comment")["env"]
    assert {env[name] for name in ("HEAD", "OWNER", "BRANCH", "RUN")} == {
        "${{ github.event.workflow_run.head_sha }}",
        "${{ github.event.workflow_run.head_repository.owner.login }}",
        "${{ github.event.workflow_run.head_branch }}",
        "${{ github.event.workflow_run.id }}",
    }


def test_the_key_is_in_reach_of_the_steps_that_comment_and_push_alone() -> None:
    holders = [one["name"] for one in steps("submission-verdict") if "github.token" in str(one)]
    assert holders == ["Comment", "Push"]
    push = (ROOT / "scripts" / "push_verdicts.sh").read_text(encoding="utf-8")
    assert "python" not in push


@pytest.mark.parametrize("name", NAMES)
def test_every_script_that_a_step_calls_is_there(name: str) -> None:
    called = [path for one in steps(name) for path in re.findall(r"scripts/\S+", one.get("run", ""))]
    assert called
    assert all((ROOT / path).is_file() for path in called)
