"""One episode's world and its rules, without what a benchmark counts. Upstream's rules (``Env.reset`` and ``step``)."""

from __future__ import annotations

from crafter import constants

from embodibench.envs.crafter.balance import EVERY, balance
from embodibench.envs.crafter.creatures import Player
from embodibench.envs.crafter.daylight import daylight
from embodibench.envs.crafter.grid import SIZE, Grid
from embodibench.envs.crafter.seeding import world_seed
from embodibench.envs.crafter.terrain import generate

_REACH = 18
"""Objects nearer to the player than this take their turn: twice the longer side of upstream's 9 x 9 view."""


class Simulation:
    """A world in the middle of an episode.

    Args:
        seed: the episode's seed, 0 <= seed < 2**31; the world is that of the first episode of upstream's
            ``crafter.Env(seed=seed)``.

    Attributes:
        grid: the map, its objects and its generator.
        player: the object that acts.
        steps: steps taken.

    Raises:
        ValueError: the seed is out of range.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.grid = Grid(world_seed(seed))
        self.steps = 0
        self.grid.daylight = daylight(0)
        self.player = Player(self.grid, (SIZE // 2, SIZE // 2))
        self.grid.add(self.player)
        generate(self.grid, self.player)

    def advance(self, action: int) -> None:
        """One step: light, then every object near the player in the order in which they came, then the balance."""
        self.steps += 1
        grid, player = self.grid, self.player
        grid.daylight = daylight(self.steps)
        player.action = constants.actions[action]
        for thing in grid.objects:
            x, y = thing.pos
            home_x, home_y = player.pos
            if abs(x - home_x) + abs(y - home_y) < _REACH:
                thing.update()
        if self.steps % EVERY == 0:
            balance(grid, player)
