"""Random streams that give the same numbers as the original's three sources, on every platform and version.

The published layouts come from a legacy Mersenne Twister seeded from the SHA-512 of the seed's decimal digits (as
old Gym did); the partner's random acts, the tree's choices and the number of obstacles from Python's ``random``; the
watcher's first direction from NumPy's global generator. The two algorithms that turn words into bounded integers are
small and frozen, so they are written out here on the raw words of ``numpy.random.MT19937``: what a stream will give
next is then decided by its key and the number of words it has given, which makes it cheap to fingerprint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Self, TypeVar

import numpy as np

T = TypeVar("T")

_BLOCK = 128


class Stream:
    """Thirty-two-bit words of a Mersenne Twister.

    Attributes:
        key: what seeds it. A tuple of words is mixed in by the reference ``init_by_array``; a plain integer by
            ``init_genrand``, as ``numpy.random.seed`` does.
        position: number of words given so far.
    """

    __slots__ = ("_bits", "_seeder", "_words", "key", "position")
    STATE = ("key", "position")

    def __init__(self, key: tuple[int, ...] | int) -> None:
        self._bits = np.random.MT19937(0)
        self._seeder = np.random.RandomState(self._bits)
        self.restart(key)

    def restart(self, key: tuple[int, ...] | int) -> None:
        """Begin again from ``key``."""
        self.key = key
        self.position = 0
        self._seeder.seed(list(key) if isinstance(key, tuple) else key)
        self._words: list[int] = []

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """A stream that goes on with the same words."""
        twin = type(self)(self.key)
        twin.position = self.position
        return twin

    def word(self) -> int:
        """The next word, 0 <= word < 2**32."""
        while self.position >= len(self._words):
            self._words.extend(self._bits.random_raw(_BLOCK).tolist())
        self.position += 1
        return self._words[self.position - 1]


class ArrayStream(Stream):
    """Draws as ``numpy.random.RandomState.randint`` does: mask the word, reject what is too large."""

    __slots__ = ()

    def integer(self, low: int, high: int) -> int:
        """An integer, low <= n < high. A range of one value costs no word."""
        span = high - low - 1
        if span <= 0:
            if span < 0:
                raise ValueError(f"empty range {low}..{high}")
            return low
        mask = (1 << span.bit_length()) - 1
        while (value := self.word() & mask) > span:
            pass
        return low + value

    def element(self, items: Sequence[T]) -> T:
        """One of ``items``, each as likely."""
        return items[self.integer(0, len(items))]


class ChoiceStream(Stream):
    """Draws as Python's ``random.Random`` does: take the top bits of the word, reject what is too large."""

    __slots__ = ()

    def below(self, bound: int) -> int:
        """An integer, 0 <= n < bound. Even a range of one value costs words, as in Python."""
        shift = 32 - bound.bit_length()
        while (value := self.word() >> shift) >= bound:
            pass
        return value

    def integer(self, low: int, high: int) -> int:
        """An integer, low <= n <= high, as ``random.randint``."""
        return low + self.below(high - low + 1)

    def element(self, items: Sequence[T]) -> T:
        """One of ``items``, as ``random.choice``."""
        return items[self.below(len(items))]

    def fraction(self) -> float:
        """A number, 0 <= x < 1, with 53 random bits, as ``random.random``."""
        high, low = self.word() >> 5, self.word() >> 6
        return (high * 67108864 + low) / 9007199254740992


def layout_key(seed: int) -> tuple[int, int]:
    """The two words that old Gym seeds a generator with: the first eight bytes of the SHA-512 of ``str(seed)``."""
    head = hashlib.sha512(str(seed).encode("ascii")).digest()[:8]
    return int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")


def choice_key(seed: int) -> tuple[int, ...]:
    """The words Python's ``random.seed(seed)`` mixes in, for 0 <= seed < 2**32."""
    return (seed,)
