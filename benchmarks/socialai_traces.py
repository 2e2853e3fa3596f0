"""Recorded runs of the original against the rebuilt SocialAI School: identical and differing steps.

    EMBODIBENCH_REFERENCE_DATA=... python benchmarks/socialai_traces.py

A step is identical when agent, every object and its state, both images, both texts, what was said, reward and end all
are. One row for each problem and cue (or version, or movement); differing steps are listed below with what differs.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from tests.envs.socialai import recorded


def row_name(parameters: dict[str, str]) -> str:
    """The problem and how it is played."""
    if parameters["Env_type"] == "AppleStealing":
        return f"AppleStealing / {parameters['Version']} {parameters.get('NPC_movement', '')} {parameters['Obstacles']}"
    if parameters["Env_type"] == "Collaboration":
        return f"{parameters['Problem']} / {parameters['Version']} role {parameters['Role']}"
    cue = "help" if parameters.get("Scaffolding") == "Y" else parameters.get("Cue_type", "no peer")
    return f"{parameters['Problem']} / {cue}{' joint' if parameters.get('JA_recursive') == 'Y' else ''}"


def main() -> int:
    folder = os.environ.get("EMBODIBENCH_REFERENCE_DATA")
    if not folder:
        print("EMBODIBENCH_REFERENCE_DATA does not name a folder with the recorded reference data", file=sys.stderr)
        return 2
    total: Counter[str] = Counter()
    notes = []
    all_same = all_steps = 0
    for name in (*recorded.SMALL, *recorded.LARGE):
        same: Counter[str] = Counter()
        steps: Counter[str] = Counter()
        for run in recorded.load(Path(folder), name):
            key = row_name(run["params"])
            total[key] += 1
            for number, found in recorded.differences(run, 7 if name in recorded.SMALL else 10):
                steps[key] += 1
                same[key] += not found
                if found:
                    notes.append(
                        f"{name}: {key}, {run['policy']}, seed {run['seed']}, step {number}: {', '.join(found)}"
                    )
        if steps:
            print(f"\n{name:<48}{'steps':>8}{'identical':>11}{'differing':>11}")
        for key in steps:
            print(f"  {key:<46}{steps[key]:>8}{same[key]:>11}{steps[key] - same[key]:>11}")
        all_same, all_steps = all_same + same.total(), all_steps + steps.total()
    print(f"\n{'all':<48}{all_steps:>8}{all_same:>11}{all_steps - all_same:>11}")
    for note in notes[:50]:
        print(note)
    return 0 if not notes else 1


if __name__ == "__main__":
    raise SystemExit(main())
