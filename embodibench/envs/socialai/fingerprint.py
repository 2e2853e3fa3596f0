"""One hash over everything that decides how an episode goes on."""

from __future__ import annotations

import hashlib
from typing import Final, TypeAlias

from embodibench.envs.socialai.room import WALL

SIZE: Final = 16

Flat: TypeAlias = "bool | int | float | str | bytes | tuple[Flat, ...] | None"

_PLAIN: Final = (int, str, type(None), bool, bytes, float)


def flatten(value: object, seen: dict[int, int]) -> Flat:
    """Plain tuples of a state: an object is its class and the attributes it lists in ``STATE``.

    An object that occurs again is a reference to its first occurrence, so that shared and equal objects differ.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value  # type: ignore[return-value]
    if value is WALL:
        return "#"
    if isinstance(value, tuple | list):
        return tuple([flatten(item, seen) for item in value])
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    number = seen.get(id(value))
    if number is not None:
        return "->", number
    seen[id(value)] = len(seen)
    names: tuple[str, ...] = getattr(value, "STATE", ())
    if not names:
        return repr(value)
    return (kind.__name__, *[flatten(getattr(value, name), seen) for name in names])


def digest(*states: object) -> bytes:
    """16 bytes over these states, the same in every process."""
    seen: dict[int, int] = {}
    flat = repr([flatten(state, seen) for state in states])
    return hashlib.blake2b(flat.encode("utf-8"), digest_size=SIZE).digest()
