"""Changes of a result: what was played, how it is counted, and who is said to have played."""

from __future__ import annotations

import copy as copies

from tests.submissions.bases import Copy
from tests.submissions.hostile import hostile

# What was played.


@hostile("replay-world", base="world")
def edited_action(copy: Copy) -> None:
    run = next(run for run in copy.episodes[0]["actions"] if 1 <= run[0] <= 4)
    run[0] = 1 + run[0] % 4


@hostile("replay-protocol", base="world")
def exchanged_action_without_effect(copy: Copy) -> None:
    run = next(run for run in copy.episodes[0]["actions"] if run[0] in (13, 16))
    run[0] = 29 - run[0]


@hostile("replay-world", base="world")
def edited_reward(copy: Copy) -> None:
    copy.episodes[0]["rewards"][0][0] += 1.0


@hostile("replay-world", base="world")
def edited_measure(copy: Copy) -> None:
    copy.episodes[0]["measures"]["achievements"]["collect_diamond"] = 1


@hostile("replay-world")
def edited_success(copy: Copy) -> None:
    copy.episodes[0]["success"] = True


@hostile("replay-world", base="world")
def edited_end(copy: Copy) -> None:
    copy.episodes[0]["end"] = "time_limit"


@hostile("replay-world", base="world")
def edited_fingerprint(copy: Copy) -> None:
    copy.episodes[0]["fingerprints"][1] = "0" * 32


@hostile("replay-world", base="world")
def edited_final_fingerprint(copy: Copy) -> None:
    copy.episodes[0]["final"] = "0" * 32


@hostile("replay-world", base="world")
def edited_override(copy: Copy) -> None:
    copy.episodes[0]["overridden"] = [[True, copy.episodes[0]["steps"]]]


