"""Atari 2600 games as the Arcade Learning Environment plays them, seen as lists of objects (extra ``atari``).

``world.AtariWorld`` is the environment. ``emulator`` plays the ROM with the defaults of the v5 environments,
``detection`` reads the objects out of the console's memory with the pinned package ``ocatari``, ``views`` puts them
into plain data and words. Nothing here is imported, and no package of the extra, before a world is made.
"""
