"""What all minds can make their body do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from embodibench.envs.socialai.constants import STEPS, Point, facing_direction, manhattan
from embodibench.envs.socialai.objects import Thing
from embodibench.envs.socialai.peers import body as acts
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.peers.paths import next_cell
from embodibench.envs.socialai.room import Room
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream

SILENT: Final = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a mind learns when it is its turn.

    Attributes:
        agent_says: the agent's utterance of this step, or "".
        step: number of this step, from 1.
    """

    agent_says: str
    step: int


class Mind:
    """Decides on one act and perhaps one utterance for each step.

    Attributes:
        scene: the room and who is what in it.
        body: what it moves.
        draws: the layout's stream, which goes on to decide about half turns and words.
        choices: the stream of random acts.
    """

    STATE: ClassVar[tuple[str, ...]] = ("body",)

    def __init__(self, scene: Scene, draws: ArrayStream, choices: ChoiceStream) -> None:
        assert scene.peer is not None
        self.scene = scene
        self.body: PeerBody = scene.peer
        self.draws = draws
        self.choices = choices

    @property
    def room(self) -> Room:
        return self.scene.room

    def act(self, turn: Turn) -> str:
        """Do what it does in this step, and return what it says ("" for nothing)."""
        raise NotImplementedError

    def meets_agent(self) -> bool:
        """Whether it and the agent look at each other along a row or column, at any distance, whatever is between."""
        me, agent = self.body.cell, self.room.agent_pos
        if me[0] != agent[0] and me[1] != agent[1]:
            return False
        towards_me = facing_direction(agent, me)
        return self.room.agent_dir == towards_me and self.body.facing == (towards_me + 2) % 4

    def turn_to(self, direction: int) -> bool:
        """A quarter turn towards ``direction``, half turns either way; False when it already looks there."""
        quarter = (direction - self.body.facing) % 4
        if quarter == 0:
            return False
        if quarter == 2:
            quarter = self.draws.element(HALF_TURNS)
        self.rotate(acts.ROTATE_RIGHT if quarter == 1 else acts.ROTATE_LEFT)
        return True

    def spend_half_turn(self, cell: Point) -> None:
        """Draw what a half turn towards a cell would cost, without turning.

        The original works out a look at the agent first, and then points or walks instead: the draw is made.
        """
        if (facing_direction(self.body.cell, cell) - self.body.facing) % 4 == 2:
            self.draws.element(HALF_TURNS)

    def rotate(self, act: str) -> None:
        """A quarter turn."""
        self.body.facing = (self.body.facing + (1 if act == acts.ROTATE_RIGHT else 3)) % 4
        self.body.last_act = act

    def look_at(self, cell: Point) -> bool:
        """Turn towards a cell; False when it already looks there."""
        return cell != self.body.cell and self.turn_to(facing_direction(self.body.cell, cell))

    def look_at_agent(self) -> bool:
        """Turn towards the agent; False when it already looks there."""
        return self.look_at(self.room.agent_pos)

    def go_forward(self) -> None:
        """Step onto the cell ahead, or bump what stands there. The cell left behind is empty, even if it was a door."""
        self.body.last_act = acts.GO_FORWARD
        ahead = self.body.front
        if self.room.is_free(ahead):
            self.room.put(self.body.cell, None)
            self.room.put(ahead, self.body)
            return
        thing = self.room.at(ahead)
        if thing is not None:
            thing.push(self.room, self.body.facing)

    def toggle(self) -> None:
        """Use what stands ahead."""
        self.body.last_act = acts.TOGGLE
        thing = self.room.at(self.body.front)
        if thing is not None:
            thing.use(self.room)

    def point(self, cell: Point) -> None:
        """Raise the arm towards a cell."""
        direction = facing_direction(self.body.cell, cell)
        self.body.pointing = direction
        self.body.last_act = acts.POINTS[direction]

    def stop_pointing(self) -> None:
        """Lower the arm."""
        self.body.pointing = None
        self.body.last_act = acts.STOP_POINT

    def go_to(self, cell: Point) -> bool:
        """One act on the way to a cell; False when it is there, or there is no way."""
        ahead = next_cell(self.room, self.body.cell, cell)
        if ahead is None or ahead == self.body.cell:
            return False
        if not self.turn_to(facing_direction(self.body.cell, ahead)):
            self.go_forward()
        return True

    def go_and_face(self, thing: Thing) -> bool:
        """One act on the way to stand before a thing and look at it; False when it does."""
        assert thing.cur_pos is not None
        if self.body.front == thing.cur_pos:
            return False
        if manhattan(self.body.cell, thing.cur_pos) == 1:
            return self.turn_to(facing_direction(self.body.cell, thing.cur_pos))
        return self.go_to(thing.cur_pos)

    def go_and_use(self, thing: Thing) -> None:
        """One act on the way to a thing, or the use of it."""
        assert thing.cur_pos is not None
        if self.body.front == thing.cur_pos:
            self.toggle()
        else:
            self.go_to(thing.cur_pos)

    def cell_behind(self, thing: Thing, direction: int) -> Point:
        """The cell from which a thing is pushed in ``direction``."""
        assert thing.cur_pos is not None
        return thing.cur_pos[0] - STEPS[direction][0], thing.cur_pos[1] - STEPS[direction][1]

    def go_and_push(self, thing: Thing, direction: int) -> None:
        """One act on the way to the far side of a thing, or the push."""
        behind = self.cell_behind(thing, direction)
        if self.body.cell != behind:
            self.go_to(behind)
        elif not self.turn_to(direction):
            self.go_forward()


HALF_TURNS: Final = (3, 1)
"""Quarters of a half turn by element: left first, or right first."""
