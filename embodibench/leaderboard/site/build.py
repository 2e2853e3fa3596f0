"""Building the site: the same rows, verdicts and cards give the same files, byte for byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from embodibench import __version__
from embodibench.cards import suites
from embodibench.cards.citation import bibtex
from embodibench.cards.suites import Suite
from embodibench.data_files import folder
from embodibench.errors import UsageError
from embodibench.leaderboard.rows import Row, Rows
from embodibench.leaderboard.site import pairs
from embodibench.leaderboard.site.chart_sets import charts
from embodibench.leaderboard.site.charts import MOST_ROWS
from embodibench.leaderboard.site.columns import cells, record, score_columns
from embodibench.leaderboard.site.entries import GROUPS, group
from embodibench.leaderboard.site.pages import Pages
from embodibench.leaderboard.site.pictures import Choice
from embodibench.leaderboard.site.references import references
from embodibench.leaderboard.site.row_pages import RowPages, slug
from embodibench.leaderboard.site.texts import script

PAGE_SIZE = 25
_FOLDERS = ("rows", "data", "charts", "pictures", "raw", "static")
_FEW = 64
"""Rows below which other processes are not worth their start."""


@dataclass(frozen=True)
class Board:
    """A suite's table.

    Attributes:
        current: whether this package holds the cards of that version; else its rows are shown by the present cards,
            without published figures, comparison or replay.
        rows: in the order they are shown.
    """

    label: str
    suite: Suite
    current: bool
    rows: tuple[Row, ...]


def build(
    rows: Rows,
    out: Path,
    *,
    verdicts: Path,
    pictures: Choice = "few",
    cache: Path | None = None,
    raw: str | None = None,
    jobs: int = 2,
    row_pages: bool = True,
    watch: Callable[[int, int], None] | None = None,
) -> None:
    """Write the site into ``out``; folders of an older site in it are replaced.

    Args:
        rows: from ``leaderboard.rows.read_rows``.
        verdicts: the folder that they were read with.
        pictures: of how many episodes of each row pictures are drawn by replay.
        cache: folder in which drawn pictures are kept for the next build, by the hash of what they show.
        raw: address below which the folder ``submissions`` can be read, ending in "/", for the links to raw files; None
            copies results and transcripts into the site.
        jobs: processes for the pages of rows.
        row_pages: whether rows have pages; without them the table's links lead nowhere, which only a benchmark wants.
        watch: is called with how many pages of rows are written, and how many there are.

    Raises:
        MissingExtraError: the extra ``board`` is not installed.
        UsageError: ``raw`` is no https address.
        ResultError: a result changed since the rows were read.
    """
    if raw is not None and not (raw.startswith("https://") and raw.endswith("/")):
        raise UsageError(
            f"'{raw[:100]}' cannot be linked to: write an address that begins with https:// and ends with /"
        )
    for name in _FOLDERS:
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    for path in sorted((folder("leaderboard/site") / "static").iterdir()):
        shutil.copyfile(path, out / "static" / path.name)
    pages = Pages(out)
    boards = _boards(rows)
    _index(pages, boards)
    _compare(pages, boards)
    _charts(pages, boards)
    for name in ("trust", "submit"):
        pages.write(f"{name}.html", f"{name}.html")
    cites = [(board.label, board.suite) for board in boards if board.current]
    pages.write("cite.html", "cite.html", cites=[_cite(label, suite) for label, suite in cites])
    if row_pages:
        _row_pages(RowPages(out, verdicts, pictures, cache, raw), boards, jobs, watch)


def _boards(rows: Rows) -> list[Board]:
    """Every suite of this package, in a fixed order, then older versions that have rows."""
    current = [suites.load(name) for name in sorted(suites.names(), key=_place)]
    boards = [Board(suite.label, suite, True, _ordered(suite, rows.of_suite(suite.label))) for suite in current]
    known = {suite.card.name: suite for suite in current}
    for label in rows.suites:
        suite = known.get(label.split("@", 1)[0])
        if suite is not None and label != suite.label:
            boards.append(Board(label, suite, False, _ordered(suite, rows.of_suite(label))))
    return boards


def _place(name: str) -> tuple[int, str]:
    order = ("aai40", "crafter", "socialai", "socialai-school", "atari")
    return (order.index(name) if name in order else len(order), name)


def _ordered(suite: Suite, rows: Sequence[Row]) -> tuple[Row, ...]:
    """By group, then by the table's first figure, best first, then by folder. No ranking: see the intervals."""
    column = score_columns(suite)[0]
    groups = list(GROUPS)

    def key(row: Row) -> tuple[int, float, str]:
        figure = column.of(row)
        return groups.index(group(row)), -float(figure.value) if figure else float("inf"), row.submission

    return tuple(sorted(rows, key=key))


