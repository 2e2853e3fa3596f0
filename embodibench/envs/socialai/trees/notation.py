"""Trees as YAML, and in one line.

A parameter is a key. Its values are one word, a list of words, or a mapping from each value to the parameters below
it::

    Env_type:
      Information_seeking:
        Pragmatic_frame_complexity: Eye_contact
        Scaffolding: {N: {Cue_type: [Pointing, Language_Color]}}
        Problem:
          Boxes: {N: 2, Peer: Y}
          Doors: {N: 1, Peer: N}

Every scalar is a word: ``No`` is the value "No", not false.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.trees.node import Parameter, Value, paths
from embodibench.errors import CardError

ROOT: Final = "Env_type"
MAX_DEPTH: Final = 12
MAX_PATHS: Final = 20_000


def load(path: Path) -> Parameter:
    """A tree from a YAML file.

    Raises:
        CardError: the file cannot be read, is not a tree, or a path through it is no episode.
    """
    import yaml

    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise CardError(f"{path}: {' '.join(str(error).split())}") from error
    try:
        return parse(data)
    except CardError as error:
        raise CardError(f"{path}: {error}") from error


def parse(data: object) -> Parameter:
    """A tree from plain data, and check that every path through it is an episode.

    Raises:
        CardError: it is not a tree, or a path through it is no episode.
    """
    if not isinstance(data, Mapping) or list(data) != [ROOT]:
        raise CardError(f"a tree is a mapping with the single key '{ROOT}'")
    root = _parameter(ROOT, data[ROOT], 0)
    for count, chosen in enumerate(paths(root)):
        if count >= MAX_PATHS:
            raise CardError(f"the tree has more than {MAX_PATHS} paths")
        EpisodeParameters.from_map(chosen)
    return root


def dump(root: Parameter) -> str:
    """The YAML of a tree; ``parse`` gives the tree back."""
    return "\n".join(_lines(root, "")) + "\n"


def one_line(parameter: Parameter) -> str:
    """``Name{value | value[Parameter{...}; Parameter{...}]}``."""
    return f"{parameter.name}{{{' | '.join(_value_line(value) for value in parameter.values)}}}"


def _value_line(value: Value) -> str:
    below = "; ".join(one_line(parameter) for parameter in value.parameters)
    return f"{value.name}[{below}]" if below else value.name


def _word(data: object) -> str:
    # A card that was read by an ordinary YAML loader may bring the words No and 2 as these.
    if isinstance(data, bool):
        return "Yes" if data else "No"
    if isinstance(data, str | int):
        return str(data)
    raise CardError(f"'{data}' is not a word")


def _parameter(name: str, data: object, depth: int) -> Parameter:
    if depth > MAX_DEPTH:
        raise CardError(f"the tree is deeper than {MAX_DEPTH} parameters")
    if isinstance(data, Mapping):
        values = tuple(_value(_word(key), below, depth) for key, below in data.items())
    elif isinstance(data, list | tuple):
        values = tuple(Value(_word(item)) for item in data)
    else:
        values = (Value(_word(data)),)
    if not values:
        raise CardError(f"parameter '{name}' has no value")
    if len({value.name for value in values}) < len(values):
        raise CardError(f"parameter '{name}' names a value twice")
    return Parameter(name, values)


def _value(name: str, data: object, depth: int) -> Value:
    if data is None or data == "" or data == {}:
        return Value(name)
    if not isinstance(data, Mapping):
        raise CardError(f"below the value '{name}' there must be parameters (a mapping), not '{data}'")
    return Value(name, tuple(_parameter(_word(key), below, depth + 1) for key, below in data.items()))


def _lines(parameter: Parameter, indent: str) -> list[str]:
    if not any(value.parameters for value in parameter.values):
        names = ", ".join(value.name for value in parameter.values)
        return [f"{indent}{parameter.name}: {names if len(parameter.values) == 1 else f'[{names}]'}"]
    lines = [f"{indent}{parameter.name}:"]
    for value in parameter.values:
        lines.append(f"{indent}  {value.name}:")
        for below in value.parameters:
            lines += _lines(below, indent + "    ")
    return lines
