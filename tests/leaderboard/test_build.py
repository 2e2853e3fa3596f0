"""The built folder: same bytes, tables that say what the rows say, and others' tools that read it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
import yaml

from embodibench.leaderboard.build import Built, build
from embodibench.leaderboard.tables import TABLES, row_record
from embodibench.submissions.folder import read_submission
from tests.leaderboard.boards import Board
from tests.runs.command import call
from tests.submissions.bases import Bases


def contents(folder: Path) -> dict[str, bytes]:
    """Path inside the folder -> bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_processes_build_the_same_bytes(players: Board, built: Built, tmp_path: Path) -> None:
    """Other processes, hash seeds and places."""
    for seed, jobs in (("1", "1"), ("2", "2")):
        out = tmp_path / seed
        words = ("--submissions", str(players.submissions), "--verdicts", str(players.verdicts), "--no-site")
        done = call(
            "leaderboard", "build", "--out", str(out), *words, "--jobs", jobs, cwd=tmp_path, PYTHONHASHSEED=seed
        )
        assert done.returncode == 0, done.stderr
        assert "3 standing, 0 waiting, 0 refused, 0 retired" in done.stdout
        assert contents(out) == contents(built.folder)


def test_several_processes_build_what_one_builds(
    players: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("embodibench.leaderboard.scan.CHUNK", 1)
    for jobs in (1, 2):
        build(players.submissions, players.verdicts, tmp_path / str(jobs), jobs=jobs)
    assert contents(tmp_path / "2") == contents(tmp_path / "1")


def test_tables_say_what_rows_say(built: Built) -> None:
    data = built.folder / "dataset" / "data"
    records = [row_record(row) for row in built.rows.rows]
    assert pyarrow.parquet.read_table(data / "rows.parquet").to_pylist() == [
        {
            **record,
            "returned": list(record["returned"]),
            "scores": [{**s, "runs": list(s["runs"])} for s in record["scores"]],
        }
        for record in records
    ]
    assert json.loads((data / "rows.json").read_bytes()) == json.loads(json.dumps(records))
    for name in ("baselines", "tasks"):
        assert pyarrow.parquet.read_table(data / f"{name}.parquet").to_pylist() == json.loads(
            (data / f"{name}.json").read_bytes()
        )


def test_every_episode_of_every_row_is_in_the_table(players: Board, built: Built) -> None:
    episodes = pyarrow.parquet.read_table(built.folder / "dataset" / "data" / "episodes.parquet").to_pylist()
    assert len(episodes) == built.episodes == sum(row.episodes for row in built.rows.rows)
    for row in built.rows.rows:
        mine = [episode for episode in episodes if episode["row"] == row.id]
        result = read_submission(players.submissions / row.submission).result
        assert [(e["task"], e["trial"], e["steps"], e["success"], e["final"]) for e in mine] == [
            (e.task, e.trial, e.steps, e.success, e.final) for e in result.episodes
        ]
        assert [e["reward"] for e in mine] == [
            sum(value * count for value, count in e.rewards) for e in result.episodes
        ]
        assert sum(e["calls"] for e in mine) == row.calls
        assert {e["world"] for e in mine} == {"identical"}


def test_nothing_of_this_machine_and_no_address_of_a_person_is_published(players: Board, built: Built) -> None:
    for name, data in contents(built.folder / "dataset").items():
        assert str(players.submissions).encode() not in data, name
        assert b"tests@example.org" not in data, name


def test_a_build_takes_a_new_folder_and_leaves_nothing_when_it_fails(
    bases: Bases, board: Board, tmp_path: Path
) -> None:
    folder = board.add(bases.get("policy"))
    board.judge(folder).write_text("{")
    words = ("--submissions", str(board.submissions), "--verdicts", str(board.verdicts), "--no-site")
    out = tmp_path / "place" / "out"
    done = call("leaderboard", "build", "--out", str(out), *words, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert list(out.parent.iterdir()) == []
    done = call("leaderboard", "build", "--out", str(board.submissions), *words, cwd=tmp_path)
    assert (done.returncode, "is there already" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--submissions", "empty"), "empty: holds no submissions"),
        (("--submissions", "nowhere"), "nowhere: there is no such folder of submissions"),
        (("--verdicts", "nowhere"), "nowhere: there is no such folder of verdicts"),
        (("--raw", 'https://example.org/" onload="x/'), "cannot be linked to"),
        (("--raw", "http://example.org/"), "cannot be linked to"),
        (("--cache", "out/cache"), "out/cache: lies in the folder that is built"),
    ],
)
def test_what_cannot_be_built_is_one_line(
    words: tuple[str, ...], said: str, bases: Bases, board: Board, tmp_path: Path
) -> None:
    board.add(bases.get("policy"))
    place = tmp_path / "place"
    (place / "empty").mkdir(parents=True)
    usual = ("--submissions", str(board.submissions), "--verdicts", str(board.verdicts), "--out", "out")
    done = call("leaderboard", "build", *usual, *words, cwd=place)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert [path.name for path in place.iterdir()] == ["empty"]


def test_the_summary_names_what_does_not_stand(bases: Bases, board: Board, tmp_path: Path) -> None:
    folder = board.add(bases.get("policy"), accepted=None)
    done = build(board.submissions, board.verdicts, tmp_path / "out", site=False, jobs=1)
    summary = json.loads((done.folder / "summary.json").read_bytes())
    assert summary["counts"] == {"standing": 0, "waiting": 1, "refused": 0, "retired": 0}
    assert summary["absent"] == [
        {"submission": f"socialai@1/{folder.name}", "state": "waiting", "reason": "no verdict yet"}
    ]


@pytest.mark.parametrize("name", TABLES)
def test_datasets_loads_every_configuration(name: str, built: Built, tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="the package 'datasets' is not installed")
    code = (
        "import sys, datasets\n"
        "loaded = datasets.load_dataset(sys.argv[1], sys.argv[2], split='test')\n"
        "print(loaded.num_rows, ','.join(loaded.column_names))"
    )
    folder = built.folder / "dataset"
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    words = [sys.executable, "-c", code, str(folder), name]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    table = pyarrow.parquet.read_table(folder / "data" / f"{name}.parquet")
    assert done.stdout.split() == [str(table.num_rows), ",".join(table.column_names)]


def test_croissant_describes_the_files(built: Built) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="the package 'mlcroissant' is not installed")
    dataset = mlcroissant.Dataset(jsonld=str(built.folder / "dataset" / "croissant.json"))
    assert list(dataset.metadata.ctx.issues.errors) == []
    first = next(iter(dataset.records(record_set="rows")))
    assert first["rows/player"].decode() == built.rows.rows[0].player


