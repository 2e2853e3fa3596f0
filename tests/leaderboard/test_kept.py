"""What a build keeps of each submission for the next one, and when it must not use it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="the extra 'board' is not installed")
pytest.importorskip("pyarrow", reason="the extra 'board' is not installed")

from embodibench.cards.suites import Suite
from embodibench.leaderboard import state
from embodibench.leaderboard.build import Built, build
from embodibench.leaderboard.entry import Entry, make_entry
from embodibench.leaderboard.records import Episode
from embodibench.leaderboard.rows import Absent
from embodibench.leaderboard.site import pictures
from embodibench.submissions.metadata import metadata_bytes, parse_metadata
from tests.leaderboard.boards import Board
from tests.leaderboard.test_build import contents
from tests.submissions.bases import Bases


class Making:
    """Counts the entries that are made anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        monkeypatch.setattr("embodibench.leaderboard.scan.make_entry", self)

    def __call__(self, candidate: object, making: object) -> Entry | Absent:
        entry = make_entry(candidate, making)  # type: ignore[arg-type]
        self.made.append(entry.row.suite if isinstance(entry, Entry) else entry.submission)
        return entry


@pytest.fixture
def making(monkeypatch: pytest.MonkeyPatch) -> Making:
    return Making(monkeypatch)


@pytest.fixture
def two(bases: Bases, board: Board) -> Board:
    """Two submissions."""
    board.add(bases.get("policy"))
    board.add(bases.get("world"))
    return board


def again(board: Board, tmp_path: Path, name: str, **options: object) -> Built:
    """Build with the folder of what is kept."""
    out = tmp_path / name
    return build(board.submissions, board.verdicts, out, cache=tmp_path / "kept", jobs=1, **options)  # type: ignore[arg-type]


def entries(tmp_path: Path) -> list[Path]:
    return sorted(path for path in (tmp_path / "kept").glob("entries-*/*/*") if path.is_file())


def test_what_is_kept_gives_the_same_bytes_and_nothing_is_made_again(
    two: Board, making: Making, tmp_path: Path
) -> None:
    plain = build(two.submissions, two.verdicts, tmp_path / "plain", jobs=1)
    again(two, tmp_path, "first")
    assert len(entries(tmp_path)) == 2
    making.made.clear()
    again(two, tmp_path, "second")
    assert making.made == []
    assert contents(tmp_path / "second") == contents(tmp_path / "first") == contents(plain.folder)


def test_other_statements_make_a_new_entry(bases: Bases, two: Board, making: Making, tmp_path: Path) -> None:
    again(two, tmp_path, "first")
    path = two.submissions / bases.get("policy").parent.name / bases.get("policy").name / "metadata.yaml"
    said = parse_metadata(path.read_bytes(), "m")
    path.write_bytes(metadata_bytes(said.model_copy(update={"submitter": "Another team"})))
    making.made.clear()
    built = again(two, tmp_path, "second")
    assert len(making.made) == 1
    assert "Another team" in {row.submitter for row in built.rows.rows}


def test_another_verdict_makes_a_new_entry_or_none(bases: Bases, two: Board, making: Making, tmp_path: Path) -> None:
    again(two, tmp_path, "first")
    folder = two.submissions / bases.get("policy").parent.name / bases.get("policy").name
    two.judge(folder, trust="self-reported", episodes=())
    making.made.clear()
    built = again(two, tmp_path, "second")
    assert len(making.made) == 1
    assert {row.trust for row in built.rows.rows} == {"self-reported", "replayed"}
    two.judge(folder, accepted=False, retired="played with a bug")
    assert [one.state for one in again(two, tmp_path, "third").rows.absent] == ["retired"]


def test_other_options_make_new_pages(two: Board, making: Making, tmp_path: Path) -> None:
    again(two, tmp_path, "first", pictures="none")
    making.made.clear()
    built = again(two, tmp_path, "second", pictures="none", raw="https://example.org/")
    assert len(making.made) == 2
    (page, *_) = sorted((built.folder / "space" / "rows").glob("*.html"))
    assert "https://example.org/" in page.read_text("utf-8")


def test_another_state_of_the_package_makes_all_anew_and_forgets_the_older(
    two: Board, making: Making, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again(two, tmp_path, "first")
    before = entries(tmp_path)
    (tmp_path / "kept" / "entries-of-mine").mkdir()
    making.made.clear()
    monkeypatch.setattr("embodibench.leaderboard.kept.package_state", lambda: "0" * 32)
    again(two, tmp_path, "second")
    assert len(making.made) == 2
    assert not set(before) & set(entries(tmp_path))
    assert {path.name for path in (tmp_path / "kept").glob("entries-*")} == {"entries-of-mine", f"entries-{'0' * 32}"}


@pytest.mark.parametrize("damage", ["cut", "bit", "empty"])
def test_a_damaged_entry_is_made_again(damage: str, two: Board, making: Making, tmp_path: Path) -> None:
    first = again(two, tmp_path, "first")
    for path in entries(tmp_path):
        data = bytearray(path.read_bytes())
        if damage == "bit":
            data[len(data) // 2] ^= 1
        path.write_bytes({"cut": data[:-9], "bit": data, "empty": b""}[damage])
    making.made.clear()
    second = again(two, tmp_path, "second")
    assert len(making.made) == 2
    assert contents(second.folder) == contents(first.folder)


def test_pictures_outlive_other_pages_and_are_drawn_again_for_other_worlds(
    two: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(suite: Suite, episode: Episode, steps: Iterable[int]) -> Iterable[pictures.Picture]:
        drawn.append(episode.task)
        return _draw(suite, episode, steps)

    _draw = pictures._draw
    monkeypatch.setattr(pictures, "_draw", draw)
    again(two, tmp_path, "first")
    assert drawn
    drawn.clear()
    monkeypatch.setattr("embodibench.leaderboard.kept.package_state", lambda: "0" * 32)
    again(two, tmp_path, "second")
    assert drawn == []
    monkeypatch.setattr("embodibench.leaderboard.kept.package_state", lambda: "1" * 32)
    monkeypatch.setattr(pictures, "worlds_state", lambda: "1" * 32)
    again(two, tmp_path, "third")
    assert drawn


def test_the_state_names_the_code_and_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for part in (".", *state.DATA) for name, _ in state.sources(part)]
    for one in ("./scoring/interval.py", "tasks/crafter", "leaderboard/site/templates/row.html"):
        assert any(name.startswith(one) for name in names), one
    assert not any("__pycache__" in name for name in names)
    digests = {state.package_state(), state.worlds_state()}
    assert len(digests) == 2
    monkeypatch.setattr(state, "distributions", lambda: [])
    assert digests.isdisjoint({state.package_state.__wrapped__(), state.worlds_state.__wrapped__()})
