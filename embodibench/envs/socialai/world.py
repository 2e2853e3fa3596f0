"""The SocialAI School as an environment of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from embodibench.canonical import Json
from embodibench.envs.base import Action, Step
from embodibench.envs.socialai.episode import WAIT, Episode
from embodibench.envs.socialai.fingerprint import digest
from embodibench.envs.socialai.language import NO_NOUN, NO_TEMPLATE, NOUNS, TEMPLATES
from embodibench.envs.socialai.observation import SocialAIObservation
from embodibench.envs.socialai.parameters import EpisodeParameters
from embodibench.envs.socialai.stage import Settings, Streams, start
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream, choice_key, layout_key
from embodibench.envs.socialai.trees.case_studies import case_study
from embodibench.envs.socialai.trees.node import Parameter, sample
from embodibench.envs.socialai.trees.notation import parse
from embodibench.errors import UsageError

WORDINGS: Final = ("prompt", "raw")

_ENDS: Final = {
    "apple": "success",
    "apple_without_credit": "no_credit",
    "done": "done",
    "time": "time_limit",
    "blocked": "blocked",
}


class SocialAIWorld:
    """The SocialAI School of Kovač et al. (2023), rebuilt on minigrid 3.2 with seeded randomness throughout.

    An action is the index of a primitive (``action_names``), or, with ``speech``, a tuple (primitive, template, noun);
    the indices after the last template and noun are silence. Success is worth 1 - 0.1 * steps / 80; nothing else is
    worth anything. Ends: ``success``, ``no_credit`` (the apple was eaten while the watcher looked, or without
    imitating the demonstration), ``done``, ``blocked`` (see ``stop_when_blocked``) and ``time_limit``.

    Args:
        tree: what episodes are drawn from: the name of a case study, or a tree as data (see ``trees.notation``).
        parameters: one episode's parameters instead of a tree: name -> value.
        size: canvas, in cells, 7..32; rooms are at most as large.
        max_steps: the world's own limit, opening waits included; the original's is 80.
        opening_waits: steps the agent spends waiting before its first action (the language-model protocol forces one).
        stop_when_blocked: end the episode as soon as the right object has been blocked without having been used.
        speech: the agent can speak, and actions may be tuples.
        wording: what ``text`` gives: ``prompt`` (the paper's) or ``raw`` (with gaze, pointing and the peer's last act).
        colors: how many colours the objects of information seeking may have, 2..7.
        lever_steps: how long a timed lever stays on.
        switch_light: whether a switch shows that it is on.
        hidden_peer: an adversarial peer that cannot be seen, and stands still.

    Raises:
        UsageError: a parameter is out of its range, or neither or both of ``tree`` and ``parameters`` are given.
        CardError: the tree or the parameters are wrong.
    """

    action_names: Final = ("turn left", "turn right", "move forward", "toggle", "done", "no_op")
    templates: Final = TEMPLATES
    nouns: Final = NOUNS

    def __init__(
        self,
        tree: str | Mapping[str, Json] | None = None,
        parameters: Mapping[str, str] | None = None,
        size: int = 10,
        max_steps: int = 80,
        opening_waits: int = 0,
        stop_when_blocked: bool = False,
        speech: bool = False,
        wording: str = "prompt",
        colors: int = 3,
        lever_steps: int = 10,
        switch_light: bool = False,
        hidden_peer: bool = False,
    ) -> None:
        if (tree is None) == (parameters is None):
            raise UsageError("socialai: give either 'tree' or 'parameters'")
        for name, value, low, high in (
            ("size", size, 7, 32),
            ("max_steps", max_steps, 1, 1_000_000),
            ("opening_waits", opening_waits, 0, 1_000),
            ("colors", colors, 2, 7),
            ("lever_steps", lever_steps, 1, 254),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise UsageError(f"socialai: {name} must be a whole number {low}..{high}, not {value!r}")
        if opening_waits >= max_steps:
            raise UsageError("socialai: opening_waits must leave at least one step of max_steps")
        if wording not in WORDINGS:
            raise UsageError(f"socialai: wording must be one of {', '.join(WORDINGS)}, not {wording!r}")
        for name, flag in (
            ("stop_when_blocked", stop_when_blocked),
            ("speech", speech),
            ("switch_light", switch_light),
            ("hidden_peer", hidden_peer),
        ):
            if not isinstance(flag, bool):
                raise UsageError(f"socialai: {name} must be true or false, not {flag!r}")
        self.tree: Parameter | None = None
        if tree is not None:
            self.tree = case_study(tree) if isinstance(tree, str) else parse(tree)
        self._fixed = None if parameters is None else {str(key): _plain(value) for key, value in parameters.items()}
        if self._fixed is not None:
            EpisodeParameters.from_map(self._fixed)
        self._settings = Settings(size, max_steps, colors, lever_steps, switch_light, hidden_peer)
        self._opening_waits = opening_waits
        self._stop_when_blocked = stop_when_blocked
        self._speech = speech
        self._wording = wording
        self._episode: Episode | None = None
        self._streams: Streams | None = None
        self._chosen: dict[str, str] = {}
        self._return = 0.0

    @property
    def action_count(self) -> int | None:
        """Primitives a random player draws from: turns, forward, toggle. ``done`` and ``no_op`` are understood too."""
        return None if self._speech else 4

    @property
    def action_shape(self) -> tuple[int, ...] | None:
        """The same with speech: the primitives, the templates and the nouns, each with silence."""
        return (4, NO_TEMPLATE + 1, NO_NOUN + 1) if self._speech else None

    @property
    def episode(self) -> Episode:
        """The whole state, for policies that are labelled privileged. To be read, never changed.

        Raises:
            RuntimeError: before the first reset, or after close.
        """
        if self._episode is None:
            raise RuntimeError("socialai: reset the world first")
        return self._episode

    @property
    def streams(self) -> Streams:
        """The episode's random streams. Raises RuntimeError before the first reset."""
        if self._streams is None:
            raise RuntimeError("socialai: reset the world first")
        return self._streams

    def reset(self, seed: int, streams: Streams | None = None) -> SocialAIObservation:
        """Start an episode.

        The layout is the published one of this seed; a tree's choices and the peers' random acts are those of the
        original when its global generators are seeded with the same number.

        Args:
            streams: used instead of the seed's, to follow a recorded run.

        Raises:
            ValueError: seed is not in 0 <= seed < 2**31.
            LayoutError: the room is too small for this problem and seed.
        """
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**31:
            raise ValueError(f"socialai: a seed is a whole number 0 <= seed < 2**31, not {seed!r}")
        self._streams = streams or self._seeded(seed)
        stream = self._streams.choices
        if self._fixed is not None:
            self._chosen = dict(self._fixed)
        else:
            assert self.tree is not None
            self._chosen = sample(self.tree, lambda parameter: stream.element(parameter.values))
        self._return = 0.0
        self._episode = start(EpisodeParameters.from_map(self._chosen), self._settings, self._streams)
        for _ in range(self._opening_waits):
            self._episode.step(WAIT, NO_TEMPLATE, NO_NOUN)
        return SocialAIObservation(self._episode, self._wording)

    def step(self, action: Action) -> Step:
        """Advance the world by one action.

        Raises:
            ValueError: the action is not one of the world's.
            RuntimeError: before the first reset, or after the episode has ended.
        """
        episode = self.episode
        if episode.outcome:
            raise RuntimeError(f"socialai: the episode has ended ({_ENDS[episode.outcome]}); reset the world first")
        reward = episode.step(*self._read(action))
        self._return += reward
        if self._stop_when_blocked and not episode.outcome and episode.is_blocked():
            episode.outcome = "blocked"
        info: dict[str, Json] = {"said": episode.said}
        outcome = episode.outcome
        if outcome:
            info["end"] = _ENDS[outcome]
        observation = SocialAIObservation(episode, self._wording)
        return Step(observation, reward, outcome not in ("", "time"), outcome == "time", info)

    def fingerprint(self) -> bytes:
        """16 bytes over the whole state: room, objects, peer, counters, dialogue and random streams."""
        streams = self.streams
        settings = (*asdict(self._settings).values(), self._opening_waits, self._stop_when_blocked, self._speech)
        chosen = tuple(self._chosen.items())
        counted = (settings, self._wording, chosen, self._return)
        return digest(counted, self.episode, streams.draws, streams.choices, streams.directions)

    def measures(self) -> Mapping[str, Json]:
        """What has been counted in this episode.

        ``success`` (bool), ``steps`` (opening waits included), ``return``, ``introduced``, ``blocked`` (the right
        object can no longer be used), ``utterances`` (of the peer), ``parameters`` (the episode's) and ``end``.
        """
        episode = self.episode
        peer = episode.scene.peer
        return {
            "success": episode.outcome == "apple",
            "steps": episode.steps,
            "return": self._return,
            "introduced": peer is not None and peer.introduced,
            "blocked": episode.is_blocked(),
            "utterances": len(episode.peer_lines),
            "parameters": dict(self._chosen),
            "end": _ENDS.get(episode.outcome),
        }

    def close(self) -> None:
        """Release the episode."""
        self._episode = None
        self._streams = None

    def _seeded(self, seed: int) -> Streams:
        """The streams of a seed; the objects of the last episode are used again, they are costly to make."""
        if self._streams is None:
            return Streams(ArrayStream(layout_key(seed)), ChoiceStream(choice_key(seed)), ArrayStream(seed))
        self._streams.draws.restart(layout_key(seed))
        self._streams.choices.restart(choice_key(seed))
        self._streams.directions.restart(seed)
        return self._streams

    def _read(self, action: Action) -> tuple[int, int, int]:
        if isinstance(action, int) and not isinstance(action, bool) and 0 <= action < len(self.action_names):
            return action, NO_TEMPLATE, NO_NOUN
        if self._speech and isinstance(action, tuple) and len(action) == 3:
            primitive, template, noun = action
            if all(isinstance(part, int) and not isinstance(part, bool) for part in action) and (
                0 <= primitive < len(self.action_names) and 0 <= template <= NO_TEMPLATE and 0 <= noun <= NO_NOUN
            ):
                return primitive, template, noun
        shape = f"an integer 0..{len(self.action_names) - 1}"
        if self._speech:
            shape += f", or three: 0..{len(self.action_names) - 1}, 0..{NO_TEMPLATE}, 0..{NO_NOUN}"
        raise ValueError(f"socialai: an action is {shape}; not {action!r}")


def _plain(value: object) -> str:
    # A card read by an ordinary YAML loader brings the words No and 2 as false and 2.
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value)
