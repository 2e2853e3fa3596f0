"""The words for what is seen, to the letter."""

from __future__ import annotations

import pytest

from embodibench.envs.socialai.objects import AppleGenerator, Fence, Lever, LockableBox, RemoteDoor
from embodibench.envs.socialai.peers import body as acts
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.text import name, prompt_text, raw_text
from embodibench.envs.socialai.view import CENTRE, EMPTY, SIZE


def view(code: bytes, ahead: int, right: int) -> list[bytes]:
    cells = [EMPTY] * (SIZE * SIZE)
    cells[(CENTRE + right) * SIZE + SIZE - 1 - ahead] = code
    return cells


@pytest.mark.parametrize(
    ("ahead", "right", "words"),
    [
        (1, 0, "Right in front of you "),
        (2, 0, "2 steps in front of you "),
        (0, -1, "Just to the left of you"),
        (0, 1, "Just to the right of you"),
        (0, 2, " 2 steps to the right"),
        (3, -1, "3 steps in front of you and 1 steps to the left"),
    ],
)
def test_places(ahead: int, right: int, words: str) -> None:
    box = LockableBox("blue").code(0)
    assert raw_text(view(box, ahead, right), ()) == f"Obs : {words} there is a closed blue lockablebox \n"


def test_an_empty_view_is_an_empty_line() -> None:
    assert raw_text([EMPTY] * (SIZE * SIZE), ()) == "Obs : \n"


def test_states_of_things() -> None:
    lever = Lever("red", None, RemoteDoor("blue"), active_steps=7)
    assert name(lever.code(0)) == "unactivated red lever "
    lever.use(None)  # type: ignore[arg-type]
    assert name(lever.code(0)) == "activated red lever with 7 timesteps left. "
    assert name(AppleGenerator("green", None, (), True).code(0)) == "round green applegenerator "
    assert name(Fence().code(0)) == "grey fence "


def test_gaze_pointing_and_act_are_told_from_the_agents_side() -> None:
    peer = PeerBody("purple", "Caretaker")
    peer.facing, peer.pointing, peer.last_act = 2, 1, acts.ROTATE_LEFT
    assert name(peer.code(0)) == (
        "friendly purple peer. It is looking towards you. It is pointing to the right of you. "
        "It's last action is turn left. "
    )
    peer.pointing, peer.last_act = None, acts.POINTS[0]
    assert name(peer.code(3)) == "friendly purple peer. It is looking to the left of you. "


def test_the_prompt_hides_what_the_peer_does_and_keeps_what_it_says() -> None:
    peer = PeerBody("purple", "Caretaker")
    raw = raw_text(view(peer.code(0), 1, 0), ("Caretaker: blue \n",))
    assert prompt_text(raw) == "Obs : Right in front of you  there is a caretaker\nCaretaker says:  blue \n"
