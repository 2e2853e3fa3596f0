"""Does every printed interval hold its truth in 95 of 100 repetitions? Simulated with known truths.

    python benchmarks/interval_coverage.py [--repetitions 2000] [--only crafter]

Each line is one interval of the product under one truth: how often it was printed, how often the printed ones held
their stated estimand, and their mean width. Accepted is 92 to 98 percent, give or take two standard errors of the
simulation. Lines marked "for contrast" are methods that the product does not use. Truths are made from the tables in
``baselines/``; how is said at each in ``coverage_truths.py``. The whole table takes about five minutes.

With EMBODIBENCH_REFERENCE_DATA, the 100 recorded human episodes of Crafter are a truth of their own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from coverage_truths import (
    atari_truths,
    children,
    crafter_truths,
    many_games,
    normal_games,
    task_pairs,
    task_populations,
)
from crafter_human import log_score_error

from embodibench.scoring import aggregates, crafter
from embodibench.scoring.bootstrap import bootstrap_statistics, percentile_bounds
from embodibench.scoring.interval import Estimate, Interval
from embodibench.scoring.paired import compare_paired, compare_paired_values
from embodibench.scoring.pass_rates import pass_rate
from embodibench.scoring.run_intervals import iqm_score, mean_score
from embodibench.scoring.t_interval import t_interval, t_quantile

ACCEPTED = (0.92, 0.98)


@dataclass(frozen=True)
class Line:
    """One row of the table; fractions. ``held`` is None where no interval was printed."""

    interval: str
    truth: str
    design: str
    printed: float
    held: float | None
    width: float
    repetitions: int
    contrast: bool = False

    @property
    def accepted(self) -> bool:
        """In the accepted band, rarely printed (below 5 percent of repetitions), or only for contrast."""
        if self.contrast or self.held is None or self.printed < 0.05:
            return True
        slack = 2 * (0.05 * 0.95 / (self.printed * self.repetitions)) ** 0.5
        return ACCEPTED[0] - slack <= self.held <= ACCEPTED[1] + slack


def measure(
    what: str,
    truth: str,
    design: str,
    target: float,
    repetitions: int,
    draw: Callable[[], object],
    contrast: bool = False,
) -> Line:
    """Draw intervals (or None, or NoInterval) and count how often they hold ``target``."""
    held, widths = 0, []
    for _ in range(repetitions):
        interval = draw()
        if isinstance(interval, Estimate):
            interval = interval.interval
        if isinstance(interval, Interval):
            # Bounds and truth are rounded alike, so that a truth of exactly 0 or 1 is not lost to the last bit.
            held += interval.low - 1e-12 <= target <= interval.high + 1e-12
            widths.append(interval.high - interval.low)
    printed = len(widths)
    share = held / printed if printed else None
    return Line(
        what,
        truth,
        design,
        printed / repetitions,
        share,
        float(np.mean(widths)) if widths else 0.0,
        repetitions,
        contrast,
    )


def pass_rate_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """Tasks drawn from a population of difficulties; estimand: the population's mean."""
    for truth, population in task_populations().items():
        for tasks, trials in ((40, 3), (20, 3), (40, 1), (20, 1)):

            def draw(population: np.ndarray = population, tasks: int = tasks, trials: int = trials) -> object:
                difficulty = rng.choice(population, tasks)
                return pass_rate(rng.binomial(trials, difficulty), np.full(tasks, trials)).estimate

            yield measure("pass rate", truth, f"{tasks} x {trials}", float(population.mean()), repetitions, draw)


def paired_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """Two results on the same drawn tasks; estimand: difference of the populations' means."""
    for truth, (first, second) in task_pairs().items():
        for tasks, trials in ((40, 3), (20, 3), (40, 1)):

            def draw(
                first: np.ndarray = first, second: np.ndarray = second, tasks: int = tasks, trials: int = trials
            ) -> object:
                chosen = rng.integers(0, first.size, tasks)
                planned = np.full(tasks, trials)
                one, two = rng.binomial(trials, first[chosen]), rng.binomial(trials, second[chosen])
                return compare_paired(one, planned, two, planned).difference

            target = float(first.mean() - second.mean())
            yield measure("paired difference", truth, f"{tasks} x {trials}", target, repetitions, draw)


def children_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """59 children resampled from the 59; estimand: their mean."""
    for column, values in children().items():

        def draw(values: np.ndarray = values) -> object:
            return t_interval(rng.choice(values, values.size), "mean over children", bounds=(0.0, 1.0))

        yield measure("children's mean", column, "59 children", float(values.mean()), repetitions, draw)


