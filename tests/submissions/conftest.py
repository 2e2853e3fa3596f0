"""Honest submissions, shared by the tests of one process."""

from __future__ import annotations

import pytest

from tests.submissions.bases import Bases


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Bases:
    return Bases(tmp_path_factory.mktemp("bases"))
