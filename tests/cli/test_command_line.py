"""The command line: help, errors of one line, exit codes, and JSON on every reading command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from embodibench.cards import suites
from embodibench.cli.main import COMMANDS
from tests.runs.command import call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    done = call("eval", "--model", "policy/random", "--suite", "crafter", "--limit", "2", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "PARTIAL" in done.stdout
    return folder / "run"


def test_help_lists_every_command_and_imports_nothing_heavy(tmp_path: Path) -> None:
    done = call("--help", cwd=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    for heavy in ("numpy", "pydantic", "openai", "anthropic", "crafter", "numba", "mujoco", "minigrid", "rich"):
        assert f" {heavy}\n" not in done.stderr, f"--help imports {heavy}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, tmp_path: Path) -> None:
    done = call(name, "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Usage: embodibench" in done.stdout


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["evla"], "Did you mean 'eval'"),
        (["eval", "--suite", "crafter"], "--model"),
        (["eval", "--model", "policy/random", "--suite", "crafte"], "did you mean crafter"),
        (["eval", "--model", "policy/randm", "--suite", "crafter"], "did you mean random"),
        (["eval", "--model", "gtp-4o", "--suite", "crafter"], "gpt-4o"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--agent", "direct"], "does not go with a policy"),
        (["eval", "--model", "stub/do", "--suite", "crafter", "--agent", "drect"], "did you mean direct"),
        (["eval", "--model", "stub/do", "--suite", "crafter", "--option", "parser=x"], "no parser 'x'"),
        (["eval", "--model", "stub/do", "--suite", "crafter", "--option", "x=y"], "it knows: parser"),
        (["eval", "--model", "stub/do", "--suite", "crafter", "--agent", "objects"], "plays atari, not crafter"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--option", "x=y"], "does not go with a policy"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--max-cost", "nan"], "US dollars"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--tasks", ""], "no task ''"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--out", "a" * 300], "File name too long"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--tasks", "nowhere"], "no task 'nowhere'"),
        (["eval", "--model", "policy/random", "--suite", "crafter", "--limit", "0"], "--limit"),
        (["eval", "--model", "openai/gpt-4o", "--suite", "crafter"], "OPENAI_API_KEY"),
        (["eval", "--model", "local/nothing.gguf", "--suite", "crafter"], "nothing.gguf"),
        (["resume", "nowhere"], "not a run directory"),
        (["score", "nowhere"], "there is no such file"),
        (["verify", "nowhere"], "there is no such file"),
        (["show", "crafter/nowhere"], "no task 'nowhere'"),
        (["show", "crafter/open-world", "--trial", "99", "--picture", "x.png"], "trials 0 to 9"),
        (["cite", "crafter@9"], "crafter@1"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words: list[str], what: str, tmp_path: Path) -> None:
    done = call(*words, cwd=tmp_path, OPENAI_API_KEY="")
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert what in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("Error: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [["list"], ["show", "crafter"], ["show", "crafter/open-world"], ["models"], ["conformance", "crafter"], ["schema"]],
)
def test_reading_commands_speak_json(words: list[str], tmp_path: Path) -> None:
    flags = [] if words == ["schema"] else ["--json"]
    done = call(*words, *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)


def test_results_speak_json(run: Path) -> None:
    score = json.loads(call("score", "run", "--json", cwd=run.parent).stdout)
    assert score[0]["metrics"]["primary"] == "progress"
    verdict = json.loads(call("verify", "run", "--json", cwd=run.parent).stdout)
    assert verdict["accepted"] is True
    assert verdict["counts"] == {"identical": 2}


def test_score_refuses_a_file_whose_metrics_were_changed(run: Path, tmp_path: Path) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["metrics"]["progress"]["value"] = 99.0
    (tmp_path / "result.json").write_text(json.dumps(data))
    done = call("score", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "metrics.progress.value is 99.0" in done.stderr


def test_verify_of_a_changed_file_exits_with_1(run: Path, tmp_path: Path) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["episodes"][0]["rewards"][0][0] += 1
    (tmp_path / "result.json").write_text(json.dumps(data))
    done = call("verify", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 1
    assert "diverged at step 0" in done.stdout
    assert "NOT verified" in done.stdout


def test_verify_counts_what_is_identical_and_names_it_when_asked(run: Path) -> None:
    assert call("verify", "run", cwd=run.parent).stdout.splitlines()[0] == "identical 2 of 2"
    named = call("verify", "run", "--verbose", cwd=run.parent).stdout.splitlines()
    assert named[:2] == [f"open-world trial {trial}: identical" for trial in (0, 1)]
    assert named[2] == "identical 2 of 2"


def test_a_finished_run_is_not_played_again(run: Path) -> None:
    before = (run / "journal.jsonl").read_text().count('"done"')
    done = call("resume", "run", cwd=run.parent)
    assert done.returncode == 0
    assert (run / "journal.jsonl").read_text().count('"done"') == before


def test_out_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    done = call("eval", "--model", "policy/random", "--suite", "crafter", "--out", "mine", cwd=tmp_path)
    assert done.returncode == 2
    assert "exists and is not a run" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_dry_run_says_what_to_expect_and_writes_nothing(tmp_path: Path) -> None:
    done = call("eval", "--model", "gpt-4o", "--suite", "crafter", "--dry-run", cwd=tmp_path, OPENAI_API_KEY="")
    assert done.returncode == 0, done.stderr
    assert "expected calls:         3,000" in done.stdout
    assert "expected cost:          $" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_cite_names_version_and_digest(tmp_path: Path) -> None:
    done = call("cite", "crafter@1", cwd=tmp_path)
    assert "@misc{embodibench_crafter_1," in done.stdout
    assert suites.load("crafter").digest in done.stdout


def test_show_draws_the_start_of_a_task(tmp_path: Path) -> None:
    done = call("show", "crafter/open-world", "--trial", "2", "--picture", "start.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "start.png").read_bytes().startswith(b"\x89PNG")


def test_score_against_published_figures(run: Path) -> None:
    done = call("score", "run", "--against", "human,dreamerv3", cwd=run.parent)
    assert done.returncode == 0, done.stderr
    assert "not compared" in done.stdout
    rows = json.loads(call("score", "run", "--against", "default", "--json", cwd=run.parent).stdout)[0]["beside"]
    assert {"human"} <= {row["reference"] for row in rows}
    wrong = call("score", "run", "--against", "humn", cwd=run.parent)
    assert wrong.returncode == 2
    assert "nearest: human" in wrong.stderr


def test_compare_says_where_episodes_part(run: Path, tmp_path: Path) -> None:
    words = [
        "eval",
        "--model",
        "stub/do,sleep",
        "--suite",
        "crafter",
        "--limit",
        "2",
        "--max-steps",
        "10",
        "--out",
        "stub",
    ]
    assert call(*words, cwd=tmp_path).returncode == 0
    compared = json.loads(call("compare", str(run), "stub", "--json", cwd=tmp_path).stdout)
    assert [row["trial"] for row in compared["episodes"]] == [0, 1]
    assert all(row["step"] is not None for row in compared["episodes"])
    same = call("compare", str(run), str(run), cwd=tmp_path)
    assert "nowhere" in same.stdout
    assert "(no interval: " in same.stdout
    assert " is higher" not in same.stdout


def test_compare_refuses_other_trials(run: Path, tmp_path: Path) -> None:
    words = ["eval", "--model", "stub/do", "--suite", "crafter", "--limit", "1", "--max-steps", "5", "--out", "stub"]
    assert call(*words, cwd=tmp_path).returncode == 0
    done = call("compare", str(run), "stub", cwd=tmp_path)
    assert done.returncode == 2
    assert "do not hold the same trials" in done.stderr


def test_baselines_name_their_source(tmp_path: Path) -> None:
    done = call("baselines", "aai40", "--name", "children", "--task", "all", cwd=tmp_path)
    assert "0.559" in done.stdout
    assert "Source:" in done.stdout
    assert call("baselines", "nothing", cwd=tmp_path).returncode == 2
    every = call("baselines", "aai40", "--all", cwd=tmp_path).stdout
    short = call("baselines", "aai40", cwd=tmp_path).stdout
    assert "Children aged 6 to 10" in short
    assert len(short.splitlines()) < 30 < len(every.splitlines())


def test_a_run_without_its_journal_is_not_played_again(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    (tmp_path / "run" / "journal.jsonl").unlink()
    done = call("resume", "run", cwd=tmp_path)
    assert done.returncode == 2
    assert "its journal is gone" in done.stderr


@pytest.mark.parametrize("line", ['{"k":"intent"}', "[" * 200_000, '{"k":"done","task":"a","trial":0}', "not json"])
def test_a_damaged_journal_is_one_line(run: Path, tmp_path: Path, line: str) -> None:
    shutil.copytree(run, tmp_path / "run")
    with (tmp_path / "run" / "journal.jsonl").open("a") as journal:
        journal.write(line + "\n")
    done = call("resume", "run", cwd=tmp_path)
    assert done.returncode == 2
    assert "the journal is damaged" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("value", [10**400, 99.0])
def test_metrics_beyond_all_numbers_are_one_line(run: Path, tmp_path: Path, value: float) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["metrics"]["progress"]["value"] = value
    (tmp_path / "result.json").write_text(json.dumps(data))
    done = call("score", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_half_a_character_is_one_line(run: Path, tmp_path: Path) -> None:
    data = json.loads((run / "result.json").read_bytes())
    data["episodes"][0]["measures"]["\ud800"] = 1
    (tmp_path / "result.json").write_text(json.dumps(data))
    done = call("verify", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "half a character" in done.stderr


def test_the_transcript_of_a_run_can_be_played_as_a_recording(tmp_path: Path) -> None:
    words = ["eval", "--suite", "crafter", "--limit", "1", "--max-steps", "15"]
    assert call(*words, "--model", "stub/Do,Sleep,Move West", "--out", "first", cwd=tmp_path).returncode == 0
    recording = "recording/first/transcript.jsonl.zst"
    done = call(*words, "--model", recording, "--out", "again", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, again = (json.loads((tmp_path / name / "result.json").read_bytes()) for name in ("first", "again"))
    assert again["episodes"][0]["actions"] == first["episodes"][0]["actions"]
    assert again["episodes"][0]["calls"]["replies"] == first["episodes"][0]["calls"]["replies"]


def test_an_unfinished_run_says_how_to_go_on(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    for word in ("score", "verify"):
        done = call(word, "run", cwd=tmp_path)
        assert done.returncode == 2
        assert "go on with: embodibench resume run" in done.stderr
