"""How soon a browser shows the first table of a board of many rows.

``python -m benchmarks.leaderboard_site --rows 10000``. The rows are copies of one result of aai40 with 120 episodes.
``benchmarks.leaderboard_scale`` tells how long a whole board takes to build.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import tempfile
import time
from pathlib import Path

from embodibench.leaderboard.rows import Rows, read_rows
from embodibench.leaderboard.site.build import build
from tests.leaderboard.made_boards import submit


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    options = parser.parse_args()
    root = Path(tempfile.mkdtemp())
    try:
        submit(root, "aai40", 0.4)
        (one,) = read_rows(root / "submissions", root / "verdicts", jobs=1).rows
        many = tuple(
            dataclasses.replace(one, id=f"{place:012x}", player=f"model-{place:05}") for place in range(options.rows)
        )
        used = time.process_time()
        build(Rows(many, ()), root / "site")
        print(f"{options.rows:,} rows: tables, charts and pairs in {time.process_time() - used:.1f} s of the processor")
        print(f"data of the table: {(root / 'site/data/board-aai40-1.js').stat().st_size:,} bytes")
        _browse(root / "site" / "index.html")
    finally:
        shutil.rmtree(root)


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
