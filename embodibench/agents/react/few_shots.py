"""Three short turns of an invented level in words, since small models follow a form that they have seen answered."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from embodibench.agents.react.senses import Sense
from embodibench.agents.react.texts import text
from embodibench.models.base import Message


class FewShots:
    """Implements ``conversation.Example``."""

    @property
    def turns(self) -> int:
        """Its replies."""
        return len(_turns())

    def texts(self) -> dict[str, str]:
        """What it says."""
        return {"few_shots": json.dumps(_turns()), "few_shots_end": text("few_shots_end")}

    def messages(self, sense: Sense) -> list[Message]:
        """User and assistant in turns, then the sentence that ends the example."""
        messages = []
        for view, script in _turns():
            messages += [Message.of("user", f"{text('caption')}\n\n{view}"), Message.of("assistant", script)]
        return [*messages, Message.of("user", text("few_shots_end"))]


@cache
def _turns() -> tuple[tuple[str, str], ...]:
    """View and script of each turn."""
    stored = files("embodibench.agents.react").joinpath("prompts", "few_shots.json").read_text(encoding="utf-8")
    return tuple((str(view), str(script)) for view, script in json.loads(stored))
