"""What is hidden behind what."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from embodibench.envs.socialai.constants import EAST, NORTH, SOUTH, WEST, facing_direction
from embodibench.envs.socialai.objects import Door, Fence, LockableBox
from embodibench.envs.socialai.room import WALL, Room
from embodibench.envs.socialai.view import CENTRE, SIZE, hidden_cells, window_steps


def bits(*cells: tuple[int, int]) -> int:
    """Bits of cells given as (columns to the right, rows ahead)."""
    return sum(1 << ((CENTRE + right) * SIZE + SIZE - 1 - ahead) for right, ahead in cells)


def test_without_opaque_cells_everything_is_visible() -> None:
    assert hidden_cells(0) == 0


def test_a_wall_ahead_hides_a_widening_wedge_but_not_itself() -> None:
    hidden = hidden_cells(bits((0, 1)))
    assert hidden & bits((0, 1)) == 0
    assert hidden & bits((0, 2), (-1, 2), (1, 2)) == bits((0, 2), (-1, 2), (1, 2))
    assert hidden & bits((0, 6), (3, 6), (-3, 6)) == bits((0, 6), (3, 6), (-3, 6))
    assert hidden & bits((2, 1), (-2, 2)) == 0


def test_a_wall_beside_hides_the_rest_of_its_row_and_the_outward_diagonal() -> None:
    hidden = hidden_cells(bits((1, 0)))
    assert hidden & bits((2, 0), (3, 0)) == bits((2, 0), (3, 0))
    assert hidden & bits((2, 1)) == bits((2, 1))
    assert hidden & bits((1, 1), (-1, 0)) == 0


@given(st.integers(0, 2**49 - 1))
def test_the_rule_is_mirror_symmetric(opaque: int) -> None:
    def mirrored(cells: int) -> int:
        return sum(
            1 << ((SIZE - 1 - column) * SIZE + row)
            for column in range(SIZE)
            for row in range(SIZE)
            if cells >> (column * SIZE + row) & 1
        )

    assert hidden_cells(mirrored(opaque)) == mirrored(hidden_cells(opaque))


@given(st.integers(0, 2**49 - 1), st.integers(0, 48))
def test_one_more_opaque_cell_never_reveals_anything(opaque: int, cell: int) -> None:
    hidden = hidden_cells(opaque)
    assert hidden_cells(opaque | 1 << cell) & hidden == hidden


def test_the_window_turns_with_the_viewer() -> None:
    for facing, (dx, dy) in ((EAST, (1, 0)), (SOUTH, (0, 1)), (WEST, (-1, 0)), (NORTH, (0, -1))):
        steps = window_steps(facing)
        assert steps[CENTRE * SIZE + SIZE - 1] == (0, 0)
        assert steps[CENTRE * SIZE] == (6 * dx, 6 * dy)
        assert steps[SIZE - 1] == (3 * dy, -3 * dx)


def test_walls_and_closed_doors_hide_what_is_behind_and_nothing_else_does() -> None:
    for thing, hides in ((WALL, True), (Door("blue"), True), (Fence(), False), (LockableBox("blue"), False)):
        room = Room(10, 10, 10)
        room.agent_pos, room.agent_dir = (2, 5), EAST
        room.put((3, 5), thing)
        assert room.sees(room.agent_pos, EAST, (5, 5)) is not hides
    door = Door("blue")
    door.is_open = True
    room.put((3, 5), door)
    assert room.sees(room.agent_pos, EAST, (5, 5))


def test_what_is_outside_the_window_is_not_seen() -> None:
    room = Room(10, 10, 10)
    assert not room.sees((5, 5), EAST, (4, 5))
    assert not room.sees((1, 1), EAST, (2, 5))
    assert room.sees((1, 1), EAST, (2, 4))


def test_exact_diagonals_belong_to_the_clockwise_first_direction() -> None:
    assert [facing_direction((0, 0), cell) for cell in ((1, -1), (1, 1), (-1, 1), (-1, -1))] == [
        NORTH,
        EAST,
        SOUTH,
        WEST,
    ]
