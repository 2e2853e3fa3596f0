"""What a call through the harness takes above the bare SDK call, journal included, against an instant local server.

Run: python benchmarks/harness_overhead.py [calls]
The server runs in a process of its own. Rows are medians of five rounds, taken in turns; goal: 1 ms above the SDK.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path

from openai import AsyncOpenAI

from embodibench.models.base import Message, Parameters, prompt_digest
from embodibench.models.resolve import resolve
from embodibench.runs.budget import Budget
from embodibench.runs.journal import Journal
from embodibench.runs.replies import JournaledReplies

ROUNDS = 5
PROMPT = "You see grass. Which action do you take now? " * 40
REPLY = {
    "id": "x",
    "object": "chat.completion",
    "created": 0,
    "model": "instant",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Do"}}],
    "usage": {"prompt_tokens": 500, "completion_tokens": 1, "total_tokens": 501},
}


def serve(pipe: Connection) -> None:
    """Answer every request at once with the same reply."""
    body = json.dumps(REPLY).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                header = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in header.lower().split(b"\r\n")
                    if line.startswith(b"content-length")
                )
                await reader.readexactly(length)
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def measure(url: str, calls: int) -> dict[str, float]:
    """Milliseconds a call: the bare SDK, the model, and the model behind the journal."""
    sdk = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    model = resolve("openai/instant", today=date.today(), base_url=url).model
    messages = [Message.of("system", PROMPT), Message.of("user", PROMPT)]
    parameters = Parameters()
    wire = [{"role": message.role, "content": message.text} for message in messages]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        journal = Journal(Path(folder) / "journal.jsonl")
        replies = JournaledReplies(("task", 0), model, parameters, journal, Budget(), {}, "key")

        async def bare(_: int) -> object:
            return await sdk.chat.completions.create(
                model="instant",
                messages=wire,  # type: ignore[arg-type]
                max_completion_tokens=1024,
                temperature=0.0,
            )

        async def plain(_: int) -> object:
            return await model.generate(messages, parameters)

        async def whole(call: int) -> object:
            return await replies.reply(call, messages, prompt_digest(messages))

        async def disk(call: int) -> object:
            journal.append({"k": "intent", "task": "task", "trial": 0, "call": call, "prompt": "0" * 64, "worst": None})
            await journal.flushed()
            return None

        rows: dict[str, Callable[[int], Awaitable[object]]] = {
            "bare SDK": bare,
            "model": plain,
            "model and journal": whole,
            "one flush to disk": disk,
        }
        times: dict[str, list[float]] = {name: [] for name in rows}
        for function in rows.values():
            await function(0)
        for _ in range(ROUNDS):
            for name, function in rows.items():
                start = time.perf_counter()
                for call in range(calls):
                    await function(call)
                times[name].append(1000 * (time.perf_counter() - start) / calls)
        journal.close()
    await model.close()
    await sdk.close()
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    figures = asyncio.run(measure(f"http://127.0.0.1:{ours.recv()}/v1", calls))
    server.terminate()
    bare = figures["bare SDK"]
    print(f"{'':20}  ms a call  above the SDK")
    for name, value in figures.items():
        above = f"{value - bare:+.2f}" if name.startswith("model") else ""
        print(f"{name:20}  {value:9.2f}  {above:>13}")


if __name__ == "__main__":
    main()
