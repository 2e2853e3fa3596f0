"""From a reply to an action: what is printed parses back, and each written rule has a case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.agents.direct.agent import messages
from embodibench.agents.direct.parsers import mention, parse, substring
from embodibench.envs.crafter.names import ACTION_NAMES

NAMES = ACTION_NAMES


@pytest.mark.parametrize("rule", ["mention", "substring"])
@pytest.mark.parametrize("name", NAMES)
def test_every_printed_name_parses_back(rule: str, name: str) -> None:
    for reply in (name, f" {name}\n", f"{name}.", f"**{name}**", f"`{name}`"):
        assert parse(rule, reply, NAMES).action == name
        assert parse(rule, reply, NAMES).outcome == "ok"


def test_the_prompt_lists_exactly_the_actions() -> None:
    prompt = messages(["You see grass."], NAMES)[-1].text
    assert tuple(prompt.rsplit(":\n", 1)[1].split("\n")) == NAMES


@pytest.mark.parametrize(
    ("reply", "action", "outcome"),
    [
        ("Move West, then Move East", "Move East", "ok"),
        ("<think>Sleep</think> Do", "Do", "ok"),
        ("Do <think>but Sleep would be nice", "Do", "ok"),
        ("<think>I should Move West</think>", "Noop", "fallback"),
        ("What I should do is Sleep.", "Sleep", "ok"),
        ("Sleep is what I should do.", "Sleep", "ok"),
        ("do", "Do", "ok"),
        ("DO!", "Do", "ok"),
        ("make_wood_pickaxe", "Make Wood Pickaxe", "ok"),
        ("Place-Table", "Place Table", "ok"),
        ("place\n  stone", "Place Stone", "ok"),
        ("Undo", "Noop", "fallback"),
        ("Movewest", "Noop", "fallback"),
        ("Place Tables", "Noop", "fallback"),
        ("", "Noop", "fallback"),
    ],
)
def test_mention_reads_as_a_person_would(reply: str, action: str, outcome: str) -> None:
    parsed = mention(reply, NAMES)
    assert (parsed.action, parsed.outcome) == (action, outcome)


@pytest.mark.parametrize(
    ("reply", "action", "outcome"),
    [
        ("Move East, then Move West", "Move West", "ok"),  # list order, not the order of mention
        ("I don't know", "Do", "ok"),  # a substring of "don't"
        ("sleep", "Sleep", "ok"),
        ("", "Do", "fallback"),
        ("向西移动", "Do", "fallback"),
    ],
)
def test_substring_is_the_papers_rule(reply: str, action: str, outcome: str) -> None:
    parsed = substring(reply, NAMES)
    assert (parsed.action, parsed.outcome) == (action, outcome)


@given(st.text(max_size=300))
def test_any_reply_parses_to_an_action(reply: str) -> None:
    for rule in ("mention", "substring"):
        assert parse(rule, reply, NAMES).action in NAMES


@given(st.sampled_from(NAMES), st.text(alphabet="abc xyz,.\n", max_size=40))
def test_what_stands_before_the_last_mention_does_not_matter(name: str, before: str) -> None:
    assert mention(f"{before} {name}", NAMES).action == name
