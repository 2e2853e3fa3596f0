"""How tests find their way on the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from embodibench.leaderboard.rows import Row, Rows

HOSTILE = "<img src=x onerror=hit()>\"'{{7*7}}$\\frac"
MARKUP = "</script><script>hit()</script><b>bold</b>"
KINDS = ("index.html", "compare.html", "charts.html", "trust.html", "submit.html", "cite.html", "rows/{}.html")


def address(site: Path, name: str) -> str:
    return (
        (site / name).as_uri() if "#" not in name else (site / name.split("#")[0]).as_uri() + "#" + name.split("#")[1]
    )


def a_row(rows: Rows, suite: str, player: str) -> Row:
    return next(row for row in rows.rows if row.suite == suite and row.player == player)


def players(page: Any, suite: str = "aai40-1") -> list[str]:
    return page.locator(f"#{suite} tbody.rows th[scope=row] a").all_inner_texts()  # type: ignore[no-any-return]
