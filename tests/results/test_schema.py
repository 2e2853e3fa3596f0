"""The published JSON Schema is the one of the code, and describes real results."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from embodibench.results.schema import ModelSection, json_schema
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


@pytest.mark.parametrize("name", ["", "   ", " gpt-4o", "gpt-4o\n"])
def test_a_model_has_a_name_without_blanks_around_it(name: str) -> None:
    with pytest.raises(ValidationError, match="checkpoint"):
        ModelSection(provider="openai", requested="gpt-4o", checkpoint=name)
    assert ModelSection(provider="openai", requested="gpt-4o", checkpoint="gpt-4o").checkpoint == "gpt-4o"
