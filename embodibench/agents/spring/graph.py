"""The questions of a step and which answers each of them is given, as data.

A graph is a tuple of questions in the order in which they are recorded. A question's parents are the questions whose
answers it is given; they stand before it. The last question's answer is the action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        name: of the question, and of its text file.
        parents: names of the questions whose answers it is given, in the order in which they are shown.
    """

    name: str
    parents: tuple[str, ...] = ()


Graph: TypeAlias = tuple[Question, ...]

SPRING: Final[Graph] = (
    Question("q1"),
    Question("q2"),
    Question("q3", ("q1",)),
    Question("q4", ("q2",)),
    Question("q5", ("q1", "q3")),
    Question("q6", ("q5",)),
    Question("q7", ("q6",)),
    Question("q8", ("q7",)),
    Question("qa", ("q2", "q4", "q7", "q8")),
)
"""The paper's directed acyclic graph of nine questions (table 1 and figure 3)."""

LIST: Final[Graph] = tuple(
    Question(question.name, tuple(earlier.name for earlier in SPRING[:index])) for index, question in enumerate(SPRING)
)
"""The ablation without the graph: the same nine questions one after the other, each below all earlier ones."""

STEP_BY_STEP: Final[Graph] = (Question("think"), Question("qa", ("think",)))
"""The ablation with free reasoning: "Let's think step by step", then the final question."""

DIRECT: Final[Graph] = (Question("qa"),)
"""The ablation without reasoning: the final question alone."""


def edges(graph: Graph) -> frozenset[tuple[str, str]]:
    """The edges (parent, child) of a graph."""
    return frozenset((parent, question.name) for question in graph for parent in question.parents)


def layers(graph: Graph) -> tuple[tuple[Question, ...], ...]:
    """The questions grouped so that each group depends on earlier groups alone: what may be asked side by side.

    A group is as long as it can be without changing the order of the questions, so that calls are recorded in the
    graph's own order.

    Raises:
        ValueError: a name stands twice, or a parent does not stand before its child.
    """
    done: set[str] = set()
    groups: list[tuple[Question, ...]] = []
    group: list[Question] = []
    for question in graph:
        names = {each.name for each in group}
        if question.name in done | names or not set(question.parents) <= done | names:
            raise ValueError(f"question {question.name} stands twice, or before one of its parents")
        if names & set(question.parents):
            groups.append(tuple(group))
            done |= names
            group = []
        group.append(question)
    return (*groups, tuple(group)) if group else tuple(groups)


def ancestors(graph: Graph) -> Mapping[str, frozenset[str]]:
    """Question -> every question whose answer can reach it."""
    reached: dict[str, frozenset[str]] = {}
    for question in graph:
        reached[question.name] = frozenset(question.parents).union(*(reached[name] for name in question.parents))
    return reached
