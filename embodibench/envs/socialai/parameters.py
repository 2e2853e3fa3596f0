"""The parameters of one episode: what a path through a parameter tree comes down to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from embodibench.errors import CardError

INFORMATION_SEEKING: Final = "Information_seeking"
COLLABORATION: Final = "Collaboration"
ADVERSARIAL: Final = "AppleStealing"

PROBLEMS: Final = ("Boxes", "Switches", "Generators", "Levers", "Doors", "Marble")
JOINT_PROBLEMS: Final = ("Boxes", "Switches", "Generators", "Marble", "MarblePass", "MarblePush", "LeverDoor")
INTRODUCTIONS: Final = ("No", "Eye_contact", "Ask", "Ask_Eye_contact")
CUES: Final = ("Language_Color", "Language_Feedback", "Pointing", "Emulation")
OBSTACLES: Final = ("No", "A_bit", "Medium", "A_lot")

_ALLOWED: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    INFORMATION_SEEKING: {
        "Problem": PROBLEMS,
        "N": ("1", "2"),
        "Peer": ("Y", "N"),
        "Pragmatic_frame_complexity": INTRODUCTIONS,
        "Scaffolding": ("N", "Y"),
        "Cue_type": CUES,
        "JA_recursive": ("Y", "N"),
        "Obstacles": ("No",),
        "Num_of_colors": ("2", "3", "4", "5", "6", "7"),
    },
    COLLABORATION: {
        "Problem": JOINT_PROBLEMS,
        "Role": ("A", "B"),
        "Version": ("Social", "Asocial"),
        "Obstacles": ("No",),
    },
    ADVERSARIAL: {
        "Version": ("Social", "Asocial"),
        "NPC_movement": ("Rotating", "Walking"),
        "Obstacles": OBSTACLES,
    },
}


@dataclass(frozen=True, slots=True)
class EpisodeParameters:
    """One episode's parameters, checked.

    Attributes:
        kind: ``Information_seeking``, ``Collaboration`` or ``AppleStealing``.
        problem: what has to be solved; "" for AppleStealing.
        objects: candidate objects, 2 when there is a wrong one (information seeking).
        peer: whether a peer is there.
        introduction: what the agent must do before the peer helps.
        helps: the peer solves the problem for the agent (``Scaffolding`` = Y).
        cue: how the peer shows the right object; "" when it helps or is not there.
        joint_attention: the peer misleads, and looks at the room's centre, until it is introduced.
        role: the agent's side, A (left) or B (right), in a collaboration.
        walks: the watcher walks instead of only turning.
        obstacles: how many walls stand about.
        colors: colours of objects, when the episode says so itself (``Num_of_colors``); else None.
    """

    kind: str
    problem: str = ""
    objects: int = 1
    peer: bool = False
    introduction: str = "No"
    helps: bool = False
    cue: str = ""
    joint_attention: bool = False
    role: str = "A"
    walks: bool = False
    obstacles: str = "No"
    colors: int | None = None

    @classmethod
    def from_map(cls, values: Mapping[str, str]) -> EpisodeParameters:
        """Check a map of parameter names to values, as a tree's path gives it.

        Raises:
            CardError: an unknown or missing parameter, an unknown value, or values that exclude each other.
        """
        kind = values.get("Env_type", "")
        if kind not in _ALLOWED:
            raise CardError(f"Env_type is '{kind}'; known: {', '.join(_ALLOWED)}")
        allowed = _ALLOWED[kind]
        for name, value in values.items():
            if name == "Env_type":
                continue
            if name not in allowed:
                raise CardError(f"{kind} has no parameter '{name}'; known: {', '.join(allowed)}")
            if value not in allowed[name]:
                raise CardError(f"{kind}: {name} is '{value}'; known: {', '.join(allowed[name])}")

        def need(name: str) -> str:
            if name not in values:
                raise CardError(f"{kind}: the parameter '{name}' is missing; known values: {', '.join(allowed[name])}")
            return values[name]

        if kind == ADVERSARIAL:
            social = need("Version") == "Social"
            return cls(
                kind,
                peer=social,
                walks=social and need("NPC_movement") == "Walking",
                obstacles=values.get("Obstacles", "No"),
            )
        if kind == COLLABORATION:
            return cls(kind, problem=need("Problem"), peer=need("Version") == "Social", role=need("Role"))
        peer = need("Peer") == "Y"
        helps = values.get("Scaffolding", "N") == "Y"
        joint = values.get("JA_recursive", "N") == "Y"
        if helps and joint:
            raise CardError("Scaffolding Y cannot be combined with JA_recursive Y")
        if peer:
            need("Scaffolding")
            need("Pragmatic_frame_complexity")
        cue = "" if helps or not peer else need("Cue_type")
        return cls(
            kind,
            problem=need("Problem"),
            objects=int(need("N")),
            peer=peer,
            introduction=values.get("Pragmatic_frame_complexity", "No"),
            helps=helps,
            cue=cue or ("" if helps else values.get("Cue_type", "")),
            joint_attention=joint,
            colors=int(values["Num_of_colors"]) if "Num_of_colors" in values else None,
        )
