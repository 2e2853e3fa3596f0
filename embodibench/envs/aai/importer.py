"""Official Animal-AI arena files (YAML, versions 3 and 4) as arenas. Strangers' files are welcome: nothing is run.

The tags (``!Arena``, ``!Item``, ``!Vector3`` ...) say nothing that the keys do not, so they are not interpreted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

from embodibench.envs.aai.objects import KINDS, find, nearest
from embodibench.envs.aai.spec import ArenaSpec, ItemSpec, Vector
from embodibench.errors import CardError

LARGEST_FILE: Final = 1_000_000
DEEPEST: Final = 12
MOST_ARENAS: Final = 200
MOST_INSTANCES: Final = 2_000
LONGEST_NAME: Final = 60
"""Characters of a stranger's name that an error repeats and that is compared with the known ones."""
LARGEST_NUMBER: Final = 1e6

SPELLINGS: Final[Mapping[str, str]] = {
    "timeLimit": "t",
    "passMark": "pass_mark",
    "randomSeed": "random_seed",
}
"""4.x key of an arena -> 3.x key."""

IGNORED: Final = (
    "random_seed",
    "showNotification",
    "canResetEpisode",
    "canChangePerspective",
    "defaultPerspective",
    "mergeNextArena",
)
"""Keys of an arena that change nothing here: they are about people at the keyboard, or have no effect upstream."""

IGNORED_FILE_KEYS: Final = ("randomizeArenas", "showNotification", "canResetEpisode", "canChangePerspective")
IGNORED_ITEM_KEYS: Final = ("skins", "agentSkins")
SHAPES: Final[Mapping[str, str]] = {"positions": "xyz", "sizes": "xyz", "colors": "rgb"}


@dataclass(frozen=True, slots=True)
class ImportedArena:
    """One arena of a file.

    Attributes:
        spec: the arena.
        pass_mark: total reward from which the arena counts as passed; 0 where the file has none.
        skipped: what was left out, in words (only with ``skip_unknown``).
        sha256: of the file, in hex.
        key: under which the file lists it, usually a number.
    """

    spec: ArenaSpec
    pass_mark: float
    skipped: tuple[str, ...]
    sha256: str
    key: str = "0"


def read_arena(path: Path, *, skip_unknown: bool = False) -> ImportedArena:
    """The arena of a file that holds one.

    Raises:
        CardError: the file cannot be read, is no arena file, or holds several arenas; the message says where.
    """
    arenas = read_arenas(path, skip_unknown=skip_unknown)
    if len(arenas) != 1:
        raise CardError(f"{path}: holds {len(arenas)} arenas; one was expected")
    return arenas[0]


