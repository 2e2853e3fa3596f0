"""The script language: the paper's grammar and its quirks, and the lenient rule beside it."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_regressions.data_regression import DataRegressionFixture

from embodibench.agents.react.agent import ReactAgent, outcome_json
from embodibench.agents.react.few_shots import FewShots
from embodibench.agents.react.parsers import FARTHEST, VERSIONS, Command, lenient, parse, strict
from embodibench.agents.react.senses import Pictures, Words
from embodibench.agents.react.texts import opening, text
from embodibench.agents.react.tutorial import level

numbers = st.integers(-FARTHEST, FARTHEST)
moves = st.builds(Command, st.sampled_from(["Go", "Turn"]), numbers)
thoughts = st.text(st.characters(exclude_characters=")", exclude_categories=["Cs"]), max_size=40)
plain_thoughts = st.text("abc .,'!?0-9", max_size=40)


@st.composite
def scripts(draw: st.DrawFn, words: st.SearchStrategy[str] = thoughts) -> tuple[str, list[Command]]:
    """A script of the grammar, and the commands that it is made of."""
    commands = draw(st.lists(st.one_of(moves, st.just(Command("Think"))), min_size=1, max_size=6))
    written = [f"Think({draw(words)});" if command.name == "Think" else str(command) for command in commands]
    return "".join(written), commands


@given(scripts())
def test_the_strict_rule_reads_every_script_of_the_grammar(script: tuple[str, list[Command]]) -> None:
    written, commands = script
    assert strict(written).outcome == "ok"
    assert list(strict(written).commands) == commands


@given(scripts(plain_thoughts))
def test_the_lenient_rule_reads_scripts_as_the_strict_one_does(script: tuple[str, list[Command]]) -> None:
    written, commands = script
    assert list(lenient(written).commands) == commands


@given(scripts(), st.data())
def test_spaces_and_newlines_mean_nothing_to_the_strict_rule(
    script: tuple[str, list[Command]], data: st.DataObject
) -> None:
    written, commands = script
    place = data.draw(st.integers(0, len(written)))
    assert list(strict(written[:place] + data.draw(st.text(" \n", max_size=3)) + written[place:]).commands) == commands


@given(scripts(plain_thoughts), st.sampled_from("\t\rx;#"), st.booleans())
def test_anything_else_around_a_script_is_invalid_for_the_strict_rule(
    script: tuple[str, list[Command]], extra: str, before: bool
) -> None:
    written, _ = script
    assert strict(extra + written if before else written + extra).outcome == "invalid"


@given(scripts(plain_thoughts), st.sampled_from(["I see a ball. ", "Answer: ", "```\n", "So: "]))
def test_the_lenient_rule_reads_over_what_stands_around_a_script(
    script: tuple[str, list[Command]], before: str
) -> None:
    written, commands = script
    assert list(lenient(f"{before}{written}\n```\nThat is all.").commands) == commands


@given(st.text(max_size=400))
def test_every_reply_has_an_outcome(reply: str) -> None:
    for rule in VERSIONS:
        script = parse(rule, reply)
        assert script.outcome in ("ok", "invalid", "crash")
        assert bool(script.commands) == (script.outcome == "ok")


@given(st.integers(2, 5), st.integers(0, 99), st.sampled_from(["Go", "Turn"]))
def test_more_than_one_minus_sign_crashes_as_it_did(signs: int, number: int, name: str) -> None:
    assert strict(f"{name}({'-' * signs}{number});").outcome == "crash"


@pytest.mark.parametrize(
    ("reply", "outcome", "script"),
    [
        ("Go ( 1 0 ) ;", "ok", "Go(10);"),
        ("Go(-0);", "ok", "Go(0);"),
        ("Go(007);", "ok", "Go(7);"),
        ("Think(a) b);Go(1);", "invalid", ""),
        ("Think();", "ok", ""),
        ("Go(5)", "invalid", ""),
        ("go(5);", "invalid", ""),
        ("Go(5.0);", "invalid", ""),
        ("Go(+5);", "invalid", ""),
        ("Go(٣);", "invalid", ""),
        ("Go(-);", "invalid", ""),
        ("Go(1);--", "invalid", ""),
        ("Go(1);Turn(--3);", "crash", ""),
        ("Turn(--3); and words", "invalid", ""),
        (f"Go({'9' * 4300});", "ok", f"Go({FARTHEST});"),
        (f"Go({'9' * 4301});", "crash", ""),
        ("", "invalid", ""),
    ],
)
def test_quirks_of_the_strict_rule(reply: str, outcome: str, script: str) -> None:
    assert outcome_json(strict(reply)) == [outcome, script]


@pytest.mark.parametrize(
    ("reply", "outcome", "script"),
    [
        ("Go(5); or rather Turn(30);", "ok", "Turn(30);"),  # of several scripts the last one
        ("1. Turn(30)\n2. Go(5)", "ok", "Turn(30);Go(5);"),  # a list is one script
        ("Think(I could Go(9); but no);Turn(30);", "ok", "Turn(30);"),  # a thought is not done
        ("Think(a (b) c);Go(1);", "ok", "Go(1);"),
        ("Think(a (b);Go(1);", "ok", "Go(1);"),
        ("Think(never closed Go(1)", "ok", ""),
        ("<think>Go(9);</think>Go(1);", "ok", "Go(1);"),
        ("<think>Go(9);", "invalid", ""),
        ("Go(−5)", "ok", "Go(-5);"),
        ("Go（5）；", "ok", "Go(5);"),
        ("Go(5.9)", "ok", "Go(5);"),
        ("Turn(45°)", "ok", "Turn(45);"),
        ("Ago(5);", "invalid", ""),
        ("Go(--5);", "invalid", ""),
        ("Go(five);", "invalid", ""),
        ("Turn(left 30)", "invalid", ""),
    ],
)
def test_rules_of_the_lenient_reading(reply: str, outcome: str, script: str) -> None:
    assert outcome_json(lenient(reply)) == [outcome, script]


def test_very_long_replies_are_read_in_little_time() -> None:
    for part in ("think((x)", "Go(1", "(", "Go(1);", "<think>", "1. "):
        reply = part * (200_000 // len(part))
        assert strict(reply).outcome in ("ok", "invalid")
        assert lenient(reply).outcome in ("ok", "invalid")


def test_every_script_that_a_prompt_prints_is_valid() -> None:
    printed = [
        line for sense in ("picture", "text") for line in opening(sense).split("\n") if line.startswith("Think(")
    ]
    printed = [line for line in printed if not line.startswith("Think(words)")]
    printed += [message.text for message in FewShots().messages(Words()) if message.role == "assistant"]
    printed += level()["scripts"]
    assert len(printed) > 12
    for script in printed:
        assert strict(script).outcome == "ok"
        assert strict(script) == lenient(script)
    for name in ("invalid", "caption", "shortened"):
        assert "(" not in text(name)


def test_the_corpus_of_replies(data_regression: DataRegressionFixture) -> None:
    agent = ReactAgent("react", Pictures())
    replies = json.loads(files("embodibench.agents.react").joinpath("replies.json").read_text(encoding="utf-8"))
    assert len(set(replies)) >= 60
    read = agent.corpus()
    long = "Think(" + "The arena is large and I look carefully at everything. " * 400 + ");Go(7);"
    read["<a very long thought>"] = {version: outcome_json(parse(rule, long)) for rule, version in VERSIONS.items()}
    data_regression.check(read)
