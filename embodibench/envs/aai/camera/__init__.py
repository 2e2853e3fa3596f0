"""The arena's camera: a software renderer that every machine draws alike, with no display and no graphics card."""

from __future__ import annotations

from embodibench.envs.aai.camera.picture import draw, identities, picture_digest
from embodibench.envs.aai.camera.surfaces import FENCE, GROUND, SKY, SUN

__all__ = ["FENCE", "GROUND", "SKY", "SUN", "draw", "identities", "picture_digest"]
