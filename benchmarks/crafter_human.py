"""Derive the human Crafter tables of ``baselines/`` from the published record of 100 human episodes.

    python benchmarks/crafter_human.py crafter_reward-human.json baselines/

The record is danijar/crafter@e04542a scores/crafter_reward-human.json; it is not redistributed here. Written are
``crafter_human_groups.csv`` (rates per group, 5 x 22) and ``crafter_human_expected.csv`` (what a run of n of these
episodes is expected to score, n = 1..100).
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from embodibench.scoring.crafter import ACHIEVEMENTS, binomial_probabilities, progress_by_episode
from embodibench.scoring.t_interval import t_quantile

RESAMPLES = 40_000
LARGEST = 100
SOURCE = "derived from danijar/crafter@e04542a scores/crafter_reward-human.json by benchmarks/crafter_human.py"
PROTOCOL = "human experts, 5 groups of 20 episodes, played to the end"
PROVENANCE = ("n", "n_of", "unit", "protocol", "caveat", "source")


def main(record: str, folder: str) -> None:
    """Write both tables."""
    groups = json.loads(Path(record).read_text(encoding="utf-8"))
    unlocked = [np.array([group[f"achievement_{name}"] for name in ACHIEVEMENTS]).T >= 1 for group in groups]
    write_groups(unlocked, Path(folder) / "crafter_human_groups.csv")
    write_expected(np.concatenate(unlocked), Path(folder) / "crafter_human_expected.csv")


def write_groups(unlocked: list[NDArray[np.bool_]], path: Path) -> None:
    """One row for each group and achievement."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("group", "achievement", "episodes_unlocked", "rate", *PROVENANCE))
        for number, group in enumerate(unlocked):
            for name, count in zip(ACHIEVEMENTS, group.sum(axis=0).tolist(), strict=True):
                rate = round(100 * count / len(group), 4)
                end = (len(group), "episodes", "percent of episodes", PROTOCOL, "", SOURCE)
                writer.writerow((number, name, count, rate, *end))


def write_expected(unlocked: NDArray[np.bool_], path: Path) -> None:
    """One row for each number of episodes."""
    scores, progress = resampled_runs(unlocked)
    percent = progress_by_episode(unlocked)
    half = t_quantile(len(percent) - 1) * percent.std(ddof=1) / np.sqrt(len(percent))
    caveat = (
        "episodes resampled with replacement; score_expected_low and _high: 95 percent interval of the expectation "
        "(100 episodes are a sample too); score_run_low and _high: where 95 percent of runs of this many episodes lie"
    )
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = ["episodes", "score_expected", "score_expected_low", "score_expected_high", "score_sd"]
        columns += ["score_run_low", "score_run_high", "progress_expected", "progress_expected_low"]
        columns += ["progress_expected_high", "progress_run_low", "progress_run_high"]
        writer.writerow((*columns, *PROVENANCE))
        for n in range(1, LARGEST + 1):
            mean = float(scores[n].mean())
            spread = t_quantile(len(unlocked) - 1) * log_score_error(unlocked, n)
            low, high = np.quantile(scores[n], [0.025, 0.975])
            progress_low, progress_high = np.quantile(progress[n], [0.025, 0.975])
            row = [
                mean,
                np.expm1(np.log1p(mean) - spread),
                np.expm1(np.log1p(mean) + spread),
                scores[n].std(),
                low,
                high,
            ]
            row += [percent.mean(), percent.mean() - half, percent.mean() + half, progress_low, progress_high]
            writer.writerow(
                (n, *(f"{value:.3f}" for value in row), 100, "episodes", "percent", PROTOCOL, caveat, SOURCE)
            )


def resampled_runs(
    unlocked: NDArray[np.bool_],
) -> tuple[dict[int, NDArray[np.float64]], dict[int, NDArray[np.float64]]]:
    """Scores and progress of resampled runs, by number of episodes; a run of n + 1 episodes extends one of n."""
    rng = np.random.default_rng(2026)
    counts = np.zeros((RESAMPLES, len(ACHIEVEMENTS)), dtype=np.int64)
    scores, progress = {}, {}
    for n in range(1, LARGEST + 1):
        counts += unlocked[rng.integers(0, len(unlocked), RESAMPLES)]
        rates = 100.0 * counts / n
        scores[n] = np.expm1(np.log1p(rates).mean(axis=1))
        progress[n] = rates.mean(axis=1)
    return scores, progress


def log_score_error(unlocked: NDArray[np.bool_], n: int) -> float:
    """Jackknife standard error over the record's episodes of the expected ln(1 + score) of n episodes.

    With episodes drawn with replacement each achievement's count is binomial, so the expectation is exact.
    """
    total = len(unlocked)
    values = np.log1p(100.0 * np.arange(n + 1) / n)
    counts = unlocked.sum(axis=0)
    table = {k: float(binomial_probabilities(k / (total - 1), n) @ values) for k in range(total)}
    without = np.array([np.mean([table[int(k)] for k in counts - row]) for row in unlocked])
    return float(np.sqrt((total - 1) / total * ((without - without.mean()) ** 2).sum()))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python benchmarks/crafter_human.py crafter_reward-human.json FOLDER")
    main(sys.argv[1], sys.argv[2])
