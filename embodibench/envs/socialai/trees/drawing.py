"""A tree as text for the terminal, and as SVG. Parameters are in capitals or boxes, values in plain words or ovals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from embodibench.envs.socialai.trees.node import Parameter, Value

ROW: Final = 30
BOX: Final = 22
GAP: Final = 34
MARGIN: Final = 14
LETTER: Final = 7.2
"""Width of a letter of the monospaced label font, in pixels."""


def terminal(root: Parameter, ascii_only: bool = False) -> str:
    """The tree, one node a line; a parameter is marked with a diamond, exactly one of the values below it holds."""
    diamond, forms = ("*", ("+- ", "`- ", "|  ", "   ")) if ascii_only else ("◆", ("├─ ", "└─ ", "│  ", "   "))
    lines = [f"{diamond} {root.name}"]

    def below(nodes: Sequence[Parameter | Value], indent: str) -> None:
        for index, node in enumerate(nodes):
            last = index == len(nodes) - 1
            mark = f"{diamond} " if isinstance(node, Parameter) else ""
            lines.append(f"{indent}{forms[1] if last else forms[0]}{mark}{node.name}")
            inside = node.values if isinstance(node, Parameter) else node.parameters
            below(inside, indent + (forms[3] if last else forms[2]))

    below(root.values, "")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A node with its place: column from the left, centre of its row, and its parent's index."""

    name: str
    is_parameter: bool
    column: int
    y: float
    parent: int


def svg(root: Parameter, title: str = "") -> str:
    """The tree as an SVG document that needs nothing else, growing from left to right.

    Args:
        title: shown above the tree, and read out by screen readers.
    """
    placed: list[_Placed] = []
    top = MARGIN + (26 if title else 0)
    _place(root, 0, -1, top, placed)
    widths: dict[int, float] = {}
    for node in placed:
        widths[node.column] = max(widths.get(node.column, 0.0), len(node.name) * LETTER + 16)
    lefts, left = [], float(MARGIN)
    for column in sorted(widths):
        lefts.append(left)
        left += widths[column] + GAP
    width = max(left - GAP + MARGIN, len(title) * 8.5 + 2 * MARGIN)
    height = top + ROW * (1 + max(round((node.y - top) / ROW * 2) / 2 for node in placed)) + MARGIN - ROW + BOX
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
        'font-size="12">',
        f"<title>{escape(title or root.name)}</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]
    if title:
        parts.append(f'<text x="{MARGIN}" y="{MARGIN + 10}" font-size="14" font-weight="bold">{escape(title)}</text>')
    parts += [_edge(node, placed, lefts) for node in placed if node.parent >= 0]
    parts += [_shape(node, lefts) for node in placed]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _width(node: _Placed) -> float:
    return len(node.name) * LETTER + 16


def _place(node: Parameter | Value, column: int, parent: int, y: float, placed: list[_Placed]) -> float:
    """Place a node and all below it from row ``y`` on; the row after the last one used."""
    index = len(placed)
    is_parameter = isinstance(node, Parameter)
    placed.append(_Placed(node.name, is_parameter, column, y, parent))
    children: tuple[Parameter, ...] | tuple[Value, ...]
    children = node.values if isinstance(node, Parameter) else node.parameters
    after = y
    firsts = []
    for child in children:
        firsts.append(len(placed))
        after = _place(child, column + 1, index, after, placed)
    if not children:
        return y + ROW
    centre = (placed[firsts[0]].y + placed[firsts[-1]].y) / 2
    placed[index] = _Placed(node.name, is_parameter, column, centre, parent)
    return after


def _edge(node: _Placed, placed: list[_Placed], lefts: list[float]) -> str:
    parent = placed[node.parent]
    x1, y1 = lefts[parent.column] + _width(parent), parent.y + BOX / 2
    x2, y2 = lefts[node.column], node.y + BOX / 2
    middle = x2 - GAP / 2
    dash = "" if parent.is_parameter else ' stroke-dasharray="4 3"'
    return (
        f'<path d="M{x1:.1f} {y1:.1f} L{middle:.1f} {y1:.1f} L{middle:.1f} {y2:.1f} L{x2:.1f} {y2:.1f}" '
        f'fill="none" stroke="#8a94a0" stroke-width="1.2"{dash}/>'
    )


def _shape(node: _Placed, lefts: list[float]) -> str:
    x, width = lefts[node.column], _width(node)
    fill, line, radius = ("#dbe9f6", "#2b6cb0", 2) if node.is_parameter else ("#f7f3e3", "#a07b1a", 11)
    return (
        f'<rect x="{x:.1f}" y="{node.y:.1f}" width="{width:.1f}" height="{BOX}" rx="{radius}" fill="{fill}" '
        f'stroke="{line}"/><text x="{x + width / 2:.1f}" y="{node.y + 15:.1f}" text-anchor="middle">'
        f"{escape(node.name)}</text>"
    )
