"""What only stands in the way: walls, which hide what is behind them, and fences, which do not."""

from __future__ import annotations

from embodibench.envs.socialai.objects.base import Thing


class Wall(Thing):
    """Opaque and solid."""

    KIND = "wall"
    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("grey")

    def __deepcopy__(self, memo: dict[int, object]) -> Wall:
        """Itself: a wall has no state, and rooms share one."""
        return self

    def see_behind(self) -> bool:
        return False


class Fence(Thing):
    """Solid, but one sees through it."""

    KIND = "fence"
    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("grey")
