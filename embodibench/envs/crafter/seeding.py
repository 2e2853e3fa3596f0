"""From the seed of an episode to the seed of its random generators, the same on every Python."""

from __future__ import annotations

import hashlib
from typing import Final

SEED_LIMIT: Final = 2**31
"""Seeds are 0 <= seed < SEED_LIMIT, as the environment contract says."""

_WORD: Final = 2**64
_PRIME_1: Final = 11400714785074694791
_PRIME_2: Final = 14029467366897019727
_PRIME_5: Final = 2870177450012600261
_LENGTH_SALT: Final = 3527539
_INSTEAD_OF_MINUS_ONE: Final = 1546275796


def world_seed(seed: int, episode: int = 1) -> int:
    """The seed upstream gives its world: ``hash((seed, episode)) % (2**31 - 1)``, 0..2**31-2.

    Upstream relies on the hash of a tuple, an implementation detail of CPython since 3.8 (a simplified xxHash64 over
    the items, Objects/tupleobject.c). It is spelled out here, so another interpreter cannot change the worlds. The
    hash of an integer below 2**61 - 1 is the integer itself.

    Raises:
        ValueError: seed is not in 0 <= seed < 2**31.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed must be an integer with 0 <= seed < 2**31, not {seed!r}")
    mixed = _PRIME_5
    for item in (seed, episode):
        mixed = (mixed + item * _PRIME_2) % _WORD
        mixed = (mixed << 31 | mixed >> 33) % _WORD
        mixed = mixed * _PRIME_1 % _WORD
    mixed = (mixed + (2 ^ _PRIME_5 ^ _LENGTH_SALT)) % _WORD
    if mixed == _WORD - 1:
        mixed = _INSTEAD_OF_MINUS_ONE
    signed = mixed - _WORD if mixed >= _WORD // 2 else mixed
    return signed % (2**31 - 1)


def noise_seed(seed: int, step: int) -> int:
    """The seed of the picture noise at one step of an episode, 0..2**32-1.

    Upstream draws the noise from the world's generator, so that looking changes the world. Ours depends on the
    episode's seed and the step alone: a picture is the same whenever, and however often, it is drawn.
    """
    key = f"crafter picture noise {seed} {step}".encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=4).digest(), "little")
