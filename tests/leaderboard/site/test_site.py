"""The leaderboard's site in a real browser: what it shows is what the rows hold, and it asks nobody for anything."""

from __future__ import annotations

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from embodibench.cards import suites
from embodibench.leaderboard.build import build
from embodibench.leaderboard.rows import Rows
from embodibench.leaderboard.site.chart_sets import left_out
from embodibench.leaderboard.site.charts import MOST_ROWS
from embodibench.leaderboard.site.columns import cells, score_columns
from embodibench.leaderboard.site.pairs import comparisons
from embodibench.leaderboard.site.texts import plain
from tests.leaderboard.site.places import HOSTILE, KINDS, a_row, address, players


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Says nothing."""


def test_the_same_inputs_give_the_same_bytes(tree: Path, rows: Rows, site: Path, tmp_path: Path) -> None:
    again_at = build(tree / "submissions", tree / "verdicts", tmp_path / "again", jobs=1).folder / "space"
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    again = {path.relative_to(again_at): path.read_bytes() for path in again_at.rglob("*") if path.is_file()}
    assert files.keys() == again.keys()
    assert [name for name in files if files[name] != again[name]] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_asks_no_other_place_and_says_nothing(page: Any, site: Path, rows: Rows, kind: str) -> None:
    for row in (rows.of_suite(label)[0] for label in rows.suites):
        page.goto(address(site, kind.format(row.id)))
        assert page.locator("h1").count() == 1
        assert page.evaluate("[...document.images].filter(i => i.loading !== 'lazy' && !i.naturalWidth).length") == 0


def test_a_server_is_asked_for_this_sites_files_alone(browser: Any, site: Path, rows: Rows) -> None:
    handler = functools.partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"http://127.0.0.1:{server.server_port}/"
        context = browser.new_context()
        opened, asked, said = context.new_page(), [], []
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("console", lambda message: said.append(message.text))
        for kind in KINDS:
            opened.goto(place + kind.format(rows.of_suite("crafter@1")[0].id), wait_until="networkidle")
        opened.locator("button.open").first.click()
        opened.locator("tr.actions p").first.wait_for()
        context.close()
        server.shutdown()
    assert asked and all(url.startswith(place) for url in asked), asked
    assert not said, said


def test_the_table_shows_the_rows_figures(page: Any, site: Path, rows: Rows) -> None:
    page.goto(address(site, "index.html"))
    suite = suites.load("aai40")
    row = a_row(rows, "aai40@1", "example-0")
    line = page.locator(f"#aai40-1 tbody.rows tr:has(a[href='rows/{row.id}.html'])")
    score = row.primary_score
    assert score is not None and score.value is not None and score.low is not None and score.high is not None
    shown = line.locator("td.figure").first.inner_text()
    assert shown == f"{100 * score.value:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]"
    cell = cells(suite, row)
    assert line.locator("td.number").all_inner_texts() == [
        f"${cell['cost']}",
        f"{cell['tokens']:,}",
        f"{cell['invalid']} %",
    ]
    assert line.locator(".trust").inner_text() == row.trust
    assert len(score_columns(suite)) == line.locator("td.figure").count()


def test_the_script_draws_the_rows_that_the_page_came_with(page: Any, site: Path) -> None:
    page.goto(address(site, "index.html"))
    body = page.locator("#aai40-1 tbody.rows")
    before = body.inner_text(), body.locator("path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    head = page.locator("#aai40-1 thead th[data-key='0'] button")
    head.click()
    head.click()
    assert page.locator("#aai40-1 thead th[data-key='0']").get_attribute("aria-sort") == "descending"
    after = body.inner_text(), body.locator("path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert after == before


def test_sorting_filtering_and_paging_work_by_keyboard(page: Any, site: Path, rows: Rows) -> None:
    page.goto(address(site, "index.html"))
    board = page.locator("#aai40-1")
    page.locator("#aai40-1 [data-filter]").focus()
    page.keyboard.type("filler-2 react")
    assert "Rows 1 to" in board.locator("[data-status]").inner_text()
    assert all("filler-2" in name for name in players(page))
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.locator("#aai40-1 [data-trust]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert players(page) == ["example-0"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    board.locator("thead th[data-key=player] button").focus()
    page.keyboard.press("Enter")
    assert board.locator("thead th[data-key=player]").get_attribute("aria-sort") == "ascending"
    assert players(page) == sorted(players(page)) and len(players(page)) == 25
    board.locator(".pager button[data-step='1']").focus()
    page.keyboard.press("Enter")
    last = board.locator("[data-status]").inner_text()
    assert last == f"Rows 26 to {len(rows.of_suite('aai40@1'))} of {len(rows.of_suite('aai40@1'))}"
    # Rows that are another thing than the others stand at the end, whatever the table is sorted by.
    assert players(page)[-2:] == ["example-0", "policy/walkthrough"]


def test_comparing_gives_what_python_gives(page: Any, site: Path, rows: Rows) -> None:
    pairs = [
        ("aai40", "example-0", "example-1"),
        ("aai40", "example-2", "example-0"),
        ("aai40", "example-1", "filler-03"),
        ("aai40", "filler-03", "filler-03"),
        ("crafter", "example-0", "example-1"),
        ("crafter", HOSTILE, "example-1"),
        ("socialai", "example-0", "example-1"),
    ]
    intervals = 0
    for name, *both in pairs:
        suite = suites.load(name)
        first, second = (a_row(rows, suite.label, player) for player in both)
        page.goto("about:blank")
        page.goto(address(site, f"compare.html#{name}-1/{first.id}/{second.id}"))
        boxes = page.locator("#outcome .box")
        assert boxes.count() == len(comparisons(suite))
        for place, how in enumerate(comparisons(suite)):
            expected = how.of(first.units[place], second.units[place])
            box = boxes.nth(place)
            assert float(box.get_attribute("data-value")) == pytest.approx(expected.value, abs=1e-12)
            bounds = expected.bounds()
            if bounds is None:
                assert box.get_attribute("data-low") is None
                continue
            intervals += 1
            shown = float(box.get_attribute("data-low")), float(box.get_attribute("data-high"))
            assert shown == pytest.approx(bounds, abs=1e-12)
            said = "first row is higher" if bounds[0] > 0 else "second row is higher" if bounds[1] < 0 else "holds zero"
            assert said in box.inner_text()
    assert intervals >= 6


def test_two_rows_are_chosen_by_keyboard(page: Any, site: Path) -> None:
    page.goto(address(site, "compare.html"))
    for side, name in (("first", "example-0 react ·"), ("second", "example-1")):
        page.locator(f"#{side}-filter").focus()
        page.keyboard.type(name.replace(" ·", ""))
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
    assert page.locator("#outcome .difference").count() == 1


def test_two_rows_are_compared_from_the_first_moment(page: Any, site: Path, rows: Rows) -> None:
    page.goto(address(site, "compare.html"))
    assert page.locator("#outcome .difference").count() == 1
    third = a_row(rows, "aai40@1", "filler-03").id
    page.goto("about:blank")
    page.goto(address(site, f"compare.html#aai40-1/{third}"))
    first, second = page.url.split("#aai40-1/")[1].split("/")
    assert first == third != second
    page.locator("#suite").select_option("socialai-1")
    assert page.locator("#outcome .box").count() == len(comparisons(suites.load("socialai")))
    page.locator("#suite").select_option("atari-1")
    assert page.locator("#outcome .box").count() == 0


def test_charts_say_which_rows_they_leave_out(site: Path, rows: Rows) -> None:
    others = len(rows.of_suite("aai40@1")) - MOST_ROWS - 2
    assert left_out(rows.of_suite("aai40@1")) == (
        f"Not drawn here: {others} rows further down the table, 1 row told in words what a picture would show, "
        "1 row reading the state of the world."
    )
    assert "1 row reading the state of the world." in (site / "charts.html").read_text("utf-8")


def test_texts_of_strangers_do_nothing(page: Any, site: Path, rows: Rows) -> None:
    row = a_row(rows, "crafter@1", HOSTILE)
    page.add_init_script("window.hit = () => { window.struck = true; };")
    for name in ("index.html", f"rows/{row.id}.html", f"compare.html#crafter-1/{row.id}", "charts.html"):
        page.goto(address(site, name))
        assert plain(HOSTILE, 60)[:20] in page.content().replace("&lt;", "<").replace("&gt;", ">")
        assert page.evaluate("window.struck") is None
        assert page.locator("main img[src=x], main b").count() == 0
    page.goto(address(site, f"rows/{row.id}.html"))
    page.locator("table.episodes button.open").first.click()
    page.locator("tr.actions p").first.wait_for()
    assert HOSTILE in page.locator("tr.actions").inner_text()
    assert page.evaluate("window.struck") is None
    page.goto(address(site, "index.html"))
    page.locator("#crafter-1 [data-filter]").fill("onerror")
    assert page.locator("#crafter-1 tbody.rows a").inner_text() == HOSTILE
    assert page.evaluate("window.struck") is None


def test_charts_hold_no_script_and_no_address(site: Path) -> None:
    files = sorted((site / "charts").glob("*.svg"))
    assert {"cost-aai40-1.svg", "profile-aai40-1.svg", "profile-crafter-1.svg", "profile-socialai-1.svg"} <= {
        f.name for f in files
    }
    for file in files:
        text = file.read_text("utf-8")
        assert "<script" not in text and "prefers-color-scheme: dark" in text and "#0606" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_is_accessible(browser: Any, site: Path, rows: Rows, kind: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    context = browser.new_context(viewport={"width": 1200, "height": 900}, color_scheme=scheme)
    opened = context.new_page()
    name = kind.format(a_row(rows, "crafter@1", "example-0").id)
    if kind == "compare.html":
        first, second = (a_row(rows, "crafter@1", f"example-{place}").id for place in (0, 1))
        name = f"compare.html#crafter-1/{first}/{second}"
    opened.goto(address(site, name))
    found = axe.Axe().run(opened)
    assert found.violations_count == 0, found.generate_report()
    context.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_scrolls_no_page_sideways(browser: Any, site: Path, rows: Rows, kind: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    opened = context.new_page()
    for row in (a_row(rows, "aai40@1", "example-0"), a_row(rows, "crafter@1", HOSTILE)):
        opened.goto(address(site, kind.format(row.id)))
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
