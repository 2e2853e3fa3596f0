"""Every tree that the original registers, by its id without ``SocialAI-`` and ``-v1``.

One is left out: ``DrawingEnv``, which only served to draw a figure, and crashes when it is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from embodibench.envs.socialai.parameters import (
    ADVERSARIAL,
    COLLABORATION,
    CUES,
    INFORMATION_SEEKING,
    INTRODUCTIONS,
    JOINT_PROBLEMS,
    OBSTACLES,
)
from embodibench.envs.socialai.trees.node import Parameter, Value
from embodibench.errors import UsageError

TRAINING_ORDER: Final = ("Boxes", "Switches", "Generators", "Levers", "Doors", "Marble")
"""Problems in the order of the original's trees; the choice among them depends on it."""

_CUE_NAMES: Final = {"LangColor": "Language_Color", "LangFeedback": "Language_Feedback", "Pointing": "Pointing"}
_FORMATS: Final = {"N": "No", "E": "Eye_contact", "A": "Ask", "AE": "Ask_Eye_contact"}
_PREFIX: Final = "SocialAI-"
_SUFFIX: Final = "-v1"


def _one_of(name: str, *values: str | Value) -> Parameter:
    return Parameter(name, tuple(value if isinstance(value, Value) else Value(value) for value in values))


def _problem(name: str, objects: str = "2", peer: str = "Y") -> Value:
    return Value(name, (_one_of("N", objects), _one_of("Peer", peer)))


def _root(kind: str, *parameters: Parameter) -> Parameter:
    return _one_of("Env_type", Value(kind, parameters))


def _seeking(
    introductions: Iterable[str],
    cues: Iterable[str],
    problems: Iterable[Value],
    joint: Iterable[str] = (),
    helps: bool = False,
) -> Parameter:
    scaffolding = [Value("N", (_one_of("Cue_type", *cues),)), *([Value("Y")] if helps else [])]
    return _root(
        INFORMATION_SEEKING,
        _one_of("Pragmatic_frame_complexity", *introductions),
        _one_of("Scaffolding", *scaffolding),
        _one_of("Problem", *problems),
        *([_one_of("JA_recursive", *joint)] if joint else []),
    )


def _cue_studies() -> dict[str, Parameter]:
    """Pointing and both language cues, with and without joint attention; doors are held out of the training."""
    studies = {}
    training = [_problem("Doors", "1", "N") if name == "Doors" else _problem(name) for name in TRAINING_ORDER]
    for prefix, joint_train, joint_test in (("E", (), ()), ("JAE", ("Y", "N"), ("Y",))):
        for short, cue in _CUE_NAMES.items():
            stem = prefix + short
            for variant in ("HeldoutDoorsTrain", "Train"):
                tree = _seeking(("Eye_contact",), (cue,), training, joint_train)
                studies[f"{stem}{variant}InformationSeekingParamEnv"] = tree
            for name in TRAINING_ORDER:
                for variant, problem in (("Test", _problem(name)), ("AsocialTest", _problem(name, "1", "N"))):
                    tree = _seeking(("Eye_contact",), (cue,), (problem,), joint_test)
                    studies[f"{stem}{name}{variant}InformationSeekingParamEnv"] = tree
    return studies


def _format_studies() -> dict[str, Parameter]:
    studies = {}
    everything = [_problem(name) for name in TRAINING_ORDER]
    cue = ("Language_Feedback",)
    for short, introduction in _FORMATS.items():
        stem = f"{short}LangFeedback"
        studies[f"{stem}TrainFormatsCSParamEnv"] = _seeking((introduction,), cue, everything)
        studies[f"{stem}TrainScaffoldingCSParamEnv"] = _seeking(INTRODUCTIONS, cue, everything, helps=True)
        for name in TRAINING_ORDER:
            studies[f"{stem}{name}TestFormatsCSParamEnv"] = _seeking((introduction,), cue, (_problem(name),))
    return studies


def _imitation_studies() -> dict[str, Parameter]:
    studies = {}
    for short, objects in (("NoDistr", "1"), ("Distr", "2")):
        training = [_problem(name, objects) for name in TRAINING_ORDER if name != "Doors"]
        stem = f"EEmulation{short}"
        studies[f"{stem}InformationSeekingParamEnv"] = _seeking(("Eye_contact",), ("Emulation",), training)
        doors = (_problem("Doors", objects),)
        studies[f"{stem}DoorsInformationSeekingParamEnv"] = _seeking(("Eye_contact",), ("Emulation",), doors)
    return studies


def _language_model_studies() -> dict[str, Parameter]:
    alone = [_problem(name, "1", "N") for name in TRAINING_ORDER]
    mixed = [_problem("Boxes", "1", "N"), *(_problem(name) for name in TRAINING_ORDER if name != "Boxes")]
    color = ("Language_Color",)
    return {
        "AsocialBoxInformationSeekingParamEnv": _root(
            INFORMATION_SEEKING, _one_of("Problem", _problem("Boxes", "1", "N"))
        ),
        "ColorBoxesLLMCSParamEnv": _seeking(("No",), color, (_problem("Boxes"),)),
        "ColorLLMCSParamEnv": _seeking(("No",), color, mixed),
        "AsocialMarbleInformationSeekingParamEnv": _seeking(("No",), color, (_problem("Marble", "1", "N"),)),
        "EAsocialInformationSeekingParamEnv": _seeking(
            ("Eye_contact",), ("Language_Color", "Language_Feedback", "Pointing"), alone
        ),
    }


