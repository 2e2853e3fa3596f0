"""What pip noted of an installation decides which commit is recorded and which command installs an extra."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CODE = (
    "from embodibench import installation\n"
    "from embodibench.errors import MissingExtraError\n"
    "print(installation.commit())\n"
    "print(MissingExtraError('The board', 'board'))"
)


@pytest.mark.parametrize(
    ("noted", "commit", "command"),
    [
        (None, None, "pip install 'embodibench[board]'"),
        ({"url": "file:///home/me/a%20clone", "dir_info": {}}, None, "pip install '/home/me/a clone[board]'"),
        ({"url": "file:///c", "dir_info": {"editable": True}}, None, "pip install -e '/c[board]'"),
        (
            {"url": "https://example.org/e.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
            COMMIT,
            f"pip install 'embodibench[board] @ git+https://example.org/e.git@{COMMIT}'",
        ),
        ({"url": "file:///c/e.whl", "archive_info": {}}, None, "pip install '/c/e.whl[board]'"),
        (
            {"url": "https://example.org/e.whl", "archive_info": {}},
            None,
            "pip install 'embodibench[board] @ https://example.org/e.whl'",
        ),
        ([], None, "pip install 'embodibench[board]'"),
    ],
)
def test_what_pip_noted(tmp_path: Path, noted: Any, commit: str | None, command: str) -> None:
    folder = tmp_path / "embodibench-9.9.9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: embodibench\nVersion: 9.9.9\n")
    if noted is not None:
        (folder / "direct_url.json").write_text(json.dumps(noted))
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [str(commit), f"The board needs the extra 'board': {command}"], done.stderr
