"""Verification: an honest result passes in both depths, and a result with one change does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embodibench.agents.trace import reply_hash
from embodibench.cards import suites
from embodibench.results.files import TranscriptLine, pack_transcript, parse_result, read_result, read_transcript
from embodibench.results.schema import Result
from embodibench.scoring.metrics import compute
from embodibench.verify.result import Report, verify
from tests.runs.command import call


@pytest.fixture(scope="module")
def model_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the stub model: two episodes of 40 steps."""
    folder = tmp_path_factory.mktemp("model")
    words = ["eval", "--model", "stub/Move West,Do,Move North,Sleep,nothing", "--suite", "crafter"]
    done = call(*words, "--limit", "2", "--max-steps", "40", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture(scope="module")
def policy_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the random policy: three whole episodes."""
    folder = tmp_path_factory.mktemp("policy")
    done = call("eval", "--model", "policy/random", "--suite", "crafter", "--limit", "3", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


def _verify(run: Path, change: Callable[[dict[str, Any]], None] | None = None, *, recompute: bool = True) -> Report:
    """Verify a run after a change of its data; metrics are made to follow from the changed episodes."""
    data = json.loads((run / "result.json").read_bytes())
    if change is not None:
        change(data)
    result = parse_result(json.dumps(data).encode(), "changed")
    if recompute:
        metrics = compute(suites.load("crafter"), result.episodes)
        result = result.model_copy(update={"metrics": json.loads(json.dumps(metrics))})
    return verify(result, run / "transcript.jsonl.zst", jobs=1)


def _with_transcript(
    run: Path, tmp_path: Path, change: Callable[[list[dict[str, Any]], dict[str, Any]], None]
) -> Report:
    """Verify a run after a change of its transcript and result, with the transcript's hash made to fit."""
    data = json.loads((run / "result.json").read_bytes())
    lines = [line.model_dump(mode="json") for line in read_transcript(run / "transcript.jsonl.zst")]
    change(lines, data)
    packed = pack_transcript(TranscriptLine.model_validate(line) for line in lines)
    path = tmp_path / "transcript.jsonl.zst"
    path.write_bytes(packed.data)
    data["transcript"] = packed.section.model_dump(mode="json")
    result = parse_result(json.dumps(data).encode(), "changed")
    metrics = json.loads(json.dumps(compute(suites.load("crafter"), result.episodes)))
    return verify(result.model_copy(update={"metrics": metrics}), path, jobs=1)


def test_a_policy_run_is_identical_in_both_depths(policy_run: Path) -> None:
    report = _verify(policy_run)
    assert report.accepted
    assert report.counts() == {"identical": 3}


def test_a_limited_model_run_is_incomplete_and_its_prefix_replays(model_run: Path) -> None:
    report = _verify(model_run)
    assert report.accepted
    assert report.counts() == {"incomplete": 2}


def test_parallel_verification_says_the_same(policy_run: Path) -> None:
    result = read_result(policy_run)
    assert verify(result, None, jobs=2) == verify(result, None, jobs=1)


def _edit_action(data: dict[str, Any]) -> None:
    """Another direction for the first move; an action without effect could be exchanged for another such."""
    run = next(run for run in data["episodes"][0]["actions"] if 1 <= run[0] <= 4)
    run[0] = 1 + run[0] % 4


def _edit_reward(data: dict[str, Any]) -> None:
    data["episodes"][0]["rewards"][0][0] += 1.0


def _edit_measure(data: dict[str, Any]) -> None:
    data["episodes"][0]["measures"]["achievements"]["collect_diamond"] = 1


def _edit_end(data: dict[str, Any]) -> None:
    data["episodes"][0]["end"] = "time_limit"


def _edit_seed(data: dict[str, Any]) -> None:
    data["episodes"][0]["seed"] += 1


def _edit_task(data: dict[str, Any]) -> None:
    data["episodes"][0]["task"] = "another"


def _drop_last_action(data: dict[str, Any]) -> None:
    episode = data["episodes"][0]
    for name in ("actions", "rewards"):
        if episode[name][-1][1] == 1:
            episode[name].pop()
        else:
            episode[name][-1][1] -= 1
    episode["overridden"] = []
    episode["steps"] -= 1
    episode["fingerprints"] = episode["fingerprints"][: 1 + episode["steps"] // 10]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (_edit_action, "diverged"),
        (_edit_reward, "diverged"),
        (_edit_measure, "diverged"),
        (_edit_end, "diverged"),
        (_edit_seed, "refused"),
        (_drop_last_action, "diverged"),
    ],
)
def test_a_changed_policy_episode_is_found(policy_run: Path, change: Callable[..., None], word: str) -> None:
    report = _verify(policy_run, change)
    assert not report.accepted
    assert report.verdicts[0].world == word
    assert report.verdicts[0].what
    assert [verdict.world for verdict in report.verdicts[1:]] == ["identical", "identical"]


def test_an_exchanged_action_without_effect_is_found_by_the_protocol(policy_run: Path) -> None:
    """Two actions that do nothing give the same world; only the player's own replay can tell them apart."""

    def change(data: dict[str, Any]) -> None:
        run = next(run for run in data["episodes"][0]["actions"] if run[0] in (13, 16))
        run[0] = 29 - run[0]

    verdict = _verify(policy_run, change).verdicts[0]
    assert (verdict.world, verdict.protocol, verdict.accepted) == ("identical", "diverged", False)


def test_an_episode_of_an_unknown_task_is_refused(policy_run: Path) -> None:
    assert _verify(policy_run, _edit_task).verdicts[0].world == "refused"


