"""The two kinds of nodes, and drawing a path."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A value a parameter may take.

    Attributes:
        name: the value.
        parameters: what has to be chosen as well once this value is.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, of whose values exactly one is chosen.

    Attributes:
        name: the parameter.
        values: at least one.
    """

    name: str
    values: tuple[Value, ...]


def sample(root: Parameter, choose: Callable[[Parameter], Value]) -> dict[str, str]:
    """Choose a value for every parameter on the way down, level by level.

    Args:
        choose: picks one of a parameter's values.

    Returns:
        parameter name -> value, in the order of choice. When a name occurs twice the deeper value stands.
    """
    chosen: dict[str, str] = {}
    waiting = deque([root])
    while waiting:
        parameter = waiting.popleft()
        value = choose(parameter)
        chosen[parameter.name] = value.name
        waiting.extend(value.parameters)
    return chosen


def paths(root: Parameter) -> Iterator[dict[str, str]]:
    """Every map that ``sample`` can return, in the order of the tree."""

    def complete(waiting: tuple[Parameter, ...], chosen: dict[str, str]) -> Iterator[dict[str, str]]:
        if not waiting:
            yield chosen
            return
        parameter, *rest = waiting
        for value in parameter.values:
            yield from complete((*rest, *value.parameters), {**chosen, parameter.name: value.name})

    return complete((root,), {})
