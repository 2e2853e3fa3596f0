"""The charts: SVG files drawn by Matplotlib, the same bytes for the same rows, with colours that follow dark mode.

A chart is shown as a picture, so that the page's strict content policy stays; its numbers stand beside it as a table.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from embodibench.errors import MissingExtraError
from embodibench.leaderboard.site.texts import decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MOST_ROWS = 6
_MOST_NAMED = 12
"""More names than that would lie over each other; the table has all."""
_DPI = 72
# Colours that stand for roles while drawing; the file maps them to variables that follow the reader's scheme.
INK, MUTED, GRID, BAR, PAPER = "#010101", "#020202", "#030303", "#040404", "#050505"
_SERIES = ("#060601", "#060602", "#060603", "#060604", "#060605", "#060606")
_MARKERS = ("o", "s", "D", "^", "v", "P")
_VARIABLES = {
    INK: ("ink", "#17212b", "#e7edf2"),
    MUTED: ("muted", "#566270", "#a3b0bc"),
    GRID: ("grid", "#e3e8ec", "#2b343d"),
    BAR: ("bar", "#d3dae1", "#3c4853"),
    PAPER: ("paper", "#ffffff", "#11161b"),
    _SERIES[0]: ("s0", "#0b6b63", "#5fcfc2"),
    _SERIES[1]: ("s1", "#c2500a", "#ff9d5c"),
    _SERIES[2]: ("s2", "#3b5fc0", "#93b1ff"),
    _SERIES[3]: ("s3", "#a3307d", "#f08fcb"),
    _SERIES[4]: ("s4", "#7a6400", "#e2c65a"),
    _SERIES[5]: ("s5", "#5b4a9c", "#bda9ff"),
}


@dataclass(frozen=True)
class Point:
    """A value in percent with its interval, or None where it has none; ``x`` is a place on the axis."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """The points of one row."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Bars:
    """A population in each category: its middle half and its mean, or its value alone."""

    name: str
    bars: tuple[tuple[float, float, float] | None, ...]
    """(q25, mean, q75) in percent."""


@dataclass(frozen=True)
class Marks:
    """A published row: a value in percent in each category, or None."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """A finished chart and what stands beside it."""

    file: str
    title: str
    caption: str
    alt: str
    svg: bytes
    width: int
    height: int
    header: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]


def cost_chart(file: str, title: str, score: str, series: Sequence[Series]) -> Chart:
    """Score against cost in US dollars, on a logarithmic axis; one point a row.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw(canvas: Canvas, axes: Axes) -> None:
        axes.set_xscale("log")
        for index, row in enumerate(series):
            (point,) = row.points
            _error_bar(axes, point, index)
            if index < _MOST_NAMED:
                axes.annotate(
                    _short(row.name),
                    (point.x, point.value),
                    (7, 6),
                    textcoords="offset points",
                    color=INK,
                    fontsize=10,
                    parse_math=False,
                )
        axes.set_xlabel("US dollars for the whole suite (logarithmic)")
        axes.set_ylabel(f"{score}, percent")
        _percent_axis(axes.yaxis, axes.set_ylim, [p for row in series for p in row.points])
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
        axes.margins(x=0.25)

    table = tuple((row.name, decimals(row.points[0].x, 2), _said(row.points[0])) for row in series)
    return _chart(
        file,
        title,
        "Rows whose cost is unknown are left out. The table below names every point.",
        draw,
        (860, 420),
        ("row", "US dollars", score),
        table,
    )


