"""The scripted players reach on pinned seeds what the objects allow (all seeds: benchmarks/atari_replay.py)."""

from __future__ import annotations

import asyncio

import pytest

from embodibench import agents
from embodibench.agents.game import LiveGame, play
from embodibench.agents.policies.atari_pong import crossing
from embodibench.agents.policies.atari_things import Box
from embodibench.cards import suites
from embodibench.envs.atari.world import AtariWorld
from tests.envs.atari.extra import needs_atari

RANDOM_SKIING = -17_046.3
"""Mean of policy/random over the suite's three seeds."""


@needs_atari
@pytest.mark.parametrize(
    ("game", "least"), [("freeway", 20), ("pong", 0), ("seaquest", 300), ("skiing", RANDOM_SKIING + 3_000)]
)
def test_a_game_is_played_to_its_end_for_this_score(game: str, least: float) -> None:
    task = suites.load("atari").task(game)
    world = AtariWorld(**task.environment.parameters)
    policy = agents.make_policy("scripted", "atari")
    trace = asyncio.run(play(policy, LiveGame(task, 0, world, None, fingerprint_every=1000, stream="scripted")))
    assert trace.end in ("game_over", "frame_cap")
    assert trace.measures["score"] >= least  # type: ignore[operator]


@needs_atari
def test_a_game_without_rules_is_refused() -> None:
    card = suites.load("atari").task("pong")
    task = card.model_copy(
        update={"environment": card.environment.model_copy(update={"parameters": {"game": "breakout"}})}
    )
    game = LiveGame(task, 0, AtariWorld("breakout"), None, fingerprint_every=1000, stream="scripted")
    trace = asyncio.run(play(agents.make_policy("scripted", "atari"), game))
    assert "no rules for breakout" in str(trace.error)


def test_the_scripted_players_are_not_privileged() -> None:
    assert not agents.make_policy("scripted", "atari").identity.privileged


@pytest.mark.parametrize(
    ("y", "dy", "expected"),
    [(100, 0, 102), (100, 2, 136), (180, 4, 250 - 2 * (250 - 194)), (40, -4, 35 + (35 - (42 - 68)))],
)
def test_the_ball_bounces_off_both_walls(y: int, dy: int, expected: int) -> None:
    """17 steps of 4 columns from the paddle's line."""
    assert crossing(Box(x=70, y=y, w=2, h=4, dx=4, dy=dy), 140) == expected
