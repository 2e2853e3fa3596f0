"""The reward of every episode."""

from __future__ import annotations

from embodibench.envs.socialai.constants import COLOR_TO_ID, KIND_TO_ID
from embodibench.envs.socialai.objects.base import Cells, Thing


class Apple(Thing):
    """Red until somebody eats it; then yellow, and still in its cell.

    Attributes:
        eaten: whether it has been eaten, by the agent or a peer.
    """

    KIND = "apple"
    STATE = (*Thing.STATE, "eaten")
    __slots__ = ("eaten",)

    def __init__(self) -> None:
        super().__init__("red")
        self.eaten = False

    def code(self, facing: int) -> bytes:
        return bytes((KIND_TO_ID[self.KIND], COLOR_TO_ID[self.color], 0, 0, 0, 0))

    def use(self, cells: Cells) -> None:
        self.eaten = True
        self.color = "yellow"
