"""The room from above, for people: who stands where, where they look and point, and what the peer said last.

What the agent does not see at the moment is shaded. The agent is a red arrow head; a peer is a face in its colour,
with a light beam where it looks, an arm and a dotted line where it points, and a caption with its last words.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from embodibench.envs.base import Picture
from embodibench.envs.socialai.constants import RGB, STEPS, Point
from embodibench.envs.socialai.episode import Episode
from embodibench.envs.socialai.peers.body import PeerBody
from embodibench.envs.socialai.shapes import TEXT_HEIGHT, Color, Tile, text_width, turned, write
from embodibench.envs.socialai.things_drawn import paint
from embodibench.envs.socialai.view import WINDOWS

FLOOR: Final[Color] = (240, 238, 232)
LINE: Final[Color] = (214, 211, 203)
GAZE: Final[Color] = (255, 222, 120)
POINTING: Final[Color] = (20, 20, 20)
PAPER: Final[Color] = (255, 255, 255)
INK: Final[Color] = (30, 30, 30)
AGENT: Final[Color] = (220, 30, 30)
OUTSIDE: Final[Color] = (90, 92, 96)
SHADE: Final = 0.68
"""Brightness left of a cell the agent does not see."""

BEAM: Final = 3
"""Cells the beam of a gaze reaches."""


def draw(episode: Episode, height: int, width: int) -> Picture:
    """The room, as large as fits, centred, with a caption below when the peer has spoken.

    Raises:
        ValueError: less than four pixels for a cell.
    """
    room = episode.scene.room
    caption = episode.peer_lines[-1].strip() if episode.peer_lines else ""
    rows = room.rows + (1 if caption else 0)
    tile = min(height // rows, width // room.columns)
    if tile < 4:
        raise ValueError(f"socialai: a picture needs at least {rows * 4} x {room.columns * 4} pixels")
    picture: NDArray[np.uint8] = np.empty((height, width, 3), dtype=np.uint8)
    picture[:] = OUTSIDE
    top, left = (height - rows * tile) // 2, (width - room.columns * tile) // 2
    beam, dots = _marks(episode)
    visible = _visible(episode)
    for y in range(room.rows):
        for x in range(room.columns):
            image = _cell(episode, (x, y), tile, beam, dots)
            if (x, y) not in visible:
                image = np.rint(image * SHADE).astype(np.uint8)
            picture[top + y * tile : top + (y + 1) * tile, left + x * tile : left + (x + 1) * tile] = image
    if caption:
        _write_caption(picture, caption, top + room.rows * tile, left, room.columns * tile, tile)
    return picture


def _visible(episode: Episode) -> frozenset[Point]:
    room = episode.scene.room
    _, hidden = room.window(room.agent_pos, room.agent_dir)
    x, y = room.agent_pos
    window = WINDOWS[room.agent_dir]
    return frozenset((x + dx, y + dy) for index, (dx, dy) in enumerate(window) if not hidden >> index & 1)


def _marks(episode: Episode) -> tuple[dict[Point, int], dict[Point, int]]:
    """Cells a gaze beam lies on, with its distance, and cells a pointing line runs over, with its direction."""
    peer, room = episode.scene.peer, episode.scene.room
    beam: dict[Point, int] = {}
    dots: dict[Point, int] = {}
    if peer is None or peer.hidden:
        return beam, dots
    for marks, direction in ((beam, peer.facing), (dots, peer.pointing)):
        if direction is None:
            continue
        x, y = peer.cell
        reach = BEAM if marks is beam else max(room.columns, room.rows)
        for distance in range(1, reach + 1):
            cell = (x + STEPS[direction][0] * distance, y + STEPS[direction][1] * distance)
            thing = room.at(cell)
            marks[cell] = distance if marks is beam else direction
            if thing is not None and not thing.can_overlap():
                break
    return beam, dots


def _cell(episode: Episode, cell: Point, size: int, beam: dict[Point, int], dots: dict[Point, int]) -> Picture:
    room = episode.scene.room
    tile = Tile(size, FLOOR)
    tile.box(0, 0, 1, 0.03, LINE)
    tile.box(0, 0, 0.03, 1, LINE)
    peer = episode.scene.peer
    if cell in beam and peer is not None:
        spread = 0.5 + 0.12 * beam[cell]
        narrow = spread - 0.12
        corners = ((0.0, 0.5 - narrow / 2), (1.0, 0.5 - spread / 2), (1.0, 0.5 + spread / 2), (0.0, 0.5 + narrow / 2))
        tile.polygon(turned(corners, peer.facing), GAZE, 0.75)
    thing = room.at(cell)
    if thing is not None:
        if isinstance(thing, PeerBody):
            _paint_peer(tile, thing)
        else:
            paint(tile, thing)
    if cell == room.agent_pos:
        _paint_agent(tile, room.agent_dir)
    if cell in dots:
        for start in (0.1, 0.43, 0.76):
            corners = ((start, 0.44), (start + 0.14, 0.44), (start + 0.14, 0.56), (start, 0.56))
            tile.polygon(turned(corners, dots[cell]), POINTING)
    return tile.done()


def _paint_agent(tile: Tile, direction: int) -> None:
    tile.polygon(turned(((0.1, 0.08), (0.95, 0.5), (0.1, 0.92)), direction), INK)
    tile.polygon(turned(((0.17, 0.19), (0.8, 0.5), (0.17, 0.81)), direction), AGENT)


def _paint_peer(tile: Tile, peer: PeerBody) -> None:
    """A face: eyes towards where it looks, a red rim when it competes, an arm when it points."""
    if peer.hidden:
        return
    if peer.pointing is not None:
        tile.polygon(turned(((0.5, 0.4), (1.0, 0.4), (1.0, 0.6), (0.5, 0.6)), peer.pointing), POINTING)
        tile.polygon(turned(((0.82, 0.25), (1.0, 0.5), (0.82, 0.75)), peer.pointing), POINTING)
    tile.disc((0.5, 0.5), 0.47 if peer.adversarial else 0.4, AGENT if peer.adversarial else INK)
    tile.disc((0.5, 0.5), 0.35, RGB[peer.color])
    for side in (0.34, 0.66):
        ((x, y),) = turned(((0.64, side),), peer.facing)
        ((pupil_x, pupil_y),) = turned(((0.7, side),), peer.facing)
        tile.disc((x, y), 0.13, PAPER)
        tile.disc((pupil_x, pupil_y), 0.065, INK)


def _write_caption(picture: Picture, words: str, top: int, left: int, width: int, tile: int) -> None:
    """A white strip with what was said, as large as fits."""
    picture[top : top + tile, left : left + width] = PAPER
    scale = max(1, min((tile - 4) // TEXT_HEIGHT, (width - 6) // max(1, text_width(words, 1))))
    start = left + max(0, (width - text_width(words, scale)) // 2)
    strip = picture[top : top + tile, left : left + width]
    write(strip, words, start - left, max(0, (tile - TEXT_HEIGHT * scale) // 2), scale, INK)
