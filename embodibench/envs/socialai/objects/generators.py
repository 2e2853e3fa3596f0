"""Generators, which make an apple appear on a platform when they are pressed."""

from __future__ import annotations

from embodibench.envs.socialai.objects.apple import Apple
from embodibench.envs.socialai.objects.base import Cells, Family, FamilyMember, Thing


class GeneratorPlatform(Thing):
    """Where the apple will appear. Solid."""

    KIND = "generatorplatform"
    __slots__ = ()


class AppleGenerator(FamilyMember):
    """Pressed by a body that walks into it (square) or by a rolling marble (round); toggling it is a mistake.

    Attributes:
        by_marble: it is round.
        is_pressed: it has been activated.
        yields: the platforms it feeds, each with its apple; empty for the wrong generator.
    """

    KIND = "applegenerator"
    STATE = (*FamilyMember.STATE, "by_marble", "is_pressed", "yields")
    __slots__ = ("by_marble", "is_pressed", "yields")

    def __init__(
        self,
        color: str,
        family: Family | None = None,
        yields: tuple[tuple[GeneratorPlatform, Apple], ...] = (),
        by_marble: bool = False,
    ) -> None:
        super().__init__(color, family)
        self.by_marble = by_marble
        self.is_pressed = False
        self.yields = yields

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        return (2 if self.by_marble else 1, 0, 0, 0)

    def use(self, cells: Cells) -> None:
        self.block()

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        if self.blocked:
            return
        if by_marble == self.by_marble:
            self.is_pressed = True
            for platform, apple in self.yields:
                if platform.cur_pos is not None:
                    cells.put(platform.cur_pos, apple)
        self.block()
