"""The page of a row: every episode, its actions, and pictures drawn by replay."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from embodibench.cards import suites
from embodibench.leaderboard.build import build
from embodibench.leaderboard.rows import Rows
from embodibench.leaderboard.site.columns import cells
from embodibench.leaderboard.site.entries import player
from embodibench.leaderboard.site.pictures import FEW
from tests.leaderboard.site.places import a_row, address


def test_pictures_are_drawn_by_replay_and_linked(site: Path, rows: Rows) -> None:
    text = (site / f"rows/{a_row(rows, 'crafter@1', 'example-0').id}.html").read_text("utf-8")
    assert text.count('src="../pictures/') >= 8
    assert len(list((site / "pictures").iterdir())) >= 8


def test_episodes_are_filtered_by_text_and_outcome(page: Any, site: Path, rows: Rows) -> None:
    row = a_row(rows, "aai40@1", "example-0")
    page.goto(address(site, f"rows/{row.id}.html"))
    passed = sum(score.passed or 0 for score in row.of_kind("task"))
    lines = page.locator("table.episodes tbody tr:visible")
    page.locator("table.episodes button.open").first.click()
    page.locator("tr.actions p").wait_for()
    page.locator("[data-outcome]").select_option("passed")
    assert page.locator("tr.actions").count() == 0
    assert lines.count() == passed
    assert page.locator("[data-status]").inner_text() == f"{passed} of {row.episodes} episodes"
    page.locator("[data-outcome]").select_option("")
    page.locator("[data-filter]").fill("01-04-03")
    assert lines.count() == 3
    page.locator("[data-filter]").fill("")
    assert lines.count() == row.episodes


def test_a_local_file_is_named_without_its_hash(rows: Rows) -> None:
    row = a_row(rows, "aai40@1", "example-0")
    local = replace(row, provider="local", player="Small-1B.Q4.gguf@sha256:0123456789abcdef")
    assert player(local) == "Small-1B.Q4"
    assert player(replace(local, provider="openai")) == local.player
    assert player(replace(local, player=".gguf")) == ".gguf"
    assert cells(suites.load("aai40"), local)["player"] == "Small-1B.Q4"


def test_a_page_without_pictures_says_why(tree: Path, tmp_path: Path, rows: Rows) -> None:
    out = build(tree / "submissions", tree / "verdicts", tmp_path / "out", pictures="none", jobs=1).folder
    text = (out / "space" / "rows" / f"{a_row(rows, 'crafter@1', 'example-0').id}.html").read_text("utf-8")
    assert "This site was built without pictures." in text


def test_a_rows_page_shows_every_episode_and_its_actions(page: Any, site: Path, rows: Rows) -> None:
    row = a_row(rows, "aai40@1", "example-0")
    page.goto(address(site, f"rows/{row.id}.html"))
    lines = page.locator("table.episodes tbody tr")
    assert lines.count() == row.episodes
    assert page.locator("table.episodes td.passed").count() == sum(score.passed or 0 for score in row.of_kind("task"))
    page.locator("table.episodes button.open").first.focus()
    page.keyboard.press("Enter")
    page.locator("tr.actions p").wait_for()
    assert page.locator("tr.actions p").inner_text() == "turn right ×3, turn left"
    captions = page.locator("tr.actions figcaption").all_inner_texts()
    assert captions == ["At the start", "After step 1", "After step 3", "At the end, step 4"]
    page.keyboard.press("Enter")
    assert page.locator("tr.actions").count() == 0
    result = page.locator("a", has_text="Raw result").get_attribute("href")
    assert (site / "rows" / result).resolve().is_file()
    assert "not verified" in page.locator(".statement").inner_text()


def test_every_episode_has_its_pictures_where_all_are_drawn(page: Any, tree: Path, tmp_path: Path, rows: Rows) -> None:
    only = tmp_path / "submissions" / "crafter@1"
    row = a_row(rows, "crafter@1", "example-0")
    shutil.copytree(tree / "submissions" / row.submission, only / row.submission.split("/")[1])
    out = build(tmp_path / "submissions", tree / "verdicts", tmp_path / "out", pictures="all", jobs=1).folder / "space"
    page.goto(address(out, f"rows/{row.id}.html"))
    assert page.locator("#pictures .strip").count() == FEW < row.episodes
    for number in range(row.episodes):
        button = page.locator("button.open").nth(number)
        button.click()
        page.locator("tr.actions img").first.wait_for()
        shown = page.locator("tr.actions img")
        page.wait_for_function("[...document.querySelectorAll('tr.actions img')].every((one) => one.naturalWidth > 0)")
        assert f"trial {number}, at the start" in shown.first.get_attribute("alt")
        assert page.locator("tr.actions figcaption").first.inner_text() == "At the start"
        button.click()
