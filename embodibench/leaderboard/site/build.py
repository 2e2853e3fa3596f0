"""Building the site: the same rows, verdicts and cards give the same files, byte for byte."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
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
from embodibench.leaderboard.site.chart_sets import charts, left_out
from embodibench.leaderboard.site.charts import MOST_ROWS
from embodibench.leaderboard.site.columns import cells, record, score_columns
from embodibench.leaderboard.site.entries import GROUPS, group
from embodibench.leaderboard.site.pages import templates
from embodibench.leaderboard.site.references import references
from embodibench.leaderboard.site.row_pages import RAW_FILES, slug
from embodibench.leaderboard.site.texts import script
from embodibench.submissions.shown import shown

PAGE_SIZE = 25
_ADDRESS = re.compile(r"https://[A-Za-z0-9.~:/_%@+-]+/")


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


def build(rows: Rows, out: Path) -> None:
    """Write the site into ``out``, all but the pages of rows (``row_pages``), which its tables link to.

    Args:
        rows: from ``leaderboard.rows.read_rows``.

    Raises:
        MissingExtraError: the extra ``board`` is not installed.
    """
    site = _Site(out)
    for path in sorted((folder("leaderboard/site") / "static").iterdir()):
        site.put(f"static/{path.name}", path.read_bytes())
    boards = _boards(rows)
    _index(site, boards)
    _compare(site, boards)
    _charts(site, boards)
    for name in ("trust", "submit"):
        site.page(f"{name}.html")
    cites = [(board.label, board.suite) for board in boards if board.current]
    site.page("cite.html", cites=[_cite(label, suite) for label, suite in cites])


def copy_results(submissions: Path, rows: Rows, out: Path) -> None:
    """Copy results and transcripts to where the pages of rows look for them, unless these link elsewhere."""
    for row in rows.rows:
        folder = out / "raw" / row.id
        folder.mkdir(parents=True)
        for name in RAW_FILES if row.transcript else RAW_FILES[:1]:
            shutil.copyfile(submissions / row.submission / name, folder / name)


def check_raw(raw: str) -> None:
    """Raises UsageError unless this is an address that links can begin with."""
    if not _ADDRESS.fullmatch(raw):
        raise UsageError(
            f"'{shown(raw, 100)}' cannot be linked to: write an address that begins with https:// and ends with /"
        )


@dataclass(frozen=True)
class _Site:
    """The folder of the site."""

    out: Path

    def page(self, name: str, **values: Any) -> None:
        """Write the page that the template ``name`` makes."""
        self.put(name, templates().render(name, name, **values))

    def put(self, name: str, data: bytes) -> None:
        """Write a file."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


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


def _index(site: _Site, boards: Sequence[Board]) -> None:
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
        site.put(f"data/{name}.js", script(name, data).encode("ascii"))
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
    site.page("index.html", boards=shown, page_size=PAGE_SIZE)


def _compare(site: _Site, boards: Sequence[Board]) -> None:
    comparable = [board for board in boards if board.current]
    for board in comparable:
        name = f"pairs-{slug(board.label)}"
        how = [comparison.to_json() for comparison in pairs.comparisons(board.suite)]
        data = {"comparisons": how, "rows": pairs.rows_json(board.rows)}
        site.put(f"data/{name}.js", script(name, data).encode("ascii"))
    site.page("compare.html", boards=[_head(board) for board in comparable])


def _charts(site: _Site, boards: Sequence[Board]) -> None:
    shown = []
    for board in boards:
        drawn = charts(board.suite, slug(board.label), board.rows) if board.current and board.rows else ()
        for chart in drawn:
            site.put(f"charts/{chart.file}", chart.svg)
        if drawn:
            shown.append(
                {
                    **_head(board),
                    "charts": drawn,
                    "has_cost": any(c.file.startswith("cost") for c in drawn),
                    "left_out": left_out(board.rows),
                }
            )
    site.page("charts.html", boards=shown, most=MOST_ROWS)


def _sentences(text: str) -> tuple[str, str]:
    """The first sentence of a description, and the rest of it."""
    first, point, rest = " ".join(text.split()).partition(". ")
    return first + point.strip(), rest


def _head(board: Board) -> dict[str, Any]:
    return {"slug": slug(board.label), "label": board.label, "title": board.suite.card.title}


def _cite(label: str, suite: Suite) -> dict[str, str]:
    return {"slug": slug(label), "label": label, "title": suite.card.title, "bibtex": bibtex(suite, __version__)}
