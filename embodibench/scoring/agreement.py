"""Whether two plays of the same trials can be plays of one player. Paired by trial; no I/O, no state.

Null hypothesis: in each trial the two plays are exchangeable, that is, drawn from one distribution, which may differ
between trials. Both tests are exact under it, however hard the trials are, and both are two-sided.

- Passed or not: only trials that one play passed and the other did not say anything. Given that there are d of them,
  the number that the first play passed is Binomial(d, 1/2): exact McNemar test (Q. McNemar 1947, Psychometrika 12).
- Real values: given the sizes of the differences, all their signs are equally likely: sign-flip (permutation) test of
  the sum of differences (R. A. Fisher 1935, The Design of Experiments, section 21).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

ALPHA = 0.01
"""The rule: two plays agree when p is at least this. It is an upper bound of the rate of false alarms."""

STATES = 200_000
"""Sums up to which the sign-flip distribution is enumerated; beyond, it is drawn."""

DRAWS = 100_000
"""Sign-flips that are drawn where there are too many to enumerate."""

Statistic: TypeAlias = Literal["mcnemar-exact", "sign-flip-exact", "sign-flip-drawn", "policy-replay"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The outcome of a test.

    Attributes:
        p_value: probability, under the null hypothesis, of a difference as large or larger; in (0, 1].
        mid_p: the same with outcomes just as large counted half. Reported, not used by the rule: its false alarms may
            be more than ``ALPHA``.
        first_higher, second_higher: trials in which the one play did better.
        trials: all trials that were compared.
    """

    statistic: Statistic
    p_value: float
    mid_p: float
    first_higher: int
    second_higher: int
    trials: int

    @property
    def agrees(self) -> bool:
        """Whether the rule holds."""
        return self.p_value >= ALPHA


def compare_passes(first: Sequence[bool], second: Sequence[bool]) -> Agreement:
    """Exact McNemar test of two plays, passed or not, shape (trials,), same order.

    Raises:
        ValueError: for different lengths, or no trials.
    """
    _refuse_unpaired(first, second)
    ahead = sum(one and not two for one, two in zip(first, second, strict=True))
    behind = sum(two and not one for one, two in zip(first, second, strict=True))
    p_value, mid_p = mcnemar(ahead, behind)
    return Agreement("mcnemar-exact", p_value, mid_p, ahead, behind, len(first))


def compare_values(first: Sequence[float], second: Sequence[float], rng: np.random.Generator) -> Agreement:
    """Sign-flip test of two plays by a real value, shape (trials,), same order, any unit.

    Args:
        rng: draws signs where there are more than ``STATES`` sums to enumerate.

    Raises:
        ValueError: for different lengths, no trials, or values that are not finite.
    """
    _refuse_unpaired(first, second)
    if not all(map(math.isfinite, (*first, *second))):
        raise ValueError("values must be finite")
    # Fractions, since sums of floats depend on their order, and a tie must be a tie.
    differences = [Fraction(one) - Fraction(two) for one, two in zip(first, second, strict=True)]
    ahead, behind = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    sizes = [abs(d) for d in differences if d != 0]
    total = abs(sum(differences, Fraction(0)))
    counts = _sums(sizes)
    if counts is None:
        p_value, mid_p = _drawn(sizes, total, rng)
        return Agreement("sign-flip-drawn", p_value, mid_p, ahead, behind, len(first))
    larger = sum(count for value, count in counts.items() if abs(value) > total)
    same = sum(count for value, count in counts.items() if abs(value) == total)
    flips = 2 ** len(sizes)
    p_value, mid_p = float(Fraction(larger + same, flips)), float(Fraction(2 * larger + same, 2 * flips))
    return Agreement("sign-flip-exact", p_value, mid_p, ahead, behind, len(first))


def mcnemar(ahead: int, behind: int) -> tuple[float, float]:
    """Two-sided exact p and mid-p of so many trials that only the first, and only the second play passed."""
    trials = ahead + behind
    if trials == 0:
        return 1.0, 1.0
    distance = abs(ahead - behind)
    larger = sum(math.comb(trials, k) for k in range(trials + 1) if abs(2 * k - trials) > distance)
    same = sum(math.comb(trials, k) for k in range(trials + 1) if abs(2 * k - trials) == distance)
    return float(Fraction(larger + same, 2**trials)), float(Fraction(2 * larger + same, 2 ** (trials + 1)))


def caught(trials: int, only_first: float, only_second: float) -> float:
    """How often the rule finds disagreement among ``trials`` independent trials: an exact sum over all outcomes.

    Args:
        only_first, only_second: probabilities that a trial is passed by the one play alone. Equal ones give the rate of
            false alarms.
    """
    neither = 1.0 - only_first - only_second
    terms = []
    for ahead in range(trials + 1):
        for behind in range(trials + 1 - ahead):
            if mcnemar(ahead, behind)[0] < ALPHA:
                rest = trials - ahead - behind
                ways = math.comb(trials, ahead) * math.comb(trials - ahead, behind)
                terms.append(ways * only_first**ahead * only_second**behind * neither**rest)
    return math.fsum(terms)


def caught_independent(trials: int, claimed: float, true: float) -> float:
    """``caught`` when every trial is passed with probability ``claimed`` by the first play, ``true`` by the second."""
    return caught(trials, claimed * (1 - true), true * (1 - claimed))


def caught_deterministic(trials: int, claimed: float, true: float) -> float:
    """``caught`` when the model always answers alike, so that only the trials that were tampered with differ."""
    return caught(trials, max(claimed - true, 0.0), max(true - claimed, 0.0))


def _sums(sizes: Sequence[Fraction]) -> dict[Fraction, int] | None:
    """Sum -> number of sign choices that give it; None when there are more than ``STATES`` sums."""
    counts = {Fraction(0): 1}
    for size in sizes:
        longer: dict[Fraction, int] = {}
        for value, count in counts.items():
            for signed in (value + size, value - size):
                longer[signed] = longer.get(signed, 0) + count
        if len(longer) > STATES:
            return None
        counts = longer
    return counts


def _drawn(sizes: Sequence[Fraction], total: Fraction, rng: np.random.Generator) -> tuple[float, float]:
    """p and mid-p from drawn signs; the outcome itself counts as one draw, so that p is never too small."""
    signs = rng.integers(0, 2, size=(DRAWS, len(sizes))) * 2 - 1
    sums = np.abs(signs @ np.array([float(size) for size in sizes]))
    # Sums of floats are not exact: what is as large up to rounding counts as large, in favour of agreement.
    slack = 1e-9 * float(sum(sizes, Fraction(0)))
    larger = int((sums > float(total) + slack).sum())
    same = int((np.abs(sums - float(total)) <= slack).sum())
    return (larger + same + 1) / (DRAWS + 1), (larger + (same + 1) / 2) / (DRAWS + 1)


def _refuse_unpaired(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second) or not first:
        raise ValueError("both plays need one value for each of the same trials")
