"""A model that answers from a list of words, by the digest of the prompt: for tests and for trying things out."""

from __future__ import annotations

from collections.abc import Sequence

from embodibench.models.base import Identity, Message, Parameters, Reply, Usage, prompt_digest
from embodibench.models.tokens import rough_tokens


class StubModel:
    """Equal prompts get equal words. Implements ``Model``.

    Args:
        words: candidates; a reply is one of them.
        name: as the user gave it, without the prefix.
    """

    def __init__(self, words: Sequence[str], name: str = "") -> None:
        if not words:
            raise ValueError("a stub needs at least one word")
        self._words = tuple(words)
        self._name = name or ",".join(words)

    @property
    def identity(self) -> Identity:
        """Which model this is."""
        return Identity("stub", self._name, self._name)

    async def generate(self, messages: Sequence[Message], parameters: Parameters, *, cache_key: str = "") -> Reply:
        """The word that the prompt's digest picks."""
        text = self._words[int(prompt_digest(messages), 16) % len(self._words)]
        usage = Usage(input=rough_tokens(messages), output=-(-len(text.encode()) // 4))
        return Reply(text, usage, 0.0, returned_model=self._name, sent=parameters.to_json())

    def worst_cost(self, messages: Sequence[Message], parameters: Parameters) -> float | None:
        """Nothing."""
        return 0.0

    async def close(self) -> None:
        """Nothing to release."""
