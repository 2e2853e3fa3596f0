"""The objects on the screen, read from the console's memory by the pinned package ``ocatari``.

Only ocatari's file for the game is used, not its environment ``OCAtari``. That leaves out what in 2.2.1 would spoil a
benchmark: ``OCAtari.step`` returns truncated and terminated swapped; a mutable default argument grows with every
environment that is made; and importing the package loads a window system and prints to the terminal. Two more faults
are met here: the file is executed anew for every episode, because some games keep what they saw in module globals, and
two episodes in one process must not see each other's; and the memory is handed over as int64 (see ``Emulator.memory``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embodibench.canonical import Json
from embodibench.envs.atari.installation import extractor

_PACKAGE: Final = "_embodibench_ocatari"
"""Stands in for the package ``ocatari``, so that its files find each other without its ``__init__`` being run."""


class Detector:
    """The objects of one episode: a fixed list of slots, of which those that hold nothing are false."""

    def __init__(self, game: str, memory: NDArray[np.int64]) -> None:
        self._module: Any = _load(game)
        self.slots: list[Any] = self._module._init_objects_ram(True)
        self.update(memory)
        # Before the first detection ocatari's objects stand at a default place; they have not moved from there.
        self._keep_positions()

    def update(self, memory: NDArray[np.int64]) -> None:
        """Find the objects again; what moved keeps where it was before."""
        self._keep_positions()
        self._module._detect_objects_ram(self.slots, memory, True)

    def _keep_positions(self) -> None:
        for thing in self.slots:
            if thing:
                thing._save_prev()

    def visible(self) -> Iterator[Any]:
        """The objects that are there, in the order of their slots."""
        return (thing for thing in self.slots if thing)

    def state(self) -> list[Json]:
        """Everything the slots hold, hidden fields too, as plain data."""
        return [
            [type(thing).__name__, {name: _plain(value) for name, value in sorted(vars(thing).items())}]
            for thing in self.slots
        ]


def _load(game: str) -> ModuleType:
    """A fresh copy of ocatari's file for the game, which no other episode shares."""
    path = extractor(game)
    for name, folder in ((_PACKAGE, path.parent.parent), (f"{_PACKAGE}.ram", path.parent)):
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(folder)]
            sys.modules[name] = package
    spec = spec_from_file_location(f"{_PACKAGE}.ram.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _plain(value: object) -> Json:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (bool, str, float)) or value is None:
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    raise TypeError(f"an object of ocatari holds a {type(value).__name__}")
