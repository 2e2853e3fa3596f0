"""The caretaker of the information-seeking rooms: it waits to be introduced, then shows which object is right."""

from __future__ import annotations

from typing import Final

from embodibench.envs.socialai.constants import Point, facing_direction, manhattan
from embodibench.envs.socialai.layouts import information_seeking as layout
from embodibench.envs.socialai.objects import AppleGenerator, Door, Lever, Marble, Switch, Thing
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.peers.mind import SILENT, Mind, Turn
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream

GREETING: Final = "Help please "
WARMTH: Final = ("Hot", "Warm", "Medium", "Cold")
NAME: Final = "Caretaker"


def warmth(distance: int) -> str:
    """The word for a distance in steps: 0..1, 2, 3..5, and more."""
    return WARMTH[0 if distance <= 1 else 1 if distance == 2 else 2 if distance <= 5 else 3]


class Caretaker(Mind):
    """Looks at the agent (at the room's centre, when it misleads) until it is introduced; then gives its cue.

    Attributes:
        said_color: the colour has been said, the misleading one while not introduced.
        home: where it stood at first.
        demo: how far a demonstration or help has come: ``show``, ``revert``, ``clear``, ``return`` or ``over``.
    """

    STATE = (*Mind.STATE, "said_color", "said_decoy", "home", "demo")

    def __init__(self, scene: Scene, parameters: EpisodeParameters, draws: ArrayStream, choices: ChoiceStream) -> None:
        super().__init__(scene, draws, choices)
        self.parameters = parameters
        self.said_color = False
        self.said_decoy = False
        self.home = self.body.cell
        self.demo = "show"
        if parameters.cue == "Emulation":
            scene.remember()

    def act(self, turn: Turn) -> str:
        known = self.body.introduced
        if not known:
            self.body.introduced = self._is_greeted(turn)
        if not self.body.introduced:
            return self._mislead() if self.parameters.joint_attention else self._wait()
        if not known:
            return self._welcome()
        return self._help() if self.parameters.helps else self._give_cue()

    def _is_greeted(self, turn: Turn) -> bool:
        introduction = self.parameters.introduction
        if introduction == "No":
            return True
        if "Ask" in introduction and turn.agent_says != GREETING:
            return False
        return "Eye_contact" not in introduction or self.meets_agent()

    def _wait(self) -> str:
        self.look_at_agent()
        return SILENT

    def _welcome(self) -> str:
        """The step of the introduction."""
        if self.body.pointing is not None:
            self.stop_pointing()
        else:
            self.look_at_agent()
        return self._say_color() if self.parameters.cue == "Language_Color" else SILENT

    def _say_color(self) -> str:
        if self.said_color:
            return SILENT
        self.said_color = True
        assert self.scene.target is not None
        return self.scene.target.color

    def _give_cue(self) -> str:
        cue = self.parameters.cue
        if cue == "Pointing":
            self._point_out()
            return SILENT
        if cue == "Emulation":
            self._demonstrate()
            return SILENT
        self.look_at_agent()
        if cue == "Language_Feedback":
            assert self.scene.target is not None and self.scene.target.cur_pos is not None
            return warmth(manhattan(self.room.agent_pos, self.scene.target.cur_pos))
        return SILENT

    def _mislead(self) -> str:
        """Before the introduction, when attention has to be joint: the cue for a random object, or a random word."""
        cue = self.parameters.cue
        decoy = self.scene.decoy
        assert decoy is not None
        if cue == "Pointing":
            if self.body.pointing is None:
                self.spend_half_turn(self.room.agent_pos)
                self._go_and_point(decoy, self._other(decoy), self.scene.decoy_pointing_cell)
            else:
                self._look_at_centre()
            return SILENT
        word = SILENT
        if cue == "Language_Color" and not self.said_decoy:
            self.said_decoy = True
            word = decoy.color
        if cue == "Language_Feedback":
            word = self.draws.element(WARMTH)
        self._look_at_centre()
        return word

    def _look_at_centre(self) -> None:
        self.look_at((self.room.columns // 2, self.room.rows // 2))

    def _other(self, thing: Thing) -> Thing | None:
        scene = self.scene
        return scene.distractor if thing is scene.target else scene.target

    def _point_out(self) -> None:
        if self.body.pointing is not None:
            self.look_at_agent()
            return
        assert self.scene.target is not None
        self._go_and_point(self.scene.target, self.scene.distractor, self.scene.pointing_cell)

    def _go_and_point(self, target: Thing, distractor: Thing | None, cell: Point | None) -> None:
        """Walk to the cell drawn in advance; any cell on the way will do that shows the target as well."""
        assert cell is not None and target.cur_pos is not None
        if layout.is_pointing_cell(self.scene, self.parameters.problem, self.body.cell, target, distractor):
            self.point(target.cur_pos)
        else:
            self.go_to(cell)

    def _demonstrate(self) -> None:
        """Use the right objects, eat the apple, put everything back, and be somewhere else."""
        if self.demo == "show":
            if self._solve():
                self.toggle()
                self.demo = "revert"
            return
        if self.demo == "revert":
            self.demo = "over"
            self.room.put(self.body.cell, None)
            self.scene.restore()
            self.room.put(layout.draw_peer_cell(self.scene, self.parameters.problem, self.draws), self.body)
        self.look_at_agent()

    def _help(self) -> str:
        """Do everything but eat the apple, go back, and look at the agent."""
        if self.demo == "show" and self._solve():
            self.demo = "return"
        if self.demo == "return" and not self.go_to(self.home):
            self.demo = "over"
        if self.demo == "over":
            self.look_at_agent()
        return SILENT

    def _solve(self) -> bool:
        """One act towards the apple; True, without an act, when it looks at the apple."""
        scene = self.scene
        target = scene.target
        assert target is not None
        if isinstance(target, AppleGenerator):
            if not target.is_pressed:
                self._activate(target)
                return False
        elif isinstance(target, Door):
            if not target.is_open:
                self.go_and_use(target)
                return False
        elif isinstance(target, Lever | Switch) and not target.is_on:
            self.go_and_use(target)
            return False
        if scene.box is not None and not scene.box.is_open:
            self.go_and_use(scene.box)
            return False
        if scene.apple.cur_pos is None or self.body.front == scene.apple.cur_pos:
            return True
        self.go_to(scene.apple.cur_pos)
        return False

    def _activate(self, generator: AppleGenerator) -> None:
        marble = self.scene.marble
        assert generator.cur_pos is not None
        if marble is None:
            self.go_to(generator.cur_pos)
        elif not marble.has_moved and marble.moving is None:
            self.go_and_push(marble, self._direction(marble, generator))

    def _direction(self, marble: Marble, generator: AppleGenerator) -> int:
        assert marble.cur_pos is not None and generator.cur_pos is not None
        return facing_direction(marble.cur_pos, generator.cur_pos)
