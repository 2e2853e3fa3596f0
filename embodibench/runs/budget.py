"""What a run may spend: calls and US dollars, with the worst case reserved before each call."""

from __future__ import annotations

from dataclasses import dataclass

from embodibench.agents.base import Stopped


@dataclass(slots=True)
class Budget:
    """Money and calls of a whole run, shared by its episodes.

    Attributes:
        max_cost: US dollars, None for no bound.
        max_calls: None for no bound.
        spent: US dollars known to be spent, calls lost at a crash included.
        calls: made so far.
        unpriced: calls whose price is unknown.
    """

    max_cost: float | None = None
    max_calls: int | None = None
    spent: float = 0.0
    calls: int = 0
    unpriced: int = 0
    _reserved: float = 0.0

    def reserve(self, worst: float | None) -> float:
        """Take one call and its worst cost out of the budget.

        Raises:
            Stopped: the call might break the budget.
        """
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise Stopped("budget", "max_calls", f"stopped after {self.calls} calls by --max-calls")
        amount = worst or 0.0
        if self.max_cost is not None and self.spent + self._reserved + amount > self.max_cost:
            raise Stopped(
                "budget", "max_cost", f"stopped at ${self.spent:.4f}: the next call could go beyond --max-cost"
            )
        self.calls += 1
        self._reserved += amount
        return amount

    def settle(self, reserved: float, cost: float | None) -> None:
        """Replace a reservation by what the call did cost."""
        self._reserved -= reserved
        if cost is None:
            self.unpriced += 1
        else:
            self.spent += cost
