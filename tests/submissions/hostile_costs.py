"""Changes of what a result says of its costs."""

from __future__ import annotations

from typing import Any

from tests.submissions.bases import Copy
from tests.submissions.hostile import hostile


def priced(copy: Copy) -> None:
    """The calls are those of a model with a price."""
    from importlib import metadata

    from embodibench.models.base import Usage
    from embodibench.models.prices import Prices
    from embodibench.submissions.dates import _stamp

    created = _stamp(copy.data["run"]["created"])
    assert created is not None
    prices = Prices("openai", "gpt-4o-2024-11-20", created.date())
    words: dict[str, Any] = {"provider": "openai", "requested": "gpt-4o", "checkpoint": "gpt-4o-2024-11-20"}
    copy.data["model"] |= {**words, "returned": ["gpt-4o-2024-11-20"], "sdk": "openai 3.57.0"}
    table = f"genai-prices {metadata.version('genai-prices')}"
    copy.data["prices"] = {"table": table, "day": created.date().isoformat()}
    for episode in copy.episodes:
        episode["cost"] = prices.cost(Usage(**episode["usage"]))


@hostile("cost", base="model")
def half_the_cost(copy: Copy) -> None:
    priced(copy)
    copy.episodes[0]["cost"] /= 2


@hostile("cost", base="model")
def cost_of_a_model_that_is_free(copy: Copy) -> None:
    copy.episodes[0]["cost"] = 0.01


@hostile("cost")
def cost_of_a_policy(copy: Copy) -> None:
    copy.episodes[0]["cost"] = 0.01


@hostile("cost", base="model")
def cost_that_is_hidden(copy: Copy) -> None:
    priced(copy)
    copy.episodes[0]["cost"] = None


@hostile("cost", base="model")
def prices_that_are_hidden(copy: Copy) -> None:
    priced(copy)
    copy.data["prices"] = None
    for episode in copy.episodes:
        episode["cost"] = None


@hostile("cost", base="model")
def lost_calls_that_cost_a_fortune(copy: Copy) -> None:
    priced(copy)
    copy.data["run"]["lost"] = {"calls": 1, "cost": 1e300}


@hostile("cost")
def lost_calls_of_a_policy(copy: Copy) -> None:
    copy.data["run"]["lost"] = {"calls": 3, "cost": 0.0}
