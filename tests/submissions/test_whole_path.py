"""The whole path on one machine with git: a branch, the commands of the workflows, a merge, and the verdict."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from embodibench.submissions.verdict_files import read_verdict
from tests.submissions.bases import Bases, Copy
from tests.submissions.workflows import ROOT, run_step, step

NUMBER = "7"


def git(place: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-C", str(place), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


class Repository:
    """A server's bare repository, a contributor's clone, and runners that know nothing but the server."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.server = place / "server.git"
        self.clone = place / "clone"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.server)], check=True, timeout=60)
        subprocess.run(["git", "clone", "-q", str(self.server), str(self.clone)], check=True, timeout=60)
        git(self.clone, "switch", "-q", "-c", "main")
        shutil.copytree(ROOT / "scripts", self.clone / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        for folder in ("submissions", "leaderboard/verdicts"):
            (self.clone / folder).mkdir(parents=True)
        (self.clone / "submissions" / "README.md").write_text("Submissions.\n")
        (self.clone / "leaderboard" / "verdicts" / ".gitkeep").write_text("")
        self.commit("The skeleton")
        git(self.clone, "push", "-q", "origin", "main")

    def commit(self, message: str) -> None:
        git(self.clone, "add", "-A")
        git(self.clone, "commit", "-q", "-m", message)

    def open_pull_request(self) -> None:
        """What GitHub keeps of a pull request: a reference to its head."""
        git(self.clone, "push", "-q", "--force", "origin", f"HEAD:refs/pull/{NUMBER}/head")

    def check(self) -> tuple[int, dict[str, object]]:
        """The untrusted job: exit code of its check, and the report."""
        runner = self.place / "runner"
        shutil.rmtree(runner, ignore_errors=True)
        runner.mkdir()
        git(runner, "clone", "-q", str(self.server), "base")
        event = {
            "github.event.pull_request.number": NUMBER,
            "github.event.pull_request.base.sha": git(runner / "base", "rev-parse", "HEAD"),
            "github.event.pull_request.head.sha": git(self.clone, "rev-parse", "HEAD"),
        }
        fetched = run_step(runner, step("submission-check", "check", "The commits of the pull request"), event)
        assert fetched.returncode == 0, fetched.stderr
        done = run_step(runner, step("submission-check", "check", "Check"), event)
        assert (runner / "work" / "report.json").exists(), done.stderr
        return done.returncode, json.loads((runner / "work" / "report.json").read_bytes())

    def merge(self) -> None:
        git(self.clone, "switch", "-q", "main")
        git(self.clone, "merge", "-q", "--no-ff", "-m", "Merge", "pull-request")
        git(self.clone, "push", "-q", "origin", "main")

    def write_verdicts(self) -> str:
        """The trusted job after a merge; returns what it printed."""
        runner = self.place / "trusted"
        shutil.rmtree(runner, ignore_errors=True)
        git(self.place, "clone", "-q", str(self.server), str(runner))
        event = {"github.token": "none"}
        written = run_step(runner, step("submission-verdict", "verdict", "Verdicts"), event)
        assert written.returncode == 0, written.stderr
        pushed = run_step(runner, step("submission-verdict", "verdict", "Push"), event)
        assert pushed.returncode == 0, pushed.stderr
        git(self.clone, "pull", "-q", "origin", "main")
        return written.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path)
    git(repository.clone, "switch", "-q", "-c", "pull-request")
    return repository


def rules(report: dict[str, object]) -> set[str]:
    submissions = report["submissions"]
    assert isinstance(submissions, list)
    return {finding["rule"] for one in submissions for finding in one["findings"] if finding["gravity"] == "refuse"}


