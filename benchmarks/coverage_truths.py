"""The truths that ``coverage`` simulates, made from ``baselines/``: tasks, agents in Crafter, seeds on games."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import ndtri

from embodibench.scoring import baselines
from embodibench.scoring.baseline_tables import AaiIndividual, AaiTask, AtariScore, CrafterRate
from embodibench.scoring.crafter import ACHIEVEMENTS
from embodibench.scoring.human_normalised import normalise

Draw = Callable[[int], np.ndarray]

HUMAN_LOADING = 0.6
"""Correlation of achievements within a human episode: with it the simulated standard deviation of unlocks is 3.39, the
record's 3.38."""

MODEL_LOADING = 0.5
"""The same for BALROG's models: simulated standard deviations of 1.5 to 3.3 unlocks, observed 1.3 to 4.2."""


def _task_rates(name: str) -> np.ndarray:
    return np.array([row.proportion for row in baselines.table("aai40_tasks.csv", AaiTask) if row.name == name])


def _shifted(rates: np.ndarray, logits: float) -> np.ndarray:
    p = np.clip(rates, 0.01, 0.99)
    return np.asarray(1 / (1 + np.exp(-(np.log(p / (1 - p)) + logits))))


def task_populations() -> dict[str, np.ndarray]:
    """Pass probabilities of 40 tasks, four a level."""
    children = _task_rates("children")
    return {
        "children": children,
        "top ten entrants": _task_rates("top10"),
        "all entrants": _task_rates("entrants"),
        "children less 3 logits": _shifted(children, -3.0),
        "all or nothing (35 %)": (children > 0.7).astype(float),
    }


