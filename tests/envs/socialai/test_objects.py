"""What using and bumping does, kind by kind."""

from __future__ import annotations

import pytest

from embodibench.envs.socialai.constants import EAST
from embodibench.envs.socialai.objects import (
    Apple,
    AppleGenerator,
    Door,
    Family,
    GeneratorPlatform,
    Lever,
    LockableBox,
    Marble,
    MarbleTee,
    RemoteDoor,
    Switch,
)
from embodibench.envs.socialai.room import Room


@pytest.fixture
def room() -> Room:
    return Room(10, 10, 10)


def test_opening_a_box_leaves_its_apple_and_blocks_the_other(room: Room) -> None:
    family, apple = Family(), Apple()
    right, wrong = LockableBox("blue", family, apple), LockableBox("green", family)
    room.put((3, 3), right)
    room.put((5, 5), wrong)
    right.use(room)
    assert room.at((3, 3)) is apple and wrong.blocked
    wrong.use(room)
    assert room.at((5, 5)) is wrong


def test_walking_into_a_box_makes_it_useless(room: Room) -> None:
    box = LockableBox("blue", Family(), Apple())
    room.put((3, 3), box)
    box.push(room, EAST)
    box.use(room)
    assert box.blocked and room.at((3, 3)) is box


def test_a_locked_box_ignores_toggling_without_penalty(room: Room) -> None:
    box = LockableBox("blue", Family(), Apple(), is_locked=True)
    room.put((3, 3), box)
    box.use(room)
    assert not box.blocked and not box.is_open


def test_only_the_right_switch_unlocks_and_only_one_can_be_used(room: Room) -> None:
    box = LockableBox("blue", Family(), Apple(), is_locked=True)
    family = Family()
    right, wrong = Switch("blue", family, box), Switch("green", family)
    wrong.use(room)
    right.use(room)
    assert box.is_locked and right.blocked and not right.is_on


def test_a_switch_without_a_light_looks_the_same_when_it_is_on(room: Room) -> None:
    dark, lit = Switch("blue", Family()), Switch("blue", Family(), None, True)
    before = dark.code(0), lit.code(0)
    dark.use(room)
    lit.use(room)
    assert dark.code(0) == before[0] and lit.code(0) != before[1]


def test_a_square_generator_is_pressed_by_a_body_and_spoiled_by_toggling(room: Room) -> None:
    platform, apple = GeneratorPlatform("grey"), Apple()
    room.put((2, 2), platform)
    pressed = AppleGenerator("blue", Family(), ((platform, apple),))
    pressed.push(room, EAST)
    assert room.at((2, 2)) is apple
    spoiled = AppleGenerator("blue", Family(), ((platform, apple),))
    spoiled.use(room)
    spoiled.push(room, EAST)
    assert not spoiled.is_pressed


def test_a_round_generator_wants_a_marble(room: Room) -> None:
    spoiled = AppleGenerator("blue", Family(), (), by_marble=True)
    spoiled.push(room, EAST)
    assert spoiled.blocked and not spoiled.is_pressed
    pressed = AppleGenerator("blue", Family(), (), by_marble=True)
    pressed.push(room, EAST, by_marble=True)
    assert pressed.is_pressed


def test_a_door_opens_once_and_never_closes(room: Room) -> None:
    door = Door("blue", Family())
    door.use(room)
    door.use(room)
    assert door.is_open and door.can_overlap()


def test_walking_into_a_closed_door_blocks_both(room: Room) -> None:
    family = Family()
    door, other = Door("blue", family), Door("green", family)
    other.push(room, EAST)
    door.use(room)
    assert not door.is_open


def test_a_timed_lever_works_once_for_its_steps(room: Room) -> None:
    door = RemoteDoor("blue")
    lever = Lever("red", None, door, active_steps=3)
    lever.use(room)
    states = []
    for _ in range(4):
        states.append((lever.countdown, door.is_open))
        lever.tick()
    assert states == [(3, True), (2, True), (1, True), (None, False)]
    lever.use(room)
    assert not lever.is_on and not door.is_open


def test_a_lever_can_be_turned_off_by_hand_while_it_is_on(room: Room) -> None:
    door = RemoteDoor("blue")
    lever = Lever("red", None, door, active_steps=10)
    lever.use(room)
    lever.use(room)
    assert (lever.is_on, door.is_open, lever.countdown) == (False, False, None)


def test_a_remote_door_ignores_hands(room: Room) -> None:
    door = RemoteDoor("blue")
    door.use(room)
    door.push(room, EAST)
    assert not door.is_open


def test_a_marble_rolls_leaves_its_tee_and_bumps_what_stops_it(room: Room) -> None:
    marble, generator = Marble("red"), AppleGenerator("blue", Family(), (), by_marble=True)
    room.put((2, 4), marble)
    room.put((5, 4), generator)
    marble.push(room, EAST)
    path = []
    for _ in range(3):
        marble.roll(room)
        path.append((marble.cur_pos, marble.moving))
    assert path == [((3, 4), EAST), ((4, 4), EAST), ((4, 4), None)]
    assert isinstance(room.at((2, 4)), MarbleTee) and room.at((3, 4)) is None
    assert generator.is_pressed


def test_a_marble_stops_at_the_agent(room: Room) -> None:
    marble = Marble("red")
    room.put((2, 4), marble)
    room.agent_pos = (3, 4)
    marble.push(room, EAST)
    marble.roll(room)
    assert (marble.cur_pos, marble.moving) == ((2, 4), None)


def test_an_eaten_apple_turns_yellow_and_stays(room: Room) -> None:
    apple = Apple()
    room.put((2, 2), apple)
    apple.use(room)
    assert apple.eaten and apple.color == "yellow" and room.at((2, 2)) is apple
    assert apple.code(0)[1] == 4