def test_a_submission_is_checked_merged_and_gets_its_verdict(repository: Repository, bases: Bases) -> None:
    folder = Copy.of(bases.get("policy")).write(repository.clone / "submissions")
    repository.commit("Submission")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, report["verdict"]) == (0, "accepted"), report
    repository.merge()
    said = repository.write_verdicts()
    assert "accepted" in said
    sha256 = hashlib.sha256((folder / "result.json").read_bytes()).hexdigest()
    verdict = read_verdict(repository.clone / "leaderboard" / "verdicts" / f"{sha256}.json")
    assert verdict.accepted and verdict.trust == "replayed" and verdict.rerun is None
    assert verdict.submission == f"socialai@1/{folder.name}"
    assert len(verdict.episodes) == 50 and {episode.world for episode in verdict.episodes} == {"identical"}
    changed = git(repository.clone, "show", "--name-only", "--format=%s", "HEAD").split()
    assert changed == ["Verdicts", f"leaderboard/verdicts/{sha256}.json"]
    assert "Every submission has a verdict." in repository.write_verdicts(), "a second time there is nothing to do"


def test_a_submission_that_also_edits_a_file_elsewhere_is_refused(repository: Repository, bases: Bases) -> None:
    Copy.of(bases.get("policy")).write(repository.clone / "submissions")
    (repository.clone / "scripts" / "check_submission.sh").write_text("#!/bin/sh\ntouch /tmp/owned\nexit 0\n")
    repository.commit("Submission, and a little more")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, report["verdict"], rules(report)) == (1, "refused", {"change-outside"})


def test_a_branch_that_writes_a_verdict_is_refused(repository: Repository) -> None:
    (repository.clone / "leaderboard" / "verdicts" / f"{'0' * 64}.json").write_text('{"accepted": true}')
    repository.commit("My own verdict")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, report["verdict"], rules(report)) == (1, "refused", {"change-outside"})


def test_a_link_in_place_of_the_verdicts_is_refused(repository: Repository) -> None:
    shutil.rmtree(repository.clone / "leaderboard" / "verdicts")
    (repository.clone / "leaderboard" / "verdicts").symlink_to("/tmp")
    repository.commit("A link")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, rules(report)) == (1, {"change-outside"})


def test_a_tampered_submission_is_refused_by_its_rule(repository: Repository, bases: Bases) -> None:
    copy = Copy.of(bases.get("policy"))
    copy.episodes[0]["success"] = not copy.episodes[0]["success"]
    copy.write(repository.clone / "submissions")
    repository.commit("A better score")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, report["verdict"]) == (1, "refused")
    assert rules(report) == {"replay-world"}


def test_attributes_and_links_of_a_pull_request_are_not_obeyed(repository: Repository, bases: Bases) -> None:
    """A checkout would rewrite or hide the result; what is checked is what is in the commit."""
    folder = Copy.of(bases.get("policy")).write(repository.clone / "submissions")
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("/etc/passwd")
    repository.commit("A link")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, rules(report)) == (1, {"change-mode"})
    assert "root:" not in json.dumps(report)


def test_a_file_that_is_too_large_is_refused_without_being_read_whole(repository: Repository, bases: Bases) -> None:
    folder = Copy.of(bases.get("policy")).write(repository.clone / "submissions")
    (folder / "README.md").write_bytes(b"x" * 3_000_000)
    repository.commit("Much to say")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, rules(report)) == (1, {"file-size"})
    taken = next((repository.place / "runner" / "work" / "data").rglob("README.md"))
    assert taken.stat().st_size == 20_001


def test_a_change_of_code_alone_is_none_of_its_business(repository: Repository) -> None:
    (repository.clone / "code.py").write_text("print()\n")
    (repository.clone / "submissions" / "README.md").write_text("Submissions, explained.\n")
    repository.commit("Code")
    repository.open_pull_request()
    assert repository.check() == (0, {"verdict": "nothing", "submissions": []})


def test_a_branch_behind_main_is_judged_by_what_it_adds(repository: Repository, bases: Bases) -> None:
    Copy.of(bases.get("policy")).write(repository.clone / "submissions")
    repository.commit("Submission")
    git(repository.clone, "switch", "-q", "main")
    (repository.clone / "later.txt").write_text("merged meanwhile\n")
    repository.commit("Something else")
    git(repository.clone, "push", "-q", "origin", "main")
    git(repository.clone, "switch", "-q", "pull-request")
    repository.open_pull_request()
    code, report = repository.check()
    assert (code, report["verdict"]) == (0, "accepted"), report