def read_arenas(path: Path, *, skip_unknown: bool = False) -> tuple[ImportedArena, ...]:
    """All arenas of a file, in its order. Raises CardError, see ``read_arena``."""
    try:
        if not path.is_file():
            raise CardError(f"{path}: there is no such file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise CardError(f"{path}: {error.strerror or error}") from error
    return parse_arenas(content, str(path), skip_unknown=skip_unknown)


def parse_arenas(content: bytes, name: str, *, skip_unknown: bool = False) -> tuple[ImportedArena, ...]:
    """All arenas in the bytes of a file; ``name`` is what error messages call it. Raises CardError."""
    if len(content) > LARGEST_FILE:
        raise CardError(f"{name}: more than {LARGEST_FILE} bytes; an arena file has at most that")
    return _Reader(name, hashlib.sha256(content).hexdigest(), skip_unknown).file(_compose(content, name))


def _compose(content: bytes, name: str) -> yaml.Node:
    """The document as nodes with their lines. Aliases are refused: official files have none, bombs are made of them."""
    try:
        text = content.decode("utf-8-sig")
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                _fail(name, event.start_mark, "aliases (*name) are not allowed in an arena file")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                _fail(name, event.start_mark, f"nested deeper than {DEEPEST} levels")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise CardError(f"{name}: not UTF-8 text ({error.reason} at byte {error.start})") from error
    except yaml.MarkedYAMLError as error:
        place = f"{name}:{error.problem_mark.line + 1}" if error.problem_mark else name
        raise CardError(f"{place}: not YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise CardError(f"{name}: not YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise CardError(f"{name}: empty")
    return node


def _fail(name: str, mark: Any, message: str) -> NoReturn:
    place = name if mark is None else f"{name}:{mark.line + 1}"
    raise CardError(f"{place}: {message}")


class _Reader:
    """Turns nodes into arenas, and knows the file's name for error messages."""

    def __init__(self, name: str, sha256: str, skip_unknown: bool) -> None:
        self._name = name
        self._sha256 = sha256
        self._skip_unknown = skip_unknown
        self._skipped: list[str] = []

    def file(self, node: yaml.Node) -> tuple[ImportedArena, ...]:
        fields = self._fields(node, "file", ("arenas", *IGNORED_FILE_KEYS), {})
        if "arenas" not in fields:
            self._fail(node, "arenas", "is missing: not an Animal-AI arena file")
        if not isinstance(fields["arenas"], yaml.MappingNode):
            self._fail(fields["arenas"], "arenas", "must map numbers to arenas")
        entries = fields["arenas"].value
        if not entries:
            self._fail(node, "arenas", "is empty")
        if len(entries) > MOST_ARENAS:
            self._fail(node, "arenas", f"holds {len(entries)} arenas; a file has at most {MOST_ARENAS}")
        return tuple(self._arena(arena, self._text(key, "arenas")) for key, arena in entries)

    def _arena(self, node: yaml.Node, key: str) -> ImportedArena:
        field = f"arenas.{key[:LONGEST_NAME]}"
        self._skipped = []
        fields = self._fields(node, field, ("t", "pass_mark", "blackouts", "items", *IGNORED), SPELLINGS)
        limit = self._number(fields["t"], f"{field}.t") if "t" in fields else 0.0
        if limit < 0 or limit != int(limit):
            self._fail(fields["t"], f"{field}.t", "must be a whole number, 0 or more")
        mark = self._number(fields["pass_mark"], f"{field}.pass_mark") if "pass_mark" in fields else 0.0
        blackouts: list[int] = []
        for entry in self._list(fields.get("blackouts"), f"{field}.blackouts"):
            frame = self._number(entry, f"{field}.blackouts")
            if frame != int(frame) or (blackouts and frame < 0):
                self._fail(entry, f"{field}.blackouts", "must be whole frames; only the first may be negative")
            blackouts.append(int(frame))
        items = []
        total = 0
        for number, entry in enumerate(self._list(fields.get("items"), f"{field}.items")):
            item = self._item(entry, f"{field}.items.{number}")
            if item is not None:
                items.append(item)
                total += max(len(item.positions), len(item.rotations), len(item.sizes), len(item.colors), 1)
            if total > MOST_INSTANCES:
                self._fail(entry, f"{field}.items", f"stands for more than {MOST_INSTANCES} objects")
        spec = ArenaSpec(time_limit=int(limit), blackouts=tuple(blackouts), items=tuple(items))
        return ImportedArena(spec, mark, tuple(self._skipped), self._sha256, key)

    def _item(self, node: yaml.Node, field: str) -> ItemSpec | None:
        fields = self._fields(
            node, field, ("name", "positions", "rotations", "sizes", "colors", *IGNORED_ITEM_KEYS), {}
        )
        if "name" not in fields:
            self._fail(node, f"{field}.name", "is missing")
        name = self._text(fields["name"], f"{field}.name")
        kind = find(name)
        if kind is None:
            name = name[:LONGEST_NAME]
            near = ", ".join(nearest(name))
            hint = f"nearest: {near}" if near else f"known: {', '.join(KINDS)}"
            if not self._skip_unknown:
                self._fail(fields["name"], f"{field}.name", f"unknown object kind '{name}'; {hint}")
            line = fields["name"].start_mark.line + 1
            self._skipped.append(f"{self._name}:{line}: {field}: unknown object kind '{name}' left out")
            return None
        lists = {
            key: tuple(self._vector(entry, f"{field}.{key}", letters) for entry in self._list(fields.get(key), key))
            for key, letters in SHAPES.items()
        }
        turns = self._list(fields.get("rotations"), f"{field}.rotations")
        rotations = tuple(self._number(entry, f"{field}.rotations") for entry in turns)
        return ItemSpec(kind=kind.name, rotations=rotations, **lists)

    def _fields(
        self, node: yaml.Node, field: str, known: tuple[str, ...], spellings: Mapping[str, str]
    ) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, field, "must be a mapping")
        fields: dict[str, yaml.Node] = {}
        for key, value in node.value:
            given = self._text(key, field)
            name = spellings.get(given, given)
            if name not in known:
                given = given[:LONGEST_NAME]
                hint = get_close_matches(given, [*known, *spellings], n=1)
                self._fail(key, field, f"unknown key '{given}'" + (f"; did you mean '{hint[0]}'?" if hint else ""))
            if name in fields:
                self._fail(key, field, f"key '{given}' is given twice")
            fields[name] = value
        return fields

    def _vector(self, node: yaml.Node, field: str, letters: str) -> Vector:
        fields = self._fields(node, field, tuple(letters), {})
        # A size or colour that is not given is random; a coordinate is Unity's 0.
        absent = 0.0 if field.endswith("positions") else -1.0
        x, y, z = (self._number(fields[c], f"{field}.{c}") if c in fields else absent for c in letters)
        return x, y, z

    def _list(self, node: yaml.Node | None, field: str) -> Iterator[yaml.Node]:
        if node is None or (isinstance(node, yaml.ScalarNode) and node.value in ("", "null", "~")):
            return iter(())
        if not isinstance(node, yaml.SequenceNode):
            self._fail(node, field, "must be a list")
        return iter(node.value)

    def _number(self, node: yaml.Node, field: str) -> float:
        try:
            number = float(self._text(node, field))
        except ValueError:
            number = float("nan")
        if not abs(number) <= LARGEST_NUMBER:
            self._fail(node, field, f"must be a number between -{LARGEST_NUMBER:.0f} and {LARGEST_NUMBER:.0f}")
        return number

    def _text(self, node: yaml.Node, field: str) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self._fail(node, field, "must be a single value")
        return str(node.value)

    def _fail(self, node: yaml.Node, field: str, message: str) -> NoReturn:
        _fail(self._name, node.start_mark, f"{field}: {message}")
