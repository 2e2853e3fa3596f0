"""Small boards from real runs: submissions by the documented path, with verdicts on them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from embodibench.submissions.folder import read_submission
from embodibench.submissions.verdict_files import EpisodeVerdict, VerdictFile, write_verdict


@dataclass(frozen=True)
class Board:
    """Inputs of a build."""

    submissions: Path
    verdicts: Path

    def add(self, base: Path, **changes: Any) -> Path:
        """Copy a submission into the tree, with an accepted verdict on it unless ``accepted`` is None."""
        folder = self.submissions / base.parent.name / base.name
        shutil.copytree(base, folder)
        if changes.get("accepted", True) is not None:
            self.judge(folder, **changes)
        return folder

    def judge(self, folder: Path, **changes: Any) -> Path:
        """Write the verdict on a submission, with these fields changed."""
        submission = read_submission(folder)
        fields: dict[str, Any] = {
            "result": submission.result_sha256,
            "submission": submission.label,
            "accepted": True,
            "trust": "replayed",
            "date": "2026-12-01",
            "package_version": "0.1.0",
            "episodes": [
                EpisodeVerdict(task=one.task, trial=one.trial, world="identical", protocol="identical")
                for one in submission.result.episodes
            ],
        }
        return write_verdict(self.verdicts, VerdictFile.model_validate({**fields, **changes}))