def _index(pages: Pages, boards: Sequence[Board]) -> None:
    shown = []
    for board in boards:
        columns = score_columns(board.suite)
        lines = [cells(board.suite, row) for row in board.rows]
        data = {
            "rows": [record(line) for line in lines],
            "groups": list(GROUPS.values()),
            "mains": [c.main for c in columns],
        }
        name = f"board-{slug(board.label)}"
        pages.put(f"data/{name}.js", script(name, data).encode("ascii"))
        shown.append(
            {
                **_head(board),
                "about": _sentences(board.suite.card.description),
                "columns": columns,
                "width": len(columns) + 7,
                "first": lines[:PAGE_SIZE],
                "total": len(lines),
                "references": references(board.suite) if board.current else (),
                "order": f"Sorted by {columns[0].title.lower()}; the heading of a column sorts by it.",
            }
        )
    pages.write("index.html", "index.html", boards=shown, page_size=PAGE_SIZE)


def _compare(pages: Pages, boards: Sequence[Board]) -> None:
    comparable = [board for board in boards if board.current]
    for board in comparable:
        name = f"pairs-{slug(board.label)}"
        how = [comparison.to_json() for comparison in pairs.comparisons(board.suite)]
        data = {"comparisons": how, "rows": pairs.rows_json(board.suite, board.rows)}
        pages.put(f"data/{name}.js", script(name, data).encode("ascii"))
    pages.write("compare.html", "compare.html", boards=[_head(board) for board in comparable])


def _charts(pages: Pages, boards: Sequence[Board]) -> None:
    shown = []
    for board in boards:
        drawn = charts(board.suite, slug(board.label), board.rows) if board.current and board.rows else ()
        for chart in drawn:
            pages.put(f"charts/{chart.file}", chart.svg)
        if drawn:
            shown.append({**_head(board), "charts": drawn, "has_cost": any(c.file.startswith("cost") for c in drawn)})
    pages.write("charts.html", "charts.html", boards=shown, most=MOST_ROWS)


def _row_pages(how: RowPages, boards: Sequence[Board], jobs: int, watch: Callable[[int, int], None] | None) -> None:
    work = [(how, board.suite.card.name, board.current, row) for board in boards for row in board.rows]
    if jobs == 1 or len(work) < _FEW:
        for done, item in enumerate(work, start=1):
            _write_row(item)
            if watch is not None:
                watch(done, len(work))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done, _ in enumerate(pool.map(_write_row, work, chunksize=16), start=1):
            if watch is not None:
                watch(done, len(work))


_PAGES: dict[Path, Pages] = {}
"""Of this process, so that templates are compiled once."""


def _write_row(item: tuple[RowPages, str, bool, Row]) -> None:
    how, name, current, row = item
    pages = _PAGES.setdefault(how.out, Pages(how.out))
    how.write(pages, suites.load(name), current, row)


def _sentences(text: str) -> tuple[str, str]:
    """The first sentence of a description, and the rest of it."""
    first, point, rest = " ".join(text.split()).partition(". ")
    return first + point.strip(), rest


def _head(board: Board) -> dict[str, Any]:
    return {"slug": slug(board.label), "label": board.label, "title": board.suite.card.title}


def _cite(label: str, suite: Suite) -> dict[str, str]:
    return {"slug": slug(label), "label": label, "title": suite.card.title, "bibtex": bibtex(suite, __version__)}
