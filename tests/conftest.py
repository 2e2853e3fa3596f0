"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The recorded reference data of the original worlds; tests that need it are skipped, loudly, without it."""
    folder = os.environ.get("EMBODIBENCH_REFERENCE_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("EMBODIBENCH_REFERENCE_DATA does not name a folder with the recorded reference data")
    return Path(folder)
