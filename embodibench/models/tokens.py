"""Tokens of a prompt before it is sent: an upper bound for cost limits, and a rough figure for dry runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from embodibench.models.base import Image, Message, Text

ImageRule: TypeAlias = Literal["tiles", "mini_tiles", "patches", "anthropic", "unknown"]

_FRAME = 16
"""Tokens around a message that chat templates add; 3 or 4 in known ones."""


def image_tokens(height: int, width: int, rule: ImageRule) -> int:
    """An upper bound of the tokens of a picture, by the provider's rule.

    ``tiles`` (GPT-4o and GPT-4.1 in detail "high": 85, and 170 per 512 x 512 tile), ``mini_tiles`` (GPT-4o mini: 2833
    and 5667), ``patches`` (later OpenAI models: 32 x 32 patches, at most 2.46 tokens each) and ``anthropic`` (width x
    height / 750, here / 500 for later models' finer grids), as the providers' vision guides give them. Pictures are
    counted at full size although providers shrink large ones first. ``unknown`` is the dearest of all.
    """
    tiles = -(-height // 512) * -(-width // 512)
    patches = -(-height // 32) * -(-width // 32)
    by_rule = {
        "tiles": 85 + 170 * tiles,
        "mini_tiles": 2833 + 5667 * tiles,
        "patches": (246 * patches) // 100 + 1,
        "anthropic": height * width // 500 + 64,
    }
    return max(by_rule.values()) if rule == "unknown" else by_rule[rule]


def most_tokens(messages: Sequence[Message], rule: ImageRule) -> int:
    """A true upper bound: a byte-level vocabulary has no more tokens than the text has UTF-8 bytes."""
    return _FRAME + sum(_FRAME + _bytes(message) + _images(message, rule) for message in messages)


def rough_tokens(messages: Sequence[Message], rule: ImageRule = "tiles") -> int:
    """An estimate for dry runs: four bytes of English a token."""
    return sum(4 + -(-_bytes(message) // 4) + _images(message, rule) for message in messages)


def _bytes(message: Message) -> int:
    return sum(len(part.text.encode("utf-8", "replace")) for part in message.parts if isinstance(part, Text))


def _images(message: Message, rule: ImageRule) -> int:
    sizes = [part.pixels.shape for part in message.parts if isinstance(part, Image)]
    return sum(image_tokens(int(height), int(width), rule) for height, width, _ in sizes)
