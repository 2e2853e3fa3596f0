"""Every rule has its section in the docs, and every section its rule."""

from __future__ import annotations

import re
from pathlib import Path

from embodibench.submissions.rules import RULES
from tests.submissions import (  # noqa: F401 - each fills the list
    hostile_costs,
    hostile_files,
    hostile_results,
    hostile_texts,
    hostile_times,
    hostile_transcripts,
)
from tests.submissions.hostile import HOSTILE

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `([a-z0-9-]+)`\n\n(Refuses|Warns)\. ", PAGE, re.MULTILINE))


def test_every_rule_has_its_section_and_every_section_its_rule() -> None:
    assert re.findall(r"^### `?([a-z0-9-]+)", PAGE, re.MULTILINE) == list(SECTIONS)
    assert set(SECTIONS) == set(RULES)


def test_the_sections_state_the_gravity_of_the_rules() -> None:
    words = {"refuse": "Refuses", "warn": "Warns"}
    assert {name: words[rule.gravity] for name, rule in RULES.items()} == SECTIONS


def test_every_rule_that_refuses_is_tried_by_the_red_team() -> None:
    """The rules on changes of a pull request are tried in ``test_changes.py``."""
    refusing = {name for name, rule in RULES.items() if rule.gravity == "refuse" and not name.startswith("change-")}
    assert refusing == {case.rule for case in HOSTILE}
