"""policy/scripted for Atari: a few lines of rules for each game, on the objects that a language model is told of.

They show what can be reached with the lists of objects, and they are no more privileged than a model: they see the same
objects, and decide at every step where a model decides once in a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, cast

from embodibench.agents.base import AgentIdentity, Expectation, Game
from embodibench.agents.policies import atari_pong, atari_seaquest, atari_skiing
from embodibench.canonical import Json
from embodibench.envs.atari.world import AtariWorld
from embodibench.errors import UsageError

Rule: TypeAlias = Callable[[Sequence[Mapping[str, Json]]], str]
"""From the objects to the name of an action."""


def freeway(things: Sequence[Mapping[str, Json]]) -> str:
    """Up, always: cars throw the chicken back, but waiting for gaps costs more than that."""
    return "UP"


RULES: Final[Mapping[str, Rule]] = {
    "freeway": freeway,
    "pong": atari_pong.decide,
    "seaquest": atari_seaquest.decide,
    "skiing": atari_skiing.decide,
}


class ScriptedPolicy:
    """Plays to the end of the episode by the rules of its game."""

    identity: Final = AgentIdentity(name="policy/scripted", version=1)

    async def play(self, game: Game) -> None:
        """Act until the episode ends.

        Raises:
            UsageError: there are no rules for this game.
        """
        world = cast(AtariWorld, game.environment)
        if world.game not in RULES:
            raise UsageError(f"policy/scripted has no rules for {world.game}; it plays {', '.join(RULES)}")
        decide, names = RULES[world.game], world.action_names
        while not game.over:
            game.act(names.index(decide(game.observation.objects())))

    def expected(self, task: Mapping[str, Json]) -> Expectation | None:
        """None: no model is asked."""
        return None


__all__ = ["RULES", "ScriptedPolicy"]
