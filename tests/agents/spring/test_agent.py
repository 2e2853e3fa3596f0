"""What SPRING and its ablations ask, do and record."""

from __future__ import annotations

import pytest

from embodibench import agents
from embodibench.agents.direct.parsers import mention, substring
from embodibench.agents.spring import context as contexts
from embodibench.agents.spring.agent import ANSWER_LIMIT, SHORTEST, SpringAgent, cut
from embodibench.agents.spring.variants import spring
from embodibench.canonical import Json
from embodibench.envs.crafter.names import ACTION_NAMES
from embodibench.errors import UsageError
from tests.agents.spring.table import Table, asked

FAMILY = {
    "spring": 9,
    "spring-modified-context": 9,
    "spring-actions-only": 9,
    "spring-no-context": 9,
    "list-no-dag": 9,
    "step-by-step": 2,
    "spring-direct": 1,
}
"""Agent -> calls a step, as tables 3 and 4 of the paper count them."""


def made(name: str, **options: Json) -> SpringAgent:
    agent = agents.make(name, options)
    assert isinstance(agent, SpringAgent)
    return agent


def west(name: str, step: int) -> str:
    return "Move West" if name == "qa" else f"answer to {name}"


@pytest.mark.parametrize("name", FAMILY)
def test_makes_as_many_calls_a_step_as_the_paper_counts(name: str) -> None:
    table = Table(west)
    trace = table.play(made(name), steps=3)
    assert len(trace.calls) == 3 * FAMILY[name]
    assert trace.actions == [ACTION_NAMES.index("Move West")] * 3
    assert [call.steps for call in trace.calls] == 3 * [*[0] * (FAMILY[name] - 1), 1]


@pytest.mark.parametrize("name", FAMILY)
def test_every_prompt_begins_with_one_prefix_that_is_marked_for_the_cache(name: str) -> None:
    table = Table(west)
    agent = made(name)
    table.play(agent, steps=2)
    assert len({prompt[0] for prompt in table.prompts}) == 1
    assert all([message.cache for message in prompt] == [True, False] for prompt in table.prompts)
    assert agent.context in table.prompts[0][0].text


def test_shows_the_last_two_observations_and_no_more() -> None:
    seen = {}

    def different(name: str, step: int) -> str:
        return ("Move West", "Move North", "Move East")[step] if name == "qa" else "?"

    table = Table(different)
    table.play(spring(), steps=3)
    for step in range(3):
        seen[step] = table.step(step, 9)["q5"][1].text
    assert "Before your last action:" not in seen[0]
    assert seen[1].index("Last action: none yet.") < seen[1].index("Now:") < seen[1].index("Last action: Move West.")
    assert "none yet" not in seen[2]
    assert seen[2].index("Last action: Move West.") < seen[2].index("Last action: Move North.")


@pytest.mark.parametrize(
    ("reply", "action", "outcome", "beside"),
    [
        ("Move North", "Move North", "ok", ["Move North", "ok"]),
        ("The best is MOVE EAST.", "Move East", "ok", ["Move East", "ok"]),
        ("I cannot say.", "Do", "fallback", ["Noop", "fallback"]),
        ("", "Do", "fallback", ["Noop", "fallback"]),
        ("Move North, then Move West.", "Move West", "ok", ["Move West", "ok"]),
        ("Move West is lava; Move North.", "Move West", "ok", ["Move North", "ok"]),
        ("Sleep would be undone.", "Do", "ok", ["Sleep", "ok"]),
    ],
)
def test_the_papers_rule_acts_and_the_other_is_recorded_beside_it(
    reply: str, action: str, outcome: str, beside: list[str]
) -> None:
    trace = Table(lambda name, _: reply if name == "qa" else "x").play(spring(), steps=1)
    last = trace.calls[-1]
    assert (ACTION_NAMES[int(str(trace.actions[0]))], last.outcome) == (action, outcome)
    assert last.detail == {"question": "qa", "mention@1": beside}


@pytest.mark.parametrize("name", FAMILY)
def test_every_action_name_that_a_prompt_lists_parses_to_itself(name: str) -> None:
    table = Table(west)
    table.play(made(name), steps=1)
    listed = [line for line in table.prompts[0][0].text.splitlines() if line in ACTION_NAMES]
    assert listed == list(ACTION_NAMES)
    for action in listed:
        assert substring(action, ACTION_NAMES).action == mention(action, ACTION_NAMES).action == action


def test_empty_answers_are_marked() -> None:
    trace = Table(lambda name, _: "  " if name == "q4" else "Noop").play(spring(), steps=1)
    assert [call.outcome for call in trace.calls] == ["ok", "ok", "ok", "empty", *["ok"] * 5]


def test_long_answers_are_shown_cut_and_the_record_says_so() -> None:
    table = Table(lambda name, _: "Do" if name == "qa" else "word " * 2000 if name == "q7" else "x")
    trace = table.play(spring(), steps=1)
    assert trace.calls[6].detail == {"question": "q7", "shown": ANSWER_LIMIT}
    assert table.prompts[-1][1].text.count("word") == ANSWER_LIMIT // 5
    assert len(table.prompts[-1][1].text) < ANSWER_LIMIT + 2000


class TestIdentity:
    def test_no_two_agents_of_the_family_are_the_same(self) -> None:
        identities = [made(name).identity for name in FAMILY]
        assert len({identity.name for identity in identities}) == len(FAMILY)
        assert len({identity.prompts for identity in identities}) == len(FAMILY)
        assert {identity.parser for identity in identities} == {"substring@1"}

    def test_the_context_is_part_of_it(self) -> None:
        plain, other = made("spring").identity, made("spring", context="Lava is hot.").identity
        assert plain.options == {}
        assert other.options == {"context": "Lava is hot."}
        assert plain.prompts != other.prompts

    def test_the_record_makes_the_same_agent_again(self) -> None:
        identity = made("spring", context="  Lava is hot.\n").identity
        assert agents.make(identity.name, identity.options).identity == identity

    def test_the_default_given_as_a_file_is_the_default(self) -> None:
        assert made("spring", context=contexts.default() + "\n").identity == made("spring").identity


