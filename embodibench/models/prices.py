"""What a call costs, by the dated price table of the package ``genai-prices``.

A price is taken as of a date, so that a result can be priced again and come out the same. An unknown price is None,
never a guess and never an error.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from importlib import metadata

from embodibench.canonical import Json
from embodibench.models.base import Usage


@dataclass(frozen=True, slots=True)
class Free:
    """The prices of a model that runs on the user's own machine."""

    def to_json(self) -> dict[str, Json]:
        """No table."""
        return {}

    def cost(self, usage: Usage | None) -> float | None:
        """Nothing."""
        return 0.0

    def worst(self, input_tokens: int, output_tokens: int) -> float | None:
        """Nothing."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of one model on one day.

    Attributes:
        provider: as ``genai-prices`` names it, or None to go by the address of the server.
        model: checkpoint.
        day: prices are those of this date.
        base_url: of the server asked; used when ``provider`` is None.
    """

    provider: str | None
    model: str
    day: datetime.date
    base_url: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Name, version and date of the table, as recorded in a result."""
        return {"table": f"genai-prices {metadata.version('genai-prices')}", "day": self.day.isoformat()}

    def cost(self, usage: Usage | None) -> float | None:
        """US dollars, or None when the usage or the price is unknown.

        ``genai-prices`` counts input as we do: cached tokens and tokens written to the cache are part of it, and each
        part is charged at its own price. Tokens that stay in the cache for an hour have a higher one.
        """
        if usage is None:
            return None
        from genai_prices import Usage as PricedUsage
        from genai_prices import calc_price

        if self.provider is None and self.base_url is None:
            return None
        noon = datetime.datetime.combine(self.day, datetime.time(12), tzinfo=datetime.UTC)
        # More cached tokens than tokens cannot be priced; a server that says so is taken at its word for the input.
        cached = min(usage.cached, usage.input)
        written = min(usage.cache_write, usage.input - cached)
        hour = min(usage.cache_write_hour, written)
        priced = PricedUsage(
            input_tokens=usage.input,
            cache_read_tokens=cached,
            cache_write_tokens=written,
            cache_write_5m_tokens=written - hour,
            cache_write_1h_tokens=hour,
            output_tokens=usage.output,
        )
        try:
            if self.provider is not None:
                price = calc_price(priced, self.model, provider_id=self.provider, genai_request_timestamp=noon)
            else:
                price = calc_price(priced, self.model, provider_api_url=self.base_url, genai_request_timestamp=noon)
        except (LookupError, ValueError):
            return None
        return float(price.total_price)

    def worst(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars at the dearest price the input can have: nothing cached, or all of it written to the cache."""
        usages = [
            Usage(input=input_tokens, output=output_tokens),
            Usage(input=input_tokens, cache_write=input_tokens, output=output_tokens),
        ]
        costs = [cost for usage in usages if (cost := self.cost(usage)) is not None]
        return max(costs) if costs else None
