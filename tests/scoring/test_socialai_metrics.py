"""The suite socialai has a figure for each task and none over them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from embodibench.cli.main import group


def test_tasks_are_scored_one_by_one_and_never_pooled(tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = ["eval", "--model", "policy/expert", "--suite", "socialai", "--out", str(run)]
    done = CliRunner().invoke(group, command)
    assert done.exit_code == 0, done.output
    metrics = json.loads((run / "result.json").read_text(encoding="utf-8"))["metrics"]
    assert metrics["primary"] == "tasks" and "pass_rate" not in metrics
    assert {task: (rate["passed"], rate["planned"]) for task, rate in metrics["tasks"].items()} == {
        "asocial-box": (10, 10),
        "color-boxes": (20, 20),
        "color-boxes-generalisation": (20, 20),
    }
    lows = [rate["interval"].get("low") for rate in metrics["tasks"].values()]
    assert lows[0] is None, "ten rooms are too few"
    assert all(0.8 < low < 1 for low in lows[1:])
    assert "all tasks" not in done.output
