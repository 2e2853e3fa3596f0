"""Changes of times, and results that are put together out of several."""

from __future__ import annotations

import copy as copies
import datetime
from datetime import UTC

from tests.submissions.bases import Copy
from tests.submissions.hostile import hostile

DAY = datetime.timedelta(days=1)
FORM = "%Y-%m-%dT%H:%M:%SZ"


def shift(copy: Copy, by: datetime.timedelta) -> None:
    """Let the whole run have been at another time."""
    run = copy.data["run"]
    for section, name in [(run, "created"), (run, "finished"), *((e["times"], "started") for e in copy.episodes)]:
        moved = datetime.datetime.strptime(section[name], FORM) + by
        section[name] = moved.strftime(FORM)


def spread(copy: Copy) -> None:
    """Let the trials begin a minute after each other, and the run last as long."""
    shift(copy, -datetime.timedelta(hours=3))
    start = datetime.datetime.strptime(copy.data["run"]["created"], FORM)
    for index, episode in enumerate(copy.episodes):
        episode["times"] = {"started": (start + index * datetime.timedelta(minutes=1)).strftime(FORM), "seconds": 50.0}
    copy.data["run"]["finished"] = (start + len(copy.episodes) * datetime.timedelta(minutes=1)).strftime(FORM)


def today() -> datetime.date:
    return datetime.datetime.now(UTC).date()


@hostile("date-future")
def submitted_in_the_future(copy: Copy) -> None:
    copy.metadata["date"] = str(today() + 3 * DAY)


@hostile("date-future")
def played_in_the_future(copy: Copy) -> None:
    shift(copy, 3 * DAY)
    copy.metadata["date"] = str(today() + 3 * DAY)


@hostile("date-order")
def submitted_before_it_was_played(copy: Copy) -> None:
    copy.metadata["date"] = "2026-01-01"


@hostile("date-order")
def ended_before_it_began(copy: Copy) -> None:
    run = copy.data["run"]
    spread(copy)
    run["created"], run["finished"] = run["finished"], run["created"]
    for episode in copy.episodes:
        episode["times"] = {"started": run["created"], "seconds": 0.0}
    run["finished"] = (datetime.datetime.strptime(run["created"], FORM) - datetime.timedelta(seconds=4)).strftime(FORM)


@hostile("date-form")
def time_that_is_none(copy: Copy) -> None:
    copy.data["run"]["created"] = "yesterday"


@hostile("date-form")
def time_in_another_zone(copy: Copy) -> None:
    copy.data["run"]["finished"] = copy.data["run"]["finished"].replace("Z", "+12:00")


@hostile("date-suite")
def played_before_the_suite_was_made(copy: Copy) -> None:
    shift(copy, -1000 * DAY)


@hostile("date-model", base="model")
def model_of_the_future(copy: Copy) -> None:
    copy.data["model"] |= {"provider": "openai", "requested": "gpt-9", "checkpoint": "gpt-9-2031-05-01"}


@hostile("date-model", base="model")
def model_that_was_shut_down(copy: Copy) -> None:
    name = "claude-3-5-sonnet-20240620"
    copy.data["model"] |= {"provider": "anthropic", "requested": name, "checkpoint": name, "returned": [name]}


@hostile("episode-times")
def trial_without_a_time(copy: Copy) -> None:
    copy.episodes[0]["times"] = None


@hostile("episode-times")
def trial_of_endless_length(copy: Copy) -> None:
    copy.episodes[0]["times"]["seconds"] = 1e300


@hostile("episode-times", base="model")
def best_of_two_runs_with_its_own_times(copy: Copy) -> None:
    spread(copy)
    other = copies.deepcopy(copy)
    shift(other, datetime.timedelta(hours=-4))
    copy.episodes[5] = other.episodes[5]


@hostile("session-order", base="model")
def best_of_two_runs_within_the_time_of_both(copy: Copy) -> None:
    spread(copy)
    other = copies.deepcopy(copy)
    shift(other, datetime.timedelta(hours=-1))
    for index in (7, 19, 31):
        copy.episodes[index] = other.episodes[index]
    copy.data["run"]["created"] = other.data["run"]["created"]


@hostile("episode-reused", base="model", beside=("model",))
def best_of_two_runs_of_which_one_was_submitted(copy: Copy) -> None:
    """One other reply that parses alike: another result, in which the other episodes of the first stand."""
    episode, call = next(
        (episode, line["call"])
        for episode in range(len(copy.episodes))
        for line in copy.own_lines(episode)
        if line["text"] == "I wait"
    )
    copy.reply(episode, call, "I wait.")


@hostile("duplicate-result", beside=("policy",))
def same_play_again(copy: Copy) -> None:
    spread(copy)


@hostile("duplicate-play", base="long", beside=("long",))
def same_play_under_another_model(copy: Copy) -> None:
    spread(copy)
    words = {"requested": "our-new-model", "checkpoint": "our-new-model", "returned": ["our-new-model"]}
    copy.data["model"] |= words


@hostile("duplicate-play", base="long", beside=("long",))
def three_episodes_of_another_model(copy: Copy) -> None:
    """The replies are written otherwise; the play is the same."""
    spread(copy)
    copy.data["model"] |= {"requested": "another", "checkpoint": "another", "returned": ["another"]}
    for episode in range(len(copy.episodes)):
        for line in copy.own_lines(episode):
            if line["text"] == "Do":
                copy.reply(episode, line["call"], "Do.")


@hostile("date-form")
def a_run_at_the_beginning_of_the_calendar(copy: Copy) -> None:
    copy.data["run"]["created"] = "0001-01-01T00:00:00Z"


@hostile("date-form")
def a_run_at_the_end_of_the_calendar(copy: Copy) -> None:
    copy.data["run"]["finished"] = "9999-12-31T23:59:59Z"
