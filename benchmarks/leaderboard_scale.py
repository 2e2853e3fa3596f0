"""The leaderboard from thousands of submissions: time and peak memory of ``embodibench leaderboard build``.

    python -m benchmarks.leaderboard_scale [--submissions 10000] [--work FOLDER] [--no-site]

Each submission is a full aai40 result of 120 episodes: a run of the random policy that is played here, with
other outcomes, tokens and costs, with the metrics that follow from them, and with an accepted verdict. They are made
first, which is not timed. The board is built twice: with nothing kept, and with what the first build kept by the hashes
of result, statements and verdict, as one is that is built every night. Both must give the same bytes. Memory is the sum
of the resident sets of the command and its processes, sampled ten times a second; pages that they share count several
times, so the true peak is lower.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from embodibench import __version__
from embodibench.cards import suites
from embodibench.leaderboard.figures import current_metrics
from embodibench.leaderboard.records import Calls, Episode, Record, Usage
from embodibench.submissions.metadata import Metadata, metadata_bytes
from embodibench.submissions.verdict_files import EpisodeVerdict, Rerun, VerdictFile, verdict_bytes

GOAL_SECONDS, GOAL_BYTES = 60, 2_000_000_000
MODELS = 200
"""Different names of models among the submissions."""
CALLS = 10
VARIED = ("success", "cost", "usage", "calls")
"""Fields of an episode that differ between the submissions."""
PAGE = os.sysconf("SC_PAGE_SIZE")


def play(work: Path) -> dict[str, Any]:
    """A real result: the random policy on aai40."""
    out = work / "run"
    if not (out / "result.json").exists():
        words = ["eval", "--model", "policy/random", "--suite", "aai40", "--out", str(out), "--yes"]
        subprocess.run([sys.executable, "-m", "embodibench", *words], check=True, stdout=subprocess.DEVNULL)
    result: dict[str, Any] = json.loads((out / "result.json").read_bytes())
    return result


def make(work: Path, count: int) -> None:
    """Write ``count`` submissions and verdicts below ``work``, unless they are there."""
    mark = work / "made"
    if mark.exists() and mark.read_text() == str(count):
        return
    base = play(work)
    suite = suites.load(base["benchmark"]["suite"])
    episodes = base.pop("episodes")
    # What stays the same is written once; what varies is put behind it.
    fixed = [{key: value for key, value in episode.items() if key not in VARIED} for episode in episodes]
    texts = [json.dumps(episode, separators=(",", ":"))[:-1] for episode in fixed]
    light = msgspec.json.decode((work / "run" / "result.json").read_bytes(), type=Record).episodes
    verdicts = tuple(
        EpisodeVerdict(task=e["task"], trial=e["trial"], world="identical", protocol="identical") for e in episodes
    )
    (work / "verdicts").mkdir(parents=True, exist_ok=True)
    rng = np.random.Generator(np.random.PCG64(1))
    for number in range(count):
        skill = rng.beta(1.2, 1.5)
        varied = [_varied(rng, skill) for _ in episodes]
        changed = [_light(episode, new) for episode, new in zip(light, varied, strict=True)]
        base["metrics"] = current_metrics(suite, changed)
        base["model"] = _model(number)
        base["agent"] |= {"name": "react", "prompts": "synthetic", "parser": "synthetic"}
        lines = (
            text + "," + json.dumps(new, separators=(",", ":"))[1:] for text, new in zip(texts, varied, strict=True)
        )
        head = json.dumps(base, indent=1)
        _write(work, number, (head[:-2] + ',\n "episodes": [\n' + ",\n".join(lines) + "\n ]\n}\n").encode(), verdicts)
    mark.write_text(str(count))


def _varied(rng: np.random.Generator, skill: float) -> dict[str, Any]:
    tokens = int(rng.integers(2_000, 60_000))
    bad = int(rng.integers(0, 4))
    hashes = [rng.bytes(12).hex()[:16] for _ in range(2 * CALLS)]
    usage = {"input": tokens, "cached": tokens // 2, "cache_write": 0, "output": tokens // 10, "reasoning": 0}
    return {
        "success": bool(rng.random() < skill),
        "cost": round(tokens / 400_000, 6),
        "usage": {**usage, "cache_write_hour": 0},
        "calls": {
            "prompts": hashes[:CALLS],
            "replies": hashes[CALLS:],
            "outcomes": [["ok", CALLS - bad], ["invalid", bad]] if bad else [["ok", CALLS]],
            "steps": [[10, CALLS]],
            "input_tokens": [tokens // CALLS] * (CALLS - 1) + [tokens - tokens // CALLS * (CALLS - 1)],
            "output_tokens": [tokens // 10 // CALLS] * (CALLS - 1)
            + [tokens // 10 - tokens // 10 // CALLS * (CALLS - 1)],
        },
    }


def _light(episode: Episode, new: dict[str, Any]) -> Episode:
    calls, usage = (msgspec.convert(new[name], kind) for name, kind in (("calls", Calls), ("usage", Usage)))
    return msgspec.structs.replace(episode, success=new["success"], cost=new["cost"], usage=usage, calls=calls)


def _model(number: int) -> dict[str, Any]:
    name = f"synthetic-{number % MODELS:03d}"
    words = {"provider": "openai", "requested": name, "checkpoint": name, "base_url": None, "sdk": None, "asked": {}}
    return {**words, "sent": [], "not_sent": {}, "returned": [name], "system_fingerprints": []}


def _write(work: Path, number: int, data: bytes, verdicts: tuple[EpisodeVerdict, ...]) -> None:
    sha256 = hashlib.sha256(data).hexdigest()
    metadata = Metadata(
        result=sha256,
        date=f"2026-{1 + number % 11:02d}-{1 + number % 28:02d}",
        submitter=f"Team {number % 50}",
        contact="team@example.org",
        description="Made to measure the leaderboard.",
        attempts=1 + number % 3,
        trained_on_suite="unknown",
    )
    name = f"{metadata.date}_synthetic-{number % MODELS:03d}_react_{sha256[:8]}"
    folder = work / "submissions" / "aai40@1" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_bytes(data)
    (folder / "metadata.yaml").write_bytes(metadata_bytes(metadata))
    verdict = VerdictFile(
        result=sha256,
        submission=f"aai40@1/{name}",
        accepted=True,
        trust="re-run" if number % 3 == 2 else "replayed",
        date="2026-12-01",
        package_version=__version__,
        episodes=verdicts,
        rerun=Rerun(date="2026-12-01", trials=40, statistic="mcnemar-exact", p_value=1.0, agrees=True)
        if number % 3 == 2
        else None,
    )
    (work / "verdicts" / f"{sha256}.json").write_bytes(verdict_bytes(verdict))


def measure(words: list[str]) -> tuple[float, float, int]:
    """Wall time and processor time in seconds, and peak memory in bytes, of a command and its processes.

    Raises:
        CalledProcessError: it failed.
    """
    begin, before, peak = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN), 0
    with subprocess.Popen(words) as process:
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(0.1)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begin, spent, peak


def _resident(pid: int) -> int:
    """Bytes in memory of a process and all below it (Linux); 0 for one that has gone."""
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
        below = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return 0
    return own + sum(_resident(child) for child in below)


def main() -> None:
    """Make what is missing, build, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--work", type=Path, help="folder for what is made; kept, and used again")
    parser.add_argument("--no-site", action="store_true", help="tables and dataset only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        make(work, arguments.submissions)
        held = sum(path.stat().st_size for path in (work / "submissions").rglob("result.json"))
        print(f"{arguments.submissions:,} submissions, {held / 1e9:.1f} GB of results", flush=True)
        place = work / f"boards-{time.time_ns()}"
        words = ["leaderboard", "build", "--submissions", str(work / "submissions"), "--verdicts"]
        # Pictures are drawn once and kept by a real board; drawing those of 10,000 runs is another measurement.
        words += [str(work / "verdicts"), "--cache", str(place / "kept"), "--pictures", "none"]
        words += ["--raw", "https://example.org/"] + (["--no-site"] if arguments.no_site else [])
        print(f"goal {GOAL_SECONDS} s with what is kept, bound {GOAL_BYTES / 1e9:.0f} GB, {os.cpu_count()} cores")
        digests = []
        for name in ("nothing kept", "kept"):
            out = place / f"board, {name}"
            seconds, spent, peak = measure([sys.executable, "-m", "embodibench", *words, "--out", str(out)])
            print(f"{name:<12} {seconds:6.1f} s, {spent:6.1f} s of the processor, peak {peak / 1e9:.2f} GB", flush=True)
            digests.append(_digest(out))
        print("same bytes" if digests[0] == digests[1] else "OTHER BYTES")
        for path in sorted(out.rglob("*.parquet")):
            print(f"  {path.relative_to(out)}: {path.stat().st_size / 1e6:.1f} MB")
        shutil.rmtree(place)


def _digest(folder: Path) -> str:
    """Of names and contents of all files in it."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
