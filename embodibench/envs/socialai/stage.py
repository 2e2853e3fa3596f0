"""From parameters and random streams to an episode that is ready to start."""

from __future__ import annotations

from dataclasses import dataclass

from embodibench.envs.socialai.constants import SORTED_COLORS
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.layouts import adversarial, choices, information_seeking, passages
from embodibench.envs.socialai.parameters import ADVERSARIAL, COLLABORATION, EpisodeParameters
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.peers.caretaker import NAME, Caretaker
from embodibench.envs.socialai.peers.mind import Mind
from embodibench.envs.socialai.peers.partners import PARTNERS
from embodibench.envs.socialai.peers.watcher import Watcher
from embodibench.envs.socialai.scene import Scene
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream


@dataclass(frozen=True, slots=True)
class Settings:
    """What a room is made with beside its parameters; the defaults are the original's.

    Attributes:
        size: canvas, in cells; rooms are drawn up to it.
        max_steps: the world's own step limit.
        colors: how many colours the objects of information seeking may have, 2..7.
        lever_steps: how long a timed lever stays on.
        switch_light: whether a switch shows that it is on.
        hidden_peer: whether a watcher is invisible (and still).
    """

    size: int = 10
    max_steps: int = 80
    colors: int = 3
    lever_steps: int = 10
    switch_light: bool = False
    hidden_peer: bool = False


@dataclass(frozen=True, slots=True)
class Streams:
    """The three random streams of an episode.

    Attributes:
        draws: layout, half turns, teleports and misleading words.
        choices: the tree's choices, partners' and watchers' acts, number of obstacles.
        directions: where a watcher looks at first.
    """

    draws: ArrayStream
    choices: ChoiceStream
    directions: ArrayStream


def start(parameters: EpisodeParameters, settings: Settings, streams: Streams) -> Episode:
    """Draw a room, place everybody, and give the peer its mind.

    Raises:
        LayoutError: the room is too small for this problem and seed.
    """
    scene = _scene(parameters, settings, streams)
    return Episode(parameters, scene, _mind(parameters, scene, streams), settings.max_steps)


def _scene(parameters: EpisodeParameters, settings: Settings, streams: Streams) -> Scene:
    draws = streams.draws
    if parameters.kind == ADVERSARIAL:
        return adversarial.build(
            parameters, settings.size, settings.hidden_peer, draws, streams.choices, streams.directions
        )
    if parameters.kind == COLLABORATION:
        if parameters.problem == "LeverDoor":
            return passages.lever_door(parameters, settings.size, settings.lever_steps, draws)
        if parameters.problem == "MarblePush":
            return passages.marble_push(parameters, settings.size, settings.lever_steps, draws)
        if parameters.problem == "MarblePass":
            return passages.marble_pass(parameters, settings.size, draws)
        return choices.build(parameters, settings.size, settings.switch_light, draws)
    scene = information_seeking.build(
        parameters, settings.size, parameters.colors or settings.colors, settings.switch_light, draws
    )
    color = draws.element(SORTED_COLORS)
    information_seeking.place_peer_cells(scene, parameters, draws)
    if parameters.peer:
        cell = information_seeking.draw_peer_cell(scene, parameters.problem, draws)
        scene.peer = PeerBody(color, NAME)
        scene.room.put(cell, scene.peer)
    information_seeking.draw_agent(scene, draws)
    return scene


def _mind(parameters: EpisodeParameters, scene: Scene, streams: Streams) -> Mind | None:
    if scene.peer is None:
        return None
    if parameters.kind == ADVERSARIAL:
        return Watcher(scene, parameters.walks, streams.draws, streams.choices)
    if parameters.kind == COLLABORATION:
        return PARTNERS[parameters.problem, parameters.role](scene, streams.draws, streams.choices)
    return Caretaker(scene, parameters, streams.draws, streams.choices)
