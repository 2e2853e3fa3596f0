"""The published JSON Schema is the one of the code, and describes real results."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from embodibench.results.schema import json_schema
from tests.runs.command import ROOT, call


def test_published_schema_is_current() -> None:
    published = json.loads((ROOT / "docs" / "result.schema.json").read_bytes())
    assert published == json_schema()


def test_a_real_result_is_valid(tmp_path: Path) -> None:
    words = [
        "eval",
        "--model",
        "stub/do,sleep",
        "--suite",
        "crafter",
        "--limit",
        "1",
        "--max-steps",
        "12",
        "--out",
        "run",
    ]
    assert call(*words, cwd=tmp_path).returncode == 0
    jsonschema.validate(json.loads((tmp_path / "run" / "result.json").read_bytes()), json_schema())
