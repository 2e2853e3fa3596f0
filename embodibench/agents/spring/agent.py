"""The SPRING agent (Wu et al. 2023): at every step a language model answers a graph of questions about the game.

Each question is a call of its own. Its prompt is: what the agent knows about the game (the context, which it got by
studying a paper beforehand, see ``study``), the last two observations, the answers to the question's parents in the
graph and to no other question, and the question. Questions that do not depend on each other are asked side by side.
The last answer is the action, found by the paper's rule (``substring@1``, Do when no action is named).

A prompt that is longer than the model takes is asked again in a shorter form (``shortened``), which the record shows:
the call has the outcome ``overflow``, and every later call of the episode the detail ``shortened``.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

from embodibench.agents.base import (
    AgentIdentity,
    Call,
    ContextOverflow,
    Expectation,
    Game,
    prompts_digest,
)
from embodibench.agents.direct.agent import action_names
from embodibench.agents.direct.parsers import VERSIONS, mention, substring
from embodibench.agents.spring import context as contexts
from embodibench.agents.spring.graph import Graph, Question, layers
from embodibench.agents.spring.size import ANSWERS, OBSERVATION, STEPS
from embodibench.agents.spring.texts import text
from embodibench.canonical import Json
from embodibench.envs.crafter.names import ACTION_NAMES
from embodibench.models.base import CONTEXT_OVERFLOW, Message
from embodibench.models.tokens import rough_tokens

VERSION = 1
HISTORY = 2
"""Observations that a prompt shows."""
ANSWER_LIMIT = 6000
"""Characters of a parent's answer that a prompt shows; the protocol's 1,024 tokens a reply are seldom more."""
SHORTEST = 5
"""How often a prompt may be shortened: context and answers are halved each time."""
SHORTEST_CACHED = 1024
"""Tokens from which on providers cache a prefix."""


class SpringAgent:
    """One agent of the family.

    Args:
        name: as given to ``--agent``.
        graph: its questions.
        rule: what the agent is given of its context.
        context: another context than the one that ships.

    Raises:
        UsageError: the context cannot be used.
    """

    def __init__(
        self, name: str, graph: Graph, rule: Callable[[str], str] = contexts.whole, context: str | None = None
    ) -> None:
        given = None if context is None else contexts.checked(context)
        # The default under another name is still the default, and the rows are comparable.
        self._given = None if given == contexts.default() else given
        self._name = name
        self._graph = graph
        self._layers = layers(graph)
        self.context = rule(given or contexts.default())

    @property
    def identity(self) -> AgentIdentity:
        """Name, version and hashes; the graph is hashed with the texts.

        A context that is not the default is among the options, so the record needs no other file.
        """
        names = ["opening", "known", "manner", *(question.name for question in self._graph)]
        graph = "; ".join(f"{question.name} <- {', '.join(question.parents)}" for question in self._graph)
        texts = {**{name: text(name) for name in names}, "context": self.context, "graph": graph}
        return AgentIdentity(
            name=self._name,
            version=VERSION,
            prompts=prompts_digest(texts),
            parser=VERSIONS["substring"],
            options={} if self._given is None else {"context": self._given},
        )

    async def play(self, game: Game) -> None:
        """Ask and act until the episode is over."""
        await _Episode(game, self.context).play(self._layers)

    sample_replies = (
        "Tree: gives wood, requires nothing. Grass: gives saplings.",
        "None yet.",
        "Tree: yes. Grass: yes.",
        "There was no action that could fail.",
        "1. Collect Wood (5/5). 2. Collect Sapling (3/5). 3. Collect Drink (2/5).",
        "A tree ahead. First, the player should go to the tree.",
        "1. Move West (5/5). 2. Do (4/5). 3. Noop (1/5).",
        "Move West: yes. Do: no. Noop: yes.",
        "Move West",
    )
    """Replies with which the conformance pack asks for prompts."""

    @property
    def sample_calls(self) -> int:
        """Calls of the conformance pack: those of two steps, so that it holds a prompt of every form."""
        return 2 * len(self._graph)

    def corpus(self) -> dict[str, Json]:
        """What both parsers make of stored answers, for the conformance pack: reply -> rule -> [action, outcome]."""
        stored = files("embodibench.agents.spring").joinpath("replies.json").read_text(encoding="utf-8")
        read: dict[str, Json] = {}
        for reply in json.loads(stored):
            parsed = {"substring": substring(reply, ACTION_NAMES), "mention": mention(reply, ACTION_NAMES)}
            read[reply] = {VERSIONS[rule]: [one.action, one.outcome] for rule, one in parsed.items()}
        return read

    def expected(self, task: Mapping[str, Json]) -> Expectation:
        """Size of an episode, for ``--dry-run``: the prompts of a typical step, with answers of the usual length."""
        answers = {question.name: "x" * ANSWERS[question.name] for question in self._graph}
        recent = [OBSERVATION] * HISTORY
        prompts = [messages(question, answers, recent, ACTION_NAMES, self.context) for question in self._graph]
        count = len(self._graph)
        prefix = rough_tokens(prompts[0][:1])
        return Expectation(
            calls=count * STEPS,
            input_tokens=sum(rough_tokens(prompt) for prompt in prompts) // count,
            output_tokens=sum(len(answer) for answer in answers.values()) // (4 * count),
            cached_tokens=prefix if prefix >= SHORTEST_CACHED else 0,
            calls_per_step=count,
        )


class _Episode:
    """One game in play: what is remembered from step to step."""

    def __init__(self, game: Game, context: str) -> None:
        self._game = game
        self._context = context
        self._names = action_names(game)
        self._recent: deque[str] = deque([game.observation.text()], maxlen=HISTORY)
        self._shortened = 0

    async def play(self, graph: Sequence[Sequence[Question]]) -> None:
        """Go through the layers of the graph at every step; the last question's answer is the action."""
        last = graph[-1][-1]
        while not self._game.over:
            calls: dict[str, Call] = {}
            for layer in graph:
                calls |= await self._ask(layer, {name: call.text for name, call in calls.items()})
            step = self._game.act(self._names.index(self._action(last, calls[last.name])))
            if not step.over:
                self._recent.append(step.observation.text())

    async def _ask(self, layer: Sequence[Question], answers: Mapping[str, str]) -> dict[str, Call]:
        """Ask questions side by side, in a shorter form where the model asks for one."""
        answered: dict[str, Call] = {}
        rest = list(layer)
        while rest:
            prompts = [
                messages(question, answers, self._recent, self._names, self._context, self._shortened)
                for question in rest
            ]
            try:
                calls: Sequence[Call] = await self._game.ask_all(prompts)
            except ContextOverflow as overflow:
                if self._shortened == SHORTEST:
                    raise
                calls = overflow.calls
            for question, call in zip(rest, calls, strict=True):
                if call.finish != CONTEXT_OVERFLOW:
                    answered[question.name] = call
                    self._game.judge(call, "ok" if call.text.strip() else "empty", self._detail(question, call))
            rest = [question for question in rest if question.name not in answered]
            self._shortened += bool(rest)
        return answered

    def _action(self, question: Question, call: Call) -> str:
        """The action that the last answer names; recorded, with what the other rule reads in it."""
        parsed, beside = substring(call.text, self._names), mention(call.text, self._names)
        other: dict[str, Json] = {VERSIONS["mention"]: [beside.action, beside.outcome]}
        self._game.judge(call, parsed.outcome, {**self._detail(question, call), **other})
        return parsed.action

    def _detail(self, question: Question, call: Call) -> dict[str, Json]:
        detail: dict[str, Json] = {"question": question.name}
        if self._shortened:
            detail["shortened"] = self._shortened
        if len(call.text.strip()) > ANSWER_LIMIT:
            detail["shown"] = ANSWER_LIMIT
        return detail


