"""A board of three players, and what is built from it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="the extra 'board' is not installed")
pytest.importorskip("pyarrow", reason="the extra 'board' is not installed")

from embodibench.leaderboard.build import Built, build
from tests.leaderboard.boards import Board
from tests.submissions.bases import Bases


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Bases:
    return Bases(tmp_path_factory.mktemp("bases"))


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """An empty one."""
    made = Board(tmp_path / "submissions", tmp_path / "verdicts")
    made.submissions.mkdir()
    made.verdicts.mkdir()
    return made


@pytest.fixture(scope="session")
def players(bases: Bases, tmp_path_factory: pytest.TempPathFactory) -> Board:
    """The random policy on socialai and crafter, and a stub model on socialai; all accepted."""
    place = tmp_path_factory.mktemp("players")
    made = Board(place / "submissions", place / "verdicts")
    for name in ("policy", "world", "model"):
        made.add(bases.get(name))
    return made


@pytest.fixture(scope="session")
def built(players: Board, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The board of ``players``, without a site."""
    out = tmp_path_factory.mktemp("built") / "board"
    return build(players.submissions, players.verdicts, out, site=False, jobs=1)