def test_eval_yaml_names_every_suite(built: Built) -> None:
    content = yaml.safe_load((built.folder / "dataset" / "eval.yaml").read_text())
    assert {"aai40_1", "crafter_1", "socialai_1"} <= {task["id"] for task in content["tasks"]}
    assert {(task["config"], task["split"]) for task in content["tasks"]} == {("tasks", "test")}


def test_every_eval_ever_gets_a_file_a_row(built: Built) -> None:
    files = sorted((built.folder / "every_eval_ever").rglob("*.json"))
    records = [json.loads(path.read_bytes()) for path in files]
    assert {record["source_metadata"]["additional_details"]["result_sha256"] for record in records} == {
        row.result_sha256 for row in built.rows.rows
    }
    crafter = next(record for record in records if record["evaluation_id"].startswith("crafter@1"))
    (row,) = built.rows.of_suite("crafter@1")
    scores = [(one["evaluation_name"], one["score_details"]["score"]) for one in crafter["evaluation_results"]]
    assert row.primary_score is not None
    assert scores[0] == ("crafter@1/progress", row.primary_score.value)


def test_the_validator_of_every_eval_ever_finds_nothing(built: Built) -> None:
    """Its package needs other versions than ours, so it has an environment of its own."""
    python = os.environ.get("EMBODIBENCH_EVERY_EVAL_PYTHON")
    if not python:
        pytest.skip("EMBODIBENCH_EVERY_EVAL_PYTHON does not name a Python that has every-eval-ever 0.3")
    words = [python, "-m", "every_eval_ever.validate", "data/*/*/*/*.json"]
    done = subprocess.run(words, cwd=built.folder / "every_eval_ever", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
