"""The picture: upstream's look, one picture a step, and no picture that cannot be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from embodibench.envs.base import Observation
from embodibench.envs.crafter import picture
from embodibench.envs.crafter.creatures import Arrow, Cow, Plant, Skeleton, Zombie
from embodibench.envs.crafter.seeding import noise_seed
from embodibench.envs.crafter.world import CrafterObservation, CrafterWorld
from tests.envs.crafter.scenery import add, meadow
from tests.envs.crafter.upstream import SortedUpstream, keep_going


class _Size(tuple[int, int]):
    """Upstream's renderer wants a size that is an array in sums and true as a whole."""

    def __floordiv__(self, other: Any) -> Any:
        return np.array(self) // other

    def __sub__(self, other: Any) -> Any:
        return np.array(self) - other


def upstreams_picture(upstream: Any, seed: int, height: int, width: int) -> Any:
    """Upstream's picture with the noise drawn from our generator instead of the world's."""
    world = upstream._world
    own, world.random = world.random, np.random.RandomState(noise_seed(seed, upstream._step))
    try:
        return upstream.render(_Size((width, height)))
    finally:
        world.random = own


@pytest.mark.parametrize(("height", "width"), [(64, 64), (99, 135), (128, 77)])
def test_pixels_are_upstreams_by_day_by_night_and_asleep(height: int, width: int) -> None:
    upstream, ours = SortedUpstream(seed=1000), CrafterWorld()
    upstream.reset()
    ours.reset(1000)
    players = (upstream._player, ours.simulation.player)
    noisy = 0
    for number in range(240):
        action = keep_going(players, ours.simulation, number % 5)
        upstream.step(action)
        observation = ours.step(action).observation
        if number % 10 != 3:
            continue
        for player in players:
            player.inventory.update(sapling=number % 10, wood=number // 10 % 10)
            player.sleeping = number % 50 == 3
        expected = upstreams_picture(upstream, 1000, height, width).astype(int)
        difference = np.abs(expected - observation.render(height, width).astype(int))
        # Upstream's cosine and exponential vary in their last bits, and colours are cut off, not rounded.
        assert difference.max() <= 1
        assert np.count_nonzero(difference) <= difference.size // 1000
        noisy += ours.simulation.grid.daylight < 0.5
    assert noisy >= 5


def test_every_kind_of_object_is_drawn() -> None:
    world = meadow()
    player = world.simulation.player
    empty = CrafterObservation(world.simulation, None).render(90, 90)
    for east, (kind, *arguments) in enumerate(
        [(Cow,), (Zombie, player), (Skeleton, player), (Arrow, (0, 1)), (Plant,)], start=-4
    ):
        add(world, kind, east, -2, *arguments)
    drawn = CrafterObservation(world.simulation, None).render(90, 90)
    cells = np.abs(drawn.astype(int) - empty.astype(int)).sum(axis=2)[10:20, :50].reshape(10, 5, 10).sum(axis=(0, 2))
    assert (cells > 0).all()
    assert np.array_equal(drawn[20:], empty[20:])


def test_a_step_has_one_picture() -> None:
    world = CrafterWorld()
    observation: Observation = world.reset(1001)
    for _ in range(160):
        world.simulation.player.inventory["health"] = 9
        observation = world.step(0).observation
    assert world.simulation.grid.daylight < 0.5
    first = observation.render(72, 72)
    observation.render(180, 90)
    assert np.array_equal(observation.render(72, 72), first)


def test_noise_differs_from_step_to_step_and_seed_to_seed() -> None:
    assert len({noise_seed(seed, step) for seed in range(20) for step in range(20)}) == 400


def test_shape_type_and_margins() -> None:
    drawn = CrafterWorld().reset(0).render(100, 64)
    assert drawn.shape == (100, 64, 3)
    assert drawn.dtype == np.uint8
    # 100 = 9 * 11 + 1 and 64 = 9 * 7 + 1: the odd row and column stay black, at the far end.
    assert not drawn[99].any()
    assert not drawn[:, 63].any()
    assert drawn[0, :63].any()


@pytest.mark.parametrize(("height", "width"), [(17, 64), (64, 17), (0, 0), (-9, 64)])
def test_a_picture_too_small_for_the_digits_is_refused(height: int, width: int) -> None:
    with pytest.raises(ValueError, match="at least 18 x 18"):
        CrafterWorld().reset(0).render(height, width)


def test_desaturation_is_pillows() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    for amount in (0.0, 0.4):
        expected = np.array(ImageEnhance.Color(Image.fromarray(pixels)).enhance(amount))
        assert np.array_equal(picture._desaturate(pixels, amount), expected)


@pytest.mark.parametrize("size", [2, 5, 7, 11, 16, 24, 33, 48, 57, 100])
def test_resizing_is_pillows(size: int) -> None:
    original = picture._original("zombie")
    expected = np.array(Image.fromarray(original).resize((size, size + 1), resample=Image.Resampling.NEAREST))
    assert np.array_equal(picture._texture("zombie", (size + 1, size)), expected)
