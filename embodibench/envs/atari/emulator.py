"""The console: one game of the Arcade Learning Environment, with the defaults of its v5 environments.

Source of the defaults: the registration of ``ALE/<Game>-v5`` in ale-py 0.12.1 (M. Machado et al. 2018, section 5):
every action is held for 4 frames, in each frame the console repeats the action before with probability 0.25, the game's
minimal action set, and a cap of 108,000 frames (half an hour of play).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.atari.installation import rom
from embodibench.envs.base import Picture

FRAMESKIP: Final = 4
STICKY: Final = 0.25
FRAME_CAP: Final = 108_000
SCREEN: Final = (210, 160)
"""Rows and columns of the screen."""


class Emulator:
    """One console with one game in it.

    Args:
        game: as the ROM is called, for example ``space_invaders``.
        frame_cap: frames after which an episode is truncated.
    """

    def __init__(self, game: str, frame_cap: int) -> None:
        from ale_py import ALEInterface, LoggerMode

        # Set before a console is made, or every process prints a banner.
        ALEInterface.setLoggerMode(LoggerMode.Error)
        self._rom = str(rom(game))
        self._ale: Any = ALEInterface()
        self._ale.setFloat("repeat_action_probability", STICKY)
        self._ale.setInt("max_num_frames_per_episode", frame_cap)
        self._ale.loadROM(self._rom)
        self._actions = tuple(self._ale.getMinimalActionSet())
        self._ram = np.zeros(self._ale.getRAMSize(), dtype=np.uint8)

    @property
    def action_names(self) -> tuple[str, ...]:
        """Names of the game's minimal action set, such as NOOP, UP and UPFIRE."""
        return tuple(action.name for action in self._actions)

    def reset(self, seed: int) -> None:
        """Switch on with the generator seeded as the v5 environments' ``reset(seed=seed)`` does it."""
        # Kept to the bit: it is the second word that NumPy's SeedSequence makes of the seed, read as a signed number.
        word = int(np.random.SeedSequence(seed).generate_state(2)[1])
        self._ale.setInt("random_seed", word - 2**32 if word >= 2**31 else word)
        self._ale.loadROM(self._rom)
        self._ale.reset_game()

    def act(self, index: int) -> int:
        """Hold an action for ``FRAMESKIP`` frames. Returns the points scored."""
        act, action = self._ale.act, self._actions[index]
        return sum(int(act(action)) for _ in range(FRAMESKIP))

    @property
    def game_over(self) -> bool:
        """Whether the game itself has ended."""
        return bool(self._ale.game_over(with_truncation=False))

    @property
    def cap_reached(self) -> bool:
        """Whether the frame cap has ended the episode."""
        return bool(self._ale.game_truncated())

    @property
    def frames(self) -> int:
        """Frames of this episode so far."""
        return int(self._ale.getEpisodeFrameNumber())

    @property
    def lives(self) -> int:
        """Lives that are left; 0 also in games without lives."""
        return int(self._ale.lives())

    def memory(self) -> NDArray[np.int64]:
        """The 128 bytes of memory, as int64: ocatari's sums would wrap around on uint8 in NumPy 2."""
        self._ale.getRAM(self._ram)
        return self._ram.astype(np.int64)

    def screen(self) -> Picture:
        """The picture, 210 x 160 x 3."""
        pixels: Picture = self._ale.getScreenRGB()
        return pixels

    def state(self) -> bytes:
        """The serialised console: memory, processor, chips, counters, and the random generator.

        Not in it is the action that the console carried out last, which it may repeat in the next frame. That one
        follows from the seed and the actions so far, so whoever hashes the state hashes those too.
        """
        state: bytes = self._ale.cloneState(include_rng=True).serialize()
        return state