def _collaboration_studies() -> dict[str, Parameter]:
    social = _one_of("Version", "Social")
    both = _one_of("Role", "A", "B")

    def joint(*problems: str, roles: Parameter = both, more: tuple[Parameter, ...] = ()) -> Parameter:
        return _root(COLLABORATION, _one_of("Problem", *problems), social, roles, *more)

    choices = ("Boxes", "Switches", "Generators", "Marble")
    studies = {
        "LeverDoorCollaborationParamEnv": joint("LeverDoor", more=(_one_of("Obstacles", "No"),)),
        "MarblePushCollaborationParamEnv": joint("MarblePush"),
        "MarblePassCollaborationParamEnv": joint("MarblePass"),
        "MarblePassACollaborationParamEnv": joint("MarblePass", roles=_one_of("Role", "A")),
        "MarblePassBCollaborationParamEnv": joint("MarblePass", roles=_one_of("Role", "B")),
        "ObjectsCollaborationParamEnv": joint(*choices),
        "RoleReversalCollaborationParamEnv": joint(*JOINT_PROBLEMS),
        **{f"Objects{name}CollaborationParamEnv": joint(name) for name in choices},
    }
    pass_alone = Value("MarblePass", (_one_of("Role", "B"), _one_of("Version", "Asocial")))
    studies["AsocialMarbleCollaborationParamEnv"] = _root(COLLABORATION, _one_of("Problem", pass_alone))
    control = [pass_alone if name == "MarblePass" else Value(name, (both, social)) for name in JOINT_PROBLEMS]
    studies["RoleReversalGroupControlCollaborationParamEnv"] = _root(COLLABORATION, _one_of("Problem", *control))
    experimental = [Value(name, (_one_of("Role", "B") if name == "MarblePass" else both,)) for name in JOINT_PROBLEMS]
    studies["RoleReversalGroupExperimentalCollaborationParamEnv"] = _root(
        COLLABORATION, _one_of("Problem", *experimental), social
    )
    return studies


def _adversarial_studies() -> dict[str, Parameter]:
    studies = {}
    for obstacles in OBSTACLES:
        around = _one_of("Obstacles", obstacles)
        for short, movement in (("", "Rotating"), ("Walk", "Walking")):
            watched = _one_of("Version", Value("Social", (_one_of("NPC_movement", movement),)))
            studies[f"AppleStealing{short}Obst_{obstacles}ParamEnv"] = _root(ADVERSARIAL, watched, around)
        alone = _one_of("Version", "Asocial")
        studies[f"AsocialAppleStealingObst_{obstacles}ParamEnv"] = _root(ADVERSARIAL, alone, around)
    return studies


def _everything() -> Parameter:
    seeking = Value(
        INFORMATION_SEEKING,
        (
            _one_of("Pragmatic_frame_complexity", *INTRODUCTIONS),
            _one_of("Scaffolding", Value("N", (_one_of("Cue_type", *CUES),)), "Y"),
            _one_of("N", "2", "1"),
            _one_of(
                "Problem", *(_problem(n) for n in ("Doors", "Boxes", "Switches", "Generators", "Levers", "Marble"))
            ),
        ),
    )
    joint = [
        Value(
            name,
            (
                _one_of("Role", "A", "B"),
                _one_of("Version", *(("Social", "Asocial") if name == "MarblePass" else ("Social",))),
            ),
        )
        for name in JOINT_PROBLEMS
    ]
    watched = Value("Social", (_one_of("NPC_movement", "Walking", "Rotating"),))
    adversarial = Value(ADVERSARIAL, (_one_of("Version", "Asocial", watched), _one_of("Obstacles", *OBSTACLES)))
    return _one_of("Env_type", seeking, Value(COLLABORATION, (_one_of("Problem", *joint),)), adversarial)


@cache
def all_studies() -> Mapping[str, Parameter]:
    """Name -> tree, sorted by name."""
    studies = {
        **_cue_studies(),
        **_format_studies(),
        **_imitation_studies(),
        **_language_model_studies(),
        **_collaboration_studies(),
        **_adversarial_studies(),
        "SocialAIParamEnv": _everything(),
    }
    return dict(sorted(studies.items()))


def names() -> tuple[str, ...]:
    """Names of all case studies, sorted."""
    return tuple(all_studies())


def case_study(name: str) -> Parameter:
    """The tree of this name; the original's full id is understood too.

    Raises:
        UsageError: no such study; the message names the nearest.
    """
    stem = name.removeprefix(_PREFIX).removesuffix(_SUFFIX)
    studies = all_studies()
    if stem in studies:
        return studies[stem]
    import difflib

    near = difflib.get_close_matches(stem, studies, n=3, cutoff=0.3)
    raise UsageError(f"no SocialAI study '{name}'; nearest: {', '.join(near) or ', '.join(list(studies)[:5])}")
