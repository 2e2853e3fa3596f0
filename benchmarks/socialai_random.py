"""How often uniformly random players solve the paper's language-model tasks, beside the figures for the original.

    python benchmarks/socialai_random.py [--episodes 2000]

The protocol is the paper's: size 7, seeds 0..9 (AsocialBox) and 0..19 (ColorBoxes), one forced wait, 14 actions,
uniform over turns, forward and toggle, stop when the right box is blocked. The original gave 4.1 percent and 2.1
percent (Monte Carlo over 150 runs of 10 and 80 runs of 20 episodes).
"""

from __future__ import annotations

import argparse

import numpy as np

from embodibench.envs.socialai.world import SocialAIWorld

ACTIONS = 14
TASKS = (
    ("AsocialBox", "AsocialBoxInformationSeekingParamEnv", 10, 4.1),
    ("ColorBoxes", "ColorBoxesLLMCSParamEnv", 20, 2.1),
)


def successes(tree: str, seeds: int, episodes: int) -> int:
    """Solved episodes of ``episodes``, spread evenly over ``seeds`` layouts."""
    world = SocialAIWorld(tree=tree, size=7, opening_waits=1, stop_when_blocked=True)
    rng = np.random.default_rng(0)
    solved = 0
    for episode in range(episodes):
        world.reset(episode % seeds)
        for action in rng.integers(4, size=ACTIONS).tolist():
            if world.step(action).over:
                break
        solved += world.episode.outcome == "apple"
    return solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=2000)
    episodes = parser.parse_args().episodes
    print(f"{'task':<12}{'episodes':>10}{'solved':>8}{'percent':>9}{'expected':>10}{'standard errors off':>21}")
    for name, tree, seeds, expected in TASKS:
        solved = successes(tree, seeds, episodes)
        rate = solved / episodes
        error = (expected / 100 * (1 - expected / 100) / episodes) ** 0.5
        off = (rate - expected / 100) / error
        print(f"{name:<12}{episodes:>10}{solved:>8}{100 * rate:>9.2f}{expected:>10.1f}{off:>21.2f}")


if __name__ == "__main__":
    main()
