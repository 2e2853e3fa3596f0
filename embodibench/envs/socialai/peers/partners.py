"""The partner of a collaboration, on whichever side the agent is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from embodibench.envs.socialai.constants import EAST, NORTH, SOUTH, facing_direction, manhattan
from embodibench.envs.socialai.objects import AppleGenerator, LockableBox, Switch
from embodibench.envs.socialai.peers import body as acts
from embodibench.envs.socialai.peers.mind import SILENT, Mind, Turn
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream

RANDOM_STEPS: Final = 10
"""Steps a lever or pushing partner spends on random acts first."""


class Partner(Mind):
    """A partner cooperates from the first step, and never speaks.

    Attributes:
        random_steps: random acts still to come.
        resolved: it has seen the agent ready, and now does its part whatever the agent does.
    """

    STATE = (*Mind.STATE, "random_steps", "resolved")
    WANDERS = False
    KNOWS_AGENT = True
    """Whether it counts as introduced from the first step; those of a choice never do, which changes nothing."""

    def __init__(self, scene: Scene, draws: ArrayStream, choices: ChoiceStream) -> None:
        super().__init__(scene, draws, choices)
        # Drawn although there is but one value: as in the original, the draw moves the stream on.
        self.random_steps = choices.integer(RANDOM_STEPS, RANDOM_STEPS) if self.WANDERS else 0
        self.resolved = False

    def act(self, turn: Turn) -> str:
        self.body.introduced = self.KNOWS_AGENT
        if self.random_steps:
            self.random_steps -= 1
            act = self.choices.element((acts.GO_FORWARD, acts.ROTATE_LEFT, acts.ROTATE_RIGHT))
            if act == acts.GO_FORWARD:
                self.go_forward()
            else:
                self.rotate(act)
        else:
            self.cooperate()
        return SILENT

    def cooperate(self) -> None:
        """One act of the joint work."""
        raise NotImplementedError


class LeverKeeper(Partner):
    """LeverDoor, left: waits by the lever until the agent is at the door."""

    WANDERS = True

    def cooperate(self) -> None:
        lever, door = self.scene.lever, self.scene.door
        assert lever is not None and lever.cur_pos is not None and door is not None and door.cur_pos is not None
        if manhattan(self.body.cell, lever.cur_pos) > 1:
            self.go_to(lever.cur_pos)
            return
        self.resolved = self.resolved or manhattan(self.room.agent_pos, door.cur_pos) <= 1
        if not self.resolved:
            self.look_at_agent()
        elif not lever.was_activated and not self.look_at(lever.cur_pos):
            self.toggle()


class DoorPasser(Partner):
    """LeverDoor, right: goes to the generator, or, while the door is shut, against the door."""

    WANDERS = True

    def cooperate(self) -> None:
        generator, door = self.scene.target, self.scene.door
        assert isinstance(generator, AppleGenerator) and generator.cur_pos is not None
        assert door is not None and door.cur_pos is not None
        if not generator.is_pressed and not self.go_to(generator.cur_pos):
            self.go_to(door.cur_pos)


class MarblePusher(Partner):
    """MarblePush, left: waits behind the marble until the agent is at the lever."""

    WANDERS = True

    def cooperate(self) -> None:
        marble, lever = self.scene.marble, self.scene.lever
        assert marble is not None and lever is not None and lever.cur_pos is not None
        if marble.has_moved:
            return
        behind = self.cell_behind(marble, EAST)
        if self.body.cell != behind:
            self.go_to(behind)
            return
        self.resolved = self.resolved or manhattan(self.room.agent_pos, lever.cur_pos) <= 1
        if not self.resolved:
            self.look_at_agent()
        elif not self.turn_to(EAST):
            self.go_forward()


class LeverPuller(Partner):
    """MarblePush, right: waits by the lever until the agent is behind the marble."""

    WANDERS = True

    def cooperate(self) -> None:
        marble, lever = self.scene.marble, self.scene.lever
        assert marble is not None and marble.cur_pos is not None and lever is not None and lever.cur_pos is not None
        agent = self.room.agent_pos
        if manhattan(self.body.cell, lever.cur_pos) > 1:
            self.go_to(lever.cur_pos)
            return
        beside = agent[1] == marble.cur_pos[1] and abs(agent[0] - marble.cur_pos[0]) == 1
        self.resolved = self.resolved or beside
        if not self.resolved:
            self.look_at_agent()
        elif not lever.was_activated and not self.look_at(lever.cur_pos):
            self.toggle()


class MarblePasser(Partner):
    """MarblePass, left: pushes the marble over at once."""

    def cooperate(self) -> None:
        marble = self.scene.marble
        assert marble is not None
        if not marble.has_moved and marble.moving is None:
            self.go_and_push(marble, EAST)


class MarbleReceiver(Partner):
    """MarblePass, right: pushes the marble on into the generator once it lies in its column."""

    def cooperate(self) -> None:
        marble, generator = self.scene.marble, self.scene.target
        assert marble is not None and marble.cur_pos is not None
        assert isinstance(generator, AppleGenerator) and generator.cur_pos is not None
        if marble.moving is not None or generator.is_pressed or marble.cur_pos[0] != generator.cur_pos[0]:
            return
        self.go_and_push(marble, SOUTH if generator.cur_pos[1] > marble.cur_pos[1] else NORTH)


class Chooser(Partner):
    """Right side of a choice: opens one of its boxes at random, eats, and looks at the agent.

    Attributes:
        chosen: index of the box, once it has been drawn.
    """

    STATE = (*Partner.STATE, "chosen")
    KNOWS_AGENT = False

    def __init__(self, scene: Scene, draws: ArrayStream, choices: ChoiceStream) -> None:
        super().__init__(scene, draws, choices)
        self.chosen: int | None = None

    def cooperate(self) -> None:
        if self.chosen is None:
            self.chosen = self.draws.integer(0, 2)
        box, apple = self.scene.right[self.chosen], self.scene.peer_apple
        assert isinstance(box, LockableBox) and apple is not None
        if not box.is_open:
            self.go_and_use(box)
        elif not apple.eaten:
            self.go_and_use(apple)
        else:
            self.look_at_agent()


class Follower(Partner):
    """Left side of a choice: waits for the agent's choice, then uses the object of the same colour, and eats."""

    KNOWS_AGENT = False

    def cooperate(self) -> None:
        scene = self.scene
        opened = [index for index, box in enumerate(scene.right) if isinstance(box, LockableBox) and box.is_open]
        if not opened:
            self.look_at_agent()
            return
        thing, apple = scene.left[opened[0]], scene.peer_apple
        assert apple is not None
        if isinstance(thing, AppleGenerator):
            if not thing.is_pressed:
                self._activate(thing)
                return
        elif isinstance(thing, LockableBox):
            if not thing.is_open:
                self.go_and_use(thing)
                return
        elif isinstance(thing, Switch) and not thing.is_on:
            self.go_and_use(thing)
            return
        if scene.box is not None and not scene.box.is_open:
            self.go_and_use(scene.box)
        elif apple.cur_pos is not None and not apple.eaten:
            self.go_and_use(apple)
        else:
            self.look_at_agent()

    def _activate(self, generator: AppleGenerator) -> None:
        marble = self.scene.marble
        assert generator.cur_pos is not None
        if marble is None:
            self.go_to(generator.cur_pos)
        elif not marble.has_moved and marble.moving is None:
            assert marble.cur_pos is not None
            self.go_and_push(marble, facing_direction(marble.cur_pos, generator.cur_pos))


PARTNERS: Final[Mapping[tuple[str, str], type[Partner]]] = {
    ("LeverDoor", "A"): DoorPasser,
    ("LeverDoor", "B"): LeverKeeper,
    ("MarblePush", "A"): LeverPuller,
    ("MarblePush", "B"): MarblePusher,
    ("MarblePass", "A"): MarbleReceiver,
    ("MarblePass", "B"): MarblePasser,
    **{(problem, "A"): Chooser for problem in ("Boxes", "Switches", "Generators", "Marble")},
    **{(problem, "B"): Follower for problem in ("Boxes", "Switches", "Generators", "Marble")},
}
"""Who the partner is, by problem and the agent's role."""
