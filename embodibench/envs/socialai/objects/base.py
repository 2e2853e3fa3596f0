"""What every object on the grid has, and families: the objects of which only one may be used."""

from __future__ import annotations

from typing import ClassVar, Protocol

from minigrid.core.world_object import WorldObj

from embodibench.envs.socialai.constants import COLOR_TO_ID, KIND_TO_ID, Point


class Cells(Protocol):
    """The part of the room an object acts on."""

    def at(self, cell: Point) -> Thing | None:
        """What stands on a cell; outside the canvas there is wall."""
        ...

    def put(self, cell: Point, thing: Thing | None) -> None:
        """Replace what stands on a cell."""
        ...

    def occupied_by_agent(self, cell: Point) -> bool:
        """Whether the agent stands on a cell."""
        ...


class Thing(WorldObj):  # type: ignore[misc]
    """An object of the School.

    minigrid's own constructor is not called: it knows neither these kinds nor brown.

    Attributes:
        type: kind, as in ``constants.KINDS``.
        color: colour name.
        cur_pos: where it stands, or None while it is inside another object.
    """

    KIND: ClassVar[str]
    STATE: ClassVar[tuple[str, ...]] = ("type", "color", "cur_pos")
    """Names of the attributes that make up the state; each class adds its own."""

    __slots__ = ("_head", "color", "contains", "cur_pos", "init_pos", "type")

    def __init__(self, color: str) -> None:
        self.type = self.KIND
        self.color = color
        self.contains = None
        self.init_pos: Point | None = None
        self.cur_pos: Point | None = None
        self._head = bytes((KIND_TO_ID[self.KIND], COLOR_TO_ID[color]))

    def code(self, facing: int) -> bytes:
        """Six channels, as seen by someone who looks in direction ``facing``: kind, colour and four of its own."""
        return self._head + bytes(self.channels(facing))

    def channels(self, facing: int) -> tuple[int, int, int, int]:
        """The four channels after kind and colour."""
        return (0, 0, 0, 0)

    def encode(self) -> tuple[int, int, int]:
        """minigrid's three channels."""
        code = self.code(0)
        return code[0], code[1], code[2]

    def use(self, cells: Cells) -> None:
        """What happens when somebody toggles it."""

    def push(self, cells: Cells, direction: int, by_marble: bool = False) -> None:
        """What happens when somebody, or a marble, moves into it."""


class Family:
    """Objects of which only one may be used: the first use, or a wrong touch, blocks them all for the episode."""

    STATE = ("members",)
    __slots__ = ("members",)

    def __init__(self) -> None:
        self.members: list[FamilyMember] = []

    def block(self) -> None:
        """From now on no member reacts."""
        for member in self.members:
            member.blocked = True


class FamilyMember(Thing):
    """An object that can be blocked.

    Attributes:
        family: the objects it is blocked with; None when nothing blocks it.
        blocked: it no longer reacts.
    """

    STATE = (*Thing.STATE, "family", "blocked")
    __slots__ = ("blocked", "family")

    def __init__(self, color: str, family: Family | None = None) -> None:
        super().__init__(color)
        self.blocked = False
        self.family = family
        if family is not None:
            family.members.append(self)

    def block(self) -> None:
        """Block it with its whole family."""
        if self.family is not None:
            self.family.block()
