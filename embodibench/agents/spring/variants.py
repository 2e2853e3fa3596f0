"""The agents of the family by name: SPRING and the ablations of the paper's tables 3 and 4.

Each function makes an agent from its options.
"""

from __future__ import annotations

from embodibench.agents.spring import context as contexts
from embodibench.agents.spring.agent import SpringAgent
from embodibench.agents.spring.graph import DIRECT, LIST, SPRING, STEP_BY_STEP


def spring(context: str | None = None) -> SpringAgent:
    """The whole method: full context, nine questions in their graph."""
    return SpringAgent("spring", SPRING, contexts.whole, context)


def spring_modified_context(context: str | None = None) -> SpringAgent:
    """Not told that the wood pickaxe requires a table."""
    return SpringAgent("spring-modified-context", SPRING, contexts.without_table, context)


def spring_actions_only(context: str | None = None) -> SpringAgent:
    """Told what actions there are and what they require, and nothing else."""
    return SpringAgent("spring-actions-only", SPRING, contexts.actions_only, context)


def spring_no_context() -> SpringAgent:
    """Told nothing about the game but the names of the actions."""
    return SpringAgent("spring-no-context", SPRING, contexts.nothing)


def step_by_step(context: str | None = None) -> SpringAgent:
    """Full context; one call that thinks step by step, one that chooses."""
    return SpringAgent("step-by-step", STEP_BY_STEP, contexts.whole, context)


def list_no_dag(context: str | None = None) -> SpringAgent:
    """Full context; the nine questions one after the other, each below all earlier questions and answers."""
    return SpringAgent("list-no-dag", LIST, contexts.whole, context)


def spring_direct(context: str | None = None) -> SpringAgent:
    """Full context; the final question alone."""
    return SpringAgent("spring-direct", DIRECT, contexts.whole, context)
