"""Studying a paper, and keeping what was answered."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from embodibench.agents.spring import context as contexts
from embodibench.agents.spring.study import MERGED_AT_ONCE, Studied, is_yes, study, without_repeats
from embodibench.agents.spring.texts import text
from embodibench.agents.spring.variants import spring, spring_actions_only
from embodibench.errors import UsageError
from embodibench.models.base import Message
from tests.models.server import KEY, Provider
from tests.models.wire import Request
from tests.runs.command import call, start

PAPER = Path(__file__).parent / "data" / "paper"
MODEL = "openai/any"


class Reader:
    """Finds paragraphs about trees relevant, and quotes what it reads."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, messages: Sequence[Message]) -> str:
        prompt = messages[-1].text
        self.asked.append(prompt)
        return answer(prompt)


def answer(prompt: str) -> str:
    if prompt.endswith(text("relevant_success")):
        return "Yes." if "oak" in prompt else "No."
    if prompt.endswith(text("relevant_rules")):
        return "yes, it does" if "pine" in prompt else "Not at all; yes would be wrong."
    if prompt.endswith(text("study_merge")):
        return prompt.removesuffix(text("study_merge")).strip()
    return "- " + prompt.split("\n\n")[1]


def studied(*paragraphs: str) -> tuple[Studied, Reader]:
    reader = Reader()
    return asyncio.run(study(paragraphs, reader.ask)), reader


def test_a_paragraph_is_kept_when_either_question_says_yes() -> None:
    found, _ = studied("an oak", "a stone", "a pine", "an oak and a pine")
    assert found.relevant == (0, 2, 3)
    assert found.paragraphs == 4


def test_asks_two_questions_a_paragraph_four_a_kept_one_and_four_to_merge() -> None:
    _, reader = studied("an oak", "a stone", "a pine")
    assert len(reader.asked) == 2 * 3 + 4 * 2 + 4
    extraction = [prompt for prompt in reader.asked if text("study_plain") in prompt]
    assert len(extraction) == 8
    assert not [prompt for prompt in extraction if "a stone" in prompt]


def test_the_context_is_the_four_questions_with_their_merged_answers() -> None:
    found, _ = studied("an oak", "a pine", "an  oak")
    names = ("study_1_information", "study_2_objects", "study_3_objectives", "study_4_actions")
    assert found.context == "\n\n".join(
        f"Question: {text(name)}\nAnswer:\n- an oak\n- a pine\n- an  oak" for name in names
    )


def test_the_context_can_be_played_with_ablations_too() -> None:
    found, _ = studied("an oak")
    assert spring(found.context).context == found.context
    assert spring_actions_only(found.context).context == f"Question: {text('study_4_actions')}\nAnswer:\n- an oak"


def test_long_lists_are_merged_in_parts() -> None:
    found, reader = studied(*(f"oak {number} " + "x" * 900 for number in range(20)))
    merging = [prompt for prompt in reader.asked if prompt.endswith(text("study_merge"))]
    assert all(len(prompt) < MERGED_AT_ONCE + 200 for prompt in merging)
    assert all(f"oak {number} " in found.context for number in range(20))


def test_nothing_relevant_is_an_error() -> None:
    with pytest.raises(UsageError, match="none of the 2 paragraphs relevant"):
        studied("a stone", "a leaf")


def test_a_context_is_never_longer_than_the_agent_takes() -> None:
    found, _ = studied(*(f"oak {number} " + "x" * 5000 for number in range(30)))
    assert found.cut > 0
    contexts.checked(found.context)


@pytest.mark.parametrize("said", ["Yes", "yes.", "**Yes**, it does", "Answer: Yes", "<think>No?</think>\nYes"])
def test_yes(said: str) -> None:
    assert is_yes(said)


@pytest.mark.parametrize("said", ["No", "", "Yesterday", "I say yes", "<think>Yes", "Maybe yes"])
def test_not_yes(said: str) -> None:
    assert not is_yes(said)


