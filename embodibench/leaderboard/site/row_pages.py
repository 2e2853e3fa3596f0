"""A page for each row: its run, its profile, every episode, pictures by replay, and what the submitter says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from embodibench.cards import suites
from embodibench.cards.suites import Suite
from embodibench.leaderboard.records import Episode, Verdict
from embodibench.leaderboard.rows import Row
from embodibench.leaderboard.site import pictures as drawing
from embodibench.leaderboard.site.columns import cells, score_columns
from embodibench.leaderboard.site.entries import player
from embodibench.leaderboard.site.pages import templates
from embodibench.leaderboard.site.profiles import profile
from embodibench.leaderboard.site.texts import action_names, action_words, decimals, plain, script
from embodibench.leaderboard.submission import Standing
from embodibench.results.schema import ActionValue

_TRAINED = {"yes": "yes", "no": "no", "unknown": "not known"}


RAW_FILES = ("result.json", "transcript.jsonl.zst")
"""Files of a submission that its page links to; the second may be missing."""


@dataclass(frozen=True)
class RowPages:
    """Makes the pages of rows.

    Attributes:
        pictures: of how many episodes pictures are drawn.
        cache: folder of drawn pictures, or None.
        raw: address under which the submissions can be read, ending in "/"; None where the site holds copies.
    """

    pictures: drawing.Choice
    cache: Path | None
    raw: str | None

    def __call__(self, standing: Standing) -> dict[str, bytes]:
        """Path below the site -> content: the page of a row, the file of its actions, and its pictures.

        Of a version that this package has no cards of, nothing is replayed, and the present cards give the words; of a
        suite that it does not have, there are no pages.
        """
        row, episodes, current = standing.row, standing.record.episodes, standing.suite is not None
        if row.suite_name not in suites.names():
            return {}
        suite = standing.suite or suites.load(row.suite_name)
        drawn = self._drawn(suite, episodes) if current else {}
        lines = [
            _line(suite, episode, word)
            for episode, word in zip(episodes, _words(episodes, standing.verdict), strict=True)
        ]
        page = templates().render(
            "row.html",
            f"rows/{row.id}.html",
            cell=cells(suite, row),
            label=row.suite,
            slug=slug(row.suite),
            suite_title=suite.card.title,
            columns=score_columns(suite),
            facts=_facts(row),
            profile=profile(suite, row) if current else None,
            transcript=row.transcript,
            replayed=_replayed(row),
            rerun=row.rerun,
            said=_statements(row),
            gallery=_gallery(episodes, drawn),
            every=self.pictures == "all",
            undrawn=_undrawn(self.pictures, current),
            counts=_counts(row),
            raw=self._raw(row),
            episodes=lines,
            outcomes=list(dict.fromkeys(line["outcome"] for line in lines)),
        )
        data = script(f"row-{row.id}", _actions(suite, episodes, drawn))
        files = {f"pictures/{picture.file}": picture.data for strip in drawn.values() for picture in strip}
        return {f"rows/{row.id}.html": page, f"rows/{row.id}.js": data.encode("ascii"), **files}

    def _drawn(self, suite: Suite, episodes: Sequence[Episode]) -> dict[int, tuple[drawing.Picture, ...]]:
        """Place of an episode -> its pictures."""
        places = drawing.chosen(episodes, self.pictures)
        strips = {place: drawing.pictures(suite, episodes[place], self.cache) for place in places}
        return {place: strip for place, strip in strips.items() if strip}

    def _raw(self, row: Row) -> dict[str, str]:
        """Addresses of the result and its transcript."""
        where = f"../raw/{row.id}/" if self.raw is None else f"{self.raw}{row.submission}/"
        result, transcript = (where + name for name in RAW_FILES)
        return {"result": result, "transcript": transcript if row.transcript else ""}


def _undrawn(pictures: drawing.Choice, current: bool) -> str:
    """Why a page without pictures has none."""
    if pictures == "none":
        return "This site was built without pictures."
    if not current:
        return "It was played on another version of the suite than the package that built this site can replay."
    return "Its world has no pictures, or could not be drawn where this site was built."


def _gallery(episodes: Sequence[Episode], drawn: Mapping[int, tuple[drawing.Picture, ...]]) -> list[dict[str, Any]]:
    """A few episodes that stand for all; the pictures of the others are shown with their actions."""
    return [
        {
            "title": f"{episodes[place].task}, trial {episodes[place].trial}: {_outcome(episodes[place])}",
            "pictures": [_shown(episodes[place], picture) for picture in drawn[place]],
        }
        for place in drawing.chosen(episodes, "few")
        if place in drawn
    ]


def slug(label: str) -> str:
    """``crafter@1`` as part of a file's name."""
    return label.replace("@", "-")


