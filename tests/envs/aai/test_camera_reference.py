"""The drawn pictures against the recorded ones, at the places where the arena itself plays the recorded run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import aai_agreement as agreement
from benchmarks.aai_pictures import compare, read_picture
from benchmarks.aai_replay import played_scenes, recorded_pictures
from benchmarks.aai_spacing import spacings
from embodibench.envs.aai.camera import draw


@pytest.mark.reference
def test_the_recorded_pictures_are_drawn(reference_data: Path) -> None:
    folder = reference_data / "aai" / "replay"
    scenes = played_scenes(folder)
    recorded = {turn: read_picture(path) for turn, path in recorded_pictures(folder).items()}
    rows = [compare(turn, picture, draw(scenes[turn], 512, 512)) for turn, picture in recorded.items()]

    def mean(name: str) -> float:
        return float(np.nanmean([getattr(row, name) for row in rows]))

    assert mean("pixels") >= 0.985
    assert min(row.pixels for row in rows) >= 0.95
    assert mean("wall") >= 0.98
    assert mean("ground") >= 0.98
    assert mean("fence") >= 0.88
    assert mean("ball") >= 0.85
    assert np.median([row.edge for row in rows]) <= 2.0
    assert mean("shadow") >= 0.94
    assert mean("difference") <= 10.0
    assert mean("ssim") >= 0.80
    for name, turn_recorded, turn_drawn in spacings(recorded, scenes):
        assert turn_drawn == pytest.approx(turn_recorded, rel=0.05), name


@pytest.mark.reference
def test_classes_have_the_recorded_median_colours(reference_data: Path) -> None:
    """Medians over all pixels of a class in all pictures, lit and shaded apart."""
    folder = reference_data / "aai" / "replay"
    scenes = played_scenes(folder)
    paths = recorded_pictures(folder)
    seen = np.concatenate([read_picture(path) for path in paths.values()])
    made = np.concatenate([draw(scenes[turn], 512, 512) for turn in paths])
    first = agreement.shades(seen, agreement.classes(seen), 0.002)
    second = agreement.shades(made, agreement.classes(made), 0.002)
    assert {"ground 0", "ground 1", "wall 0", "wall 1", "wall 2", "fence 0", "fence 1", "sky", "yellow"} <= set(first)
    for name, colour in first.items():
        assert abs(second[name] - colour).max() <= 10, name
