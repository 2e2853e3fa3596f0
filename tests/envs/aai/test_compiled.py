"""Compiled code is never older than its sources."""

from __future__ import annotations

import hashlib
from pathlib import Path

from embodibench.envs.aai import motion
from embodibench.envs.aai.memory import library


def test_motion_names_the_sources_that_are_compiled_into_it() -> None:
    folder = Path(motion.__file__).parent
    names = ("native.py", "rules.py", "solver.py", "state.py")
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()
    assert digest == motion.INLINED, f"set motion.INLINED to {digest}"


def test_mujocos_structs_are_where_they_are_read() -> None:
    assert library().offsets.shape == (7,)
    assert (library().functions != 0).all()