def _facts(row: Row) -> list[tuple[str, str]]:
    facts = []
    if not row.policy:
        answered = ", ".join(plain(name, 80) for name in row.returned[:5]) or "no name"
        facts.append(
            ("Model asked", f"{plain(row.provider, 40)} / {plain(row.requested, 100)}; the API returned {answered}")
        )
        if player(row) != row.player:
            facts.append(("Checkpoint", plain(row.player, 200)))
        if row.pinned is not None:
            facts.append(("Weights", "a fixed checkpoint" if row.pinned else "not known to be fixed"))
    facts.append(("Agent", f"{plain(row.agent, 60)} {row.agent_version}"))
    facts.append(("Submission", f"{row.submission}, {row.date}"))
    facts.append(("Benchmark", f"{row.suite}, interface {plain(row.interface, 10)}, content digest {row.digest[:16]}"))
    facts.append(
        ("Episode with", f"embodibench {plain(row.package_version, 40)} {plain(row.git_commit, 40)[:10]}".strip())
    )
    facts.append(("Steps", f"{row.steps:,}"))
    if not row.policy:
        facts.append(("Calls", f"{row.calls:,}"))
        unknown = row.input_tokens is None or row.output_tokens is None
        facts.append(("Tokens", "unknown" if unknown else f"{row.input_tokens:,} input, {row.output_tokens:,} output"))
        facts.append(("Cost", "unknown" if row.cost is None else f"${decimals(row.cost, 2)}"))
        words = ", ".join(f"{count:,} {plain(word, 40)}" for word, count in list(row.outcomes.items())[:12])
        facts.append(("Replies", words or "none"))
    facts.append(("Result", f"SHA-256 {row.result_sha256}"))
    return facts


def _statements(row: Row) -> dict[str, Any]:
    return {
        "submitter": plain(row.submitter),
        "description": plain(row.description, 2000),
        "attempts": f"{row.attempts:,} whole {'run' if row.attempts == 1 else 'runs'} of this player, with this one",
        "trained": _TRAINED.get(row.trained_on_suite, "not known"),
        "model_repository": plain(row.model_repository),
        "model_url": f"https://huggingface.co/{row.model_repository}" if row.model_repository else "",
        # The metadata's schema lets through addresses that begin with https:// alone; asked again, for a link acts.
        "report": row.report if row.report.startswith("https://") else "",
    }


def _replayed(row: Row) -> str:
    words = ", ".join(f"{count} {word}" for word, count in row.replayed.items())
    return f"Verdict of {row.verdict_date}: {words}." if words else "Nobody has replayed this row yet."


def _counts(row: Row) -> str:
    broken = [f"{count} {word.replace('_', ' ')}" for word, count in row.statuses.items() if count and word != "ok"]
    return (
        f"{row.ok} of {row.episodes} planned episodes ended by the rules{'; ' + ', '.join(broken) if broken else ''}."
    )


def _words(episodes: Sequence[Episode], verdict: Verdict) -> list[str]:
    """The word of each episode: the protocol's where it is not the world's."""
    known = {(one.task, one.trial): one for one in verdict.episodes}
    words = []
    for episode in episodes:
        one = known.get((episode.task, episode.trial))
        if one is None:
            words.append("not replayed")
        else:
            words.append(one.world if one.world == one.protocol else f"world {one.world}, protocol {one.protocol}")
    return words


def _outcome(episode: Episode) -> str:
    if episode.status != "ok":
        return episode.status.replace("_", " ")
    return {True: "passed", False: "not passed", None: "played"}[episode.success]


def _line(suite: Suite, episode: Episode, word: str) -> dict[str, Any]:
    title = suite.task(episode.task).title if episode.task in suite.card.tasks else ""
    return {
        "id": plain(episode.task, 60),
        "title": title,
        "trial": episode.trial,
        "verdict": word,
        "passed": bool(episode.success) and episode.status == "ok",
        "outcome": _outcome(episode),
        "total": decimals(episode.total, 2),
        "steps": f"{episode.steps:,}",
        "calls": f"{len(episode.calls.prompts):,}",
        "end": plain(episode.end, 60).replace("_", " "),
    }


def _actions(
    suite: Suite, episodes: Sequence[Episode], drawn: Mapping[int, tuple[drawing.Picture, ...]]
) -> dict[str, Any]:
    """Names of the actions that occur, and for each episode its runs of actions, its notes, and its pictures if any.

    Runs are words with a space between: the place of the action's name, and ``x`` and how often where that is not once.
    """
    names: dict[str, int] = {}
    lines: list[Any] = []
    tasks: dict[str, dict[tuple[ActionValue, int], str]] = {}
    for place, episode in enumerate(episodes):
        words = tasks.setdefault(episode.task, {})
        known = action_names(suite.task(episode.task)) if episode.task in suite.card.tasks else ()
        for run in dict.fromkeys(episode.actions):
            if run not in words:
                name = names.setdefault(action_words(run[0], known), len(names))
                words[run] = f"{name}" if run[1] == 1 else f"{name}x{run[1]}"
        shown = [_shown(episode, picture) for picture in drawn.get(place, ())]
        pictures = [[one["file"], one["alt"], one["caption"]] for one in shown]
        line = [" ".join(map(words.__getitem__, episode.actions)), _notes(episode)]
        lines.append([*line, pictures] if pictures else line)
    return {"actions": list(names), "episodes": lines}


def _notes(episode: Episode) -> list[str]:
    """What else a reader may want to know of an episode."""
    notes = []
    if episode.error:
        notes.append(f"Error: {plain(episode.error, 300)}")
    unlocked = episode.measures.get("achievements")
    if isinstance(unlocked, dict):
        found = [plain(str(name), 60).replace("_", " ") for name, count in unlocked.items() if count]
        notes.append(f"Unlocked: {', '.join(found) or 'nothing'}.")
    return notes


def _shown(episode: Episode, picture: drawing.Picture) -> dict[str, Any]:
    when = {0: "at the start", episode.steps: f"at the end, step {episode.steps}"}.get(
        picture.step, f"after step {picture.step}"
    )
    alt = f"What the player sees in {episode.task}, trial {episode.trial}, {when}"
    return {
        "file": picture.file,
        "width": drawing.SIDE,
        "height": drawing.SIDE,
        "alt": alt,
        "caption": when.capitalize(),
    }
