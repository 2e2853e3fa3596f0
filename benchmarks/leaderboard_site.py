"""How long the site of many rows takes to build, and how soon a browser shows its first table.

``python -m benchmarks.leaderboard_site --rows 10000 --pages 200``. The rows are copies of one result of aai40 with 120
episodes. Pages of rows are alike, so only some are written, and their time is told for all.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import tempfile
import time
from pathlib import Path

from embodibench.leaderboard.rows import Rows, read_rows
from embodibench.leaderboard.site import build
from tests.leaderboard.made_boards import submit


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=200)
    options = parser.parse_args()
    root = Path(tempfile.mkdtemp())
    try:
        submit(root, "aai40", 0.4)
        (one,) = read_rows(root / "submissions", root / "verdicts", jobs=1).rows
        many = tuple(
            dataclasses.replace(one, id=f"{place:012x}", player=f"model-{place:05}") for place in range(options.rows)
        )
        _seconds(root, many[:1], "one")  # compiles templates and loads what is loaded once
        few = _seconds(root, many[: options.pages], "few", pages=False)
        page = (_seconds(root, many[: options.pages], "most") - few) / options.pages
        print(f"a page of a row with 120 episodes: {1000 * page:.1f} ms of the processor")
        _seconds(root, many, "all", pages=False)
        print(
            f"data of the table of {options.rows:,} rows: {(root / 'all/data/board-aai40-1.js').stat().st_size:,} bytes"
        )
        _browse(root / "all" / "index.html")
    finally:
        shutil.rmtree(root)


def _seconds(root: Path, rows: tuple[object, ...], name: str, pages: bool = True) -> float:
    """Processor time of a build of the whole site, or of all but the pages of rows."""
    start, used = time.perf_counter(), time.process_time()
    build(
        Rows(rows, ()),  # type: ignore[arg-type]
        root / name,
        verdicts=root / "verdicts",
        pictures="none",
        raw="https://example.org/submissions/",
        jobs=1,
        row_pages=pages,
    )
    seconds, used = time.perf_counter() - start, time.process_time() - used
    what = f"{len(rows):,} rows" + ("" if pages else " without their pages")
    print(f"built {what} in {seconds:.1f} s, {used:.1f} s of the processor")
    return used


def _browse(page: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = shutil.which("chromium")
        with play.chromium.launch(executable_path=path, args=["--no-sandbox"]) as browser:
            opened = browser.new_page()
            times = []
            for _ in range(5):
                opened.goto(page.as_uri())
                opened.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
                paint = opened.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                loaded = opened.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
                times.append((paint, loaded))
            paint, loaded = (sorted(column)[2] for column in zip(*times, strict=True))
            lines = opened.locator("#aai40-1 tbody.rows tr").count()
            print(f"first paint {paint:.0f} ms, table usable {loaded:.0f} ms (medians of 5), {lines} lines shown")


if __name__ == "__main__":
    main()
