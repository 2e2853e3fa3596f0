"""Which charts a suite has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from embodibench.cards.suites import Suite
from embodibench.leaderboard.rows import Row, Score
from embodibench.leaderboard.site.charts import MOST_ROWS, Bars, Chart, Marks, Point, Series, cost_chart, profile_chart
from embodibench.leaderboard.site.columns import ScoreColumn, score_columns
from embodibench.leaderboard.site.entries import Group, group
from embodibench.leaderboard.site.profiles import names, parts, published
from embodibench.leaderboard.site.texts import plain

_TITLES = {
    "aai40": ("Levels", "The bar is the middle half of 59 children, the line in it their mean."),
    "crafter": ("Achievements", "Percent of lives that unlock each; single achievements are shown and not compared."),
    "atari": ("Games", "Percent of the human of the table dqn-zoo; 100 is that human, 0 random play."),
    "socialai": ("Three tasks", "Percent of rooms solved, with 95 % intervals; the three are never pooled."),
}
_MOST_COSTS = 40


def charts(suite: Suite, slug: str, rows: Sequence[Row]) -> tuple[Chart, ...]:
    """The charts of a suite; empty without rows.

    Args:
        rows: of this suite, in the order of its table.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    found = []
    columns = [column for column in score_columns(suite) if column.main]
    for column in columns if suite.card.scoring == "socialai" else columns[:1]:
        points = [(row, _figure_point(column, row, row.cost)) for row in rows if not row.policy and row.cost]
        known = [(row, point) for row, point in points if point is not None][:_MOST_COSTS]
        if known:
            labels = names([row for row, _ in known])
            series = [Series(plain(label, 60), (point,)) for label, (_, point) in zip(labels, known, strict=True)]
            more = "" if len(columns) == 1 or column is columns[0] else f"-{column.name}"
            title = f"{column.title.capitalize()} against cost"
            found.append(cost_chart(f"cost-{slug}{more}.svg", title, column.title, series))
    shown = _profiled(rows)
    if shown and parts(suite):
        found.append(_profile(suite, slug, shown))
    return tuple(found)


def _profiled(rows: Sequence[Row]) -> list[Row]:
    """The rows whose profile is drawn."""
    main = [row for row in rows if group(row) == "main"]
    return (main or list(rows))[:MOST_ROWS]


def left_out(rows: Sequence[Row]) -> str:
    """Which rows the chart of profiles leaves out, in a sentence; "" where it shows all."""
    shown = {row.id for row in _profiled(rows)}
    rest = Counter(group(row) for row in rows if row.id not in shown)
    words: dict[Group, str] = {
        "main": "further down the table",
        "text": "told in words what a picture would show",
        "privileged": "reading the state of the world",
    }
    parts = [
        f"{rest[name]:,} {'row' if rest[name] == 1 else 'rows'} {what}" for name, what in words.items() if rest[name]
    ]
    return f"Not drawn here: {', '.join(parts)}." if parts else ""


def _profile(suite: Suite, slug: str, rows: Sequence[Row]) -> Chart:
    categories = parts(suite)
    series = []
    for name, row in zip(names(rows), rows, strict=True):
        scores = {(score.kind, score.name): score for score in row.scores}
        points = [_point(place, scores.get((part.kind, part.name))) for place, part in enumerate(categories)]
        series.append(Series(plain(name, 60), tuple(point for point in points if point is not None)))
    bars, marks = None, []
    for other in published(suite):
        if any(other.quartiles):
            known = zip(other.quartiles, other.values, strict=True)
            spans = tuple((q[0], v, q[1]) if q is not None and v is not None else None for q, v in known)
            if bars is None:
                bars = Bars(other.label, spans)
                continue
        if any(value is not None for value in other.values):
            marks.append(Marks(other.label, other.values))
    title, caption = _TITLES.get(suite.card.name, ("Groups of tasks", "Percent of trials passed."))
    return profile_chart(
        f"profile-{slug}.svg", title, caption, [part.title for part in categories], series, bars, marks
    )


def _figure_point(column: ScoreColumn, row: Row, x: float) -> Point | None:
    """What a column of the table shows of a row, as a point at ``x``."""
    fits = (s for s in row.scores if s.kind == column.kind and (s.kind == "overall" or s.name == column.name))
    return _point(x, next(fits, None))


def _point(x: float, score: Score | None) -> Point | None:
    if score is None:
        return None
    if score.kind == "game":
        return Point(x, 100 * score.normalised) if score.normalised is not None else None
    if score.value is None:
        return None
    scale = 100 if score.unit == "fraction" else 1
    low, high = (None if bound is None else scale * bound for bound in (score.low, score.high))
    return Point(x, scale * score.value, low, high)
