"""The School behind Gymnasium's interface, one id for each case study.

``register()`` has to be called once; then ``gymnasium.make("embodibench/SocialAI-<name>-v1")`` works for every name
that ``embodibench tree`` lists, training and test trees alike.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from embodibench.envs.base import Step
from embodibench.envs.socialai.language import NO_NOUN, NO_TEMPLATE
from embodibench.envs.socialai.observation import SocialAIObservation
from embodibench.envs.socialai.trees.case_studies import names
from embodibench.envs.socialai.view import CHANNELS, SIZE
from embodibench.envs.socialai.world import SocialAIWorld

NAMESPACE: Final = "embodibench"
PICTURE_SIZE: Final = 480
MAX_WORDS: Final = 8192

_LETTERS: Final = "".join(chr(code) for code in range(32, 127)) + "\n"


def gym_id(name: str) -> str:
    """The Gymnasium id of a case study."""
    return f"{NAMESPACE}/SocialAI-{name}-v1"


def register() -> tuple[str, ...]:
    """Register every case study that is not registered yet; all their ids."""
    ids = tuple(gym_id(name) for name in names())
    for name, identifier in zip(names(), ids, strict=True):
        if identifier not in gymnasium.registry:
            gymnasium.register(identifier, entry_point=SocialAIEnv, kwargs={"tree": name})
    return ids


class SocialAIEnv(gymnasium.Env):  # type: ignore[misc]
    """A ``SocialAIWorld`` as a Gymnasium environment.

    Action: (primitive, template, noun), MultiDiscrete([6, 5, 17]). Primitives are turn left, turn right, move forward,
    toggle, done, no_op; the last template and the last noun are silence.

    Observation: ``image`` (7 columns x 7 rows x 6 channels), ``direction`` (of the agent), ``utterance`` (what was said
    in this step) and ``utterance_history``; ``info`` has ``text``, ``success`` and ``parameters``.

    A seed given to ``reset`` is the world's: the published layout of that number. Without one, seeds are drawn from
    ``np_random``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 5}

    def __init__(self, render_mode: str | None = None, **parameters: Any) -> None:
        self.world = SocialAIWorld(**{"speech": True, "wording": "raw", **parameters})
        self.render_mode = render_mode
        self.action_space = spaces.MultiDiscrete([len(self.world.action_names), NO_TEMPLATE + 1, NO_NOUN + 1])
        words = spaces.Text(max_length=MAX_WORDS, charset=_LETTERS)
        self.observation_space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, (SIZE, SIZE, CHANNELS), dtype=np.uint8),
                "direction": spaces.Discrete(4),
                "utterance": words,
                "utterance_history": words,
            }
        )
        self._last: SocialAIObservation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**31)) if seed is None else seed
        self._last = self.world.reset(number)
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Advance by one action."""
        step: Step = self.world.step(tuple(int(part) for part in action))
        assert isinstance(step.observation, SocialAIObservation)
        self._last = step.observation
        return self._observe(), step.reward, step.terminated, step.truncated, self._info()

    def render(self) -> NDArray[np.uint8] | None:
        """The room from above, when ``render_mode`` is ``rgb_array``."""
        if self.render_mode != "rgb_array" or self._last is None:
            return None
        return self._last.render(PICTURE_SIZE, PICTURE_SIZE)

    def close(self) -> None:
        self.world.close()

    def _observe(self) -> dict[str, Any]:
        assert self._last is not None
        episode = self.world.episode
        return {
            "image": self._last.image(),
            "direction": episode.scene.room.agent_dir,
            "utterance": episode.said,
            "utterance_history": episode.history,
        }

    def _info(self) -> dict[str, Any]:
        assert self._last is not None
        measures = self.world.measures()
        return {"text": self._last.text(), "success": measures["success"], "parameters": measures["parameters"]}
