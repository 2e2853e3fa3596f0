"""Whether the costs of a result follow from its tokens, as far as they can be computed again."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from importlib import metadata

from embodibench.models.base import Usage
from embodibench.models.prices import Prices
from embodibench.models.table import model_table
from embodibench.results.schema import Episode, ModelSection, Result
from embodibench.submissions.findings import Finding
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

FREE = ("local", "recording", "stub")
"""Providers whose calls cost nothing."""
TOLERANCE = 1e-6


def cost_findings(result: Result) -> Iterator[Finding]:
    """Costs that cannot be true, and costs that cannot be checked."""
    model = result.model
    if model is None or model.provider in FREE:
        paid = [episode for episode in result.episodes if episode.cost]
        if paid:
            who = "a policy" if model is None else f"a {model.provider} model"
            yield found("cost", f"{_where(paid[0])}: its cost is {paid[0].cost}, and {who} costs nothing")
        return
    prices = _prices(result, model)
    if prices is None:
        if any(episode.cost is not None for episode in result.episodes):
            yield found("cost-unchecked", "its costs were computed with prices that are not known here")
        return
    for episode in result.episodes:
        problem = _problem(episode, prices)
        if problem:
            yield found("cost", f"{_where(episode)}: {problem}")
            return


def _problem(episode: Episode, prices: Prices) -> str:
    if episode.usage is None:
        return "" if episode.cost is None else "its tokens are unknown, and its cost is said to be known"
    if not episode.calls.prompts:
        return "" if not episode.cost else "it costs something without a call"
    low, high = _bounds(episode, prices)
    if low is None or high is None or episode.cost is None:
        known = "no price" if low is None else "a price"
        return (
            "" if low is None and episode.cost is None else f"its cost is {episode.cost}, the price table has {known}"
        )
    if low * (1 - TOLERANCE) - 1e-12 <= episode.cost <= high * (1 + TOLERANCE) + 1e-12:
        return ""
    return f"its cost is {episode.cost:.6g}, its tokens cost {low:.6g}" + ("" if high == low else f" to {high:.6g}")


def _bounds(episode: Episode, prices: Prices) -> tuple[float | None, float | None]:
    """The least and the most that the tokens of an episode can cost.

    Only the sums of cached and written tokens are recorded. Where the price of a call does not depend on the length of
    its prompt, the price of the sums is the sum of the prices, and both bounds are one.
    """
    usage = episode.usage
    assert usage is not None
    whole = prices.cost(Usage(**usage.model_dump()))
    many = prices.cost(Usage(**{name: count * 1000 for name, count in usage.model_dump().items()}))
    if whole is None or many is None:
        return None, None
    if math.isclose(many, 1000 * whole, rel_tol=1e-9):
        return whole, whole
    # Long prompts cost up to twice as much a token as short ones in the tables in use.
    return min(whole, many / 1000) / 2.5, max(whole, many / 1000) * 2.5


def _prices(result: Result, model: ModelSection) -> Prices | None:
    """The prices of a result, when its table is the one that is installed here and the address is the provider's."""
    table = f"genai-prices {metadata.version('genai-prices')}"
    if result.prices is None or result.prices.table != table or model.base_url is not None:
        return None
    if model.provider not in model_table().providers:
        return None
    try:
        day = datetime.date.fromisoformat(result.prices.day)
    except ValueError:
        return None
    prices = Prices(model.provider, model.checkpoint, day)
    return prices if prices.cost(Usage(input=1000, output=1000)) is not None else None


def _where(episode: Episode) -> str:
    return f"{shown(episode.task, 70)} trial {episode.trial}"
