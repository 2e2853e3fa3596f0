"""A run that is killed at any moment goes on as if nothing had happened, and asks for nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from embodibench.models.base import Message, Parameters, prompt_digest
from embodibench.models.recording import RecordedModel
from embodibench.results.files import comparable, parse_result, read_result
from embodibench.runs import journal
from embodibench.runs.budget import Budget
from embodibench.runs.replies import JournaledReplies
from tests.models.server import KEY, Fault, Provider, words_of
from tests.runs.command import call, start

KILLS = int(os.environ.get("EMBODIBENCH_TEST_KILLS", "12"))
CONCURRENCY = 4
ASKED = Message.of("user", "a tree")
WORDS = ("Move West", "Move North", "Do", "Sleep", "Place Stone", "I am not sure")


def _eval(provider: Provider, out: Path, *more: str) -> list[str]:
    return [
        *("eval", "--model", "openai/test-model", "--base-url", provider.openai_url, "--suite", "crafter"),
        *("--limit", "4", "--max-steps", "60", "--concurrency", str(CONCURRENCY), "--out", str(out), *more),
    ]


def _multiset(provider: Provider) -> Counter[str]:
    return Counter(request.digest for request in provider.requests)


@pytest.fixture
def provider() -> Provider:
    return Provider(words_of(*WORDS), latency=0.01)


def test_killed_runs_equal_the_uninterrupted_one(provider: Provider, tmp_path: Path) -> None:
    rng = random.Random(20261130)
    with provider:
        done = call(*_eval(provider, tmp_path / "whole"), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        whole = comparable(read_result(tmp_path / "whole"))
        asked = _multiset(provider)
        kills = 0
        runs = 0
        while kills < KILLS:
            provider.requests.clear()
            out = tmp_path / f"killed-{runs}"
            killed_here = _kill_until_done(provider, out, tmp_path, rng, KILLS - kills)
            result = read_result(out)
            assert comparable(result) == whole
            extra = _multiset(provider) - asked
            assert not asked - _multiset(provider)
            assert set(extra) <= set(asked)
            assert extra.total() <= CONCURRENCY * killed_here
            assert result.run.lost.calls >= extra.total()
            assert result.run.lost.calls <= CONCURRENCY * killed_here
            assert result.run.sessions <= killed_here + 1
            kills += killed_here
            runs += 1
    assert kills >= KILLS


def _kill_until_done(provider: Provider, out: Path, cwd: Path, rng: random.Random, most: int) -> int:
    """Start, kill at a random moment, resume ... until the run comes to its end. Returns the number of kills."""
    kills = 0
    words = _eval(provider, out)
    while True:
        process = start(*words, cwd=cwd, OPENAI_API_KEY=KEY)
        if kills < most and kills < 25:
            before = len(provider.requests)
            deadline = time.monotonic() + 30
            # Most moments lie inside play, some before the first call.
            wait_for_play = rng.random() < 0.9
            while wait_for_play and len(provider.requests) == before and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.005)
            time.sleep(rng.uniform(0.0, 0.25))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                if (out / "run.json").exists():
                    words = ["resume", str(out), "--concurrency", str(CONCURRENCY)]
                continue
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        return kills


def _wait_for_requests(provider: Provider, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while len(provider.requests) < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_lost_calls_are_counted_and_paid(tmp_path: Path) -> None:
    with Provider(words_of(*WORDS)) as provider:
        provider.fail(Fault(kind="hang"))
        out = tmp_path / "run"
        process = start(*_eval(provider, out, "--limit", "1"), cwd=tmp_path, OPENAI_API_KEY=KEY)
        _wait_for_requests(provider, 1, process)
        process.kill()
        process.communicate()
        done = call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        result = read_result(out)
        assert result.run.lost.calls == 1
        assert result.run.sessions == 2
        assert "1 calls were in flight" in done.stderr


def test_a_lost_call_costs_what_the_same_call_cost_when_it_was_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    writer = journal.Journal(path)
    where = {"task": "open-world", "trial": 0}
    reply = {"text": "Do", "usage": None, "cost": 0.25, "returned_model": None, "finish": "stop"}
    writer.append({"k": "session"})
    writer.append({"k": "intent", **where, "call": 0, "prompt": "p", "worst": 9.0})
    writer.append({"k": "intent", **where, "call": 1, "prompt": "q", "worst": 9.0})
    writer.append({"k": "session"})
    writer.append({"k": "intent", **where, "call": 0, "prompt": "p", "worst": 9.0})
    writer.append({"k": "reply", **where, "call": 0, "prompt": "p", "reply": reply})
    writer.close()
    state = journal.scan(path)
    assert [(lost.call, lost.worst) for lost in state.lost] == [(0, 9.0), (1, 9.0)]
    assert state.lost_cost == pytest.approx(0.25 + 9.0)
    assert state.cost == pytest.approx(0.25)
    assert state.calls == 3


def test_a_torn_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"k":"session"}\n{"k":"session"}\n{"k":"inte')
    journal.Journal(path).close()
    assert path.read_bytes() == b'{"k":"session"}\n{"k":"session"}\n'
    path.write_bytes(b'{"k":"inte')
    journal.Journal(path).close()
    assert path.read_bytes() == b""


def test_resume_refuses_another_model(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["eval", "--suite", "crafter", "--limit", "1", "--max-steps", "3", "--out", str(out)]
    assert call(*words, "--model", "stub/do", cwd=tmp_path).returncode == 0
    other = call(*words, "--model", "stub/noop", cwd=tmp_path)
    assert other.returncode == 2
    assert "is another run: its model is" in other.stderr
    assert "Traceback" not in other.stderr


def test_two_processes_do_not_write_one_run(tmp_path: Path) -> None:
    with Provider(words_of(*WORDS)) as provider:
        provider.fail(Fault(kind="hang"))
        out = tmp_path / "run"
        first = start(*_eval(provider, out, "--limit", "1"), cwd=tmp_path, OPENAI_API_KEY=KEY)
        _wait_for_requests(provider, 1, first)
        second = call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert second.returncode == 2
        assert "another process is playing this run" in second.stderr
        first.kill()
        first.communicate()


def test_ctrl_c_ends_cleanly_and_loses_nothing(provider: Provider, tmp_path: Path) -> None:
    with provider:
        out = tmp_path / "run"
        process = start(*_eval(provider, out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        _wait_for_requests(provider, 20, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "nothing is lost" in err
        assert "Traceback" not in err
        done = call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert done.returncode == 0, done.stderr
        result = read_result(out)
        calls = result.metrics["usage"]["calls"]
        assert calls <= len(provider.requests) <= calls + result.run.lost.calls
        assert result.run.lost.calls <= CONCURRENCY


def test_episodes_that_ended_in_an_error_are_tried_again(tmp_path: Path) -> None:
    with Provider(words_of(*WORDS)) as provider:
        provider.fail(Fault(status=400), times=1)
        out = tmp_path / "run"
        words = _eval(provider, out, "--limit", "2", "--concurrency", "1")
        assert call(*words, cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        first = read_result(out)
        assert [episode.status == "api_error" for episode in first.episodes] == [True, False]
        assert first.metrics["episodes"]["api_error"] == 1
        assert call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        second = read_result(out)
        assert second.metrics["episodes"]["api_error"] == 0
        assert [episode.attempts for episode in second.episodes] == [2, 1]


def test_a_finished_run_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Provider(words_of(*WORDS)) as provider:
        assert call(*_eval(provider, out, "--limit", "2"), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        files = {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
        again = call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY)
        assert again.returncode == 0, again.stderr
        assert "is finished: nothing is left to play" in again.stderr
        assert {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()} == files
        result = out / "result.json"
        result.unlink()
        assert call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        assert comparable(read_result(out)) == comparable(parse_result(files[result], "before"))


def test_a_result_that_is_older_than_the_journal_is_written_again(tmp_path: Path) -> None:
    """Killed after the last episode ended and before the result was written."""
    out = tmp_path / "run"
    with Provider(words_of(*WORDS)) as provider:
        provider.fail(Fault(status=400), times=1)
        words = _eval(provider, out, "--limit", "2", "--concurrency", "1")
        assert call(*words, cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        old = (out / "result.json").read_bytes()
        assert call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        (out / "result.json").write_bytes(old)
        assert call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
    assert [episode.attempts for episode in read_result(out).episodes] == [2, 1]


def test_a_recording_goes_on_at_its_place(tmp_path: Path) -> None:
    """One prompt, asked again and again: its third reply follows its second, whoever was killed in between."""
    rows = [{"prompt": prompt_digest([ASKED]), "text": text} for text in ("one", "two", "three")]
    recording = tmp_path / "transcript.jsonl"
    recording.write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / "journal.jsonl"

    async def session(first: int, count: int) -> list[str]:
        model = RecordedModel.open(recording)
        model.skip(journal.prompts(path))
        writer = journal.Journal(path)
        replies = JournaledReplies(("task", 0), model, Parameters(), writer, Budget(None, None), {}, "")
        texts = [
            (await replies.reply(call, [ASKED], prompt_digest([ASKED]))).text for call in range(first, first + count)
        ]
        writer.close()
        return texts

    assert asyncio.run(session(0, 2)) == ["one", "two"]
    assert asyncio.run(session(2, 1)) == ["three"]


def test_every_transport_of_a_run_is_recorded(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Provider(words_of(*WORDS)) as provider:
        provider.fail(Fault(status=400), times=1)
        words = _eval(provider, out, "--limit", "2", "--concurrency", "1")
        assert call(*words, cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        now = read_result(out).model
        assert now is not None
        assert now.sdk is not None
        log = out / "journal.jsonl"
        log.write_text(log.read_text().replace(f'"sdk":"{now.sdk}"', '"sdk":"openai 1.0.0"'))
        assert call("resume", str(out), cwd=tmp_path, OPENAI_API_KEY=KEY).returncode == 0
        both = read_result(out).model
    assert both is not None
    assert both.sdk == f"openai 1.0.0; {now.sdk}"
