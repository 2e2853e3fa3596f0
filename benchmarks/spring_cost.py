"""Calls, tokens and cost of a Crafter episode for each agent, as ``eval --dry-run`` estimates them: the table of
docs/spring.md.

    python benchmarks/spring_cost.py [--write]

``--write`` puts the table between the marks in docs/spring.md. Prices are those of today's table; a provider's cache
discount is given when every prompt but the first reads the marked prefix.
"""

from __future__ import annotations

import argparse
import datetime
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from embodibench import agents
from embodibench.cards import suites
from embodibench.models.base import Usage
from embodibench.models.resolve import choose

DOCUMENT = Path(__file__).parents[1] / "docs" / "spring.md"
BEGIN, END = "<!-- costs: benchmarks/spring_cost.py -->", "<!-- end of costs -->"
AGENTS = (
    "spring",
    "spring-modified-context",
    "spring-actions-only",
    "spring-no-context",
    "list-no-dag",
    "step-by-step",
    "spring-direct",
    "direct",
)
MODELS = ("gpt-4o", "gpt-4o-mini", "gpt-5.2", "claude-sonnet-5", "claude-opus-4-8")


def table(models: tuple[str, ...], today: datetime.date) -> str:
    """The table as Markdown."""
    card = suites.load("crafter").tasks[0].model_dump(mode="json")
    choices = [choose(name, today=today, environ={}) for name in models]
    names = [choice.identity.checkpoint for choice in choices]
    rows = [
        ["agent", "calls a step", "calls", "input tokens", "of them cached", "output tokens", *names],
        ["---", *["---:"] * (5 + len(names))],
    ]
    for name in AGENTS:
        expected = agents.make(name, {}).expected(card)
        assert expected is not None
        calls, tokens = expected.calls, (expected.input_tokens, expected.cached_tokens, expected.output_tokens)
        # One call is priced and multiplied: prices rise with the length of a request, not of an episode.
        plain = Usage(input=expected.input_tokens, output=expected.output_tokens)
        cached = replace(plain, cached=expected.cached_tokens)
        costs = [" / ".join(_dollars(choice.prices.cost(one), calls) for one in (plain, cached)) for choice in choices]
        counts = [f"{count:,}" for count in (calls, *(calls * each for each in tokens))]
        rows.append([f"`{name}`", str(expected.calls_per_step), *counts, *costs])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    source = f"genai-prices {metadata.version('genai-prices')}, {today.isoformat()}"
    return "\n".join([*lines, "", f"US dollars an episode without / with the provider's cache. Prices: {source}."])


def _dollars(cost: float | None, calls: int) -> str:
    return "?" if cost is None else f"{cost * calls:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Costs of the SPRING agents.")
    parser.add_argument("--write", action="store_true", help="put the table into docs/spring.md")
    parser.add_argument("--models", default=",".join(MODELS))
    arguments = parser.parse_args()
    made = table(tuple(arguments.models.split(",")), datetime.date.today())
    print(made)
    if arguments.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        DOCUMENT.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
