"""Entries of earlier builds, kept by the hash of all that they were made from."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import msgspec
import zstandard

from embodibench.canonical import Json, canonical_bytes
from embodibench.leaderboard.entry import Entry
from embodibench.leaderboard.state import package_state
from embodibench.leaderboard.submission import Candidate

_GENERATION = re.compile(r"entries-[0-9a-f]{32}")


@dataclass(frozen=True)
class Kept:
    """A folder of entries that one state of the package made.

    Whoever can write to it can change the board: it is to be trusted as the package itself is.

    Attributes:
        folder: of this state.
        options: how pages are made.
    """

    folder: Path
    options: Json

    @classmethod
    def below(cls, cache: Path, options: Json) -> Kept:
        """The entries that this package, as it is installed now, keeps in the folder ``cache``."""
        return cls(cache / f"entries-{package_state()}", options)

    def path(self, candidate: Candidate) -> Path:
        """Where the entry of a submission is kept: every byte that it is made from has a part in the name."""
        hashes: list[Json] = [hashlib.sha256(data).hexdigest() for data in (candidate.metadata, candidate.verdict_data)]
        what: Json = [candidate.label, candidate.sha256, candidate.transcript, hashes, self.options]
        name = hashlib.sha256(canonical_bytes(what)).hexdigest()
        return self.folder / name[:2] / name[2:34]

    def read(self, path: Path) -> Entry | None:
        """An entry, or None where there is none that can be read."""
        try:
            return _DECODER.decode(zstandard.ZstdDecompressor().decompress(path.read_bytes()))
        except (OSError, zstandard.ZstdError, msgspec.MsgspecError):
            return None

    def write(self, path: Path, entry: Entry) -> None:
        """Keep an entry. Two builds may do so at once; a build that is killed leaves no half of one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}")
        # The checksum tells a file that a disk has damaged from an entry.
        partial.write_bytes(zstandard.ZstdCompressor(level=1, write_checksum=True).compress(_ENCODER.encode(entry)))
        partial.replace(path)

    def forget_others(self) -> None:
        """Delete what other states of the package kept beside these entries."""
        for other in sorted(self.folder.parent.glob("entries-*")):
            if other != self.folder and _GENERATION.fullmatch(other.name):
                shutil.rmtree(other, ignore_errors=True)


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Entry)
