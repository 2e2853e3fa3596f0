"""The recorded runs of the original, and what of them the rebuilt world has to repeat at every step."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.parameters import ADVERSARIAL, EpisodeParameters
from embodibench.envs.socialai.stage import Settings, Streams, start
from embodibench.envs.socialai.streams import ArrayStream, ChoiceStream, choice_key, layout_key
from embodibench.envs.socialai.text import prompt_text, raw_text

LAYOUTS = "layouts_rl_testsets"
SMALL = ("colorboxes_size7", "asocialbox_size7")
LARGE = ("ext_infoseeking", "ext_collaboration", "ext_adversarial")

PRIMITIVES = {"turn left": 0, "turn right": 1, "move forward": 2, "toggle": 3, "done": 4, "no_op": 5, "no_op(reset)": 5}
SILENT = (4, 16)


def load(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of one recording."""
    with gzip.open(folder / "socialai" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def streams(seed: int) -> Streams:
    """The original's three generators, seeded alike."""
    return Streams(ArrayStream(layout_key(seed)), ChoiceStream(choice_key(seed)), ArrayStream(seed))


def begin(parameters: Mapping[str, str], seed: int, size: int, from_tree: bool) -> Episode:
    """An episode at its start. When its parameters came from a tree, the tree's choices moved the stream on."""
    found = streams(seed)
    if from_tree and parameters["Env_type"] == ADVERSARIAL:
        for _ in parameters:
            found.choices.element((0,))
    return start(EpisodeParameters.from_map(parameters), Settings(size=size), found)


def objects(episode: Episode) -> list[tuple[object, ...]]:
    """What stands in the room, with all the recording says of it."""
    rows: list[tuple[object, ...]] = []
    for _, thing in episode.scene.room.standing:
        row = (thing.type, thing.color, thing.cur_pos)
        own = {
            "npc": lambda t: (t.facing, 255 if t.pointing is None else t.pointing, t.last_act, t.introduced),
            "lockablebox": lambda t: (t.is_locked, t.blocked, t.holds is not None),
            "door": lambda t: (t.is_open, t.blocked),
            "remotedoor": lambda t: (t.is_open,),
            "switch": lambda t: (t.is_on, t.blocked),
            "lever": lambda t: (t.is_on, t.countdown, t.blocked),
            "applegenerator": lambda t: (t.is_pressed, t.blocked),
            "apple": lambda t: (t.eaten,),
            "marble": lambda t: (t.moving,),
        }.get(thing.type)
        rows.append(row + (own(thing) if own else ()))
    return sorted(rows, key=str)


def recorded_objects(state: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """The same, as recorded."""
    fields = {
        "npc": ("npc_dir", "point_dir", "last_action", "was_introduced_to"),
        "lockablebox": ("is_locked", "blocked", "has_apple"),
        "door": ("is_open", "blocked"),
        "remotedoor": ("is_open",),
        "switch": ("is_on", "blocked"),
        "lever": ("is_on", "countdown", "blocked"),
        "applegenerator": ("is_pressed", "blocked"),
        "apple": ("eaten",),
        "marble": ("moving_dir",),
    }
    return sorted(
        (
            (item["type"], item["color"], tuple(item["pos"]), *(item[name] for name in fields.get(item["type"], ())))
            for item in state["objects"]
        ),
        key=str,
    )


def picture(episode: Episode) -> list[list[list[int]]]:
    """The observation image as nested lists, as recorded."""
    return nested(episode.scene.room.agent_view())


def nested(view: tuple[bytes, ...]) -> list[list[list[int]]]:
    """A view as columns of rows of channels."""
    return [[list(code) for code in view[column * 7 : column * 7 + 7]] for column in range(7)]


def action(recorded: Any) -> tuple[int, int, int]:
    """A recorded action as the world takes it."""
    if isinstance(recorded, str):
        return (PRIMITIVES[recorded], *SILENT)
    values = recorded or (None, None, None)
    return tuple(  # type: ignore[return-value]
        none if value is None else value for value, none in zip(values, (5, *SILENT), strict=True)
    )


def differences(run: Mapping[str, Any], size: int) -> Iterator[tuple[int, list[str]]]:
    """Follow a recorded run: (step, names of what differs) for every step."""
    episode = begin(run["params"], run["seed"], size, from_tree=False)
    for number, step in enumerate(run["steps"]):
        reward = 0.0
        if number > 0 or size == 7:
            reward = episode.step(*action(step["action"]))
        raw = raw_text(episode.seen_view, episode.peer_lines)
        state = step["state"]
        room = episode.scene.room
        pairs = {
            "agent": (
                (*room.agent_pos, room.agent_dir, episode.steps),
                (*state["agent_pos"], state["agent_dir"], state["step_count"]),
            ),
            "objects": (objects(episode), recorded_objects(state)),
            "image": (picture(episode), step["obs_image"]),
            "raw text": (raw, step["raw_text"]),
            "prompt text": (prompt_text(raw), step["prompt_text"]),
            "utterance": (episode.said, step["utterance"]),
            "history": (episode.history, step["utterance_history"]),
            "reward": (reward, step["reward"] or 0),
            "end": (bool(episode.outcome), step["done"]),
            "success": (episode.outcome == "apple", step["success"]),
        }
        if "info_image" in step:
            pairs["earlier image"] = (nested(episode.seen_view), step["info_image"])
        yield number, [name for name, (ours, theirs) in pairs.items() if ours != theirs]
