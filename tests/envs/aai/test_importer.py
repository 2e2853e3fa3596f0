"""Official arena files: both spellings, and what is wrong with a file said with file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodibench.envs.aai.importer import LARGEST_FILE, parse_arenas, read_arena
from embodibench.envs.aai.world import ArenaWorld
from embodibench.errors import CardError

ARENA = """!ArenaConfig
arenas:
  0: !Arena
    pass_mark: 0.5
    t: 250
    blackouts: [-20]
    items:
    - !Item
      name: Cardbox1
      positions:
      - !Vector3 {x: 1, y: 0, z: 2.5}
      - !Vector3 {x: -1, y: 0, z: 3}
      rotations: [0, 90]
      sizes:
      - !Vector3 {x: 1, y: 2, z: 3}
      colors:
      - !RGB {r: 256, g: 0, b: 7}
    - !Item
      name: Agent
"""


def parse(text: str, **options: bool):  # type: ignore[no-untyped-def]
    """The one arena of a text."""
    (arena,) = parse_arenas(text.encode(), "file.yaml", **options)
    return arena


def test_a_file_of_version_3_is_read_whole() -> None:
    arena = parse(ARENA)
    box = arena.spec.items[0]
    assert (arena.pass_mark, arena.spec.time_limit, arena.spec.blackouts) == (0.5, 250, (-20,))
    assert box.kind == "Cardbox1"
    assert box.positions == ((1, 0, 2.5), (-1, 0, 3))
    assert box.rotations == (0, 90)
    assert box.sizes == ((1, 2, 3),)
    assert box.colors == ((256, 0, 7),)
    assert len(arena.sha256) == 64


def test_version_4_spellings_mean_the_same() -> None:
    later = ARENA.replace("pass_mark", "passMark").replace(" t:", " timeLimit:").replace("Cardbox1", "LightBlock")
    assert parse(later).spec == parse(ARENA).spec


@pytest.mark.parametrize(
    ("later", "earlier"),
    [("HeavyBlock", "Cardbox2"), ("LBlock", "LObject"), ("JBlock", "LObject2"), ("UBlock", "UObject")],
)
def test_version_4_names_are_known(later: str, earlier: str) -> None:
    assert parse(ARENA.replace("Cardbox1", later)).spec.items[0].kind == earlier


def test_without_a_pass_mark_it_is_zero() -> None:
    assert parse(ARENA.replace("    pass_mark: 0.5\n", "")).pass_mark == 0


def test_an_unknown_kind_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(CardError, match=r"file\.yaml:9: .*items\.0\.name: unknown object kind 'Cardbx1'.*Cardbox1"):
        parse(ARENA.replace("Cardbox1", "Cardbx1"))


def test_an_unknown_kind_can_be_left_out_and_is_named() -> None:
    arena = parse(ARENA.replace("Cardbox1", "SpawnerTree"), skip_unknown=True)
    assert [item.kind for item in arena.spec.items] == ["Agent"]
    assert arena.skipped == ("file.yaml:9: arenas.0.items.0: unknown object kind 'SpawnerTree' left out",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("x: 1, y: 0", "x: .nan, y: 0", r"file\.yaml:11: arenas\.0\.items\.0\.positions\.x: must be a number"),
        ("x: 1, y: 0", "x: .inf, y: 0", "must be a number"),
        ("x: 1, y: 0", "x: 1e99, y: 0", "must be a number"),
        ("x: 1, y: 0", "x: [1], y: 0", "single value"),
        ("x: 1, y: 0", "w: 1, y: 0", "unknown key 'w'"),
        ("rotations: [0, 90]", "rotation: [0, 90]", r"unknown key 'rotation'; did you mean 'rotations'\?"),
        ("rotations: [0, 90]", "rotations: 90", r"items\.0\.rotations: must be a list"),
        ("t: 250", "t: -1", r"file\.yaml:5: arenas\.0\.t: must be a whole number"),
        ("t: 250", "t: soon", r"arenas\.0\.t: must be a number"),
        ("t: 250", "t: 250\n    timeLimit: 3", "given twice"),
        ("[-20]", "[20, -5]", "only the first may be negative"),
        ("[-20]", "[1.5]", "whole frames"),
        ("      name: Agent\n", "", r"file\.yaml:\d+: "),
        ("arenas:", "arena:", "unknown key 'arena'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        parse(ARENA.replace(old, new))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a: [", "not YAML"),
        (b"a: &b [1]\nc: *b", "aliases"),
        (b"[" * 5000, "nested deeper"),
        (b"- 1", "must be a mapping"),
        (b"arenas: {}", "is empty"),
        (b"arenas: 3", "must map"),
        (b"x" * (LARGEST_FILE + 1), "at most"),
        (b"arenas: {0: {t: 1, items: [{name: Wall, rotations: [" + b"0," * 3000 + b"0]}]}}", "more than 2000 objects"),
    ],
)
def test_hostile_bytes_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(CardError, match=message):
        parse_arenas(content, "file.yaml")


def test_tags_are_not_interpreted() -> None:
    assert parse(ARENA.replace("!Arena\n", "!!python/object/apply:os.system\n")).spec == parse(ARENA).spec


def test_files_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="no such file"):
        read_arena(tmp_path / "missing.yaml")


def test_a_file_with_two_arenas_is_not_one(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(ARENA + ARENA.split("arenas:\n")[1].replace("0: !Arena", "1: !Arena"), encoding="utf-8")
    with pytest.raises(CardError, match="holds 2 arenas"):
        read_arena(path)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300) | st.text(alphabet="arens:0{}[]- tim!&*\n,x1.", max_size=200).map(str.encode))
def test_any_bytes_are_arenas_or_a_card_error(content: bytes) -> None:
    try:
        parse_arenas(content, "file.yaml")
    except CardError as error:
        assert str(error).startswith("file.yaml")
        assert "\n" not in str(error)


@pytest.mark.reference
def test_a_sample_of_the_published_arenas_plays(reference_data: Path) -> None:
    files = sorted((reference_data / "aai" / "competition900").glob("*.yaml"))
    assert len(files) == 900
    arenas = [read_arena(path) for path in files]
    assert sum(arena.pass_mark == 0 for arena in arenas) == 462
    for arena in arenas[::45]:
        spec = arena.spec
        world = ArenaWorld(spec.time_limit, [item.model_dump() for item in spec.items], spec.blackouts)
        world.reset(1)
        for step in range(60):
            if world.step((0, 3, 3, 4, 5, 6)[step // 10]).over:
                break
        assert world.episode.position[1] > 0.3
