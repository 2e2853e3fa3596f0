"""The rules: what one step does, in the order in which the original does it."""

from __future__ import annotations

from typing import ClassVar, Final

from embodibench.envs.socialai.constants import NORTH
from embodibench.envs.socialai.language import utterance
from embodibench.envs.socialai.objects import AppleGenerator, Door, Lever, LockableBox, Marble, Switch, Thing
from embodibench.envs.socialai.objects.base import FamilyMember
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.peers.body import NO_OP
from embodibench.envs.socialai.peers.mind import Mind, Turn
from embodibench.envs.socialai.peers.watcher import Watcher
from embodibench.envs.socialai.scene import Scene

TURN_LEFT: Final = 0
TURN_RIGHT: Final = 1
FORWARD: Final = 2
TOGGLE: Final = 3
DONE: Final = 4
WAIT: Final = 5

REWARD_HORIZON: Final = 80
REWARD_LOSS: Final = 0.1
"""Success is worth 1 - REWARD_LOSS * steps / REWARD_HORIZON, whatever limit the protocol sets."""

CONVERSATION: Final = "Conversation: \n"
NOTHING_SAID: Final = "NA \n"


class Episode:
    """One episode.

    Attributes:
        scene: the room.
        mind: the peer's mind, or None without one.
        steps: steps taken.
        max_steps: the world's own limit.
        peer_lines: all the peer has said, a line each.
        agent_lines: all the agent has said.
        said: what was said in the last step, as the original's ``utterance``.
        seen_view: what the agent saw between its own act and the peer's: the text is about this.
        own_acts: kinds of objects the agent has used rightly itself; a demonstration must be imitated.
        seen_by_watcher: the watcher saw the agent at the beginning of the last step.
        outcome: why it ended, "" while it goes on: ``apple``, ``apple_without_credit``, ``done`` or ``time``.
    """

    STATE: ClassVar[tuple[str, ...]] = (
        "parameters",
        "scene",
        "mind",
        "steps",
        "max_steps",
        "peer_lines",
        "agent_lines",
        "said",
        "seen_view",
        "own_acts",
        "seen_by_watcher",
        "outcome",
    )

    def __init__(self, parameters: EpisodeParameters, scene: Scene, mind: Mind | None, max_steps: int) -> None:
        self.parameters = parameters
        self.scene = scene
        self.mind = mind
        self.max_steps = max_steps
        self.steps = 0
        self.peer_lines: tuple[str, ...] = ()
        self.agent_lines: tuple[str, ...] = ()
        self.said = CONVERSATION
        self.seen_view = scene.room.agent_view()
        self.own_acts: frozenset[str] = frozenset()
        self.seen_by_watcher = False
        self.outcome = ""

    def step(self, primitive: int, template: int, noun: int) -> float:
        """One step; the reward. Sets ``outcome`` when the episode ends.

        Raises:
            ValueError: no such primitive, template or noun; nothing has happened then.
        """
        if not TURN_LEFT <= primitive <= WAIT:
            raise ValueError(f"no such primitive action: {primitive} of 0..{WAIT}")
        words = utterance(template, noun)
        room = self.scene.room
        self.steps += 1
        if isinstance(self.mind, Watcher):
            self.seen_by_watcher = self.mind.sees(room.agent_pos)
        if words:
            self.agent_lines = (*self.agent_lines, words)
        ate = self._act(primitive)
        self.seen_view = room.agent_view()
        if self.scene.marble is not None:
            self.scene.marble.roll(room)
        if self.scene.lever is not None:
            self.scene.lever.tick()
        self.scene.pass_on_choice()
        self._peer_turn(words)
        if ate:
            credited = self._earns_credit()
            self.outcome = "apple" if credited else "apple_without_credit"
            return 1 - REWARD_LOSS * (self.steps / REWARD_HORIZON) if credited else 0.0
        if primitive == DONE:
            self.outcome = "done"
        elif self.steps >= self.max_steps:
            self.outcome = "time"
        return 0.0

    @property
    def history(self) -> str:
        """All the peer has said, as the original's ``utterance_history``."""
        return CONVERSATION + "".join(self.peer_lines)

    def is_blocked(self) -> bool:
        """Whether the right object can no longer be used, and has not been."""
        target = self.scene.target
        return isinstance(target, FamilyMember) and target.blocked and not _is_used(target)

    def _act(self, primitive: int) -> bool:
        """The agent's own act; whether it ate its apple."""
        room = self.scene.room
        if primitive == TURN_LEFT:
            room.agent_dir = (room.agent_dir - 1) % (NORTH + 1)
        elif primitive == TURN_RIGHT:
            room.agent_dir = (room.agent_dir + 1) % (NORTH + 1)
        elif primitive == FORWARD:
            ahead = room.agent_front()
            thing = room.at(ahead)
            if thing is not None:
                thing.push(room, room.agent_dir)
                self._note(thing)
            thing = room.at(ahead)
            if thing is None or thing.can_overlap():
                room.agent_pos = ahead
        elif primitive == TOGGLE:
            thing = room.at(room.agent_front())
            if thing is not None:
                is_fresh = thing is self.scene.apple and not self.scene.apple.eaten
                thing.use(room)
                self._note(thing)
                return is_fresh
        return False

    def _note(self, thing: Thing) -> None:
        """Remember that the agent itself did what the demonstration shows."""
        if isinstance(thing, Marble) or _is_used(thing):
            self.own_acts |= {thing.KIND}

    def _earns_credit(self) -> bool:
        if self.seen_by_watcher:
            return False
        if self.parameters.cue != "Emulation" or not self.parameters.peer:
            return True
        return self.own_acts >= _KEY_ACTS[self.parameters.problem]

    def _peer_turn(self, words: str) -> None:
        if self.mind is None:
            self.said = NOTHING_SAID
            return
        self.mind.body.last_act = NO_OP
        answer = self.mind.act(Turn(words, self.steps))
        if not answer:
            self.said = NOTHING_SAID
            return
        line = f"{self.mind.body.name}: {answer} \n"
        self.peer_lines = (*self.peer_lines, line)
        self.said = NOTHING_SAID + line


def _is_used(thing: Thing) -> bool:
    return (
        (isinstance(thing, LockableBox | Door) and thing.is_open)
        or (isinstance(thing, Lever | Switch) and thing.is_on)
        or (isinstance(thing, AppleGenerator) and thing.is_pressed)
    )


_KEY_ACTS: Final = {
    "Boxes": {"lockablebox"},
    "Switches": {"switch", "lockablebox"},
    "Generators": {"applegenerator"},
    "Marble": {"marble"},
    "Doors": {"door"},
    "Levers": {"lever"},
}
