"""The camera on hand-made scenes: what each pixel shows, light and shadow, sizes, darkness, data about what is seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from embodibench.envs.aai.camera import FENCE, GROUND, SKY, SUN, draw, identities, picture_digest, visible
from embodibench.envs.aai.exact import direction
from embodibench.envs.aai.scene import Scene, Solid

Names = npt.NDArray[np.int32]


def solid(
    identity: int,
    kind: str,
    centre: Any,
    size: Any,
    *,
    shape: Any = "box",
    yaw: float = 0.0,
    colour: Any = (153, 153, 153),
) -> Solid:
    """A solid turned by yaw degrees, clockwise from above."""
    cosine, sine = direction(yaw)
    axes = ((cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine))
    return Solid(identity, kind, shape, centre, size, axes, colour)


def view(
    *solids: Solid, x: float = 20.0, z: float = 10.0, yaw: float = 0.0, y: float = 0.49, dark: bool = False
) -> Scene:
    """What is seen from (x, z), looking along yaw."""
    cosine, sine = direction(yaw)
    return Scene(solids, (x, y, z), cosine, sine, dark)


BALL = solid(3, "GoodGoal", (20.0, 0.49, 14.0), (1.0, 1.0, 1.0), shape="sphere")
WALL = solid(7, "Wall", (20.0, 1.49, 16.0), (6.0, 3.0, 1.0), colour=(255, 0, 255))
ONE_OF_EACH = (
    solid(0, "Wall", (14.0, 1.0, 16.0), (2.0, 2.0, 2.0), yaw=30.0, colour=(0, 0, 255)),
    solid(1, "WallTransparent", (17.0, 1.0, 14.0), (2.0, 2.0, 0.5)),
    solid(2, "Ramp", (20.0, 0.5, 16.0), (2.0, 1.0, 3.0), shape="wedge", yaw=180.0, colour=(255, 0, 255)),
    solid(3, "CylinderTunnel", (24.0, 0.0, 16.0), (3.0, 3.0, 4.0), shape="tube"),
    solid(4, "CylinderTunnelTransparent", (28.0, 0.0, 17.0), (3.0, 3.0, 4.0), shape="tube", yaw=20.0),
    solid(5, "Cardbox1", (17.0, 0.49, 18.0), (1.0, 1.0, 1.0)),
    solid(6, "LObject", (22.0, 0.15, 13.0), (0.3, 0.3, 3.0)),
    solid(7, "GoodGoalMulti", (19.0, 0.49, 13.0), (1.0, 1.0, 1.0), shape="sphere"),
    solid(8, "BadGoal", (21.0, 0.49, 12.0), (1.0, 1.0, 1.0), shape="sphere"),
    solid(9, "DeathZone", (25.0, -0.15, 12.0), (2.0, 0.5, 2.0)),
    solid(10, "HotZone", (15.5, -0.15, 12.5), (2.0, 0.5, 2.0)),
)


def test_the_empty_arena_is_ground_below_sky_above_and_fence_between() -> None:
    names = identities(view(), 64, 64)
    assert (names[40:] == GROUND).all()
    assert names[0, 32] == SKY
    assert set(np.unique(names)) == {GROUND, FENCE, SKY}


def test_the_sun_stands_at_azimuth_150_and_elevation_50() -> None:
    # looking at azimuth 150, elevation 50 is the picture's upper border; from 102 degrees on it is out of sight
    names = identities(view(yaw=150.0), 128, 128)
    rows, columns = np.nonzero(names == SUN)
    assert rows.min() == 0
    assert columns.mean() == pytest.approx(63.5, abs=0.6)
    assert (draw(view(yaw=150.0), 128, 128)[0, 62:66] == 255).all()
    assert not (identities(view(yaw=330.0), 128, 128) == SUN).any()


def test_a_ball_is_a_disc_in_front_of_the_wall_behind_it() -> None:
    names = identities(view(BALL, WALL), 101, 101)
    assert names[50, 50] == 3
    # radius 0.5 at distance 4: tangents up to r / sqrt(d^2 - r^2)
    expected = np.pi * (0.5**2 / (4.0**2 - 0.5**2)) * (101 / 2 / 1.19175359) ** 2
    assert (names == 3).sum() == pytest.approx(expected, rel=0.05)
    assert names[45, 30] == 7
    assert (identities(view(WALL), 101, 101) == 3).sum() == 0


def test_a_wall_covers_the_columns_and_rows_that_perspective_gives() -> None:
    names = identities(view(WALL), 512, 512)
    rows, columns = np.nonzero(names == 7)
    scale = 256 / 1.19175359
    assert columns.min() == pytest.approx(256 - 3.0 / 5.5 * scale, abs=1)
    assert columns.max() == pytest.approx(256 + 3.0 / 5.5 * scale - 1, abs=1)
    assert rows.min() == pytest.approx(256 - 2.5 / 5.5 * scale, abs=1)
    assert rows.max() == pytest.approx(256 + 0.5 / 5.5 * scale - 1, abs=1)


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
def test_right_is_clockwise(yaw: float) -> None:
    cosine, sine = direction(yaw)
    place = (20.0 + 4 * sine + 2 * cosine, 0.49, 20.0 + 4 * cosine - 2 * sine)
    ball = solid(0, "GoodGoal", place, (1.0, 1.0, 1.0), shape="sphere")
    _, columns = np.nonzero(identities(view(ball, z=20.0, yaw=yaw), 64, 64) == 0)
    assert columns.min() > 40


def test_a_ramp_is_high_at_local_minus_z_and_low_at_plus_z() -> None:
    ramp = solid(0, "Ramp", (20.0, 0.99, 14.0), (4.0, 2.0, 4.0), shape="wedge", colour=(255, 0, 255))
    front = identities(view(ramp), 101, 101)
    assert front[30, 50] == 0
    climbing = identities(view(ramp, z=18.0, yaw=180.0), 101, 101)
    assert (climbing == 0).any(axis=1).argmax() > (front == 0).any(axis=1).argmax()
    # from the side it is a triangle: higher on the side of local -z, which is on the left when looking to +x
    side = identities(view(ramp, x=14.0, z=14.0, yaw=90.0), 101, 101)
    tops = np.where((side == 0).any(axis=0), (side == 0).argmax(axis=0), 101)
    shown = np.nonzero(tops < 101)[0]
    assert tops[shown[-1]] < tops[shown[0]]


def test_a_tunnel_is_open() -> None:
    tunnel = solid(0, "CylinderTunnel", (20.0, 0.0, 16.0), (4.0, 4.0, 6.0), shape="tube")
    names = identities(view(tunnel, BALL, z=8.0), 101, 101)
    assert names[50, 50] == 3
    assert names[40, 50] == 0


def test_what_is_translucent_can_be_looked_through() -> None:
    glass = solid(5, "WallTransparent", (20.0, 0.99, 12.0), (2.0, 2.0, 0.2))
    scene = view(BALL, glass)
    assert identities(scene, 101, 101)[50, 50] == 5
    assert identities(scene, 101, 101, through=True)[50, 50] == 3
    clear, glazed = draw(view(BALL), 101, 101)[50, 50].astype(int), draw(scene, 101, 101)[50, 50].astype(int)
    assert (abs(clear - glazed) > 3).any()
    assert glazed[1] > glazed[2]


@pytest.mark.parametrize(
    ("kind", "colour"),
    [("GoodGoal", (189, 225, 138)), ("GoodGoalMulti", (247, 220, 103)), ("BadGoalBounce", (207, 89, 89))],
)
def test_balls_are_flat_discs_of_their_kinds_colour(kind: str, colour: tuple[int, int, int]) -> None:
    ball = solid(0, kind, (20.0, 0.49, 12.0), (1.0, 1.0, 1.0), shape="sphere")
    scene = view(ball)
    pixels = draw(scene, 101, 101)[identities(scene, 101, 101) == 0]
    assert (abs(pixels.astype(int) - colour) <= 1).all()


def test_faces_are_lit_by_how_they_face_the_sun() -> None:
    """Measured on recorded pictures of a (255, 0, 255) wall: -z (253, 0, 255), +x (222, 0, 240), away (173, 0, 212)."""
    wall = solid(0, "Wall", (20.0, 1.99, 20.0), (4.0, 4.0, 4.0), colour=(255, 0, 255))
    for x, z, yaw, colour in (
        (20.0, 15.0, 0.0, (253, 0, 255)),
        (25.0, 20.0, 270.0, (222, 0, 240)),
        (20.0, 25.0, 180.0, (173, 0, 212)),
        (15.0, 20.0, 90.0, (173, 0, 212)),
    ):
        scene = view(wall, x=x, z=z, yaw=yaw)
        pixels = draw(scene, 256, 256)[identities(scene, 256, 256) == 0]
        assert np.median(pixels, axis=0) == pytest.approx(colour, abs=3), yaw


def test_a_wall_throws_its_shadow_away_from_the_sun() -> None:
    """A post of height 2 shades the ground as far as 2 / tan(50 degrees), towards azimuth 330."""
    post = solid(0, "Wall", (20.0, 0.99, 20.0), (1.0, 2.0, 1.0))
    scene = view(post, x=16.0, z=21.5, yaw=90.0)
    plain = draw(view(x=16.0, z=21.5, yaw=90.0), 512, 512).astype(int)
    darker = (plain - draw(scene, 512, 512)).sum(axis=2) > 60
    ground = (identities(scene, 512, 512) == GROUND) & (identities(view(x=16.0, z=21.5, yaw=90.0), 512, 512) == GROUND)
    rows, columns = np.nonzero(darker & ground)
    scale = 256 / 1.19175359
    ahead = 0.5 * scale / (rows - 255.5)
    x, z = 16.0 + ahead, 21.5 - (columns - 255.5) / scale * ahead
    assert z.max() == pytest.approx(20.5 + 2.0 * 0.5567 / 0.7660, abs=0.1)
    assert x.min() == pytest.approx(19.5 - 2.0 * 0.3214 / 0.7660, abs=0.1)
    assert z.min() > 19.4


def test_the_agent_throws_a_shadow_of_its_own() -> None:
    near = draw(view(x=20.0, z=20.0, yaw=330.0), 256, 256).astype(int)
    bottom, aside = near[-1, 128], near[-1, 10]
    assert bottom.sum() < aside.sum() - 60


def test_a_ball_shades_the_ground_and_not_itself() -> None:
    roof = solid(1, "Wall", (20.0, 3.0, 20.0), (6.0, 0.2, 6.0))
    ball = solid(0, "GoodGoal", (20.0, 0.49, 22.0), (1.0, 1.0, 1.0), shape="sphere")
    for solids in ((ball,), (ball, roof)):
        scene = view(*solids, x=20.0, z=18.0)
        assert (np.ptp(draw(scene, 101, 101)[identities(scene, 101, 101) == 0], axis=0) == 0).all()


def test_walls_side_by_side_throw_one_shadow() -> None:
    """No light leaks through where two walls touch."""
    one = (solid(0, "Wall", (20.0, 0.99, 20.0), (4.0, 2.0, 1.0)),)
    two = (
        solid(0, "Wall", (19.0, 0.99, 20.0), (2.0, 2.0, 1.0)),
        solid(1, "Wall", (21.0, 0.99, 20.0), (2.0, 2.0, 1.0)),
    )
    pictures = []
    for solids in (one, two):
        scene = view(*solids, x=20.0, z=24.0, yaw=180.0)
        pictures.append((draw(scene, 256, 256).astype(int), identities(scene, 256, 256) == GROUND))
    ground = pictures[0][1] & pictures[1][1]
    assert (pictures[1][0] - pictures[0][0])[ground].max() <= 2


def test_a_dark_arena_is_black() -> None:
    scene = view(*ONE_OF_EACH, dark=True)
    assert not draw(scene, 33, 65).any()
    assert visible(scene, 33, 65) == ()
    assert (identities(scene, 33, 65) == identities(view(*ONE_OF_EACH), 33, 65)).all()


@pytest.mark.parametrize(("height", "width"), [(4, 4), (4, 512), (512, 4), (5, 7), (84, 84), (63, 128), (512, 512)])
def test_every_size_is_drawn(height: int, width: int) -> None:
    picture = draw(view(*ONE_OF_EACH), height, width)
    assert picture.shape == (height, width, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 5
    assert identities(view(*ONE_OF_EACH), height, width).shape == (height, width)


@pytest.mark.parametrize(("height", "width"), [(3, 84), (84, 3), (0, 0), (84, 5000)])
def test_sizes_out_of_range_are_refused(height: int, width: int) -> None:
    with pytest.raises(ValueError, match="picture"):
        draw(view(), height, width)


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="Teapot"):
        draw(view(solid(0, "Teapot", (20.0, 1.0, 20.0), (1.0, 1.0, 1.0))), 16, 16)


def test_the_eye_may_stand_inside_a_zone_or_touch_a_wall() -> None:
    zone = solid(0, "HotZone", (20.0, 0.6, 10.0), (4.0, 3.0, 4.0))
    touching = solid(1, "Wall", (20.0, 0.99, 11.0), (4.0, 2.0, 1.0))
    assert draw(view(zone, touching), 64, 64).std() > 5
    assert identities(view(zone, touching), 64, 64)[40, 32] == 1


def test_visible_lists_what_is_seen_nearest_first() -> None:
    glass = solid(5, "WallTransparent", (20.0, 0.99, 12.0), (2.0, 2.0, 0.2))
    left = solid(9, "BadGoal", (16.0, 0.49, 14.0), (1.0, 1.0, 1.0), shape="sphere")
    behind = solid(8, "BadGoal", (20.0, 0.49, 5.0), (1.0, 1.0, 1.0), shape="sphere")
    sights = visible(view(BALL, WALL, glass, left, behind), 512, 512)
    assert [sight.identity for sight in sights] == [5, 3, 9, 7]
    assert [sight.kind for sight in sights] == ["WallTransparent", "GoodGoal", "BadGoal", "Wall"]
    assert sights[1].bearing == 0
    assert sights[1].distance == pytest.approx(3.5, abs=0.01)
    assert sights[2].bearing in (-46, -45, -44)
    assert sights[2].distance == pytest.approx(32**0.5 - 0.5, abs=0.02)
    assert sights[1].pixels == (identities(view(BALL), 512, 512) == 3).sum()
    assert sights[2].columns[1] < 256


def test_a_digest_depends_on_pixels_and_shape() -> None:
    picture = draw(view(BALL), 16, 24)
    assert picture_digest(picture) == picture_digest(picture.copy())
    assert picture_digest(picture) != picture_digest(picture.reshape(24, 16, 3))
    changed = picture.copy()
    changed[3, 4, 1] ^= 1
    assert picture_digest(picture) != picture_digest(changed)
    with pytest.raises(ValueError, match="bytes"):
        picture_digest(picture.astype(np.float64))  # type: ignore[arg-type]


def test_drawing_does_not_touch_the_scene() -> None:
    scene = view(*ONE_OF_EACH)
    before = repr(scene)
    draw(scene, 32, 32)
    visible(scene, 32, 32)
    assert repr(scene) == before
