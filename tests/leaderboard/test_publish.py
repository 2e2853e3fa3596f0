"""Publishing to a server that speaks the Hub's routes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from embodibench.leaderboard.build import Built, build
from tests.leaderboard.boards import Board
from tests.leaderboard.hub import Hub, Repository
from tests.runs.command import call
from tests.submissions.bases import Bases, Copy
from tests.submissions.hub_server import TOKEN

pytest.importorskip("huggingface_hub", reason="the extra 'hub' is not installed")


def publish(hub: Hub, place: Path, *words: str, token: str = TOKEN) -> tuple[int, str]:
    """The command in a process of its own: exit code, and what it printed."""
    done = call("leaderboard", "publish", *words, cwd=place, **hub.environment(place / "hf", token))
    return done.returncode, done.stdout + done.stderr


def test_one_commit_makes_the_dataset_equal_to_the_board(built: Built, tmp_path: Path) -> None:
    words = (str(built.folder), "--dataset", "org/board")
    with Hub() as hub:
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        repository = hub.repositories["dataset", "org/board"]
        assert len(repository.commits) == 2, "one commit after the Hub's own first"
        folder = built.folder / "dataset"
        files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert set(repository.head.files) == files | {".gitattributes"}
        assert repository.head.files["data/rows.parquet"] == (folder / "data" / "rows.parquet").read_bytes()
        assert b'load_dataset("org/board"' in repository.head.files["README.md"]
        assert repository.tags["crafter@1-A"] == repository.head.id

        first = repository.head.id
        repository.commits[-1].files["data/old.parquet"] = b"of an older board"
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        assert "1 deleted" in said
        assert "data/old.parquet" not in repository.head.files
        assert repository.tags["crafter@1-A"] == first, "a tag stays where the version came first"
        assert hub.writers == {TOKEN}
    assert TOKEN not in said
    written = [Path(place) / name for place, _, names in os.walk(tmp_path) for name in names]
    assert not [path for path in written if TOKEN.encode() in path.read_bytes()]


def test_publishing_the_same_board_again_makes_no_commit(built: Built, tmp_path: Path) -> None:
    words = (str(built.folder), "--dataset", "org/board")
    with Hub() as hub:
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        assert "\nPublished: " in said
        repository = hub.repositories["dataset", "org/board"]
        repository.tags.clear()
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        assert "\nUnchanged: " in said
        assert len(repository.commits) == 2
        assert repository.tags["crafter@1-A"] == repository.head.id, "a tag that was missing is set"


def test_a_dry_run_without_a_network_says_what_the_board_holds(built: Built, tmp_path: Path) -> None:
    with Hub() as hub:
        gone = hub.environment(tmp_path / "hf")
    words = (str(built.folder), "--dataset", "org/board")
    done = call("leaderboard", "publish", *words, "--dry-run", cwd=tmp_path, **gone)
    assert done.returncode == 0, done.stderr
    assert "Not compared with the Hub: org/board: cannot be read: " in done.stderr
    assert done.stdout.startswith("dataset org/board: ")
    assert done.stdout.endswith("Nothing was changed.\n")
    done = call("leaderboard", "publish", *words, cwd=tmp_path, **gone)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_dry_run_changes_nothing_and_needs_no_token(built: Built, tmp_path: Path) -> None:
    with Hub() as hub:
        code, said = publish(hub, tmp_path, str(built.folder), "--dataset", "org/board", "--dry-run", token="")
        assert code == 0, said
        assert "dataset org/board: new, " in said
        assert hub.repositories == {}


def test_a_space_is_static_and_points_to_the_dataset(built: Built, tmp_path: Path) -> None:
    from embodibench.leaderboard.dataset import write_space_card

    board = tmp_path / "board"
    subprocess.run(["cp", "-r", str(built.folder), str(board)], check=True)
    (board / "space").mkdir(exist_ok=True)
    (board / "space" / "index.html").write_text("<!doctype html><title>Board</title>")
    write_space_card(board / "space")
    with Hub() as hub:
        code, said = publish(hub, tmp_path, str(board), "--dataset", "org/board", "--space", "org/site")
        assert code == 0, said
        repository = hub.repositories["space", "org/site"]
    card = yaml.safe_load(repository.head.files["README.md"].decode().split("---")[1])
    assert (card["sdk"], card["datasets"]) == ("static", ["org/board"])
    assert repository.head.files["index.html"].startswith(b"<!doctype html>")


def test_the_published_dataset_loads(built: Built, tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="the package 'datasets' is not installed")
    code = (
        "import datasets\n"
        "for name in ('rows', 'episodes', 'baselines', 'tasks'):\n"
        "    print(name, datasets.load_dataset('org/board', name, split='test').num_rows)"
    )
    with Hub() as hub:
        assert publish(hub, tmp_path, str(built.folder), "--dataset", "org/board")[0] == 0
        environment = {**os.environ, **hub.environment(tmp_path / "reader")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == [f"rows {len(built.rows.rows)}", f"episodes {built.episodes}"]


def test_scores_are_proposed_to_the_repository_of_the_weights(bases: Bases, board: Board, tmp_path: Path) -> None:
    copy = Copy.of(bases.get("long"))
    copy.metadata["model_repository"] = "maker/weights"
    board.judge(copy.write(board.submissions))
    built = build(board.submissions, board.verdicts, tmp_path / "out", site=False, jobs=1)
    (row,) = built.rows.rows
    assert row.primary_score is not None
    with Hub() as hub:
        assert publish(hub, tmp_path, str(built.folder), "--dataset", "org/board")[0] == 0
        hub.repositories["model", "maker/weights"] = Repository()
        words = (str(built.folder), "--dataset", "org/board", "--eval-results", "maker/weights")
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        repository = hub.repositories["model", "maker/weights"]
        revision = hub.repositories["dataset", "org/board"].head.id
        (opened,) = repository.pull_requests
        repository.commits.append(opened)
        code, said = publish(hub, tmp_path, *words)
        assert code == 0, said
        assert "Unchanged, these scores are there: " in said
    assert len(repository.pull_requests) == 1
    (entry,) = yaml.safe_load(opened.files[f".eval_results/embodibench-crafter_1-{row.agent}.yaml"])
    assert entry["dataset"] == {"id": "org/board", "task_id": "crafter_1", "revision": revision}
    assert entry["value"] == row.primary_score.value
    assert "replayed" in entry["notes"]


@pytest.mark.parametrize(
    ("words", "token", "said"),
    [
        (("--dataset", "nowhere"), TOKEN, "--dataset takes ORG/NAME"),
        (("--dataset", "org/board"), "", "publishing needs a token"),
        (("--dataset", "org/board", "--space", "org/site"), TOKEN, "holds no built space"),
        (("--dataset", "org/board", "--eval-results", "maker/none"), TOKEN, "publish the dataset first"),
    ],
)
def test_what_cannot_work_is_one_line_and_nothing_is_published(
    words: tuple[str, ...], token: str, said: str, built: Built, tmp_path: Path
) -> None:
    with Hub() as hub:
        code, out = publish(hub, tmp_path, str(built.folder), *words, token=token)
        assert hub.repositories == {}
    assert code == 2, out
    assert said in out.splitlines()[-1]


def test_a_commit_in_between_is_not_overwritten(built: Built, tmp_path: Path) -> None:
    """Planned on one commit, refused on another."""
    code = (
        "import sys\n"
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from embodibench.errors import UsageError\n"
        "from embodibench.leaderboard.publish import carry_out, client, plan\n"
        "api = client(token=True)\n"
        "board = Path(sys.argv[1])\n"
        "old = plan(api, board, 'org/board', 'dataset', 'org/board')\n"
        "carry_out(api, old)\n"
        "try:\n"
        "    carry_out(api, replace(old, files={**old.files, 'data/more.json': b'[]'}))\n"
        "except UsageError as error:\n"
        "    print('refused', error)\n"
    )
    with Hub() as hub:
        hub.repositories["dataset", "org/board"] = Repository()
        environment = {**os.environ, **hub.environment(tmp_path / "hf"), "PYTHONPATH": str(Path(__file__).parents[2])}
        words = [sys.executable, "-c", code, str(built.folder)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
        commits = hub.repositories["dataset", "org/board"].commits
    assert done.stdout.startswith("refused org/board: was not published"), done.stdout + done.stderr
    assert len(commits) == 2
