"""``eval --arena``: any official arena file is played, recorded, resumed, scored and verified, and never ranked."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
import yaml

from embodibench.cards import suites
from embodibench.cli.main import run as command
from embodibench.errors import UsageError
from embodibench.results.files import comparable, read_result
from embodibench.verify.result import verify
from tests.runs.command import call, start

TWO = """!ArenaConfig
arenas:
  0: !Arena
    t: 60
    items:
    - !Item
      name: GoodGoal
      positions: [!Vector3 {x: 20, y: 0, z: 25}]
  7: !Arena
    timeLimit: 0
    passMark: 0.5
    items:
    - !Item {name: Agent, positions: [!Vector3 {x: 5, y: 0, z: 5}], rotations: [0]}
    - !Item {name: GoodGoal, positions: [!Vector3 {x: 5, y: 0, z: 9}], sizes: [!Vector3 {x: 2, y: 2, z: 2}]}
"""
UNKNOWN = TWO + "    - !Item {name: DethZone}\n"
RANDOM = ("--model", "policy/random")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file of two arenas, played by policy/random in two trials into ``run``."""
    folder = tmp_path_factory.mktemp("arenas")
    (folder / "My two!.yaml").write_text(TWO, encoding="utf-8")
    done = call("eval", *RANDOM, "--arena", "My two!.yaml", "--trials", "2", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "AD HOC" in done.stdout
    assert "PARTIAL" not in done.stdout
    return folder


@pytest.fixture
def copy(place: Path, tmp_path: Path) -> Path:
    """The run, to be changed. The arena file is not beside it: nothing needs it any more."""
    shutil.copytree(place / "run", tmp_path / "run")
    return tmp_path / "run"


def test_each_arena_is_a_task_and_each_trial_has_its_seed(place: Path) -> None:
    result = read_result(place / "run")
    assert result.benchmark.suite == "arena-my-two@1"
    assert [(e.task, e.trial, e.seed) for e in result.episodes] == [
        ("arena-0", 0, 1),
        ("arena-0", 1, 2),
        ("arena-7", 0, 1),
        ("arena-7", 1, 2),
    ]
    assert not result.run.partial


def test_its_protocol_is_that_of_aai40(place: Path) -> None:
    model = suites.load("aai40").card
    card = suites.load_folder(place / "run" / "suite").card
    assert (card.protocol, card.pinned, card.scoring) == (model.protocol, model.pinned, model.scoring)


def test_an_arena_without_a_time_limit_is_bounded(place: Path) -> None:
    bounded, endless = suites.load_folder(place / "run" / "suite").tasks
    assert bounded.budgets.max_steps is None
    assert endless.budgets.max_steps == 2000
    assert endless.success is not None
    assert endless.success.at_least == 0.5


def test_it_is_verified_scored_compared_and_resumed_without_the_file(copy: Path) -> None:
    for jobs in ("1", "2"):
        done = call("verify", "run", "--jobs", jobs, cwd=copy.parent)
        assert done.returncode == 0, done.stderr
        assert "identical 4 of 4" in done.stdout
        assert "verified against the cards beside it: an ad hoc arena" in done.stdout
    for words in (["score", "run"], ["score", "run/result.json", "--against", "default"], ["compare", "run", "run"]):
        assert call(*words, cwd=copy.parent).returncode == 0
    before = comparable(read_result(copy))
    assert call("resume", "run", cwd=copy.parent).returncode == 0
    assert comparable(read_result(copy)) == before


def test_a_run_that_was_killed_goes_on(place: Path, tmp_path: Path) -> None:
    words = ["eval", "--arena", str(place / "My two!.yaml"), "--model", "stub/Turn(6);", "--agent", "react-text"]
    words += ["--trials", "3", "--concurrency", "1"]
    done = call(*words, "--out", "whole", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    process = start(*words, "--out", "killed", cwd=tmp_path)
    journal = tmp_path / "killed" / "journal.jsonl"
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.stat().st_size > 5000) and time.monotonic() < deadline:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "killed" / "result.json").exists()
    done = call("resume", "killed", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert comparable(read_result(tmp_path / "killed")) == comparable(read_result(tmp_path / "whole"))
    assert call("verify", "killed", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("words", [["score"], ["verify"], ["resume"], ["compare", "run"]])
def test_other_cards_beside_the_result_are_refused(
    words: list[str], copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy.parent)
    card = copy / "suite" / "arena-7.yaml"
    card.write_text(card.read_text().replace("at_least: 0.5", "at_least: -1.0"))
    assert command([*words, "run"]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "these are not the cards that the result was made with" in error


def test_missing_cards_are_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(copy / "suite")
    assert command(["score", str(copy)]) == 2
    assert "suite: the cards of arena-my-two@1 belong here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("card", "old", "new", "what"),
    [
        ("suite", "name: arena-my-two", "name: arena-other", "is arena-other@1, the result is of arena-my-two@1"),
        ("suite", "scoring: pass_rate", "scoring: crafter", "not the card of an arena file"),
        ("suite", "[arena-0, arena-7]", "[arena-0, ../../run/suite/arena-0]", "tasks.1: "),
        ("suite", "[arena-0, arena-7]", "[arena-0, arena-0]", "a task stands twice"),
        ("suite", "scripts: 30", "scripts: 99999999999999999999", "JSON"),
        ("arena-0", "kind: aai", "kind: crafter", "environment.kind"),
        ("arena-0", "GoodGoal", "GodGoal", "unknown object kind"),
        ("arena-0", "[20.0, 0.0, 25.0]", "[2e9, 0.0, 25.0]", "beyond 1000000"),
        ("arena-0", "[20.0, 0.0, 25.0]", "[.nan, 0.0, 25.0]", "not a finite number"),
        ("arena-0", "blackouts: []", "blackouts: [99999999999999999999]", "beyond 1000000"),
        ("arena-0", "- [20.0, 0.0, 25.0]", "  [" + "[1, 0, 1]," * 2001 + "]", "more than 2000 objects"),
        ("arena-0", "blackouts: []", "door: 1", "door"),
    ],
)
def test_strangers_cards_are_hostile_until_checked(
    card: str, old: str, new: str, what: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy / "suite" / f"{card}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert command(["verify", str(copy), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert len(error.splitlines()) == 1


def test_a_result_cannot_bring_its_own_rules_for_a_suite_of_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert command(["eval", *RANDOM, "--suite", "aai40", "--limit", "1", "--max-steps", "5", "--out", str(run)]) == 0
    shutil.copytree(Path(str(suites.load("aai40").path)), run / "suite")
    card = run / "suite" / "01-04-03.yaml"
    card.write_text(card.read_text().replace("at_least: ", "at_least: -"))
    (run / "suite" / "suite.yaml").write_text("not a card")
    capsys.readouterr()
    assert command(["score", str(run)]) == 0
    assert command(["verify", str(run), "--jobs", "1"]) == 0
    shown = capsys.readouterr().out.lower()
    assert "ad hoc" not in shown
    assert "aai40@1" in shown


def test_a_conformance_pack_beside_the_cards_is_not_read(copy: Path) -> None:
    (copy / "suite" / "conformance").mkdir()
    (copy / "suite" / "conformance" / "x.json").write_text("[" * 100_000)
    assert command(["verify", str(copy), "--jobs", "1"]) == 0


def test_it_can_never_pass_for_a_suite(place: Path) -> None:
    assert not any(name.startswith(suites.AD_HOC) for name in suites.names())
    result = read_result(place / "run")
    with pytest.raises(UsageError, match="not a suite of this package"):
        suites.load(result.benchmark.suite)
    # What gives trust verifies without cards from elsewhere.
    with pytest.raises(UsageError, match="not a suite of this package"):
        verify(result, None)


def test_an_unknown_kind_is_refused_or_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(UNKNOWN)
    done = call("eval", *RANDOM, "--arena", "x.yaml", "--out", "run", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "Error: x.yaml:15: arenas.7.items.2.name: unknown object kind 'DethZone'; nearest: De"
    )
    assert not (tmp_path / "run").exists()
    done = call("eval", *RANDOM, "--arena", "x.yaml", "--skip-unknown", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0
    assert "x.yaml:15: arenas.7.items.2: unknown object kind 'DethZone' left out" in done.stderr
    notes = yaml.safe_load((tmp_path / "run" / "suite" / "arena-7.yaml").read_text())["notes"]
    assert notes[0] == "arenas.7.items.2: unknown object kind 'DethZone' left out."


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (TWO.replace("t: 60", "t: sixty"), "x.yaml:4: arenas.0.t: must be a number"),
        (TWO.replace("{x: 20, y: 0, z: 25}", "{x: 20, y: 0, w: 25}"), "x.yaml:8: arenas.0.items.0.positions: unknown"),
        (TWO.replace("items:", "items: ["), "x.yaml:6: not YAML"),
        ("arenas: {}", "x.yaml:1: arenas: is empty"),
        ("arenas:\n" + "".join(f"  {n}: {{t: 1}}\n" for n in range(201)), "a file has at most 200"),
        ("arenas: {0: {items: [{name: " + "A" * 90_000 + "}]}}", "unknown object kind 'AAAA"),
    ],
)
def test_a_broken_file_is_one_line_with_its_line_and_field(
    text: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.yaml").write_text(text)
    assert command(["eval", *RANDOM, "--arena", "x.yaml"]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert len(error.splitlines()) == 1
    assert len(error) < 1000
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["eval", *RANDOM, "--arena", "two.yaml", "--suite", "aai40"], "--suite and --arena exclude each other"),
        (["eval", *RANDOM], "--suite NAME (see 'embodibench list') or --arena FILE"),
        (["eval", *RANDOM, "--suite", "aai40", "--skip-unknown"], "--skip-unknown goes with --arena"),
        (["eval", *RANDOM, "--arena", "none.yaml"], "none.yaml: there is no such file"),
        (["eval", *RANDOM, "--arena", "/dev/zero"], "/dev/zero: there is no such file"),
        (["eval", *RANDOM, "--arena", "two.yaml", "--trials", "5000"], "at most 1000 trials"),
        (["eval", *RANDOM, "--arena", "two.yaml", "--tasks", "arena-1"], "no task 'arena-1'; nearest: arena-"),
        (["eval", "--model", "stub/x", "--agent", "spring", "--arena", "two.yaml"], "plays crafter, not aai"),
        (["show"], "NAME (see 'embodibench list') or --arena FILE"),
        (["show", "aai40", "--arena", "two.yaml"], "not both"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(TWO)
    assert command(words) == 2
    error = capsys.readouterr().err
    assert what in error
    assert len(error.splitlines()) == 1
    assert not Path("runs").exists()


def test_a_dry_run_says_what_it_would_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(TWO)
    assert command(["eval", "--model", "gpt-4o", "--arena", "two.yaml", "--trials", "3", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "arena-two@1: 6 episodes of 2 tasks" in shown
    assert "expected cost" in shown
    assert not Path("runs").exists()


def test_an_arena_file_is_shown_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(TWO)
    assert command(["show", "--arena", "two.yaml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "arena-two"
    assert command(["show", "--arena", "two.yaml", "--picture", "two.png"]) == 0
    assert Image.open("two.png").size[0] > 500


def test_a_file_called_suite_does_not_meet_its_own_card(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text(TWO.split("  7:")[0])
    assert command(["eval", *RANDOM, "--arena", str(tmp_path / "suite.yaml"), "--out", str(tmp_path / "run")]) == 0
    assert command(["verify", str(tmp_path / "run"), "--jobs", "1"]) == 0


@pytest.mark.reference
@pytest.mark.parametrize("name", ["01-01-01", "05-15-01", "08-11-01", "10-21-01"])
def test_published_arenas_are_played_and_verified(name: str, reference_data: Path, tmp_path: Path) -> None:
    file = reference_data / "aai" / "competition900" / f"{name}.yaml"
    done = call("eval", *RANDOM, "--arena", str(file), "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 ended by the rules" in done.stdout
    done = call("verify", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "identical 1 of 1" in done.stdout
    assert call("score", "run", cwd=tmp_path).returncode == 0
