"""``submit --hub``: one pull request with all files, the token found the usual way and told to nobody."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.runs.command import call as call_process
from tests.submissions.bases import STATEMENTS, Bases
from tests.submissions.hub_server import TOKEN, Hub

pytest.importorskip("huggingface_hub", reason="the extra 'hub' is not installed")


def _submit(bases: Bases, place: Path, hub: Hub, *more: str, token: str = TOKEN) -> tuple[int, str]:
    words = [word for pair in STATEMENTS.items() for word in pair]
    done = call_process(
        *("submit", str(bases.run("model")), "--out", str(place / "submissions"), "--jobs", "1", *words, *more),
        cwd=place,
        HF_ENDPOINT=hub.url,
        HF_HUB_DISABLE_XET="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HOME=str(place / "hf"),
        HF_TOKEN=token,
        NO_PROXY="127.0.0.1",
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("large", [(), (".zst",)])
def test_one_pull_request_holds_all_files(large: tuple[str, ...], bases: Bases, tmp_path: Path) -> None:
    with Hub("org/board") as hub:
        hub.large = large
        code, said = _submit(bases, tmp_path, hub, "--hub", "org/board")
        assert code == 0, said
        assert f"Pull request: {hub.url}/datasets/org/board/discussions/1" in said
        (opened,) = hub.pull_requests
    (folder,) = (tmp_path / "submissions" / "socialai@1").iterdir()
    assert opened.title == f"Submission: socialai@1 {folder.name}"
    assert opened.files == {
        f"submissions/socialai@1/{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()
    }
    assert hub.tokens >= {TOKEN}
    assert TOKEN not in said
    written = [Path(place) / name for place, _, names in os.walk(tmp_path) for name in names]
    assert not [path for path in written if TOKEN.encode() in path.read_bytes()]


def test_a_hub_that_refuses_is_one_line_and_leaves_the_submission(bases: Bases, tmp_path: Path) -> None:
    with Hub("org/board") as hub:
        hub.broken = 403
        code, said = _submit(bases, tmp_path, hub, "--hub", "org/board")
    assert code == 2
    assert "org/board: no pull request was opened" in said.splitlines()[-1]
    assert "Traceback" not in said
    assert len(list((tmp_path / "submissions" / "socialai@1").iterdir())) == 1


@pytest.mark.parametrize(("words", "token"), [("nowhere", TOKEN), ("../x/y", TOKEN), ("org/board", "")])
def test_what_cannot_work_is_said_before_anything_is_written(
    words: str, token: str, bases: Bases, tmp_path: Path
) -> None:
    with Hub("org/board") as hub:
        code, said = _submit(bases, tmp_path, hub, "--hub", words, token=token)
    assert code == 2, said
    assert "--hub" in said
    assert not (tmp_path / "submissions").exists()