@hostile("replay-world", base="world")
def dropped_last_action(copy: Copy) -> None:
    episode = copy.episodes[0]
    for name in ("actions", "rewards"):
        episode[name][-1][1] -= 1
        if episode[name][-1][1] == 0:
            episode[name].pop()
    episode["overridden"] = []
    episode["steps"] -= 1
    episode["fingerprints"] = episode["fingerprints"][: 1 + episode["steps"] // 10]


@hostile("episode-seed")
def edited_seed(copy: Copy) -> None:
    copy.episodes[3]["seed"] += 1


@hostile("episode-lengths")
def billion_steps_in_one_run(copy: Copy) -> None:
    copy.episodes[0]["actions"] = [[0, 999_999_999]]


@hostile("episode-lengths")
def as_many_steps_as_the_schema_allows(copy: Copy) -> None:
    episode = copy.episodes[0]
    episode |= {"steps": 1_000_000, "actions": [[0, 1_000_000]], "rewards": [[0.0, 1_000_000]], "overridden": []}


@hostile("episode-lengths")
def runs_of_no_length(copy: Copy) -> None:
    copy.episodes[0]["actions"].append([1, 0])


@hostile("episode-lengths", base="world")
def missing_fingerprint(copy: Copy) -> None:
    copy.episodes[0]["fingerprints"].pop()


@hostile("episode-lengths")
def no_final_fingerprint(copy: Copy) -> None:
    copy.episodes[0]["final"] = ""


# How it is counted.


@hostile("metrics")
def edited_score(copy: Copy) -> None:
    copy.recompute = False
    copy.data["metrics"]["tasks"]["asocial-box"]["value"] += 1e-6


@hostile("metrics")
def additional_metric(copy: Copy) -> None:
    copy.recompute = False
    copy.data["metrics"]["pass_rate"] = 1.0


@hostile("metrics")
def metric_of_another_kind(copy: Copy) -> None:
    copy.recompute = False
    copy.data["metrics"]["usage"]["steps"] = str(copy.data["metrics"]["usage"]["steps"])


@hostile("planned-rows")
def missing_trial(copy: Copy) -> None:
    copy.episodes.pop(7)


@hostile("planned-rows")
def doubled_trial(copy: Copy) -> None:
    copy.episodes.insert(8, copies.deepcopy(copy.episodes[7]))


@hostile("planned-rows")
def trials_in_another_order(copy: Copy) -> None:
    copy.episodes[0], copy.episodes[1] = copy.episodes[1], copy.episodes[0]


@hostile("planned-rows")
def better_trial_in_place_of_another(copy: Copy) -> None:
    copy.episodes[1] = copies.deepcopy(copy.episodes[2])


@hostile("planned-rows", base="world")
def episodes_of_another_suite(copy: Copy) -> None:
    copy.recompute = False
    copy.data["episodes"] = [{**episode, "task": "asocial-box"} for episode in copy.episodes]


@hostile("planned-rows")
def no_episodes(copy: Copy) -> None:
    copy.recompute = False
    copy.data["episodes"] = []


@hostile("run-partial")
def trial_that_was_broken_off(copy: Copy) -> None:
    copy.episodes[0] |= {"status": "api_error", "success": False}
    copy.data["run"]["partial"] = True


@hostile("run-partial")
def broken_off_and_said_to_be_whole(copy: Copy) -> None:
    copy.episodes[0] |= {"status": "budget", "success": False}


@hostile("run-partial")
def limited_steps(copy: Copy) -> None:
    copy.data["run"] |= {"limits": {**copy.data["run"]["limits"], "max_steps": 10}, "partial": True}


@hostile("run-partial")
def limits_that_fit_no_plan(copy: Copy) -> None:
    copy.data["run"]["limits"]["tasks"] = ["another"]


@hostile("episode-values")
def reward_beyond_reason(copy: Copy) -> None:
    copy.episodes[0]["rewards"][0][0] = 1e308


@hostile("episode-values", base="world")
def measure_beyond_reason(copy: Copy) -> None:
    copy.episodes[0]["measures"]["achievements"]["collect_wood"] = 1e308


@hostile("episode-values")
def cost_beyond_reason(copy: Copy) -> None:
    copy.episodes[0]["cost"] = 1e308


@hostile("episode-attempts")
def more_attempts_than_sessions(copy: Copy) -> None:
    copy.episodes[0]["attempts"] = 2


# Who is said to have played.


@hostile("suite-digest")
def edited_digest(copy: Copy) -> None:
    copy.data["benchmark"]["digest"] = "0" * 64


@hostile("suite-digest")
def another_interface(copy: Copy) -> None:
    copy.data["benchmark"]["interface"] = "Z"


@hostile("suite-unknown")
def suite_of_ones_own(copy: Copy) -> None:
    copy.data["benchmark"]["suite"] = "my-arenas@1"


@hostile("suite-unknown")
def another_version_of_the_suite(copy: Copy) -> None:
    copy.data["benchmark"]["suite"] = "socialai@2"


@hostile("agent-identity")
def another_agent_version(copy: Copy) -> None:
    copy.data["agent"]["version"] += 1


@hostile("agent-identity", base="model")
def prompts_of_ones_own(copy: Copy) -> None:
    copy.data["agent"]["prompts"] = "0" * 64


@hostile("agent-identity", base="model")
def another_parser(copy: Copy) -> None:
    copy.data["agent"]["parser"] = "generous@1"


@hostile("agent-identity")
def hidden_privilege(copy: Copy) -> None:
    copy.data["agent"] |= {"name": "policy/expert", "privileged": False}


@hostile("agent-identity")
def policy_of_another_world(copy: Copy) -> None:
    copy.data["agent"]["name"] = "policy/walkthrough"


@hostile("agent-identity", base="model")
def options_that_no_agent_takes(copy: Copy) -> None:
    copy.data["agent"]["options"] = {"history": {"deep": [1, 2, 3]}}


@hostile("agent-identity", base="model")
def path_as_an_option(copy: Copy) -> None:
    copy.data["agent"]["options"] = {"parser": "substring", "history": 3, "examples": "../../../etc/passwd"}


@hostile("player")
def policy_with_a_model(copy: Copy) -> None:
    copy.data["model"] = {"provider": "openai", "requested": "gpt-4o", "checkpoint": "gpt-4o-2024-11-20"}


@hostile("player", base="model")
def model_that_is_hidden(copy: Copy) -> None:
    copy.data["model"] = None


@hostile("sampling", base="model")
def other_sampling(copy: Copy) -> None:
    copy.data["model"]["asked"]["temperature"] = 1.0


@hostile("result-text", base="model")
def html_in_the_name_of_a_model(copy: Copy) -> None:
    copy.data["model"]["checkpoint"] = "<img src=x onerror=alert(1)>"


@hostile("result-text", base="model")
def script_in_a_returned_name(copy: Copy) -> None:
    copy.data["model"]["returned"] = ["<script>alert(1)</script>"]


@hostile("result-text", base="model")
def letters_of_another_script_in_the_name_of_a_model(copy: Copy) -> None:
    copy.data["model"]["requested"] = "gpt-4\u043e"


@hostile("result-text")
def terminal_escape_in_the_environment(copy: Copy) -> None:
    copy.data["environment"]["os"] = "Linux\x1b[2J"


@hostile("result-text")
def html_in_the_run_id(copy: Copy) -> None:
    copy.data["run"]["id"] = "<b>run</b>"


@hostile("result-text")
def html_in_a_package_version(copy: Copy) -> None:
    copy.data["environment"]["packages"]["numpy"] = "<svg/onload=alert(1)>"


@hostile("result-text", base="model")
def change_of_direction_in_a_parameter(copy: Copy) -> None:
    copy.data["model"]["sent"] = [{"stop": "\u202egnp.exe"}]


@hostile("secret", base="model")
def password_in_the_address_of_the_server(copy: Copy) -> None:
    copy.data["model"]["base_url"] = "https://me:hunter2@models.example.org/v1"


@hostile("home-path", base="model")
def home_folder_in_the_name_of_a_model(copy: Copy) -> None:
    copy.data["model"]["requested"] = "/home/somebody/models/small.gguf"


@hostile("result-text")
def sentence_in_an_episode_that_ended_well(copy: Copy) -> None:
    copy.episodes[0]["error"] = "Verified by the maintainers"


@hostile("result-text")
def commit_that_is_none(copy: Copy) -> None:
    copy.data["benchmark"]["git_commit"] = "our private branch"


@hostile("metrics")
def html_in_an_interval(copy: Copy) -> None:
    copy.recompute = False
    copy.data["metrics"]["tasks"]["asocial-box"]["interval"]["method"] = "<script>alert(1)</script>"


@hostile("metrics")
def interval_of_another_form(copy: Copy) -> None:
    copy.recompute = False
    copy.data["metrics"]["tasks"]["asocial-box"]["interval"] |= {"low": "0.9", "rank": 1}


@hostile("player", base="model")
def provider_of_ones_own(copy: Copy) -> None:
    copy.data["model"]["provider"] = "our-lab"


@hostile("player", base="model")
def dear_model_that_is_said_to_be_local(copy: Copy) -> None:
    copy.data["model"] |= {"provider": "local", "requested": "gpt-4o-2024-11-20", "checkpoint": "gpt-4o-2024-11-20"}


@hostile("home-path")
def home_folder_in_the_run_id(copy: Copy) -> None:
    copy.data["run"]["id"] = "/Users/somebody/runs/1"


@hostile("sampling", base="model")
def sent_hotter_than_asked(copy: Copy) -> None:
    copy.data["model"]["sent"] = [{**copy.data["model"]["asked"], "temperature": 1.0}]
