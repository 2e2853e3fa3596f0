"""Record the example episodes that the agent ``in-context`` shows.

    python benchmarks/socialai_examples.py [--write]

The paper's authors recorded theirs by hand, in rooms of the default size; these are the expert's, in the same kinds of
rooms and as many actions long. Seeds start at 1000, so no example is a test room. Without ``--write`` it says whether
the files in the package are what it would write.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from embodibench.agents.policies.socialai_plans import Plan
from embodibench.envs.socialai.world import SocialAIWorld

FIRST_SEED = 1000
FOLDER = Path(__file__).parents[1] / "embodibench" / "agents" / "in_context" / "examples"

ALONE = {"Env_type": "Information_seeking", "Problem": "Boxes", "N": "1", "Peer": "N"}
COLOR = {
    "Env_type": "Information_seeking",
    "Pragmatic_frame_complexity": "No",
    "Scaffolding": "N",
    "Cue_type": "Language_Color",
    "N": "2",
    "Peer": "Y",
}
EPISODES: dict[str, list[tuple[dict[str, str], int]]] = {
    "asocial-box": [(ALONE, actions) for actions in (4, 4, 4, 6, 7, 6)],
    "color-boxes": [({**COLOR, "Problem": "Boxes"}, actions) for actions in (5, 5, 7, 10, 6)],
    "color-boxes-generalisation": [
        ({**COLOR, "Problem": "Levers"}, 16),
        (ALONE, 5),
        ({**COLOR, "Problem": "Generators"}, 11),
        ({**COLOR, "Problem": "Doors"}, 8),
        ({**COLOR, "Problem": "Marble"}, 11),
        ({**COLOR, "Problem": "Switches"}, 9),
    ],
}
"""Examples, each with its parameters and the number of actions of the paper's own example."""


def record(parameters: dict[str, str], actions: int, taken: set[int]) -> str:
    """The first expert episode of this length on a seed that no other example has."""
    world = SocialAIWorld(parameters=parameters, opening_waits=1)
    for seed in range(FIRST_SEED, FIRST_SEED + 10_000):
        if seed in taken:
            continue
        lines = ["New episode.\n", world.reset(seed).text()]
        plan = Plan(world.episode)
        for _ in range(actions):
            action = plan.next()
            step = world.step(action)
            lines.append(f"Act : {world.action_names[action]}\n")
            if step.over:
                break
            lines.append(step.observation.text())
        if world.measures()["success"] and world.episode.steps == actions + 1:
            taken.add(seed)
            return "".join([*lines, "Success!\n"])
    raise RuntimeError(f"no seed gives an example of {actions} actions")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    stale = 0
    for name, episodes in EPISODES.items():
        taken: set[int] = set()
        text = "".join(record(parameters, actions, taken) for parameters, actions in episodes)
        path = FOLDER / f"{name}.txt"
        if write:
            path.write_text(text, encoding="utf-8")
        same = path.is_file() and path.read_text(encoding="utf-8") == text
        stale += not same
        print(f"{name}: {len(episodes)} episodes, {len(text)} characters, {'as in the package' if same else 'DIFFERS'}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
