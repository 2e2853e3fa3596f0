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
MAX_LOST = 1000.0
"""US dollars that a call may have cost which was lost when a run was killed."""
PRICES = "genai-prices"


def cost_findings(result: Result) -> Iterator[Finding]:
    """Costs that cannot be true, and costs that cannot be checked."""
    model, lost = result.model, result.run.lost
    free = model is None or model.provider in FREE
    most = 0.0 if free else MAX_LOST * lost.calls
    if (lost.cost or 0.0) > most or (model is None and lost.calls):
        yield found("cost", f"run.lost: {lost.calls} lost calls are said to have cost {lost.cost}")
    if model is None or model.provider in FREE:
        paid = [episode for episode in result.episodes if episode.cost]
        if paid:
            who = "a policy" if model is None else f"a {model.provider} model"
            yield found("cost", f"{_where(paid[0])}: its cost is {paid[0].cost}, and {who} costs nothing")
        return
    if _hides_prices(result, model):
        yield found(
            "cost", f"its prices are said to be unknown, and {_table()} has those of {shown(model.checkpoint, 80)}"
        )
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
    if result.prices is None or result.prices.table != _table():
        return None
    return _priced(model, result.prices.day)


def _hides_prices(result: Result, model: ModelSection) -> bool:
    """Whether a run knew what its calls cost, and says that it did not."""
    if result.prices is not None or result.environment.packages.get(PRICES) != metadata.version(PRICES):
        return False
    return _priced(model, result.run.created[:10]) is not None


def _priced(model: ModelSection, day: str) -> Prices | None:
    """The installed prices of a model at its provider's own address, on a day; None where there are none."""
    if model.base_url is not None or model.provider not in model_table().providers:
        return None
    try:
        prices = Prices(model.provider, model.checkpoint, datetime.date.fromisoformat(day))
    except ValueError:
        return None
    return prices if prices.cost(Usage(input=1000, output=1000)) is not None else None


def _table() -> str:
    """The price table that is installed here, as results name it."""
    return f"{PRICES} {metadata.version(PRICES)}"


def _where(episode: Episode) -> str:
    return f"{shown(episode.task, 70)} trial {episode.trial}"
