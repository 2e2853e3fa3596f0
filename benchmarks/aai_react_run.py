"""A whole run of aai40 by ``react`` against a local server with stored replies: killed, resumed, verified, and priced.

It prints what the run took, whether both depths of verification find every episode identical, how large the files are,
how many pictures were sent, and which share of the input tokens is paid in full, by the servers' billing rules:
OpenAI's (longest common prefix in blocks of 128 from 1,024 on, found by the server) and Anthropic's (prefixes that
carry a mark).

    python benchmarks/aai_react_run.py [--tasks 01-04-03,05-09-01] [--trials 3] [--kills 10] [--agent react] [--out DIR]
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# In place of this folder, whose coverage.py would stand in for the package of that name.
sys.path[0] = str(ROOT)

from embodibench import agents, envs  # noqa: E402
from embodibench.agents.game import LiveGame, play  # noqa: E402
from embodibench.cards import suites  # noqa: E402
from embodibench.models.anthropic import AnthropicModel  # noqa: E402
from embodibench.models.base import Identity, Image, Message, Parameters, Reply  # noqa: E402
from embodibench.models.prices import Free  # noqa: E402
from embodibench.models.table import Takes  # noqa: E402
from embodibench.results.files import read_result  # noqa: E402
from tests.models.server import KEY, Provider  # noqa: E402
from tests.models.wire import AnthropicWire, PrefixCache, Request  # noqa: E402
from tests.runs.command import start  # noqa: E402

REPLIES = (
    "Think(I see no reward from here, only the fence. My health is falling, so I look to the right.);Turn(90);",
    "Think(There is a green ball to the left, about 30 degrees and 12 steps away. I turn towards it first.);Turn(-30);",
    "Think(The ball is straight ahead, I go a little further than it seems to be.);Go(14);",
    "Think(The way ahead is free.);\nGo(8);",
    "Think(I may have passed the reward, I look behind me.);Turn(180);",
    "I think I should turn a little. Turn(45);",
    "Think(A wall is in the way (blue).);Turn(-60);",
    "Think(I go half of the way.);Go(6);",
)
"""What the server answers, chosen by what is asked; two of the eight are invalid for the strict parser."""


class Counts:
    """What reached the server."""

    def __init__(self) -> None:
        self.calls = 0
        self.pictures = 0
        self.bytes = 0


def serve(counts: Counts) -> Provider:
    """A server whose replies follow from the request; it forgets requests, which hold many pictures."""

    def reply(request: Request) -> str:
        counts.calls += 1
        for message in request.body["messages"]:
            if isinstance(message["content"], list):
                urls = [part["image_url"]["url"] for part in message["content"] if "image_url" in part]
                counts.pictures += len(urls)
                counts.bytes += sum(len(url) for url in urls)
        provider.requests.clear()
        return REPLIES[int(request.digest, 16) % len(REPLIES)]

    provider = Provider(reply)
    return provider


def run_killed(words: list[str], out: Path, kills: int, calls: int, counts: Counts) -> int:
    """Play to the end, killed ``kills`` times at moments spread over ``calls`` calls. Returns the kills."""
    done = 0
    while True:
        process = start(*words, cwd=out.parent, OPENAI_API_KEY=KEY)
        if done < kills:
            mark = calls * (done + 1) // (kills + 1)
            while counts.calls < mark and process.poll() is None:
                time.sleep(0.01)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                done += 1
                print(f"  killed after {counts.calls} calls", flush=True)
                words = ["resume", str(out), "--concurrency", "4"]
                continue
        _, err = process.communicate()
        if process.returncode != 0:
            raise SystemExit(err)
        return done


class _Script:
    """Replies from the list in turn, and keeps what was asked."""

    def __init__(self) -> None:
        self.prompts: list[list[Message]] = []

    async def reply(self, number: int, messages: Any, prompt: str) -> Reply:
        self.prompts.append(list(messages))
        return Reply(REPLIES[number % len(REPLIES)])


def priced(agent_name: str, task_id: str) -> dict[str, tuple[int, int, int]]:
    """Input tokens of one episode on Anthropic's wire, with and without marks: (all, read, written)."""
    suite = suites.load("aai40")
    task = suite.task(task_id)
    source = _Script()
    world = envs.make(task.environment.kind, task.environment.parameters)
    game = LiveGame(task, 0, world, source, fingerprint_every=10**6, stream="benchmark")
    asyncio.run(play(agents.make(agent_name, {}), game))
    model = AnthropicModel(Identity("anthropic", "test", "test"), KEY, takes=Takes(), prices=Free())
    found = {}
    for name in ("with marks", "without"):
        cache, wire = PrefixCache(), AnthropicWire()
        total = read = written = 0
        for prompt in source.prompts:
            marked = [message if name == "with marks" else replace(message, cache=False) for message in prompt]
            body = model._compose(marked, Parameters(), "").body
            tokens, marks = wire.tokens(Request("/v1/messages", {}, body))
            one_read, one_written = cache.marked(tokens, marks)
            total, read, written = total + len(tokens), read + one_read, written + one_written
        found[name] = (total, read, written)
    pictures = sum(isinstance(part, Image) for message in source.prompts[-1] for part in message.parts)
    print(f"  {task_id}: {len(source.prompts)} calls, the last one with {pictures} pictures")
    return found


