"""The names of actions, achievements, materials and items, in upstream's order."""

from __future__ import annotations

from typing import Final

ACTION_NAMES: Final = (
    "Noop",
    "Move West",
    "Move East",
    "Move North",
    "Move South",
    "Do",
    "Sleep",
    "Place Stone",
    "Place Table",
    "Place Furnace",
    "Place Plant",
    "Make Wood Pickaxe",
    "Make Stone Pickaxe",
    "Make Iron Pickaxe",
    "Make Wood Sword",
    "Make Stone Sword",
    "Make Iron Sword",
)
"""The 17 actions as the SPRING paper spells them; an action is its index here. Upstream's order."""

NOOP: Final = ACTION_NAMES.index("Noop")
SLEEP: Final = ACTION_NAMES.index("Sleep")

ACHIEVEMENTS: Final = (
    "collect_coal",
    "collect_diamond",
    "collect_drink",
    "collect_iron",
    "collect_sapling",
    "collect_stone",
    "collect_wood",
    "defeat_skeleton",
    "defeat_zombie",
    "eat_cow",
    "eat_plant",
    "make_iron_pickaxe",
    "make_iron_sword",
    "make_stone_pickaxe",
    "make_stone_sword",
    "make_wood_pickaxe",
    "make_wood_sword",
    "place_furnace",
    "place_plant",
    "place_stone",
    "place_table",
    "wake_up",
)
"""The 22 achievements, upstream's names and order."""

MATERIALS: Final = (
    "nothing",
    "water",
    "grass",
    "stone",
    "path",
    "sand",
    "tree",
    "lava",
    "coal",
    "iron",
    "diamond",
    "table",
    "furnace",
)
"""What a cell is made of; the index is the code in the map. Code 0 lies beyond the edge of the world only."""

VITALS: Final = ("health", "food", "drink", "energy")
"""The four vitals, each 0..9."""

ITEMS: Final = (
    *VITALS,
    "sapling",
    "wood",
    "stone",
    "coal",
    "iron",
    "diamond",
    "wood_pickaxe",
    "stone_pickaxe",
    "iron_pickaxe",
    "wood_sword",
    "stone_sword",
    "iron_sword",
)
"""What the inventory counts, each 0..9: the vitals first, as upstream keeps them."""

KINDS: Final = (*MATERIALS, "cow", "zombie", "skeleton", "arrow", "plant", "ripe plant")
"""What a cell can show; the index is the code used by the text view. A material's code is that of ``MATERIALS``."""
