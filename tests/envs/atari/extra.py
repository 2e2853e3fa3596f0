"""Tests of real games need the extra; without it they are skipped, and say so."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

INSTALLED = sys.version_info < (3, 13) and all(find_spec(name) is not None for name in ("ale_py", "ocatari"))

needs_atari = pytest.mark.skipif(
    not INSTALLED, reason="needs the extra 'atari' (Python 3.11 or 3.12): pip install '.[atari]'"
)

GAMES = ("pong", "freeway", "seaquest", "skiing")
