"""The graph of questions, as data and as it is asked."""

from __future__ import annotations

import hashlib

import pytest

from embodibench.agents.spring.graph import DIRECT, LIST, SPRING, STEP_BY_STEP, Question, ancestors, edges, layers
from embodibench.agents.spring.variants import list_no_dag, spring
from tests.agents.spring.table import Table, asked, told


def test_has_the_papers_nine_questions_and_exactly_its_edges() -> None:
    assert [question.name for question in SPRING] == ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "qa"]
    assert edges(SPRING) == {
        ("q1", "q3"),
        ("q2", "q4"),
        ("q1", "q5"),
        ("q3", "q5"),
        ("q5", "q6"),
        ("q6", "q7"),
        ("q7", "q8"),
        ("q2", "qa"),
        ("q4", "qa"),
        ("q7", "qa"),
        ("q8", "qa"),
    }


def test_layers_hold_what_may_be_asked_side_by_side_in_the_graphs_order() -> None:
    names = [[question.name for question in layer] for layer in layers(SPRING)]
    assert names == [["q1", "q2"], ["q3", "q4"], ["q5"], ["q6"], ["q7"], ["q8"], ["qa"]]


@pytest.mark.parametrize(
    "graph",
    [
        (Question("a", ("b",)), Question("b", ("a",))),
        (Question("a", ("a",)),),
        (Question("a"), Question("a")),
        (Question("a", ("elsewhere",)),),
    ],
)
def test_refuses_cycles_repetitions_and_unknown_parents(graph: tuple[Question, ...]) -> None:
    with pytest.raises(ValueError, match="stands twice, or before one of its parents"):
        layers(graph)


def test_every_question_leads_to_the_action() -> None:
    assert ancestors(SPRING)["qa"] == {question.name for question in SPRING[:-1]}


def test_the_list_gives_every_question_all_earlier_ones() -> None:
    assert [len(question.parents) for question in LIST] == list(range(9))
    assert edges(STEP_BY_STEP) == {("think", "qa")}
    assert edges(DIRECT) == frozenset()


def _answer(name: str, step: int) -> str:
    return "Move West" if name == "qa" else f"{name} at {step}"


def test_a_question_is_told_the_answers_of_its_parents_and_no_others() -> None:
    table = Table(_answer)
    table.play(spring(), steps=3)
    assert [asked(prompt) for prompt in table.prompts] == 3 * [question.name for question in SPRING]
    for step in range(3):
        for question in SPRING:
            prompt = table.step(step, 9)[question.name]
            assert told(prompt) == {parent: f"{parent} at {step}" for parent in question.parents}
            others = [other.name for other in SPRING if other.name not in question.parents]
            words = " ".join(message.text for message in prompt)
            assert not [name for name in others if f"{name} at" in words]


def test_independent_questions_are_asked_side_by_side() -> None:
    table = Table(_answer)
    table.play(spring(), steps=2)
    assert table.together == 2 * [2, 2, 2, 2, 1, 1, 1, 1, 1]


def test_a_changed_answer_reaches_the_children_alone() -> None:
    """Another answer to q5 changes what q6 is asked, and not what q1 to q5 are; answers being equal, it stops there."""
    plain, changed = Table(_answer), Table(lambda name, step: "other" if name == "q5" else _answer(name, step))
    for table in (plain, changed):
        table.play(spring(), steps=1)
    differ = [name for name in plain.step(0, 9) if plain.step(0, 9)[name] != changed.step(0, 9)[name]]
    assert differ == ["q6"]


@pytest.mark.parametrize("name", [question.name for question in SPRING[:-1]])
def test_a_changed_answer_reaches_its_descendants_when_answers_depend_on_prompts(name: str) -> None:
    """With answers that are digests of their prompts, exactly the descendants of a question are asked otherwise."""

    def prompts(changed: str) -> dict[str, object]:
        table = Table(lambda asked_name, _: "")

        def answer(asked_name: str, _: int) -> str:
            if asked_name == "qa":
                return "Noop"
            mark = "!" if asked_name == changed else ""
            return _digest(table, asked_name) + mark

        table.answer = answer
        table.play(spring(), steps=1)
        return dict(table.step(0, 9))

    plain, other = prompts(""), prompts(name)
    differ = {each for each in plain if plain[each] != other[each]}
    assert differ == {each for each, above in ancestors(SPRING).items() if name in above}


def _digest(table: Table, name: str) -> str:
    prompt = next(prompt for prompt in reversed(table.prompts) if asked(prompt) == name)
    return hashlib.sha256(prompt[-1].text.encode()).hexdigest()[:12]


def test_without_the_graph_the_questions_come_one_after_the_other() -> None:
    table = Table(_answer)
    table.play(list_no_dag(), steps=1)
    assert table.together == [1] * 9
    assert list(told(table.prompts[-1])) == ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"]
