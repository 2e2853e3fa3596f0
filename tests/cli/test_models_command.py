"""``embodibench models``."""

from __future__ import annotations

import json

from click.testing import CliRunner

from embodibench.cli.models import models_command
from embodibench.models.table import model_table


def test_every_row_is_printed_as_json() -> None:
    result = CliRunner().invoke(models_command, ["--json"])
    assert result.exit_code == 0
    rows = json.loads(result.output)
    assert {row["checkpoint"] for row in rows} == set(model_table().checkpoints)
    (row,) = [row for row in rows if row["checkpoint"] == "gpt-4o-2024-05-13"]
    assert row == {
        "name": "gpt-4o-2024-05-13",
        "checkpoint": "gpt-4o-2024-05-13",
        "provider": "openai",
        "takes": ["temperature", "seed", "stop", "images"],
        "context": 128000,
        "shutdown": "2026-10-23",
        "state": "gone",
        "successors": ["gpt-4o-2024-11-20", "gpt-6.1-sol"],
        "pinned": True,
        "note": "The GPT-4o of the LLM-AAI paper (2024).",
    }


def test_the_table_shows_what_is_served_and_says_what_it_hides() -> None:
    result = CliRunner().invoke(models_command, [])
    assert result.exit_code == 0
    assert "claude-opus-5-5" in result.output
    assert "gpt-4o-2024-05-13" not in result.output
    assert "no longer served" in result.output
    assert "gpt-4o-2024-05-13" in CliRunner().invoke(models_command, ["--all"]).output


def test_one_provider_only() -> None:
    result = CliRunner().invoke(models_command, ["--json", "--provider", "local"])
    assert [row["provider"] for row in json.loads(result.output)] == ["local"]


def test_an_unknown_provider_is_a_usage_error() -> None:
    result = CliRunner().invoke(models_command, ["--provider", "nobody"])
    assert result.exit_code == 2
    assert "openai" in result.output
