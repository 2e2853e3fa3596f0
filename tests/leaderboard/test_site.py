"""The leaderboard's site in a real browser: what it shows is what the rows hold, and it asks nobody for anything."""

from __future__ import annotations

import functools
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the extra 'board' is not installed")
pytest.importorskip("matplotlib", reason="the extra 'board' is not installed")
pytest.importorskip("msgspec", reason="the extra 'board' is not installed")

from embodibench.cards import suites
from embodibench.leaderboard.build import build
from embodibench.leaderboard.rows import Row, Rows, read_rows
from embodibench.leaderboard.site.chart_sets import left_out
from embodibench.leaderboard.site.charts import MOST_ROWS
from embodibench.leaderboard.site.columns import cells, score_columns
from embodibench.leaderboard.site.entries import player
from embodibench.leaderboard.site.pairs import comparisons
from embodibench.leaderboard.site.texts import plain
from embodibench.results.schema import AgentSection
from tests.leaderboard.made_boards import submit

HOSTILE = "<img src=x onerror=hit()>\"'{{7*7}}$\\frac"
MARKUP = "</script><script>hit()</script><b>bold</b>"
KINDS = ("index.html", "compare.html", "charts.html", "trust.html", "submit.html", "cite.html", "rows/{}.html")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Submissions to three suites: good and bad, policies, a privileged one, one in words, a hostile one."""
    root = tmp_path_factory.mktemp("board")
    kinds = ((0.8, 20.0, "re-run"), (0.5, 2.0, "replayed"), (0.2, None, "self-reported"))
    for seed, (skill, cost, trust) in enumerate(kinds):
        submit(root, "aai40", skill, seed=seed, model=f"example-{seed}", cost=cost, trust=trust)  # type: ignore[arg-type]
    for seed in range(24):
        submit(root, "aai40", 0.4, seed=100 + seed, model=f"filler-{seed:02}")
    submit(
        root,
        "aai40",
        0.9,
        seed=8,
        model=None,
        agent=AgentSection(name="policy/walkthrough", version=1, privileged=True),
    )
    submit(root, "aai40", 0.5, seed=9, model="example-0", agent=AgentSection(name="react-text", version=1))
    for seed, skill in enumerate((0.9, 0.3)):
        submit(root, "crafter", skill, seed=seed, model=f"example-{seed}")
        submit(root, "socialai", skill, seed=seed, model=f"example-{seed}")
    submit(root, "atari", 0.5, model="example-0")
    submit(root, "socialai-school", 0.5, model="example-0")
    evil = AgentSection(name=MARKUP, version=1)
    said = {"submitter": "O'Neil and co", "report": "https://example.org/report"}
    submit(root, "crafter", 0.5, seed=5, model=HOSTILE, agent=evil, end=MARKUP, error=HOSTILE, **said)
    return root


@pytest.fixture(scope="module")
def rows(tree: Path) -> Rows:
    found = read_rows(tree / "submissions", tree / "verdicts", jobs=1)
    assert not found.absent, found.absent
    return found


@pytest.fixture(scope="module")
def site(tree: Path, rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("board")
    build(tree / "submissions", tree / "verdicts", out / "built", cache=out / "kept", jobs=1)
    return out / "built" / "space"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium: the system's, or the one that Playwright brings."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: no browser tests")
    with playwright.sync_playwright() as play:
        own = Path(play.chromium.executable_path)
        path = (
            os.environ.get("EMBODIBENCH_CHROMIUM") or shutil.which("chromium") or (str(own) if own.is_file() else None)
        )
        if path is None:
            pytest.skip("there is no Chromium: set EMBODIBENCH_CHROMIUM, or install one")
        with play.chromium.launch(executable_path=path, args=["--no-sandbox"]) as found:
            yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that fails its test when it asks another place for anything, or says anything on its console."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened, asked, said = context.new_page(), [], []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    yield opened
    context.close()
    assert all(url.startswith("file://") for url in asked), asked
    assert not said, said


def address(site: Path, name: str) -> str:
    return (
        (site / name).as_uri() if "#" not in name else (site / name.split("#")[0]).as_uri() + "#" + name.split("#")[1]
    )


def a_row(rows: Rows, suite: str, player: str) -> Row:
    return next(row for row in rows.rows if row.suite == suite and row.player == player)


def players(page: Any, suite: str = "aai40-1") -> list[str]:
    return page.locator(f"#{suite} tbody.rows th[scope=row] a").all_inner_texts()  # type: ignore[no-any-return]


def test_the_same_inputs_give_the_same_bytes(tree: Path, rows: Rows, site: Path, tmp_path: Path) -> None:
    again_at = build(tree / "submissions", tree / "verdicts", tmp_path / "again", jobs=1).folder / "space"
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    again = {path.relative_to(again_at): path.read_bytes() for path in again_at.rglob("*") if path.is_file()}
    assert files.keys() == again.keys()
    assert [name for name in files if files[name] != again[name]] == []


def test_pictures_are_drawn_by_replay_and_linked(site: Path, rows: Rows) -> None:
    text = (site / f"rows/{a_row(rows, 'crafter@1', 'example-0').id}.html").read_text("utf-8")
    assert text.count('src="../pictures/') >= 8
    assert len(list((site / "pictures").iterdir())) >= 8


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


def test_charts_say_which_rows_they_leave_out(site: Path, rows: Rows) -> None:
    others = len(rows.of_suite("aai40@1")) - MOST_ROWS - 2
    assert left_out(rows.of_suite("aai40@1")) == (
        f"Not drawn here: {others} rows further down the table, 1 row told in words what a picture would show, "
        "1 row reading the state of the world."
    )
    assert "1 row reading the state of the world." in (site / "charts.html").read_text("utf-8")


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
    assert page.locator("tr.actions").inner_text() == "turn right ×3, turn left"
    page.keyboard.press("Enter")
    assert page.locator("tr.actions").count() == 0
    result = page.locator("a", has_text="Raw result").get_attribute("href")
    assert (site / "rows" / result).resolve().is_file()
    assert "not verified" in page.locator(".statement").inner_text()


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