def test_a_changed_fingerprint_is_equal_but_not_accepted(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["episodes"][0]["fingerprints"][1] = "0" * 32

    verdict = _verify(policy_run, change).verdicts[0]
    assert (verdict.world, verdict.step, verdict.accepted) == ("equal", 9, False)


def test_metrics_that_do_not_follow_are_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["metrics"]["progress"]["value"] += 1e-6

    report = _verify(policy_run, change, recompute=False)
    assert not report.accepted
    assert "metrics.progress.value" in report.problems[0]


def test_another_digest_is_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["benchmark"]["digest"] = "0" * 64

    assert "another content of crafter@1" in _verify(policy_run, change).problems[0]


def test_a_doubled_episode_is_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["episodes"].append(data["episodes"][0])

    assert any("stands twice" in problem for problem in _verify(policy_run, change).problems)


def test_a_perfect_score_without_play_is_refused(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        for episode in data["episodes"]:
            achievements = dict.fromkeys(episode["measures"]["achievements"], 1)
            episode.update(
                status="budget",
                end="not_started",
                steps=0,
                actions=[],
                fingerprints=[],
                final="",
                overridden=[],
                opening_steps=0,
                rewards=[[22.0, 1]],
                measures={"achievements": achievements},
            )

    report = _verify(policy_run, change)
    assert not report.accepted
    assert {verdict.world for verdict in report.verdicts} == {"refused"}


def test_a_dropped_row_is_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["episodes"].pop(0)

    assert any("planned" in problem for problem in _verify(policy_run, change).problems)


def test_limits_that_are_hidden_are_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["run"]["limits"]["episodes"] = None

    assert any("planned" in problem for problem in _verify(policy_run, change).problems)


def test_a_partial_run_that_says_it_is_whole_is_found(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["run"]["partial"] = False

    assert any("partial" in problem for problem in _verify(policy_run, change).problems)


def test_tokens_that_do_not_add_up_are_found(model_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["episodes"][0]["usage"]["input"] = 0

    assert any("input tokens" in problem for problem in _verify(model_run, change).problems)


def test_a_negative_zero_is_not_zero(policy_run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        run = next(run for run in data["episodes"][0]["rewards"] if run[0] == 0.0)
        run[0] = -0.0

    assert _verify(policy_run, change).verdicts[0].world == "diverged"


def test_swapped_replies_are_refused(model_run: Path, tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        first = next(i for i, line in enumerate(lines) if line["text"] != lines[0]["text"])
        lines[0]["text"], lines[first]["text"] = lines[first]["text"], lines[0]["text"]
        hashes = data["episodes"][0]["calls"]["replies"]
        hashes[0], hashes[first] = reply_hash(lines[0]["text"]), reply_hash(lines[first]["text"])

    verdict = _with_transcript(model_run, tmp_path, change).verdicts[0]
    assert verdict.world == "incomplete"
    assert verdict.protocol == "diverged"


def test_a_changed_prompt_is_refused(model_run: Path, tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        lines[3]["prompt"] = data["episodes"][0]["calls"]["prompts"][3] = "A" * 16

    verdict = _with_transcript(model_run, tmp_path, change).verdicts[0]
    assert verdict.protocol == "diverged"
    assert "the prompt of call 3" in verdict.what


def test_one_call_too_many_is_refused(model_run: Path, tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        own = [line for line in lines if line["trial"] == 0]
        lines.insert(len(own), {**own[-1], "call": len(own)})
        calls = data["episodes"][0]["calls"]
        for name in ("prompts", "replies", "input_tokens", "output_tokens"):
            calls[name].append(calls[name][-1])
        calls["outcomes"][-1][1] += 1
        calls["steps"][-1][1] += 1

    verdict = _with_transcript(model_run, tmp_path, change).verdicts[0]
    assert verdict.protocol == "diverged"
    assert "calls" in verdict.what


def test_actions_without_their_replies_are_refused(model_run: Path, tmp_path: Path) -> None:
    """Searched actions, honestly replayable in the world, do not pass for a model's."""

    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        for line in lines:
            line["text"] = "Do"
        for episode in data["episodes"]:
            episode["calls"]["replies"] = [reply_hash("Do")] * len(episode["calls"]["replies"])

    report = _with_transcript(model_run, tmp_path, change)
    assert {verdict.world for verdict in report.verdicts} == {"incomplete"}
    assert {verdict.protocol for verdict in report.verdicts} == {"diverged"}


def test_another_transcript_is_refused(model_run: Path, tmp_path: Path) -> None:
    packed = pack_transcript([])
    path = tmp_path / "transcript.jsonl.zst"
    path.write_bytes(packed.data)
    done = _json_result(model_run)
    with pytest.raises(Exception, match="not the transcript that the result names"):
        verify(done, path, jobs=1)


def _json_result(run: Path) -> Result:
    return read_result(run)


def test_another_parse_in_the_transcript_is_found(model_run: Path, tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        lines[2]["detail"] = {"substring@1": ["do", "ok"]}

    verdict = _with_transcript(model_run, tmp_path, change).verdicts[0]
    assert verdict.protocol == "diverged"
    assert "the details of call 2" in verdict.what


def test_tokens_that_a_prompt_cannot_have_are_told_and_do_not_change_the_verdict(
    model_run: Path, tmp_path: Path
) -> None:
    def change(lines: list[dict[str, Any]], data: dict[str, Any]) -> None:
        episode = data["episodes"][0]
        episode["usage"]["input"] += 1 - episode["calls"]["input_tokens"][1]
        episode["calls"]["input_tokens"][1] = 1

    verdict = _with_transcript(model_run, tmp_path, change).verdicts[0]
    assert verdict.accepted
    assert verdict.tokens.startswith("the prompt of call 1 has ")