def task_pairs() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Pass probabilities of two players on the same 40 tasks."""
    children, top, entrants = (_task_rates(name) for name in ("children", "top10", "entrants"))
    return {
        "children, top ten": (children, top),
        "children, children": (children, children),
        "children, half a logit better": (children, _shifted(children, 0.5)),
        "top ten, all entrants": (top, entrants),
        "weak, weak": (_shifted(children, -3.0), _shifted(children, -3.0)),
        "weak, a logit better": (_shifted(children, -3.0), _shifted(children, -2.0)),
    }


def children() -> dict[str, np.ndarray]:
    """Fractions passed of the 59 children, per level and over all tasks."""
    rows = [row for row in baselines.table("aai40_individuals.csv", AaiIndividual) if row.population == "children"]
    names = [*(f"level_{level}" for level in range(1, 11)), "all"]
    return {name: np.array([getattr(row, name) for row in rows]) for name in names}


def crafter_truths(rng: np.random.Generator) -> dict[str, Draw]:
    """Agents: rates of achievements, and a common factor that makes good episodes good in many of them.

    Rates of BALROG's models come from ten episodes. "as seen" takes them as they are, so never-seen achievements are
    impossible; "smoothed" gives those a chance of 2.4 percent, (k + 1/4) / (10 + 1/2).
    """
    truths = {
        "human": _episodes(_rates("crafter_achievements.csv", "human"), HUMAN_LOADING, rng),
        "DreamerV2": _episodes(_rates("crafter_achievements.csv", "dreamerv2"), MODEL_LOADING, rng),
        "random": _episodes(_rates("crafter_achievements.csv", "random"), MODEL_LOADING, rng),
    }
    models = {
        "Grok 4": "naive-grok-4-text",
        "Gemini 2.5 Pro": "naive-gemini-2-5-pro-exp-03-25-text",
        "DeepSeek R1": "robust-cot-deepseek-r1-text",
        "Llama 3.3 70B": "naive-llama-3-3-70b-instruct-text",
        "Llama 3.2 1B": "naive-llama-3-2-1b-instruct-text",
    }
    record = Path(os.environ.get("EMBODIBENCH_REFERENCE_DATA", "")) / "crafter" / "crafter_reward-human.json"
    if record.is_file():
        truths["human record, resampled"] = _recorded(record, rng)
    for label, name in models.items():
        rates = _rates("crafter_balrog_achievements.csv", name)
        truths[f"{label}, as seen"] = _episodes(rates, MODEL_LOADING, rng)
        truths[f"{label}, smoothed"] = _episodes((10 * rates + 0.25) / 10.5, MODEL_LOADING, rng)
    return truths


def _recorded(path: Path, rng: np.random.Generator) -> Draw:
    groups = json.loads(path.read_text(encoding="utf-8"))
    unlocked = (
        np.concatenate([np.array([group[f"achievement_{name}"] for name in ACHIEVEMENTS]).T for group in groups]) > 0
    )
    return lambda episodes: unlocked[rng.integers(0, len(unlocked), episodes)]


def _rates(file: str, name: str) -> np.ndarray:
    rates = {row.achievement: row.rate / 100 for row in baselines.table(file, CrafterRate) if row.name == name}
    return np.array([rates[achievement] for achievement in ACHIEVEMENTS])


def _episodes(rates: np.ndarray, loading: float, rng: np.random.Generator) -> Draw:
    limits = ndtri(rates)

    def draw(episodes: int) -> np.ndarray:
        common = loading * rng.standard_normal((episodes, 1))
        own = np.sqrt(1 - loading**2) * rng.standard_normal((episodes, rates.size))
        return np.asarray(common + own < limits)

    return draw


def atari_truths(rng: np.random.Generator) -> dict[str, Draw]:
    """Pong, Freeway, Seaquest, Skiing, normalised by dqn-zoo; means and spreads of published rows, shapes assumed."""
    humans = baselines.human_table("dqn-zoo")

    def games(runs: int, pong: np.ndarray, freeway: np.ndarray, seaquest: np.ndarray, skiing: np.ndarray) -> np.ndarray:
        columns = {"pong": pong.clip(-21, 21), "freeway": freeway.clip(0, 34), "seaquest": seaquest, "skiing": skiing}
        return np.stack([normalise(points, *humans[game]) for game, points in columns.items()], axis=1)

    def ppo(runs: int) -> np.ndarray:
        skiing = rng.normal(-23_921, 10_529, runs).clip(-30_000, -3_600)
        seaquest = _lognormal(1132, 271, runs, rng)
        return games(runs, rng.normal(17.5, 0.5, runs), rng.normal(33.8, 0.2, runs), seaquest, skiing)

    def two_modes(runs: int) -> np.ndarray:
        skiing = np.where(rng.random(runs) < 0.7, rng.normal(-30_000, 50, runs), rng.normal(-9_700, 800, runs))
        seaquest = _lognormal(1132, 271, runs, rng)
        return games(runs, rng.normal(17.5, 0.5, runs), rng.normal(33.8, 0.2, runs), seaquest, skiing)

    def failing(runs: int) -> np.ndarray:
        freeway = np.where(rng.random(runs) < 0.8, rng.normal(32.8, 0.7, runs), 0.0)
        seaquest = _lognormal(1601, 1456, runs, rng)
        return games(runs, rng.normal(16.6, 2.0, runs), freeway, seaquest, rng.normal(-15_825, 389, runs))

    def frozen(runs: int) -> np.ndarray:
        pong, seaquest = rng.poisson(1.5, runs) - 21.0, 20.0 * rng.poisson(9, runs)
        return games(runs, pong, rng.normal(21, 1.2, runs).round(), seaquest, rng.normal(-17_000, 1_500, runs))

    return {
        "PPO seeds (OCALM Table 3)": ppo,
        "PPO, Skiing of two modes": two_modes,
        "DQN seeds, Freeway fails 1 in 5": failing,
        "frozen model, episodes": frozen,
    }


def many_games(rng: np.random.Generator) -> dict[str, Draw]:
    """DQN 2015 on 26 and on 49 games, seeds lognormal around its scores, spread 20 or 60 percent of the score."""
    humans = baselines.human_table("dqn-2015")
    rows = [row for row in baselines.table("atari_scores.csv", AtariScore) if row.name == "dqn-2015"]
    levels = np.array([float(normalise(row.score, *humans[row.game])) for row in rows])
    truths: dict[str, Draw] = {}
    for games in (4, 26, 49):
        for spread in (0.2, 0.6):

            def draw(runs: int, means: np.ndarray = levels[:games], spread: float = spread) -> np.ndarray:
                sigma = np.sqrt(np.log1p(spread**2))
                return np.asarray(means * np.exp(rng.normal(-(sigma**2) / 2, sigma, (runs, means.size))))

            truths[f"DQN, {games} games, spread {100 * spread:.0f} %"] = draw
    return truths


def normal_games(rng: np.random.Generator) -> dict[str, Draw]:
    """DreamerV3's 57 games with the spread over seeds that its repository publishes, normal."""
    humans = baselines.human_table("dqn-zoo")
    rows = [row for row in baselines.table("atari_scores.csv", AtariScore) if row.name == "dreamerv3" and row.spread]
    means = np.array([float(normalise(row.score, *humans[row.game])) for row in rows])
    spans = [humans[row.game][1] - humans[row.game][0] for row in rows]
    spreads = np.array([row.spread or 0.0 for row in rows]) / np.abs(spans)

    def draw(runs: int) -> np.ndarray:
        return np.asarray(rng.normal(means, spreads, (runs, means.size)))

    return {f"DreamerV3, {len(rows)} games": draw}


def _lognormal(mean: float, deviation: float, size: int, rng: np.random.Generator) -> np.ndarray:
    variance = np.log1p((deviation / mean) ** 2)
    return np.asarray(np.exp(rng.normal(np.log(mean) - variance / 2, np.sqrt(variance), size)))
