"""The model table holds together, and says what the papers' checkpoints have come to."""

from __future__ import annotations

import datetime

import pytest

from embodibench.models.table import Takes, model_table
from tests.models.conftest import TODAY


def test_every_alias_leads_to_a_checkpoint() -> None:
    table = model_table()
    for alias, name in table.aliases.items():
        assert table.find(alias) is table.checkpoints[name]
        assert alias in table.checkpoints[name].aliases


def test_every_successor_is_in_the_table_and_served() -> None:
    table = model_table()
    for row in table.checkpoints.values():
        for successor in row.successors:
            assert table.checkpoints[successor].state(TODAY) != "gone", (row.name, successor)


def test_every_checkpoint_that_is_leaving_or_gone_names_a_successor() -> None:
    for row in model_table().checkpoints.values():
        assert row.successors or row.shutdown is None, row.name


def test_an_id_with_a_date_is_pinned() -> None:
    for row in model_table().checkpoints.values():
        if row.name[-1].isdigit() and row.name.count("-20") == 1:
            assert row.pinned, row.name


@pytest.mark.parametrize(
    "name",
    ["gpt-4o-2024-05-13", "claude-3-5-sonnet-20240620", "gemini-1.5-pro-001", "gpt-4-0613", "gpt-4-turbo-2024-04-09"],
)
def test_the_papers_checkpoints_are_listed_as_gone(name: str) -> None:
    row = model_table().checkpoints[name]
    assert row.state(TODAY) == "gone"
    assert row.note or row.successors


@pytest.mark.parametrize(
    ("day", "state"),
    [("2026-11-14", "served"), ("2026-11-15", "leaving"), ("2027-01-14", "leaving"), ("2027-01-15", "gone")],
)
def test_the_state_of_a_checkpoint_depends_on_the_day(day: str, state: str) -> None:
    assert model_table().checkpoints["gpt-4o-2024-11-20"].state(datetime.date.fromisoformat(day)) == state


def test_no_model_of_anthropic_takes_a_temperature_or_a_seed() -> None:
    for row in model_table().checkpoints.values():
        if row.provider == "anthropic":
            assert not row.takes.temperature
            assert not row.takes.seed


def test_what_a_model_takes_in_words() -> None:
    assert Takes().words() == ("temperature", "seed", "stop", "images", "effort")
    assert Takes(False, True, False, False, False, True).words() == ("temperature at effort none", "effort")


def test_a_name_is_found_only_with_its_own_provider() -> None:
    assert model_table().find("gpt-4o", "anthropic") is None
    assert model_table().find("gpt-4o", "openai") is not None
