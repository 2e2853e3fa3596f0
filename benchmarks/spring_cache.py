"""Paid input tokens of SPRING with and without cache marks, against a local server that bills as providers do.

    python benchmarks/spring_cache.py [--steps 10]

The server (tests/models/server.py) counts four characters a token. In OpenAI's format it finds the longest prefix that
it has seen, in blocks of 128 tokens from 1,024 on, with or without marks; in Anthropic's it goes by the marks. Tokens
read from the cache are charged at 0.5 (OpenAI, GPT-4o) or 0.1 (Anthropic) of the price of input, tokens written to it
at 1 or 1.25; "paid" is the sum in units of ordinary input tokens. The row "context last" moves the context behind
the observations, to show what the order of the prompt is worth.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace

from embodibench import agents, envs
from embodibench.agents.game import Limits, LiveGame, play
from embodibench.cards import suites
from embodibench.models.anthropic import AnthropicModel
from embodibench.models.base import Message, Model, Parameters, Reply, Usage
from embodibench.models.openai import OpenAIModel
from embodibench.models.resolve import resolve
from tests.agents.spring.test_cost import answer
from tests.models.server import KEY, Provider

FACTORS = {"openai": (0.5, 1.0), "anthropic": (0.1, 1.25)}
"""Dialect -> price of a token that is read from, and written to, the cache, in units of an input token."""


class Asking:
    """Replies of a model, with the prompts changed before they are sent."""

    def __init__(self, model: Model, form: str) -> None:
        self.model = model
        self.form = form
        self.usage = Usage()
        self.calls = 0

    async def reply(self, call: int, messages: Sequence[Message], prompt: str) -> Reply:
        if self.form != "marked":
            messages = [replace(message, cache=False) for message in messages]
        if self.form == "context last":
            rules, user = messages[0].text, messages[1].text
            seen, mark, rest = user.partition("\n\nQuestion: ")
            messages = [
                Message.of("system", "You advise a player."),
                Message.of("user", f"{seen}\n\n{rules}{mark}{rest}"),
            ]
        reply = await self.model.generate(messages, Parameters(), cache_key="benchmark")
        self.calls += 1
        assert reply.usage is not None
        self.usage += reply.usage
        return reply


async def measure(dialect: str, form: str, agent_name: str, steps: int) -> tuple[Usage, int]:
    """Usage and calls of the first steps of an episode."""
    import datetime

    with Provider(answer) as provider:
        name, url = ("openai/any", provider.openai_url) if dialect == "openai" else ("anthropic/any", provider.url)
        environ = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
        model = resolve(name, today=datetime.date.today(), base_url=url, environ=environ).model
        assert isinstance(model, OpenAIModel | AnthropicModel)
        asking = Asking(model, form)
        task = suites.load("crafter").tasks[0]
        with contextlib.closing(envs.make(task.environment.kind, task.environment.parameters)) as environment:
            game = LiveGame(
                task, 0, environment, asking, fingerprint_every=10, stream="benchmark", limits=Limits(max_steps=steps)
            )
            await play(agents.make(agent_name, {}), game)
        await model.close()
        return asking.usage, asking.calls


def main() -> None:
    parser = argparse.ArgumentParser(description="Paid input tokens with and without cache marks.")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--agent", default="spring")
    arguments = parser.parse_args()
    print("| wire | prompt | calls | input | cached | written | paid | of input |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for dialect in ("openai", "anthropic"):
        for form in ("marked", "not marked", "context last"):
            usage, calls = asyncio.run(measure(dialect, form, arguments.agent, arguments.steps))
            read, written = FACTORS[dialect]
            plain = usage.input - usage.cached - usage.cache_write
            paid = plain + read * usage.cached + written * usage.cache_write
            counts = f"{usage.input:,} | {usage.cached:,} | {usage.cache_write:,} | {paid:,.0f}"
            print(f"| {dialect} | {form} | {calls} | {counts} | {paid / usage.input:.0%} |", flush=True)


if __name__ == "__main__":
    main()
