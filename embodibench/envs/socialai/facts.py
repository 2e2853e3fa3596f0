"""The observation as facts: where each thing in view is, its state, the peer's gaze, pointing and act, the dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from embodibench.canonical import Json
from embodibench.envs.socialai.constants import COLORS, KINDS, NOT_POINTING
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.view import CENTRE, OWN, SIZE

WAYS: Final = ("towards you", "to your left", "away from you", "to your right")
"""Words for the four relative directions."""

ACTS: Final[Mapping[int, str]] = {
    0: "went forward",
    1: "turned left",
    2: "turned right",
    3: "toggled",
    5: "pointed",
    6: "pointed",
    7: "pointed",
    8: "pointed",
    9: "stopped pointing",
    10: "nothing",
}
_NOTHING_THERE: Final = frozenset(KINDS.index(kind) for kind in ("unseen", "empty", "wall"))


def describe(episode: Episode) -> tuple[Mapping[str, Json], ...]:
    """Everything in view but walls, column by column from the left, then the dialogue, oldest first.

    A thing has ``kind``, ``color``, ``ahead`` (rows in front), ``right`` (columns to the right; negative: left) and
    what its kind adds. An utterance has ``kind`` "utterance", ``speaker`` and ``words``.
    """
    found: list[Mapping[str, Json]] = []
    for index, code in enumerate(episode.scene.room.agent_view()):
        if index == OWN or code[0] in _NOTHING_THERE:
            continue
        column, row = divmod(index, SIZE)
        fact: dict[str, Json] = {
            "kind": KINDS[code[0]],
            "color": COLORS[code[1]],
            "ahead": SIZE - 1 - row,
            "right": column - CENTRE,
        }
        fact.update(_state(code))
        found.append(fact)
    speaker = episode.scene.peer.name if episode.scene.peer is not None else ""
    for line in episode.peer_lines:
        words = line.removeprefix(f"{speaker}: ").strip()
        found.append({"kind": "utterance", "speaker": speaker, "words": words})
    return tuple(found)


def _state(code: bytes) -> dict[str, Json]:
    kind = KINDS[code[0]]
    if kind == "npc":
        return {
            "friendly": code[2] == 0,
            "looks": WAYS[code[3]],
            "points": None if code[4] == NOT_POINTING else WAYS[code[4]],
            "last_act": ACTS[code[5]],
        }
    if kind in ("lockablebox", "door"):
        return {"state": ("open", "closed", "locked")[code[2]]}
    if kind == "remotedoor":
        return {"state": ("open", "closed")[code[2]]}
    if kind == "lever":
        return {"on": code[2] == 1, "steps_left": None if code[3] == NOT_POINTING else code[3]}
    if kind == "applegenerator":
        return {"shape": ("square", "round")[code[2] - 1]}
    return {}