def profile_chart(
    file: str,
    title: str,
    caption: str,
    categories: Sequence[str],
    series: Sequence[Series],
    bars: Bars | None,
    marks: Sequence[Marks],
) -> Chart:
    """Percent in each category, one line of markers a row, beside populations and published rows. ``Point.x`` is the
    number of the category.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw(canvas: Canvas, axes: Axes) -> None:
        count = len(categories)
        if bars is not None:
            for place, bar in enumerate(bars.bars):
                if bar is not None:
                    label = bars.name if place == 0 else None
                    axes.barh(
                        place, max(bar[2] - bar[0], 0.6), left=bar[0], height=0.62, color=BAR, label=label, zorder=1
                    )
                    axes.plot([bar[1]] * 2, [place - 0.31, place + 0.31], color=MUTED, linewidth=2, zorder=2)
        for index, mark in enumerate(marks):
            known = [(value, place) for place, value in enumerate(mark.values) if value is not None]
            places, values = [place for _, place in known], [value for value, _ in known]
            style: dict[str, Any] = {"marker": "|+x_"[index % 4], "color": MUTED, "linewidths": 1.6}
            axes.scatter(values, places, s=70, label=mark.name, zorder=3, **style)
        step = min(0.13, 0.6 / max(len(series), 1))
        for index, row in enumerate(series):
            shift = (index - (len(series) - 1) / 2) * step
            for number, point in enumerate(row.points):
                _error_bar(axes, point, index, place=point.x + shift, label=row.name if number == 0 else None)
        axes.set_ylim(count - 0.5, -0.5)
        axes.set_yticks(range(count), list(categories), parse_math=False)
        axes.set_xlabel("percent")
        _percent_axis(axes.xaxis, axes.set_xlim, _extent(series, bars, marks))
        legend = axes.legend(
            loc="upper left",
            bbox_to_anchor=(0, -0.5 / (0.34 * count + 0.6) - 0.02),
            frameon=False,
            fontsize=10,
            ncols=2,
            borderaxespad=0,
        )
        for text in legend.get_texts():
            text.set_parse_math(False)
            text.set_color(INK)

    entries = len(series) + len(marks) + (bars is not None)
    height = 28 * len(categories) + 84 + 18 * ((entries + 1) // 2)
    header = ("", *(row.name for row in series), *([bars.name] if bars else []), *(mark.name for mark in marks))
    return _chart(file, title, caption, draw, (860, height), header, _profile_table(categories, series, bars, marks))


def _profile_table(
    categories: Sequence[str], series: Sequence[Series], bars: Bars | None, marks: Sequence[Marks]
) -> tuple[tuple[str, ...], ...]:
    lines = []
    for place, category in enumerate(categories):
        line = [category]
        for row in series:
            line.append(next((_said(point) for point in row.points if point.x == place), ""))
        if bars is not None:
            bar = bars.bars[place]
            line.append(
                "" if bar is None else f"{decimals(bar[1])} (middle half {decimals(bar[0])} to {decimals(bar[2])})"
            )
        line += [("" if mark.values[place] is None else decimals(mark.values[place] or 0.0)) for mark in marks]
        lines.append(tuple(line))
    return tuple(lines)


def _extent(series: Sequence[Series], bars: Bars | None, marks: Sequence[Marks]) -> list[Point]:
    points = [point for row in series for point in row.points]
    points += [Point(0, value) for mark in marks for value in mark.values if value is not None]
    points += [Point(0, bar[1], bar[0], bar[2]) for bar in (bars.bars if bars else ()) if bar is not None]
    return points


def _error_bar(axes: Axes, point: Point, index: int, place: float | None = None, label: str | None = None) -> None:
    """A marker, and a line over its interval; upright, or lying where ``place`` is given."""
    colour, marker = _SERIES[index % len(_SERIES)], _MARKERS[index % len(_MARKERS)]
    x, y = (point.x, point.value) if place is None else (point.value, place)
    if point.low is not None and point.high is not None:
        ends = ([x, x], [point.low, point.high]) if place is None else ([point.low, point.high], [y, y])
        axes.plot(*ends, color=colour, linewidth=2, alpha=0.6, zorder=4, solid_capstyle="round")
    axes.scatter([x], [y], marker=marker, s=44, color=colour, edgecolors=PAPER, linewidths=0.8, label=label, zorder=5)


def _percent_axis(axis: Any, set_limits: Callable[..., Any], points: Sequence[Point]) -> None:
    """From 0 to 100, or as far as the points go beyond."""
    values = [edge for point in points for edge in (point.value, point.low, point.high) if edge is not None]
    low, high = min([0.0, *values]), max([100.0, *values])
    pad = 0.02 * (high - low)
    set_limits(low - pad, high + pad)
    axis.grid(True, color=GRID, linewidth=1)


def _short(name: str) -> str:
    return name if len(name) <= 28 else name[:27] + "…"


def _said(point: Point) -> str:
    if point.low is None or point.high is None:
        return decimals(point.value)
    return f"{decimals(point.value)} [{decimals(point.low)}, {decimals(point.high)}]"


def _chart(
    file: str,
    title: str,
    caption: str,
    draw: Callable[[Canvas, Axes], None],
    size: tuple[int, int],
    header: tuple[str, ...],
    table: tuple[tuple[str, ...], ...],
) -> Chart:
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure as Canvas
    except ImportError as error:
        raise MissingExtraError("the charts of the leaderboard's site", "board") from error
    # Fixed ids, no date, text as text: the same rows give the same bytes, and names stay readable.
    settings: Any = dict(matplotlib.rcParamsDefault)
    settings |= {"svg.hashsalt": "embodibench", "svg.fonttype": "none", "axes.axisbelow": True}
    settings |= {"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"]}
    with matplotlib.rc_context(settings):
        canvas = Canvas(figsize=(size[0] / _DPI, size[1] / _DPI), dpi=_DPI, layout="constrained")
        FigureCanvasSVG(canvas)
        canvas.patch.set_alpha(0)
        axes = canvas.add_subplot()
        axes.set_facecolor("none")
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(MUTED)
        axes.tick_params(colors=MUTED, labelcolor=INK, labelsize=10)
        axes.xaxis.label.set_color(INK)
        axes.yaxis.label.set_color(INK)
        draw(canvas, axes)
        buffer = io.BytesIO()
        canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    first = ", ".join(header[1:4])
    alt = f"{title}. The numbers stand in the table below: {first}{' and more' if len(header) > 4 else ''}."
    return Chart(file, title, caption, alt, _themed(buffer.getvalue()), *size, header, table)


def _themed(svg: bytes) -> bytes:
    """Roles become CSS variables, whose values follow the reader's colour scheme."""
    text = svg.decode("utf-8")
    for role, (name, _, _) in _VARIABLES.items():
        text = text.replace(role, f"var(--{name})")
    light = "".join(f"--{name}:{colour};" for name, colour, _ in _VARIABLES.values())
    dark = "".join(f"--{name}:{colour};" for name, _, colour in _VARIABLES.values())
    style = f"<style>svg{{{light}}}@media (prefers-color-scheme: dark){{svg{{{dark}}}}}</style>"
    fonts = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'
    text = re.sub(r"'DejaVu Sans'(, sans-serif)?", fonts.replace('"', "'"), text)
    return re.sub(r"(<svg [^>]*>)", lambda match: match[1] + style, text, count=1).encode("utf-8")
