"""Places in the two small arrays that hold what the compiled step keeps of an episode."""

from __future__ import annotations

from typing import Final

# Places in the float state.
HEALTH, TOTAL, REWARD, RATE = 0, 1, 2, 3
FLOATS: Final = 4

# Places in the integer state. UPWARD: the last contact seen points up. COLLECTED counts towards NEEDED.
COUNT, YAW, GROUNDED, END, EATEN, NEEDED, COLLECTED, UPWARD = 0, 1, 2, 3, 4, 5, 6, 7
INTEGERS: Final = 8

# Ways to end.
GOING, GOAL, BAD_GOAL, DEATH, EXHAUSTED = 0, 1, 2, 3, 4

# What geoms are.
SOLID, BALL = 0, 1
