"""A run of ``react`` killed between pictures goes on as if nothing had happened, verifies, and is cheap to cache."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from embodibench.results.files import read_result
from tests.models.server import KEY, Provider, words_of
from tests.runs.command import call, start

REPLIES = ("Think(I look.);Turn(90);", "Go(6);", "I turn: Turn(30);", "Think(On.);Go(3);")


def _words(provider: Provider, out: Path) -> list[str]:
    return [
        *("eval", "--model", "openai/test-model", "--base-url", provider.openai_url, "--suite", "aai40"),
        *("--tasks", "02-10-01", "--trials", "1", "--option", "scripts=12", "--out", str(out), "--yes"),
    ]


def test_a_killed_run_with_pictures_equals_the_whole_one(tmp_path: Path) -> None:
    with Provider(words_of(*REPLIES)) as provider:
        done = call(*_words(provider, tmp_path / "whole"), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        provider.requests.clear()
        out = tmp_path / "killed"
        process = start(*_words(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        deadline = time.monotonic() + 120
        while len(provider.requests) < 4 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done = call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
    whole, killed = read_result(tmp_path / "whole"), read_result(out)
    # What the provider had in its cache differs, since it saw the prompts before; all else must not.
    for one, other in zip(killed.episodes, whole.episodes, strict=True):
        left_out = {"usage", "cost", "times", "attempts"}
        assert one.model_dump(exclude=left_out) == other.model_dump(exclude=left_out)
    usage = whole.metrics["usage"]
    assert usage["outcomes"].keys() <= {"ok", "invalid"}
    assert usage["input_tokens"] - usage["cached_tokens"] < 0.35 * usage["input_tokens"]
    checked = call("verify", str(out), cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