def test_repeated_lines_go_whatever_their_number() -> None:
    assert (
        without_repeats("1. Lava kills.\n2. Cows feed.\n\n3. lava kills.\n- Cows feed.")
        == "1. Lava kills.\n2. Cows feed."
    )


class TestCommand:
    """``embodibench study`` against a server."""

    @pytest.fixture
    def provider(self) -> Provider:
        def reply(request: Request) -> str:
            prompt = request.body["messages"][-1]["content"]
            if prompt.endswith("Yes or No."):
                return "Yes" if "zombies" in prompt or "pickaxe" in prompt.lower() else "No"
            return f"- a point {request.digest[:8]}"

        return Provider(reply)

    def words(self, provider: Provider, out: Path) -> list[str]:
        return ["study", "--paper", str(PAPER), "--model", MODEL, "--base-url", provider.openai_url, "--out", str(out)]

    def test_writes_a_context_that_can_be_played(self, provider: Provider, tmp_path: Path) -> None:
        out = tmp_path / "context.txt"
        with provider:
            done = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        assert "3 of 5 paragraphs are relevant" in done.stderr
        assert len(provider.requests) == 2 * 5 + 4 * 3 + 4
        played = call(
            *("eval", "--model", "stub/Noop", "--suite", "crafter", "--agent", "spring", "--option", f"context=@{out}"),
            *("--limit", "1", "--max-steps", "1", "--out", "run"),
            cwd=tmp_path,
        )
        assert played.returncode == 0, played.stderr
        out.unlink()
        checked = call("verify", "run", cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout

    def test_asks_nothing_twice(self, provider: Provider, tmp_path: Path) -> None:
        out = tmp_path / "context.txt"
        with provider:
            first = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
            before, context = len(provider.requests), out.read_bytes()
            again = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert (first.returncode, again.returncode) == (0, 0)
        assert len(provider.requests) == before
        assert out.read_bytes() == context
        assert "0 asked, 26 kept" in again.stderr

    def test_goes_on_after_being_killed(self, provider: Provider, tmp_path: Path) -> None:
        """Killed when some answers are on disk: the rest is asked, and only calls under way are asked again."""
        out = tmp_path / "context.txt"
        kept = tmp_path / "context.txt.answers.jsonl"
        provider.latency = 0.3
        with provider:
            process = start(*self.words(provider, out), "--concurrency", "2", cwd=tmp_path, OPENAI_API_KEY=KEY)
            deadline = time.monotonic() + 120
            while not kept.exists() or kept.read_bytes().count(b"\n") < 6:
                assert process.poll() is None and time.monotonic() < deadline, process.communicate()
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            assert not out.exists()
            with kept.open("ab") as file:
                file.write(b'{"k":"answer","key":"torn')
            provider.latency = 0.0
            done = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        digests = [request.digest for request in provider.requests]
        assert len(set(digests)) == 26
        assert len(digests) - 26 <= 2

    def test_a_failing_model_is_one_line_and_loses_nothing(self, provider: Provider, tmp_path: Path) -> None:
        out = tmp_path / "context.txt"
        with provider:
            provider.models = frozenset()
            done = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 2
        assert "what was answered is kept" in done.stderr
        assert "Traceback" not in done.stderr

    def test_keeps_to_its_budget(self, provider: Provider, tmp_path: Path) -> None:
        out = tmp_path / "context.txt"
        with provider:
            done = call(*self.words(provider, out), "--max-calls", "7", cwd=tmp_path, OPENAI_API_KEY=KEY)
            assert done.returncode == 2
            assert len(provider.requests) == 7
            assert call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        assert len(provider.requests) == 26

    def test_does_not_replace_another_file(self, provider: Provider, tmp_path: Path) -> None:
        out = tmp_path / "context.txt"
        out.write_text("mine")
        with provider:
            refused = call(*self.words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
            assert (refused.returncode, out.read_text()) == (2, "mine")
            forced = call(*self.words(provider, out), "--force", cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert forced.returncode == 0
        assert out.read_text() != "mine"
