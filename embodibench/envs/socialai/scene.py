"""What a layout hands to the rules: the room and who is what in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from embodibench.envs.socialai.constants import Point
from embodibench.envs.socialai.objects import Apple, AppleGenerator, Lever, LockableBox, Marble, Switch, Thing
from embodibench.envs.socialai.objects.generators import GeneratorPlatform
from embodibench.envs.socialai.room import WALL, Room

if TYPE_CHECKING:
    from embodibench.envs.socialai.peers.body import PeerBody


@dataclass(slots=True)
class Scene:
    """The things of one episode, by role. What a problem does not have is None.

    Attributes:
        apple: the agent's apple, wherever it is at the moment.
        target: the object to use: box, door, lever, switch or generator.
        distractor: the wrong one of the same kind.
        box: the box the apple is in (Boxes, Switches).
        platform: where a generator makes the apple appear.
        door: the door in front of the apple (Doors, Levers) or of the generator.
        peer_apple: the partner's apple in a collaboration.
        left, right: the objects of both halves of a collaboration that can be used, in the order of their colours.
        choice: index of the right half's box that has been opened, once the left half has been told.
        fence_column: the column of the fence, or None.
        absent_door: where the wrong door would be, when there is none; peers keep away from it all the same.
        pointing_cell, decoy, decoy_pointing_cell: drawn in advance for a peer that points, and one that misleads.
    """

    STATE: ClassVar[tuple[str, ...]] = (
        "room",
        "apple",
        "target",
        "distractor",
        "box",
        "platform",
        "door",
        "lever",
        "marble",
        "peer_apple",
        "left",
        "right",
        "choice",
        "fence_column",
        "absent_door",
        "pointing_cell",
        "decoy",
        "decoy_pointing_cell",
        "peer",
        "memory",
    )

    room: Room
    apple: Apple = field(default_factory=Apple)
    target: Thing | None = None
    distractor: Thing | None = None
    box: LockableBox | None = None
    platform: GeneratorPlatform | None = None
    door: Thing | None = None
    lever: Lever | None = None
    marble: Marble | None = None
    peer_apple: Apple | None = None
    left: list[Thing] = field(default_factory=list)
    right: list[Thing] = field(default_factory=list)
    choice: int | None = None
    fence_column: int | None = None
    absent_door: Point | None = None
    pointing_cell: Point | None = None
    decoy: Thing | None = None
    decoy_pointing_cell: Point | None = None
    peer: PeerBody | None = None
    memory: tuple[tuple[Thing, Point | None, tuple[object, ...]], ...] = ()

    def remember(self) -> None:
        """Keep how everything stands now, for ``restore``."""
        things = [thing for thing in self.room.grid if thing is not None and thing is not WALL]
        things += [thing for thing in (self.apple,) if thing not in things]
        self.memory = tuple(
            (thing, thing.cur_pos, tuple(getattr(thing, name) for name in thing.STATE))
            for thing in things
            if thing is not self.peer
        )

    def restore(self) -> None:
        """Put everything but the people back as it was remembered."""
        if self.marble is not None and self.marble.cur_pos is not None:
            self.room.put(self.marble.cur_pos, None)
        for thing, cell, values in self.memory:
            for name, value in zip(thing.STATE, values, strict=True):
                setattr(thing, name, value)
            if cell is not None and self.room.at(cell) is not thing:
                self.room.put(cell, thing)

    def pass_on_choice(self) -> None:
        """Once a right box is open, the left object of its colour becomes the right one, and gets its apple."""
        if self.choice is not None:
            return
        opened = [index for index, box in enumerate(self.right) if isinstance(box, LockableBox) and box.is_open]
        if not opened:
            return
        self.choice = opened[0]
        thing = self.left[self.choice]
        on_the_right = [box.holds for box in self.right if isinstance(box, LockableBox)]
        apple = self.peer_apple if self.apple in on_the_right else self.apple
        if isinstance(thing, LockableBox):
            thing.holds = apple
        elif isinstance(thing, Switch) and self.box is not None:
            self.box.holds = apple
            thing.box = self.box
        elif isinstance(thing, AppleGenerator) and self.platform is not None and apple is not None:
            thing.yields = ((self.platform, apple),)
