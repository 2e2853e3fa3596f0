"""What to do next in each problem of the SocialAI School, for a player that reads the whole state.

A plan is made anew at every step. ``Plan`` waits for the peer where a partner is needed; ``LonePlan`` (in
``socialai_asocial``) never does.
"""

from __future__ import annotations

from typing import Final

from embodibench.agents.policies.socialai_moves import (
    ARRIVED,
    Pose,
    first_move,
    looks_along_line,
    poses_before,
    poses_on,
)
from embodibench.envs.socialai.constants import EAST, NORTH, SOUTH, STEPS, Point, facing_direction, manhattan
from embodibench.envs.socialai.episode import FORWARD, TOGGLE, WAIT, Episode
from embodibench.envs.socialai.objects import AppleGenerator, Door, Lever, LockableBox, Marble, Switch, Thing
from embodibench.envs.socialai.parameters import ADVERSARIAL, COLLABORATION
from embodibench.envs.socialai.peers.partners import Partner
from embodibench.envs.socialai.peers.watcher import Watcher

CHOICES: Final = ("Boxes", "Switches", "Generators", "Marble")


class Plan:
    """Decides on one primitive action at a time.

    Args:
        target: what to use, when it is not the scene's right object.
        delay: steps to wait first.
        side: direction from which to take a watched apple; None for any.
        shy: avoid eye contact on the way, where that is possible.
    """

    waits_for_peer = True

    def __init__(
        self, episode: Episode, target: Thing | None = None, delay: int = 0, side: int | None = None, shy: bool = False
    ) -> None:
        self.episode = episode
        self.delay = delay
        self.side = side
        self.shy = shy
        self.scene = episode.scene
        self.room = episode.scene.room
        self.target = target or episode.scene.target

    def next(self) -> int:
        """The next primitive; waiting when there is nothing to do."""
        if self.delay > 0:
            self.delay -= 1
            return WAIT
        parameters = self.episode.parameters
        if parameters.kind == ADVERSARIAL:
            return self._steal()
        if parameters.kind == COLLABORATION:
            return self._collaborate()
        return self._seek()

    def _go(self, goals: list[Pose], then: int) -> int:
        """A step towards one of the goals, or ``then`` when there; waiting when there is no way at the moment."""
        peer = self.scene.peer
        move = None
        if self.shy and peer is not None and not peer.introduced:
            move = first_move(self.room, goals, lambda pose: looks_along_line(pose, peer.cell))
        if move is None:
            move = first_move(self.room, goals)
        return WAIT if move is None else then if move == ARRIVED else move

    def _use(self, thing: Thing) -> int:
        return WAIT if thing.cur_pos is None else self._go(poses_before(thing.cur_pos), TOGGLE)

    def _bump(self, thing: Thing) -> int:
        return WAIT if thing.cur_pos is None else self._go(poses_before(thing.cur_pos), FORWARD)

    def _push(self, marble: Marble, direction: int) -> int:
        if marble.moving is not None or marble.cur_pos is None:
            return WAIT
        behind = (marble.cur_pos[0] - STEPS[direction][0], marble.cur_pos[1] - STEPS[direction][1])
        return self._go([(behind, direction)], FORWARD)

    def _seek(self) -> int:
        """Use the right object, then take the apple. What a demonstration exposes is not touched: it is put back."""
        scene = self.scene
        if scene.peer is not None and self.waits_for_peer and self._is_demonstration_open():
            return WAIT
        action = self._expose(self.target)
        if action is not None:
            return action
        if scene.apple.eaten:
            return WAIT
        return self._use(scene.apple)

    def _is_demonstration_open(self) -> bool:
        """Whether the peer has begun to show how it is done, and has not put everything back yet."""
        if self.episode.parameters.cue != "Emulation":
            return False
        used = _is_used(self.target) or (self.scene.box is not None and self.scene.box.is_open)
        if self.scene.marble is not None:
            used = used or self.scene.marble.has_moved or self.scene.marble.moving is not None
        return used and not self.episode.own_acts

    def _expose(self, target: Thing | None) -> int | None:
        """The next action towards an apple within reach; None when it is."""
        if isinstance(target, AppleGenerator):
            if not target.is_pressed:
                return self._activate(target)
        elif target is not None and not _is_used(target):
            return self._use(target)
        box = self.scene.box
        if box is not None and not box.is_open and target is not box:
            return self._use(box)
        return None

    def _activate(self, generator: AppleGenerator) -> int:
        marble = self.scene.marble
        if marble is None:
            return self._bump(generator)
        if generator.cur_pos is None or marble.cur_pos is None or marble.has_moved:
            return WAIT
        return self._push(marble, facing_direction(marble.cur_pos, generator.cur_pos))

    def _steal(self) -> int:
        """Stand before the apple, and take it while nobody looks."""
        mind = self.episode.mind
        apple = self.scene.apple.cur_pos
        assert apple is not None
        poses = poses_before(apple)
        if self.waits_for_peer and isinstance(mind, Watcher):
            if self.side is not None:
                poses = [poses[self.side]]
            dark = [pose for pose in poses if not mind.sees(pose[0])]
            if (self.room.agent_pos, self.room.agent_dir) in poses:
                return WAIT if mind.sees(self.room.agent_pos) else TOGGLE
            poses = dark if dark and first_move(self.room, dark) is not None else poses
        return self._go(poses, TOGGLE)

    def _collaborate(self) -> int:
        parameters = self.episode.parameters
        if parameters.problem in CHOICES:
            return self._choose() if parameters.role == "B" else self._follow()
        if self.scene.apple.cur_pos is not None:
            return self._use(self.scene.apple)
        return {
            "LeverDoor": (self._pull_for_partner, self._pass_door),
            "MarblePush": (self._push_through, self._pull_for_marble),
            "MarblePass": (self._pass_marble, self._receive_marble),
        }[parameters.problem][parameters.role == "B"]()

    def _choose(self) -> int:
        """Right side of a choice: any box will do."""
        if self.scene.apple.cur_pos is not None:
            return self._use(self.scene.apple)
        boxes = [pose for box in self.scene.right if box.cur_pos is not None for pose in poses_before(box.cur_pos)]
        return self._go(boxes, TOGGLE)

    def _follow(self) -> int:
        """Left side of a choice: the object of the colour that the partner opened."""
        if self.scene.choice is None and self.waits_for_peer:
            return WAIT
        thing = self.target if self.target in self.scene.left else self.scene.left[self.scene.choice or 0]
        action = self._expose(thing)
        if action is not None:
            return action
        return WAIT if self.scene.apple.cur_pos is None else self._use(self.scene.apple)

    def _partner_is_ready(self, cell: Point) -> bool:
        peer, mind = self.scene.peer, self.episode.mind
        if not self.waits_for_peer or peer is None:
            return True
        return isinstance(mind, Partner) and mind.random_steps == 0 and manhattan(peer.cell, cell) <= 1

    def _pull_for_partner(self) -> int:
        """LeverDoor, left: pull once the partner stands at the door."""
        lever, door = self.scene.lever, self.scene.door
        assert lever is not None and lever.cur_pos is not None and door is not None and door.cur_pos is not None
        if lever.was_activated:
            return WAIT
        return self._go(poses_before(lever.cur_pos), TOGGLE if self._partner_is_ready(door.cur_pos) else WAIT)

    def _pass_door(self) -> int:
        """LeverDoor, right: wait at the door, go in, press the generator behind it."""
        generator, door = self.scene.target, self.scene.door
        assert generator is not None and generator.cur_pos is not None and door is not None and door.cur_pos is not None
        if door.can_overlap() or self.room.at(door.cur_pos) is not door:
            return self._bump(generator)
        before = (door.cur_pos[0] - 1, door.cur_pos[1])
        return self._go([(before, EAST)], WAIT)

    def _push_through(self) -> int:
        """MarblePush, left: stand behind the marble; push when the door is open."""
        marble, door = self.scene.marble, self.scene.door
        assert marble is not None and door is not None
        if marble.has_moved or marble.cur_pos is None:
            return WAIT
        behind = (marble.cur_pos[0] - 1, marble.cur_pos[1])
        ready = door.can_overlap() or not self.waits_for_peer
        return self._go([(behind, EAST)], FORWARD if ready else WAIT)

    def _pull_for_marble(self) -> int:
        """MarblePush, right: stand at the lever; pull when the marble rolls."""
        lever, marble = self.scene.lever, self.scene.marble
        assert lever is not None and lever.cur_pos is not None and marble is not None
        if lever.was_activated:
            return WAIT
        ready = marble.moving is not None or not self.waits_for_peer
        return self._go(poses_before(lever.cur_pos), TOGGLE if ready else WAIT)

    def _pass_marble(self) -> int:
        """MarblePass, left: push it over, and keep out of its way."""
        marble = self.scene.marble
        assert marble is not None
        return WAIT if marble.has_moved else self._push(marble, EAST)

    def _receive_marble(self) -> int:
        """MarblePass, right: push it on once it lies in the generator's column."""
        marble, generator = self.scene.marble, self.scene.target
        assert marble is not None and marble.cur_pos is not None
        assert generator is not None and generator.cur_pos is not None
        if marble.cur_pos[0] != generator.cur_pos[0]:
            return self._clear_row(marble.cur_pos[1])
        return self._push(marble, SOUTH if generator.cur_pos[1] > marble.cur_pos[1] else NORTH)

    def _clear_row(self, row: int) -> int:
        """Wait off the marble's row."""
        if self.room.agent_pos[1] != row:
            return WAIT
        x = self.room.agent_pos[0]
        return self._go([*poses_on((x, row - 1)), *poses_on((x, row + 1))], WAIT)


def _is_used(thing: Thing | None) -> bool:
    if isinstance(thing, LockableBox | Door):
        return thing.is_open
    if isinstance(thing, Lever | Switch):
        return thing.is_on
    return isinstance(thing, AppleGenerator) and thing.is_pressed
