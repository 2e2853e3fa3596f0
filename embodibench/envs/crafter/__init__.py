"""Crafter: a survival world of 64 x 64 cells with 22 achievements, on the rules of the pinned package ``crafter``.

``world.CrafterWorld`` is the environment. The rules of player, creatures and plants are upstream's own classes; this
package replaces what made upstream impossible to replay: object sets ordered by memory address, picture noise drawn
from the world's generator, a seed made by Python's ``hash``, and transcendental functions whose last bit depends on
the processor.
"""
