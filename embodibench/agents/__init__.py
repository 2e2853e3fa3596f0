"""Agents (scaffolds around a language model) and policies (players without one), by name. Imported when made."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from embodibench.agents.base import Agent
from embodibench.canonical import Json
from embodibench.errors import UsageError

AGENTS: Final[Mapping[str, str]] = {
    "in-context": "embodibench.agents.in_context.agent:InContextAgent",
    "school": "embodibench.agents.school.agent:SchoolAgent",
    "direct": "embodibench.agents.direct.agent:DirectAgent",
    "objects": "embodibench.agents.objects.agent:ObjectsAgent",
    "react": "embodibench.agents.react.variants:react",
    "react-icl": "embodibench.agents.react.variants:react_icl",
    "react-text": "embodibench.agents.react.variants:react_text",
    "frame": "embodibench.agents.react.frame:FrameAgent",
    "spring": "embodibench.agents.spring.variants:spring",
    "spring-modified-context": "embodibench.agents.spring.variants:spring_modified_context",
    "spring-actions-only": "embodibench.agents.spring.variants:spring_actions_only",
    "spring-no-context": "embodibench.agents.spring.variants:spring_no_context",
    "step-by-step": "embodibench.agents.spring.variants:step_by_step",
    "list-no-dag": "embodibench.agents.spring.variants:list_no_dag",
    "spring-direct": "embodibench.agents.spring.variants:spring_direct",
}
"""Agent name -> what makes it: a class or function that takes the agent's options as keywords."""

PLAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "aai": (
        "react",
        "react-icl",
        "react-text",
        "frame",
    ),
    "atari": ("objects",),
    "crafter": (
        "direct",
        "spring",
        "spring-modified-context",
        "spring-actions-only",
        "spring-no-context",
        "step-by-step",
        "list-no-dag",
        "spring-direct",
    ),
    "socialai": (
        "in-context",
        "school",
    ),
}
"""Environment kind -> the agents that can play it."""

POLICIES: Final[Mapping[str, Mapping[str, str]]] = {
    "random": {"*": "embodibench.agents.policies.random:RandomPolicy"},
    "scripted": {
        "atari": "embodibench.agents.policies.atari_scripted:ScriptedPolicy",
        "crafter": "embodibench.agents.policies.crafter_scripted:ScriptedPolicy",
    },
    "expert": {"socialai": "embodibench.agents.policies.socialai_expert:ExpertPolicy"},
    "asocial": {"socialai": "embodibench.agents.policies.socialai_asocial:AsocialPolicy"},
    "heuristic": {"aai": "embodibench.agents.policies.aai_heuristic:HeuristicPolicy"},
    "walkthrough": {"aai": "embodibench.agents.policies.walkthrough:WalkthroughPolicy"},
}
"""Policy name -> environment kind (or ``*``) -> where its class lives."""


def make(name: str, options: Mapping[str, Json]) -> Agent:
    """The agent of this name.

    Raises:
        UsageError: there is no such agent (names the nearest), or it does not take these options.
    """
    if name not in AGENTS:
        raise UsageError(f"there is no agent '{name}'; {_nearest(name, tuple(AGENTS))}")
    return _construct(AGENTS[name], f"agent '{name}'", options)


def refuse_other_world(name: str, kind: str) -> None:
    """Check that an agent can play worlds of this kind. Raises UsageError naming those that can."""
    made_for = next((world for world, names in PLAYS.items() if name in names), kind)
    if made_for != kind:
        raise UsageError(f"agent '{name}' plays {made_for}, not {kind}; these play {kind}: {', '.join(PLAYS[kind])}")


def make_policy(name: str, kind: str) -> Agent:
    """The policy of this name for worlds of this kind.

    Raises:
        UsageError: there is no such policy, or it cannot play this kind of world.
    """
    if name not in POLICIES:
        raise UsageError(f"there is no policy '{name}'; {_nearest(name, policies_for(kind))}")
    places = POLICIES[name]
    place = places.get(kind) or places.get("*")
    if place is None:
        known = ", ".join(f"policy/{other}" for other in policies_for(kind))
        raise UsageError(f"policy/{name} cannot play {kind}; these can: {known}")
    return _construct(place, f"policy/{name}", {})


def policies_for(kind: str) -> tuple[str, ...]:
    """Names of the policies that can play this kind of world."""
    return tuple(name for name, places in POLICIES.items() if kind in places or "*" in places)


def _construct(place: str, what: str, options: Mapping[str, Json]) -> Agent:
    module, name = place.split(":")
    factory = getattr(import_module(module), name)
    try:
        return cast(Agent, factory(**options))
    except TypeError as error:
        known = ", ".join(inspect.signature(factory).parameters) or "none"
        raise UsageError(f"{what} does not take the options {', '.join(options)}; it knows: {known}") from error


def _nearest(name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    return f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(known)}"
