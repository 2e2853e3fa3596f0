"""The arena's camera: a software renderer that every machine draws alike, with no display and no graphics card.

``draw`` makes the picture, ``identities`` says which object each pixel shows, ``visible`` lists the objects seen, and
``picture_digest`` is a picture's hash.
"""

from __future__ import annotations

from embodibench.envs.aai.camera.picture import draw, identities, picture_digest
from embodibench.envs.aai.camera.sight import Sight, visible
from embodibench.envs.aai.camera.surfaces import FENCE, GROUND, SKY, SUN

__all__ = ["FENCE", "GROUND", "SKY", "SUN", "Sight", "draw", "identities", "picture_digest", "visible"]
