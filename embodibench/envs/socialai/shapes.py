"""A small painter on an array: discs, boxes, triangles and letters, with exact arithmetic only.

Coordinates are fractions of a tile, 0..1 from its top left corner. Nothing here uses a transcendental function, so
pictures are the same on every processor.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Color: TypeAlias = tuple[int, int, int]
Spot: TypeAlias = tuple[float, float]

SAMPLES: Final = 3
"""Sub-pixels along each axis; a tile is drawn this much larger and averaged."""

GLYPHS: Final = {
    "A": "010101111101101",
    "B": "110101110101110",
    "C": "011100100100011",
    "D": "110101101101110",
    "E": "111100110100111",
    "F": "111100110100100",
    "G": "011100101101011",
    "H": "101101111101101",
    "I": "111010010010111",
    "J": "001001001101010",
    "K": "101101110101101",
    "L": "100100100100111",
    "M": "101111111101101",
    "N": "110101101101101",
    "O": "010101101101010",
    "P": "110101110100100",
    "Q": "010101101110011",
    "R": "110101110101101",
    "S": "011100010001110",
    "T": "111010010010010",
    "U": "101101101101111",
    "V": "101101101101010",
    "W": "101101111111101",
    "X": "101101010101101",
    "Y": "101101010010010",
    "Z": "111001010100111",
    ":": "000010000010000",
    " ": "000000000000000",
}
"""Letters of three columns and five rows."""

_LETTER_WIDTH: Final = 4
_LETTER_HEIGHT: Final = 5


class Tile:
    """A square picture that shapes are painted on, one over the other."""

    def __init__(self, size: int, background: Color) -> None:
        self.size = size
        side = size * SAMPLES
        self.pixels: NDArray[np.float64] = np.empty((side, side, 3))
        self.pixels[:] = background
        centres = (np.arange(side) + 0.5) / side
        self.x, self.y = centres[None, :], centres[:, None]

    def _fill(self, mask: NDArray[np.bool_], color: Color, strength: float = 1.0) -> None:
        self.pixels[mask] = self.pixels[mask] * (1 - strength) + np.array(color, dtype=np.float64) * strength

    def box(self, left: float, top: float, right: float, bottom: float, color: Color, strength: float = 1.0) -> None:
        """A rectangle."""
        self._fill((self.x >= left) & (self.x <= right) & (self.y >= top) & (self.y <= bottom), color, strength)

    def disc(self, centre: Spot, radius: float, color: Color) -> None:
        """A filled circle."""
        self._fill((self.x - centre[0]) ** 2 + (self.y - centre[1]) ** 2 <= radius * radius, color)

    def polygon(self, corners: tuple[Spot, ...], color: Color, strength: float = 1.0) -> None:
        """A convex polygon, corners in clockwise order as seen on the picture."""
        inside = np.ones((len(self.pixels), len(self.pixels)), dtype=np.bool_)
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            inside &= (x2 - x1) * (self.y - y1) - (y2 - y1) * (self.x - x1) >= 0
        self._fill(inside, color, strength)

    def done(self) -> NDArray[np.uint8]:
        """The tile, size x size x 3."""
        shape = (self.size, SAMPLES, self.size, SAMPLES, 3)
        image: NDArray[np.uint8] = np.rint(self.pixels.reshape(shape).mean(axis=(1, 3))).astype(np.uint8)
        return image


def turned(corners: tuple[Spot, ...], quarters: int) -> tuple[Spot, ...]:
    """Corners turned clockwise about the tile's middle by quarter turns; drawn for east, that is direction 0."""
    for _ in range(quarters % 4):
        corners = tuple((1 - y, x) for x, y in corners)
    return corners


def write(picture: NDArray[np.uint8], words: str, left: int, top: int, scale: int, color: Color) -> None:
    """Letters on a picture, from a pixel on, each dot ``scale`` pixels wide; what does not fit is cut off."""
    for index, letter in enumerate(words.upper()):
        dots = GLYPHS.get(letter, GLYPHS[" "])
        for dot, lit in enumerate(dots):
            if lit == "0":
                continue
            row, column = divmod(dot, _LETTER_WIDTH - 1)
            y, x = top + row * scale, left + (index * _LETTER_WIDTH + column) * scale
            picture[y : y + scale, x : x + scale] = color


def text_width(words: str, scale: int) -> int:
    """Pixels ``write`` needs."""
    return max(0, len(words) * _LETTER_WIDTH - 1) * scale


TEXT_HEIGHT: Final = _LETTER_HEIGHT
