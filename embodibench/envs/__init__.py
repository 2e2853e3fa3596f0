"""Worlds, and how to make one from the environment section of a task card. A world is imported when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from embodibench.canonical import Json
from embodibench.envs.base import Action, Environment, Observation, Picture, Step
from embodibench.errors import UsageError

WORLDS: Final[Mapping[str, str]] = {
    "aai": "embodibench.envs.aai.world:ArenaWorld",
    "atari": "embodibench.envs.atari.world:AtariWorld",
    "crafter": "embodibench.envs.crafter.world:CrafterWorld",
    "socialai": "embodibench.envs.socialai.world:SocialAIWorld",
}
"""Environment kind, as task cards name it -> where its class lives. Its constructor takes the card's parameters."""


def make(kind: str, parameters: Mapping[str, Json]) -> Environment:
    """The world of this kind with these parameters.

    Raises:
        UsageError: the kind is unknown, or the parameters do not fit it.
    """
    if kind not in WORLDS:
        raise UsageError(f"unknown environment kind '{kind}'; known: {', '.join(sorted(WORLDS))}")
    module, name = WORLDS[kind].split(":")
    world = getattr(import_module(module), name)
    try:
        return cast(Environment, world(**parameters))
    except TypeError as error:
        raise UsageError(f"environment '{kind}': {error}") from error


def check(kind: str, parameters: Mapping[str, Json]) -> None:
    """Make a world and let it go, so that what stands in the way is said before a run is begun.

    Raises:
        UsageError: as ``make``; MissingExtraError where an optional dependency is not installed.
    """
    make(kind, parameters).close()


__all__ = ["WORLDS", "Action", "Environment", "Observation", "Picture", "Step", "check", "make"]
