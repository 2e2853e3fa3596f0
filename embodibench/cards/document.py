"""YAML documents that remember their lines, so that an error can name file, line and field.

Documents may come from strangers: size, depth and aliases are bounded, only plain data is built, and duplicate keys
and numbers that JSON cannot carry are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from embodibench.canonical import Json
from embodibench.errors import CardError

MAX_BYTES = 4_000_000
MAX_DEPTH = 32
MAX_NODES = 200_000

Location = tuple["str | int", ...]
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Document:
    """A parsed YAML file.

    Attributes:
        name: of the file, as errors show it.
        value: plain data.
        lines: location of a field -> its line, from 1.
    """

    name: str
    value: Json
    lines: dict[Location, int]

    def line(self, location: Location) -> int:
        """The line of a field, or of the nearest field that encloses it."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)

    def error(self, location: Location, message: str) -> CardError:
        """An error that names file, line and field."""
        field = ".".join(str(part) for part in location) or "document"
        return CardError(f"{self.name}:{self.line(location)}: {field}: {message}")

    def parse(self, model: type[M]) -> M:
        """The whole document as a pydantic model. Raises CardError naming file, line and field."""
        try:
            return model.model_validate(self.value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
            raise self.error(first["loc"], first["msg"] + more) from error


def read(path: Path, *, tags: Callable[[str], bool] | None = None) -> Document:
    """Parse the YAML file at ``path``.

    Args:
        path: the file.
        tags: which application tags (``!ArenaConfig``) to accept and ignore; none by default.

    Raises:
        CardError: the file cannot be read or is not an acceptable document.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise CardError(f"{path}: larger than {MAX_BYTES:,} bytes")
    return parse(data, str(path), tags=tags)


def parse(data: bytes, name: str, *, tags: Callable[[str], bool] | None = None) -> Document:
    """Parse YAML bytes; ``name`` stands for the file in errors. See ``read``."""
    try:
        node = yaml.compose(data.decode("utf-8"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise CardError(f"{name}: not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise CardError(f"{name}: nested deeper than {MAX_DEPTH} levels") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise CardError(f"{name}:{line}: not valid YAML: {problem}") from error
    if node is None:
        raise CardError(f"{name}: is empty")
    builder = _Builder(name, tags or (lambda _tag: False))
    value = builder.build(node, (), 0)
    return Document(name, value, builder.lines)


class _Builder:
    """Turns YAML nodes into plain data and notes their lines."""

    def __init__(self, name: str, tags: Callable[[str], bool]) -> None:
        self.name = name
        self.tags = tags
        self.lines: dict[Location, int] = {}
        self.nodes = 0
        self.constructor = yaml.SafeLoader("")

    def build(self, node: Any, at: Location, depth: int) -> Json:
        self.nodes += 1
        line = node.start_mark.line + 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise CardError(f"{self.name}:{line}: too large or nested too deep")
        self.lines[at] = line
        self._check_tag(node, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*at, index), depth + 1) for index, child in enumerate(node.value)]
        return self._scalar(node, at, line)

    def _check_tag(self, node: Any, line: int) -> None:
        plain = node.tag.startswith("tag:yaml.org,2002:") and ":python/" not in node.tag
        if not plain and not self.tags(node.tag):
            raise CardError(f"{self.name}:{line}: unexpected tag {node.tag}")

    def _mapping(self, node: Any, at: Location, depth: int) -> Json:
        result: dict[str, Json] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise CardError(f"{self.name}:{line}: a key must be a plain word")
            key = key_node.value
            if key in result:
                raise CardError(f"{self.name}:{line}: the key '{key}' stands twice")
            result[key] = self.build(value_node, (*at, key), depth + 1)
        return result

    def _scalar(self, node: Any, at: Location, line: int) -> Json:
        try:
            value = self.constructor.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise CardError(f"{self.name}:{line}: cannot read the value '{node.value[:60]}'") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise CardError(f"{self.name}:{line}: {'.'.join(map(str, at))}: {node.value} is not a finite number")
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        return str(node.value)  # a date is kept as it is written
