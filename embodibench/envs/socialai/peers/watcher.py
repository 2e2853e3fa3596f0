"""The watcher of the adversarial rooms."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import Point
from embodibench.envs.socialai.peers import body as acts
from embodibench.envs.socialai.peers.mind import SILENT, Mind, Turn
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream

PERIOD: Final = 5
"""It acts on every fifth step only."""


class Watcher(Mind):
    """Turns about, or walks about, and sees what is in front of it. A hidden one stays as it is, but still sees.

    Attributes:
        walks: it also goes forward.
        waited: steps since its last act.
    """

    STATE = (*Mind.STATE, "walks", "waited")

    def __init__(self, scene: Scene, walks: bool, draws: ArrayStream, choices: ChoiceStream) -> None:
        super().__init__(scene, draws, choices)
        self.walks = walks
        self.waited = 0

    def act(self, turn: Turn) -> str:
        if self.body.hidden:
            return SILENT
        self.waited += 1
        if self.waited < PERIOD:
            return SILENT
        self.waited = 0
        act = self.choices.element((acts.ROTATE_LEFT, acts.ROTATE_RIGHT))
        if self.walks:
            act = self.choices.element((act, acts.GO_FORWARD))
        if act == acts.GO_FORWARD:
            self.go_forward()
        else:
            self.rotate(act)
        return SILENT

    def sees(self, cell: Point) -> bool:
        """Whether a cell is in its view."""
        return self.room.sees(self.body.cell, self.body.facing, cell)
