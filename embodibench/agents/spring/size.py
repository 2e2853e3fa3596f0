"""What a step is like in size, for dry runs: an observation, and how long answers are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OBSERVATION: Final = """\
Last action: Move West.
In view, the nearest of each kind:
- grass: 1 step north
- tree: 2 steps north-west
- zombie: 4 steps north-east
- sand: 4 steps east
You face grass (west).
Vitals: health 8/9, food 6/9, drink 5/9, energy 9/9.
Inventory: 3 wood, 2 stone, 1 wood pickaxe, 1 wood sword."""
"""Of typical length: the scripted player's first 400 steps of four pinned worlds have 291 to 332 characters on
average, the random player's lives 223 to 279."""

ANSWERS: Final[Mapping[str, int]] = {
    "q1": 576,
    "q2": 53,
    "q3": 650,
    "q4": 215,
    "q5": 595,
    "q6": 430,
    "q7": 636,
    "q8": 803,
    "qa": 173,
    "think": 900,
}
"""Characters of an answer: means over the 13 steps with GPT-4 that the SPRING paper prints (appendix A). The paper
prints no step-by-step reasoning; its length is a guess."""

STEPS: Final = 300
"""Steps of an episode (SPRING, section 3.4: around 300, up to 500)."""
