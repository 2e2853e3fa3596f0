"""A model's figure beside a reference's: when a difference may be called one, and rows for tables.

Two rules (facts behind them: docs of ``interval`` and ``quartiles``):

* Two figures differ only when both have an interval and the intervals share no point.
* The quartiles of a population are where its middle half lies. A model is *below* or *above* that middle half only when
  its whole interval is; the population's bar is no interval, and a model has no bar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from embodibench.scoring.interval import Estimate, Interval, NoInterval
from embodibench.scoring.quartiles import Quartiles

Verdict: TypeAlias = Literal["higher", "lower", "not different", "not compared"]
Position: TypeAlias = Literal["above", "below", "in or across", "not placed"]
Cell: TypeAlias = str | float | int | None


@dataclass(frozen=True)
class ReferenceFigure:
    """A reference's side of a row.

    Attributes:
        name: short name, as in ``baselines.references``.
        estimate: its figure, with its own interval and estimand, or the reason why there is none.
        quartiles: of a population of individuals, or None.
        spread: (low, high) between which 95 percent of single runs of the model's length lie, or None.
    """

    name: str
    label: str
    estimate: Estimate
    protocol: str
    caveat: str
    source: str
    quartiles: Quartiles | None = None
    spread: tuple[float, float] | None = None


@dataclass(frozen=True)
class ComparisonRow:
    """One line: a task or level, the model's figure, one reference's, and what may be said about the two."""

    task: str
    title: str
    model: Estimate
    reference: ReferenceFigure

    @property
    def verdict(self) -> Verdict:
        """The model's figure seen from the reference's: "higher" means that the model's is higher."""
        return verdict(self.model, self.reference.estimate)

    @property
    def position(self) -> Position:
        """Where the model's interval lies relative to the middle half of the reference's individuals."""
        if self.reference.quartiles is None or not isinstance(self.model.interval, Interval):
            return "not placed"
        return position(self.model.interval, self.reference.quartiles)

    def as_dict(self) -> dict[str, Cell]:
        """The row as plain data, for a table, CSV or JSON."""
        reference, bar = self.reference, self.reference.quartiles
        low, high = self.model.bounds() or (None, None)
        reference_low, reference_high = reference.estimate.bounds() or (None, None)
        return {
            "task": self.task,
            "title": self.title,
            "measure": self.model.name,
            "unit": self.model.unit,
            "model": self.model.value,
            "model_low": low,
            "model_high": high,
            "model_estimand": _about(self.model),
            "reference": reference.name,
            "reference_label": reference.label,
            "reference_value": reference.estimate.value,
            "reference_low": reference_low,
            "reference_high": reference_high,
            "reference_estimand": _about(reference.estimate),
            "reference_n": reference.estimate.n,
            "q25": bar.q25 if bar else None,
            "median": bar.median if bar else None,
            "q75": bar.q75 if bar else None,
            "run_low": reference.spread[0] if reference.spread else None,
            "run_high": reference.spread[1] if reference.spread else None,
            "verdict": self.verdict,
            "position": self.position,
            "protocol": reference.protocol,
            "caveat": reference.caveat,
            "source": reference.source,
        }


def verdict(first: Estimate, second: Estimate) -> Verdict:
    """What may be said of the first figure relative to the second.

    Raises:
        ValueError: when the units differ, so that nothing can be compared.
    """
    if first.unit != second.unit:
        raise ValueError(f"cannot compare {first.name} in {first.unit} with {second.name} in {second.unit}")
    if isinstance(first.interval, NoInterval) or isinstance(second.interval, NoInterval):
        return "not compared"
    if first.interval.overlaps(second.interval):
        return "not different"
    return "higher" if first.interval.low > second.interval.high else "lower"


def position(interval: Interval, bar: Quartiles) -> Position:
    """Where an interval lies relative to the bar between two quartiles; touching the bar is "in or across"."""
    if interval.low > bar.q75:
        return "above"
    return "below" if interval.high < bar.q25 else "in or across"


def _about(estimate: Estimate) -> str:
    interval = estimate.interval
    return interval.estimand if isinstance(interval, Interval) else f"no interval: {interval.reason}"
