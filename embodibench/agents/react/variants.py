"""The agents of the family, by name.

``react`` is the paper's experiment 1, ``react-icl`` its experiment 2. ``react-text`` is for models without eyes, whose
scores are rows of their own. ``frame`` (see ``frame.py``) is the paper's proposal of control without scripts.
"""

from __future__ import annotations

from embodibench.agents.react.agent import SCRIPTS, ReactAgent
from embodibench.agents.react.senses import Pictures, Words


def react(parser: str = "strict", scripts: int | str = SCRIPTS, picture: str = "jpeg") -> ReactAgent:
    """Pictures, and no example."""
    return ReactAgent("react", Pictures(picture), parser=parser, scripts=scripts)


def react_text(parser: str = "lenient", scripts: int | str = SCRIPTS) -> ReactAgent:
    """Words, with two examples of a view and a script. Models without eyes are often small, so the lenient parser
    acts."""
    from embodibench.agents.react.few_shots import FewShots

    return ReactAgent("react-text", Words(), parser=parser, scripts=scripts, example=FewShots())


def react_icl(parser: str = "strict", scripts: int | str = SCRIPTS, picture: str = "jpeg") -> ReactAgent:
    """Pictures, after the demonstration of a tutorial level."""
    from embodibench.agents.react.tutorial import Demonstration

    return ReactAgent("react-icl", Pictures(picture), parser=parser, scripts=scripts, example=Demonstration())
