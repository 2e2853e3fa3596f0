"""Verdicts on episodes: one word, and where and in what an episode first differs from its replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from embodibench.canonical import Json

Word: TypeAlias = Literal["identical", "equal", "diverged", "incomplete", "refused"]
"""``identical``: every fingerprint, reward and the end. ``equal``: rewards, end and success, but a fingerprint differs.
``diverged``: something else differs. ``incomplete``: it ended in an error or a limit, and its prefix replays.
``refused``: it cannot be replayed, because it is not an episode of this suite."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a replay of one episode found.

    Attributes:
        world: depth 1, the recorded actions in the world.
        protocol: depth 2, the agent with the recorded replies (or the policy played again).
        step: first environment step (from 0) that differs, or None.
        what: what differs, a sentence; "" when nothing does.
        tokens: what cannot be in the recorded tokens of its prompts, or "". No part of the verdict: whoever counted
            them may have been wrong.
    """

    task: str
    trial: int
    world: Word
    protocol: Word
    step: int | None = None
    what: str = ""
    tokens: str = ""

    @property
    def accepted(self) -> bool:
        """Whether both depths hold as far as the episode goes."""
        return self.world in ("identical", "incomplete") and self.protocol in ("identical", "incomplete")

    def to_json(self) -> dict[str, Json]:
        return {
            "task": self.task,
            "trial": self.trial,
            "world": self.world,
            "protocol": self.protocol,
            "step": self.step,
            "what": self.what,
        }