def crafter_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """Episodes of an agent; estimands: mean progress, expected score of n episodes."""
    for truth, draw_episodes in crafter_truths(rng).items():
        many = draw_episodes(200_000)
        progress = float(crafter.progress_by_episode(many).mean())
        for n in (10, 20):
            runs = many[: 200_000 // n * n].reshape(-1, n, many.shape[1])
            expected = float(np.expm1(np.log1p(100.0 * runs.mean(axis=1)).mean(axis=1)).mean())
            design = f"{n} episodes"

            def draw_progress(n: int = n, draw_episodes: Callable[[int], np.ndarray] = draw_episodes) -> object:
                values = crafter.progress_by_episode(draw_episodes(n))
                return t_interval(
                    values, crafter.PROGRESS_ESTIMAND, bounds=(0, 100), minimum=crafter.MIN_EPISODES, skewed=True
                )

            def draw_reward(n: int = n, draw_episodes: Callable[[int], np.ndarray] = draw_episodes) -> object:
                table = draw_episodes(n)
                values = table.sum(axis=1) - 0.9 * (rng.random(n) < 0.5)
                return crafter.summarise(table, n, values).reward

            def draw_score(n: int = n, draw_episodes: Callable[[int], np.ndarray] = draw_episodes) -> object:
                return crafter.score_interval(draw_episodes(n))

            def draw_difference(n: int = n, draw_episodes: Callable[[int], np.ndarray] = draw_episodes) -> object:
                one, two = (crafter.progress_by_episode(draw_episodes(n)) for _ in range(2))
                return compare_paired_values(one, two, "percent")

            def draw_percentile(n: int = n, draw_episodes: Callable[[int], np.ndarray] = draw_episodes) -> object:
                table = draw_episodes(n)
                counts = table[rng.integers(0, n, (500, n))].mean(axis=1)
                low, high = percentile_bounds(np.expm1(np.log1p(100.0 * counts).mean(axis=1)))
                return Interval(low, high, "percentile bootstrap", "")

            yield measure("Crafter progress", truth, design, progress, repetitions, draw_progress)
            # +1 for an unlock, and -0.9 for the health that is lost by those (here half of them) that die.
            reward = 0.22 * progress - 0.45
            yield measure("Crafter reward", truth, design, reward, repetitions // 4, draw_reward)
            yield measure("Crafter progress, paired", truth, design, 0.0, repetitions, draw_difference)
            yield measure("Crafter score of n", truth, design, expected, repetitions, draw_score)
            contrast = measure(
                "  percentile bootstrap", truth, design, expected, repetitions // 4, draw_percentile, True
            )
            yield contrast


def human_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """A record of 100 human episodes; estimand: what n new ones are expected to score."""
    draw_episodes = crafter_truths(rng)["human"]
    many = draw_episodes(200_000)
    for n in (10, 50):
        expected = float(_scores(many.reshape(-1, n, many.shape[1])).mean())

        def draw(n: int = n) -> object:
            record = draw_episodes(100)
            value = float(np.log1p(_scores(record[rng.integers(0, 100, (1000, n))]).mean()))
            half = t_quantile(99) * log_score_error(record, n)
            return Interval(float(np.expm1(value - half)), float(np.expm1(value + half)), "", "")

        yield measure("human score of n", "human", f"{n} of 100 episodes", expected, repetitions // 4, draw)


def _scores(runs: np.ndarray) -> np.ndarray:
    return np.asarray(np.expm1(np.log1p(100.0 * runs.mean(axis=1)).mean(axis=1)))


def atari_lines(repetitions: int, rng: np.random.Generator) -> Iterator[Line]:
    """Seeds on fixed games, human-normalised; estimand: mean over new seeds, IQM over new seeds."""
    for truth, draw_runs in atari_truths(rng).items():
        target = float(draw_runs(400_000).mean())
        for runs in (3, 10, 30, 40):

            def draw(runs: int = runs, draw_runs: Callable[[int], np.ndarray] = draw_runs) -> object:
                return mean_score(draw_runs(runs), "fraction")

            yield measure("mean of games", truth, f"{runs} x 4", target, repetitions, draw)

        def draw_anyway(draw_runs: Callable[[int], np.ndarray] = draw_runs) -> object:
            return t_interval(draw_runs(3).mean(axis=1), "", minimum=2)

        yield measure("  t at 3 runs", truth, "3 x 4", target, repetitions, draw_anyway, True)
    for truth, draw_runs in {**many_games(rng), **normal_games(rng)}.items():
        for runs in (3, 10, 20):
            games = draw_runs(1).shape[1]
            target = float(np.mean([aggregates.iqm(draw_runs(runs)) for _ in range(20_000)]))

            def draw_iqm(runs: int = runs, draw_runs: Callable[[int], np.ndarray] = draw_runs) -> object:
                return iqm_score(draw_runs(runs), "fraction", rng, resamples=500)

            def draw_rliable(runs: int = runs, draw_runs: Callable[[int], np.ndarray] = draw_runs) -> object:
                values = bootstrap_statistics(draw_runs(runs), aggregates.iqm, rng, 500)
                return Interval(*percentile_bounds(values), "percentile", "")

            yield measure("IQM of games", truth, f"{runs} x {games}", target, repetitions, draw_iqm)
            design = f"{runs} x {games}"
            yield measure("  percentile bootstrap", truth, design, target, repetitions // 4, draw_rliable, True)


GROUPS: dict[str, Callable[[int, np.random.Generator], Iterator[Line]]] = {
    "pass-rates": pass_rate_lines,
    "paired": paired_lines,
    "children": children_lines,
    "crafter": crafter_lines,
    "human": human_lines,
    "atari": atari_lines,
}


def main() -> int:
    """Print the table; 1 if a line is outside the accepted band."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--only", choices=GROUPS)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{'interval':26} {'truth':34} {'design':42} {'printed':>8} {'held':>7} {'width':>8}")
    outside = 0
    for name, lines in GROUPS.items():
        if arguments.only not in (None, name):
            continue
        for line in lines(arguments.repetitions, np.random.default_rng(arguments.seed)):
            held = "-" if line.held is None else f"{100 * line.held:.1f} %"
            note = "for contrast" if line.contrast else "" if line.accepted else "OUTSIDE"
            outside += not line.accepted
            columns = f"{line.interval:26} {line.truth:34} {line.design:42} {100 * line.printed:6.0f} %"
            print(f"{columns} {held:>7} {line.width:8.3f} {note}".rstrip(), flush=True)
    print(f"{outside} lines outside 92-98 percent")
    return int(outside > 0)


if __name__ == "__main__":
    sys.exit(main())