def verify(out: Path) -> subprocess.CompletedProcess[str]:
    """Verify a run in both depths."""
    process = start("verify", str(out), "--quiet", cwd=out.parent)
    stdout, stderr = process.communicate()
    return subprocess.CompletedProcess((), process.returncode, stdout, stderr)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--agent", default="react")
    parser.add_argument("--out", type=Path, default=None)
    chosen = parser.parse_args()
    folder = chosen.out or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "run"
    counts = Counts()
    tasks = chosen.tasks.split(",") if chosen.tasks else list(suites.load("aai40").card.tasks)
    began = time.monotonic()
    with serve(counts) as provider:
        words = ["eval", "--model", "openai/test-model", "--base-url", provider.openai_url, "--suite", "aai40"]
        words += ["--agent", chosen.agent, "--trials", str(chosen.trials), "--out", str(out), "--concurrency", "4"]
        words += ["--tasks", ",".join(tasks), "--yes"]
        kills = run_killed(words, out, chosen.kills, 28 * len(tasks) * chosen.trials, counts)
    result = read_result(out)
    usage = result.metrics["usage"]
    print(
        f"{len(result.episodes)} episodes in {time.monotonic() - began:.0f} s, {kills} kills, {counts.calls} requests"
    )
    print(f"  calls {usage['calls']}, lost in flight {result.run.lost.calls}, outcomes {usage['outcomes']}")
    print(f"  ends {dict(Counter(episode.end for episode in result.episodes))}")
    print(f"  pictures sent {counts.pictures}, {counts.bytes / 1e9:.2f} GB as base64")
    for name in ("result.json", "transcript.jsonl.zst"):
        print(f"  {name}: {(out / name).stat().st_size / 1e6:.3f} MB")
    paid = usage["input_tokens"] - usage["cached_tokens"]
    print(f"  OpenAI's rule: {usage['input_tokens']} input tokens, paid in full {paid / usage['input_tokens']:.1%}")
    print("Anthropic's rule, one episode")
    for task in tasks[:1]:
        for name, (total, read, written) in priced(chosen.agent, task).items():
            print(f"  {name}: {total} input tokens, not read from the cache {1 - read / total:.1%} (written {written})")
    began = time.monotonic()
    checked = verify(out)
    print(f"verified, world and protocol: {time.monotonic() - began:.0f} s, exit {checked.returncode}")
    print("  " + (checked.stdout + checked.stderr).strip().replace("\n", "\n  "))


if __name__ == "__main__":
    main()
