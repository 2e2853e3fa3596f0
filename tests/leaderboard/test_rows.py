"""What stands on the board, and that its figures are those of the results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from embodibench.cards import suites
from embodibench.errors import ResultError, UsageError
from embodibench.leaderboard.build import Built
from embodibench.leaderboard.figures import current_metrics
from embodibench.leaderboard.records import Record, decode
from embodibench.leaderboard.rows import read_rows
from embodibench.leaderboard.statements import read_statements
from embodibench.models.table import is_pinned
from embodibench.results.files import read_result
from embodibench.scoring.metrics import compute
from embodibench.submissions.metadata import parse_metadata
from embodibench.submissions.verdict_files import read_verdict
from tests.leaderboard.boards import Board
from tests.submissions.bases import Bases, Copy


@pytest.mark.parametrize("name", ["policy", "world", "model"])
def test_fast_reading_gives_the_metrics_of_full_reading(name: str, bases: Bases) -> None:
    path = bases.get(name) / "result.json"
    result = read_result(path)
    suite = suites.load(result.benchmark.suite)
    record = decode(path.read_bytes(), Record, "result.json")
    assert current_metrics(suite, record.episodes) == compute(suite, result.episodes)


def test_a_row_says_who_played_what_and_how(built: Built) -> None:
    rows = {(row.suite, row.player): row for row in built.rows.rows}
    assert len(rows) == 3
    crafter = rows["crafter@1", "policy/random"]
    primary = crafter.primary_score
    assert primary is not None
    assert (primary.name, primary.unit) == ("progress", "percent")
    assert primary.low is not None
    assert primary.high is not None
    assert primary.low <= (primary.value or 0) <= primary.high
    assert [score.name for score in crafter.of_kind("other")] == ["score", "reward"]
    assert len(crafter.of_kind("achievement")) == 22
    assert (crafter.policy, crafter.pinned, crafter.invalid_share, crafter.cost) == (True, None, None, 0.0)
    (stub,) = (row for row in rows.values() if not row.policy)
    assert stub.suite == "socialai@1"
    assert stub.primary_score is None, "the tasks of socialai have no figure over them"
    assert [score.planned for score in stub.of_kind("task")] == [10, 20, 20]
    assert stub.invalid_share is not None
    assert 0 < stub.invalid_share < 1
    assert stub.calls == sum(stub.outcomes.values())
    assert stub.replayed == {"identical": stub.episodes}


def test_only_an_accepted_verdict_on_these_bytes_stands(bases: Bases, board: Board) -> None:
    base = bases.get("policy")
    waiting = board.add(base, accepted=None)
    other = Copy.of(base)
    other.data["run"]["sessions"] = 2
    refused = other.write(board.submissions)
    board.judge(refused, accepted=False)
    third = Copy.of(base)
    third.data["run"]["sessions"] = 3
    retired = third.write(board.submissions)
    board.judge(retired, accepted=False, retired="its submitter asked for it")
    rows = read_rows(board.submissions, board.verdicts, jobs=1)
    assert rows.rows == ()
    assert {one.submission: (one.state, one.reason) for one in rows.absent} == {
        f"socialai@1/{waiting.name}": ("waiting", "no verdict yet"),
        f"socialai@1/{refused.name}": ("refused", "refused by its verdict"),
        f"socialai@1/{retired.name}": ("retired", "its submitter asked for it"),
    }


def test_a_result_that_was_changed_after_its_verdict_waits_again(bases: Bases, board: Board) -> None:
    folder = board.add(bases.get("policy"))
    before = read_rows(board.submissions, board.verdicts, jobs=1).rows[0].result_sha256
    path = folder / "result.json"
    path.write_bytes(path.read_bytes().replace(b'"success":false', b'"success":true', 1))
    rows = read_rows(board.submissions, board.verdicts, jobs=1)
    assert (len(rows.rows), [one.state for one in rows.absent]) == (0, ["waiting"])
    assert rows.orphans == (before,)


def test_one_result_has_one_row(bases: Bases, board: Board) -> None:
    """A copy in another folder does not borrow the verdict."""
    folder = board.add(bases.get("policy"))
    twin = folder.with_name(folder.name.replace("policy", "other", 1))
    twin.mkdir()
    for path in folder.iterdir():
        (twin / path.name).write_bytes(path.read_bytes())
    rows = read_rows(board.submissions, board.verdicts, jobs=1)
    assert [row.submission for row in rows.rows] == [f"socialai@1/{folder.name}"]
    assert "which holds the same result" in rows.absent[0].reason


@pytest.mark.parametrize(
    ("field", "text", "rule"),
    [("description", "<script>alert(1)</script>", "metadata-markup"), ("submitter", "a\u202eb", "metadata-characters")],
)
def test_statements_are_checked_again(field: str, text: str, rule: str, bases: Bases, board: Board) -> None:
    """No verdict vouches for the bytes of metadata.yaml."""
    folder = board.add(bases.get("policy"))
    path = folder / "metadata.yaml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith(f"{field}:")]
    path.write_text("\n".join([*lines, f"{field}: {json.dumps(text)}"]) + "\n")
    rows = read_rows(board.submissions, board.verdicts, jobs=1)
    assert rows.rows == ()
    assert rows.absent[0].reason.startswith(rule)


def test_forged_intervals_do_not_reach_the_board(bases: Bases, board: Board) -> None:
    copy = Copy.of(bases.get("world"))
    honest = copy.data["metrics"]["progress"]["interval"]["low"]
    copy.data["metrics"]["progress"]["interval"]["low"] = 0.0
    copy.recompute = False
    board.judge(copy.write(board.submissions))
    (row,) = read_rows(board.submissions, board.verdicts, jobs=1).rows
    assert row.primary_score is not None
    assert row.primary_score.low == honest


def test_an_old_version_keeps_its_values_without_intervals(
    bases: Bases, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.add(bases.get("world"))
    (new,) = read_rows(board.submissions, board.verdicts, jobs=1).rows

    def gone(label: str) -> suites.Suite:
        raise UsageError(f"this package holds crafter@2, not {label}")

    monkeypatch.setattr(suites, "load", gone)
    (old,) = read_rows(board.submissions, board.verdicts, jobs=1).rows
    assert old.primary_score is not None
    assert new.primary_score is not None
    assert old.primary_score.value == new.primary_score.value
    assert old.primary_score.low is None
    assert "another benchmark version" in old.primary_score.reason


RERUN = {"date": "2026-12-01", "trials": 40, "statistic": "mcnemar-exact", "p_value": 0.5, "agrees": True}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"retired": "withdrawn"}, "it accepts what it also retires"),
        (
            {"findings": [{"rule": "metrics", "gravity": "refuse", "message": "wrong"}]},
            "it accepts what it also refuses",
        ),
        ({"trust": "re-run"}, "its trust is 're-run', and 'replayed' follows"),
        ({"trust": "replayed", "rerun": RERUN}, "its trust is 'replayed', and 're-run' follows"),
        ({"trust": "replayed", "episodes": []}, "its trust is 'replayed', and 'self-reported' follows"),
        ({"trust": "re-run", "rerun": RERUN | {"p_value": 1.5}}, "rerun"),
    ],
)
def test_a_verdict_that_does_not_hold_together_stops_the_build(
    bases: Bases, board: Board, changes: dict[str, Any], said: str
) -> None:
    board.add(bases.get("policy"))
    (path,) = board.verdicts.iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(UsageError, match=rf"^{re.escape(str(path))}: ") as error:
        read_rows(board.submissions, board.verdicts, jobs=1)
    assert said in str(error.value)
    with pytest.raises(ResultError, match=rf"^{re.escape(str(path))}: "):
        read_verdict(path)


def test_a_verdict_on_other_episodes_vouches_for_nothing(bases: Bases, board: Board) -> None:
    folder = board.add(bases.get("policy"))
    path = next(board.verdicts.iterdir())
    verdict = json.loads(path.read_text())
    path.write_text(json.dumps(verdict | {"episodes": verdict["episodes"][1:]}))
    (absent,) = read_rows(board.submissions, board.verdicts, jobs=1).absent
    assert (absent.submission.split("/")[1], absent.reason) == (folder.name, "its verdict is on other episodes")


def test_a_broken_verdict_stops_the_build(bases: Bases, board: Board) -> None:
    folder = board.add(bases.get("policy"))
    path = board.judge(folder)
    path.write_text('{"result": 1}')
    with pytest.raises(UsageError, match=path.name):
        read_rows(board.submissions, board.verdicts, jobs=1)


@pytest.mark.parametrize(
    "text", ["a: &x [1]\n", "result: 1\nresult: 2\n", "- 1\n", "a: 2026-12-01\n", "\ttab", "a: 0x10"]
)
def test_the_fast_reader_of_statements_leaves_the_unusual_to_the_strict_one(text: str) -> None:
    with pytest.raises(UsageError) as strict:
        parse_metadata(text.encode(), "m")
    with pytest.raises(UsageError) as fast:
        read_statements(text.encode(), "m")
    assert str(fast.value) == str(strict.value)


def test_both_readers_of_statements_agree(bases: Bases) -> None:
    data = (bases.get("model") / "metadata.yaml").read_bytes()
    assert read_statements(data, "m") == parse_metadata(data, "m")


def test_links_and_strange_files_are_refused(bases: Bases, board: Board, tmp_path: Path) -> None:
    folder = board.add(bases.get("policy"))
    (folder / "result.json").rename(tmp_path / "elsewhere.json")
    (folder / "result.json").symlink_to(tmp_path / "elsewhere.json")
    rows = read_rows(board.submissions, board.verdicts, jobs=1)
    assert [one.state for one in rows.absent] == ["refused"]


def test_weights_are_fixed_by_the_table_or_by_the_hash_of_a_local_file() -> None:
    fixed = [("openai", "gpt-4o-2024-11-20"), ("local", "a.gguf@sha256:0123456789abcdef")]
    loose = [("openai", "a@sha256:0123456789abcdef"), ("local", "a.gguf@sha256:01"), ("anthropic", "gpt-4o-2024-11-20")]
    assert [is_pinned(*one) for one in fixed + loose] == [True, True, False, False, False]
