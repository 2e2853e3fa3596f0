"""The Atari environment: the console, the objects on its screen, and what a benchmark counts."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from embodibench.canonical import Json, canonical_bytes
from embodibench.envs.atari import installation, views
from embodibench.envs.atari.detection import Detector
from embodibench.envs.atari.emulator import FRAME_CAP, SCREEN, Emulator
from embodibench.envs.base import Action, Observation, Picture, Step
from embodibench.errors import UsageError

_COUNTED: Final = struct.Struct("<4q")


class AtariObservation(Observation):
    """The screen, as ``text``, ``objects`` and ``render`` (see the module ``views``)."""

    def __init__(self, world: AtariWorld) -> None:
        self._world = world

    def text(self) -> str:
        """Step, score and lives, then each object: class, position, size, motion, facing and value."""
        return self._world.describe()

    def objects(self) -> tuple[Mapping[str, Json], ...]:
        """The objects as plain data (see ``views.plain``), without those that the card hides."""
        return self._world.things()

    def render(self, height: int, width: int) -> Picture:
        """The screen, 210 x 160 pixels, drawn at another size by taking the nearest pixel."""
        return self._world.draw(height, width)


class AtariWorld:
    """One game on the Atari 2600, with the defaults of ALE's v5 environments (see the module ``emulator``).

    Actions are the integers 0..len(action_names)-1, in the order of ALE's minimal action set. One step holds an action
    for 4 frames; in each frame the console repeats its previous action with probability 0.25. The reward is the points
    scored in the step, neither clipped nor scaled. The episode ends when the game is over (``terminated``, ``end``
    "game_over") or after 108,000 frames (``truncated``, ``end`` "frame_cap"), which belongs to the rules that published
    scores are measured under.

    Everything that is random comes from the console's own generator, seeded at ``reset`` as the v5 environments do it,
    so the same seed plays the same game as ``gymnasium.make("ALE/<Game>-v5").reset(seed=seed)``.

    Attributes:
        action_count, action_names: the game's actions.
        manual: the rules of the game in words, from the card; "" when it has none.
        turn_steps: steps that one decision of a slow player lasts, from the card. The world itself makes no use of it.

    Args:
        game: as ALE calls its ROM, for example ``space_invaders``.
        manual: the rules of the game in words.
        turn_steps: steps that one decision of a slow player lasts, at least 1.
        hidden: classes of objects that no view shows, such as a display that ocatari lists without reading it.
        frame_cap: frames after which an episode is truncated, at least 1.

    Raises:
        MissingExtraError: the extra ``atari`` is not installed.
        UsageError: Python is too new for the extra, the game is unknown, or a parameter is wrong.
    """

    def __init__(
        self,
        game: str,
        manual: str = "",
        turn_steps: int = 4,
        hidden: Sequence[str] = (),
        frame_cap: int = FRAME_CAP,
    ) -> None:
        installation.require()
        for name, number in (("turn_steps", turn_steps), ("frame_cap", frame_cap)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise UsageError(f"atari: {name} must be a positive whole number, not {number!r}")
        if isinstance(hidden, str) or not all(isinstance(name, str) for name in hidden):
            raise UsageError(f"atari: hidden must be a list of class names, not {hidden!r}")
        installation.rom(game)
        installation.extractor(game)
        self.game: Final = game
        self.manual: Final = manual
        self.turn_steps: Final = turn_steps
        self._hidden = frozenset(hidden)
        self._frame_cap = frame_cap
        self._emulator: Emulator | None = Emulator(game, frame_cap)
        self.action_names: Final = self._emulator.action_names
        self.action_count: Final = len(self.action_names)
        self._detector: Detector | None = None
        self._clear()

    def _clear(self) -> None:
        self._history: Any = hashlib.blake2b(digest_size=16)
        self._steps = 0
        self._score = 0
        self._start_lives = 0
        self._end: str | None = None

    def _parts(self) -> tuple[Emulator, Detector]:
        if self._emulator is None or self._detector is None:
            raise RuntimeError("atari: reset the world first" if self._emulator else "atari: the world is closed")
        return self._emulator, self._detector

    def reset(self, seed: int) -> AtariObservation:
        """Start the episode of this seed.

        Raises:
            ValueError: seed is not in 0 <= seed < 2**31.
            RuntimeError: after close.
        """
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**31:
            raise ValueError(f"atari: a seed is a whole number from 0 to 2**31 - 1, not {seed!r}")
        if self._emulator is None:
            raise RuntimeError("atari: the world is closed")
        self._clear()
        self._emulator.reset(seed)
        self._start_lives = self._emulator.lives
        self._detector = Detector(self.game, self._emulator.memory())
        return AtariObservation(self)

    def step(self, action: Action) -> Step:
        """Hold an action for 4 frames.

        Raises:
            ValueError: the action is not an integer 0..action_count-1.
            RuntimeError: before the first reset, or after the episode has ended.
        """
        emulator, detector = self._parts()
        if self._end is not None:
            raise RuntimeError(f"atari: the episode has ended ({self._end}); reset the world first")
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < self.action_count:
            raise ValueError(
                f"atari: an action of {self.game} is an integer 0..{self.action_count - 1}, not {action!r}"
            )
        points = emulator.act(action)
        detector.update(emulator.memory())
        self._history.update(bytes([action]))
        self._steps += 1
        self._score += points
        terminated = emulator.game_over
        truncated = not terminated and emulator.cap_reached
        info: dict[str, Json] = {}
        if terminated or truncated:
            self._end = "game_over" if terminated else "frame_cap"
            info["end"] = self._end
        return Step(AtariObservation(self), float(points), terminated, truncated, info)

    def things(self) -> tuple[dict[str, Json], ...]:
        """The visible objects as plain data, without the hidden classes. Raises RuntimeError before reset."""
        _, detector = self._parts()
        return tuple(views.plain(thing) for thing in detector.visible() if thing.category not in self._hidden)

    def describe(self) -> str:
        """The observation in words. Raises RuntimeError before reset."""
        emulator, _ = self._parts()
        lives = emulator.lives if self._start_lives else None
        return views.describe(self.things(), self._score, lives, self._steps)

    def draw(self, height: int, width: int) -> Picture:
        """The screen at any size: each pixel is the nearest of the screen's. Raises RuntimeError before reset."""
        emulator, _ = self._parts()
        if height < 1 or width < 1:
            raise ValueError(f"atari: a picture has at least 1 x 1 pixels, not {height} x {width}")
        # Centre of each target pixel, in whole numbers: floor((2 i + 1) * size / (2 * target)).
        rows = (2 * np.arange(height) + 1) * SCREEN[0] // (2 * height)
        columns = (2 * np.arange(width) + 1) * SCREEN[1] // (2 * width)
        return np.ascontiguousarray(emulator.screen()[rows[:, None], columns[None, :]])

    def fingerprint(self) -> bytes:
        """16 bytes (BLAKE2b) over the console with its generator, the actions so far, the objects, and the counts.

        The actions are hashed because one part of the state is in no serialisation: the action that the console carried
        out last and may repeat. It follows from seed and actions. Raises RuntimeError before reset.
        """
        emulator, detector = self._parts()
        digest = hashlib.blake2b(emulator.state(), digest_size=16)
        digest.update(self._history.digest())
        digest.update(_COUNTED.pack(self._steps, self._score, self._start_lives, self._frame_cap))
        digest.update(canonical_bytes([self.game, self._end, detector.state()]))
        return digest.digest()

    def measures(self) -> Mapping[str, Json]:
        """What has been counted in this episode.

        ``score`` (the points that the game gave, the true score), ``steps``, ``frames`` (of the episode), ``lives``
        (None in games without) and ``end`` (None while it goes on). Raises RuntimeError before reset.
        """
        emulator, _ = self._parts()
        return {
            "score": self._score,
            "steps": self._steps,
            "frames": emulator.frames,
            "lives": emulator.lives if self._start_lives else None,
            "end": self._end,
        }

    def close(self) -> None:
        """Let go of the console; every later call raises RuntimeError."""
        self._emulator = None
        self._detector = None
        self._clear()


__all__ = ["AtariObservation", "AtariWorld"]