class TestContext:
    def test_has_a_section_for_each_question_of_the_study(self) -> None:
        assert contexts.default().count("\nAnswer:\n") == 4

    def test_names_every_action(self) -> None:
        assert [name for name in ACTION_NAMES if f"- {name}: " not in contexts.default()] == []

    def test_only_the_actions_are_left(self) -> None:
        context = made("spring-actions-only").context
        assert context.count("Question:") == 1
        assert [line.partition(":")[0] for line in context.splitlines()[2:]] == [f"- {name}" for name in ACTION_NAMES]

    def test_without_the_table_exactly_two_lines_are_missing(self) -> None:
        missing = set(contexts.default().splitlines()) - set(made("spring-modified-context").context.splitlines())
        assert missing == {"- Make Wood Pickaxe: a table nearby, and wood in the inventory."}
        before, after = (text.count("\n") for text in (contexts.default(), made("spring-modified-context").context))
        assert before - after == 2

    def test_nothing_is_left(self) -> None:
        assert made("spring-no-context").context == ""
        table = Table(west)
        table.play(made("spring-no-context"), steps=1)
        assert "What is known" not in table.prompts[0][0].text

    def test_ablations_go_for_other_contexts_too(self) -> None:
        words = f"Question: {'Anything?'}\nAnswer:\n- the wooden pickaxe needs a table\n- lava kills\n"
        assert made("spring-modified-context", context=words).context.endswith("Answer:\n- lava kills")

    @pytest.mark.parametrize(
        ("name", "context", "message"),
        [
            ("spring", "", "expected the text"),
            ("spring", 5, "expected the text"),
            ("spring", ["x"], "expected the text"),
            ("spring", "x" * 100_001, "at most 100,000"),
            ("spring", "a\x00b", "control characters"),
            ("spring-actions-only", "Lava is hot.", "question about actions"),
            ("spring-modified-context", "Lava is hot.", "nothing can be removed"),
            ("spring-no-context", "Lava is hot.", "does not take the options"),
        ],
    )
    def test_what_cannot_be_used_is_refused(self, name: str, context: Json, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            agents.make(name, {"context": context})


class TestOverflow:
    """A model whose context is smaller than the prompts."""

    def test_prompts_are_shortened_until_they_fit_and_stay_so(self) -> None:
        table = Table(west, context=5000)
        trace = table.play(spring(), steps=2)
        outcomes = [call.outcome for call in trace.calls]
        assert outcomes == ["overflow", "overflow", *["ok"] * 18]
        assert [call.finish for call in trace.calls[:2]] == ["context_overflow"] * 2
        assert all(call.detail["shortened"] == 1 for call in trace.calls[2:])
        assert [asked(prompt) for prompt in table.prompts[:4]] == ["q1", "q2", "q1", "q2"]
        assert (trace.status, trace.end, len(trace.actions)) == ("budget", "max_steps", 2)

    def test_only_what_overflowed_is_asked_again(self) -> None:
        """q3 is told a long answer, q4 is not."""
        table = Table(lambda name, _: "y" * 3000 if name == "q1" else west(name, 0))
        table.context = 8500
        trace = table.play(spring(), steps=1)
        names = [asked(prompt) for prompt in table.prompts]
        assert names == ["q1", "q2", "q3", "q4", "q3", "q5", "q6", "q7", "q8", "qa"]
        assert [call.outcome for call in trace.calls].count("overflow") == 1

    def test_shortening_is_deterministic(self) -> None:
        first, second = Table(west, context=3000), Table(west, context=3000)
        assert first.play(spring(), steps=2).calls == second.play(spring(), steps=2).calls
        assert first.prompts == second.prompts

    def test_what_never_fits_ends_the_episode_with_a_status(self) -> None:
        table = Table(west, context=100)
        trace = table.play(spring(), steps=2)
        assert (trace.status, trace.end, len(trace.actions)) == ("api_error", "context_overflow", 0)
        assert len(trace.calls) == 2 * (SHORTEST + 1)

    def test_other_agents_end_with_the_status_at_once(self) -> None:
        trace = Table(west, context=100).play(agents.make("direct", {}), steps=2)
        assert (trace.status, trace.end, len(trace.calls)) == ("api_error", "context_overflow", 1)

    def test_cuts_at_a_line_end_and_says_so(self) -> None:
        assert cut("one\ntwo\nthree", 9) == "one\ntwo [...]"
        assert cut("onetwothree", 6) == "onetwo [...]"
        assert cut("one", 3) == "one"


class TestConformance:
    def test_the_corpus_holds_every_action_and_what_both_rules_make_of_it(self) -> None:
        corpus = spring().corpus()
        acted = {parsed["substring@1"][0] for parsed in corpus.values()}  # type: ignore[index,call-overload]
        assert acted == set(ACTION_NAMES)
        assert corpus["Window shopping."] == {"substring@1": ["Do", "ok"], "mention@1": ["Noop", "fallback"]}

    @pytest.mark.parametrize("name", FAMILY)
    def test_sample_replies_play_two_steps(self, name: str) -> None:
        agent = made(name)
        table = Table(lambda asked_name, _: agent.sample_replies[0])
        trace = table.play(agent, steps=2)
        assert len(trace.calls) == agent.sample_calls
