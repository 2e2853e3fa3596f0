"""What SPRING costs: estimates beside what a provider counts, and the part that providers cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from embodibench import agents
from embodibench.agents.spring.size import ANSWERS
from embodibench.cards import suites
from embodibench.cli.main import run
from embodibench.envs.crafter.names import ACTION_NAMES
from embodibench.results.files import read_result
from embodibench.results.schema import Result
from embodibench.verify.result import verify
from tests.agents.spring.table import QUESTIONS
from tests.models.server import KEY, Provider
from tests.models.wire import Request

STEPS = 6
FAMILY = (
    "spring",
    "spring-modified-context",
    "spring-actions-only",
    "spring-no-context",
    "list-no-dag",
    "step-by-step",
    "spring-direct",
)


def answer(request: Request) -> str:
    """An answer of the usual length; the action is drawn by the digest of the prompt."""
    content = request.body["messages"][-1]["content"]
    prompt = content if isinstance(content, str) else content[-1]["text"]
    name = QUESTIONS[prompt.rpartition("Question: ")[2]]
    said = ACTION_NAMES[int(request.digest, 16) % 7] if name == "qa" else f"{request.digest[:8]} thus"
    filler = " and so on" * (ANSWERS[name] // 10)
    return (said + filler)[: ANSWERS[name]]


@pytest.fixture
def provider() -> Provider:
    return Provider(answer)


def played(provider: Provider, agent: str, out: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Result:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with provider:
        url = provider.url if any("anthropic" in word for word in more) else provider.openai_url
        model = () if "--model" in more else ("--model", "openai/any")
        words = ("eval", *model, *more, "--base-url", url, "--suite", "crafter", "--agent", agent)
        assert run([*words, "--limit", "1", "--out", str(out)]) == 0
    return read_result(out)


@pytest.mark.parametrize("agent", FAMILY)
def test_estimates_are_within_a_quarter_of_what_the_provider_counts(
    agent: str, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = played(provider, agent, tmp_path / "run", monkeypatch, "--max-steps", str(STEPS)).episodes[0]
    expected = agents.make(agent, {}).expected({})
    assert expected is not None and episode.usage is not None
    calls = len(episode.calls.replies)
    assert calls == STEPS * expected.calls_per_step
    assert episode.usage.input == pytest.approx(calls * expected.input_tokens, rel=0.25)
    assert episode.usage.output == pytest.approx(calls * expected.output_tokens, rel=0.25)


def test_a_dry_run_says_the_same(provider: Provider, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "--model", "openai/any", "--base-url", "http://127.0.0.1:9", "--suite", "crafter"]
    assert run([*words, "--agent", "spring", "--limit", "2", "--max-steps", "10", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "expected calls:         180" in said
    expected = agents.make("spring", {}).expected({})
    assert expected is not None
    assert f"expected input tokens:  {180 * expected.input_tokens:,}" in said


def test_the_prefix_is_long_enough_to_be_cached_and_the_estimate_says_how_long() -> None:
    for agent, cached in (("spring", True), ("spring-direct", True), ("spring-actions-only", False)):
        expected = agents.make(agent, {}).expected({})
        assert expected is not None
        assert (expected.cached_tokens >= 1024) is cached


def test_openai_is_paid_for_the_prefix_once(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = played(provider, "spring", tmp_path / "run", monkeypatch, "--max-steps", "4").episodes[0].usage
    assert usage is not None
    expected = agents.make("spring", {}).expected({})
    assert expected is not None
    prefix = expected.cached_tokens // 128 * 128
    # Every call but the first reads the prefix, in whole blocks.
    assert usage.cached >= 35 * prefix


def test_anthropic_reads_what_is_marked(provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = ("--model", "anthropic/claude-opus-5-5", "--max-steps", "4")
    usage = played(provider, "spring", tmp_path / "run", monkeypatch, *more).episodes[0].usage
    assert usage is not None
    assert usage.cache_write > 1024
    assert usage.cached == 35 * usage.cache_write
    assert usage.input > usage.cached


def test_small_contexts_are_played_with_shorter_prompts_and_verified(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.context = 1200
    result = played(provider, "spring", tmp_path / "run", monkeypatch, "--max-steps", "4")
    episode = result.episodes[0]
    assert (episode.status, episode.end, episode.steps) == ("budget", "max_steps", 4)
    outcomes = dict(episode.calls.outcomes)
    assert 1 <= outcomes["overflow"] <= 8
    assert result.model is not None
    assert {} not in result.model.sent
    verdict = verify(result, tmp_path / "run" / "transcript.jsonl.zst", jobs=1).verdicts[0]
    assert (verdict.world, verdict.protocol, verdict.what) == ("incomplete", "incomplete", "")


def test_what_never_fits_is_a_status_and_is_tried_again_from_there(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resumed with a model that takes longer prompts, the episode goes on."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    out = tmp_path / "run"
    provider.context = 100
    with provider:
        words = ("eval", "--model", "openai/any", "--base-url", provider.openai_url, "--suite", "crafter")
        assert run([*words, "--agent", "spring", "--limit", "1", "--max-steps", "2", "--out", str(out)]) == 0
        episode = read_result(out).episodes[0]
        assert (episode.status, episode.end, episode.steps) == ("api_error", "context_overflow", 0)
        provider.context = None
        assert run(["resume", str(out)]) == 0
    again = read_result(out).episodes[0]
    assert (again.status, again.end, again.steps) == ("budget", "max_steps", 2)
    assert "overflow" not in dict(again.calls.outcomes)


def test_spring_replays_identically_in_both_depths(tmp_path: Path) -> None:
    out = tmp_path / "run"
    model = "stub/Noop,Move West,Move East,Move North,Move South,Do"
    assert (
        run(["eval", "--model", model, "--suite", "crafter", "--agent", "spring", "--limit", "1", "--out", str(out)])
        == 0
    )
    result = read_result(out)
    assert result.episodes[0].status == "ok"
    assert suites.load("crafter").label == result.benchmark.suite
    verdict = verify(result, out / "transcript.jsonl.zst", jobs=1).verdicts[0]
    assert (verdict.world, verdict.protocol) == ("identical", "identical"), verdict
