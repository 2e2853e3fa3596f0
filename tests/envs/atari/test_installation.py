"""Without the extra, everything but Atari worlds works, and those are refused in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from embodibench import envs
from embodibench.cli.main import run
from embodibench.envs.atari import installation
from embodibench.errors import MissingExtraError, UsageError
from tests.envs.atari.extra import needs_atari

HEAVY = ("ale_py", "ocatari", "_embodibench_ocatari", "cv2", "pygame", "matplotlib", "gymnasium")


@pytest.fixture
def uninstalled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: None)


def _loaded_after(code: str) -> list[str]:
    script = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_python_that_is_too_new_is_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"Python 3\.11 or 3\.12, this is 3\.13") as caught:
        installation.require((3, 13))
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("uninstalled")
def test_a_missing_extra_is_named_when_a_world_is_made() -> None:
    if sys.version_info >= (3, 13):
        pytest.skip("this Python is too new for the extra, which is said first")
    with pytest.raises(MissingExtraError, match="needs the extra 'atari': pip install"):
        envs.make("atari", {"game": "pong"})


@pytest.mark.usefixtures("uninstalled")
@pytest.mark.parametrize("words", [["list"], ["show", "atari"], ["show", "atari/pong"], ["cite", "atari@1"]])
def test_cards_are_shown_without_the_extra(words: list[str]) -> None:
    assert run(words) == 0


@pytest.mark.usefixtures("uninstalled")
def test_eval_without_the_extra_says_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "run"
    assert run(["eval", "--model", "policy/random", "--suite", "atari", "--out", str(place)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not place.exists()


@pytest.mark.usefixtures("uninstalled")
def test_conformance_of_all_suites_passes_over_atari_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    from embodibench.cards import suites

    names = suites.names
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suites, "names", lambda: tuple(name for name in names() if name == "atari"))
        assert run(["conformance"]) == 0
    assert "atari@1: not checked" in capsys.readouterr().err


@pytest.mark.usefixtures("uninstalled")
def test_a_dry_run_needs_no_extra() -> None:
    assert run(["eval", "--model", "gpt-4o", "--suite", "atari", "--dry-run"]) == 0


def test_importing_the_world_imports_nothing_of_the_extra() -> None:
    assert _loaded_after("import embodibench.envs.atari.world, embodibench.agents.objects.agent") == []


@needs_atari
def test_a_world_loads_the_console_but_no_window_system() -> None:
    code = "from embodibench import envs\nenvs.make('atari', {'game': 'pong'}).reset(1)"
    loaded = set(_loaded_after(code))
    assert {"ale_py", "_embodibench_ocatari"} <= loaded
    assert not loaded & {"ocatari", "cv2", "pygame", "matplotlib"}


@needs_atari
def test_roms_come_from_the_wheel_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALE_ROMS_DIR", "/nowhere")
    assert installation.rom("pong").parent.parent.name == "ale_py"


@needs_atari
@pytest.mark.parametrize(
    ("game", "words"), [("pomg", "did you mean .*pong"), ("surround", "lists no objects"), ("", "no")]
)
def test_unknown_games_are_refused(game: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        envs.make("atari", {"game": game})


@needs_atari
@pytest.mark.parametrize(
    "wrong", [{"turn_steps": 0}, {"turn_steps": True}, {"frame_cap": 1.5}, {"hidden": "Score"}, {"speed": 2}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        envs.make("atari", {"game": "pong", **wrong})  # type: ignore[dict-item]