def messages(
    question: Question,
    answers: Mapping[str, str],
    recent: Sequence[str],
    names: Sequence[str],
    context: str,
    shortened: int = 0,
) -> list[Message]:
    """The prompt of one question.

    The first message is the same for all questions of a run, so it is marked for the provider's cache.

    Args:
        answers: by the name of the question; only those of the question's parents are used.
        recent: the last observations, at most two, the present one last.
        names: of all actions.
        context: what is known about the game, or "".
        shortened: how often context and answers are halved, 0 for none.
    """
    known = [f"{text('known')}\n\n{cut(context, len(context) >> shortened)}"] if context else []
    rules = "\n\n".join([f"{text('opening')}\n" + "\n".join(names), *known, text("manner")])
    labels = ["Before your last action:", "Now:"][-len(recent) :]
    seen = [f"{label}\n{observed}" for label, observed in zip(labels, recent, strict=True)]
    limit = ANSWER_LIMIT >> shortened
    told = [f"Question: {text(name)}\nAnswer: {cut(answers[name].strip(), limit)}" for name in question.parents]
    asked = f"Question: {text(question.name)}"
    return [Message.of("system", rules, cache=True), Message.of("user", "\n\n".join([*seen, *told, asked]))]


def cut(passage: str, limit: int) -> str:
    """At most the first ``limit`` characters, to the end of a line where there is one, with a mark that it was cut."""
    if len(passage) <= limit:
        return passage
    kept = passage[:limit]
    return f"{kept.rpartition(chr(10))[0] or kept} [...]"
