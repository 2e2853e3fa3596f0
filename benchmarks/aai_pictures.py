"""Compare the arena's drawn pictures with the recorded ones: a row per picture, the bars, a sheet to look at.

EMBODIBENCH_REFERENCE_DATA=... python -m benchmarks.aai_pictures [--played] [--sheet sheet.png]
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchmarks import aai_agreement as agreement
from benchmarks.aai_replay import played_scenes, recorded_pictures, replay_scene
from benchmarks.aai_spacing import spacings
from embodibench.envs.aai.camera import draw
from embodibench.envs.aai.scene import Scene

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Row:
    """Figures of one picture; NaN where a picture does not show what is measured."""

    turn: int
    pixels: float
    wall: float
    ground: float
    fence: float
    ball: float
    edge: float
    shadow: float
    colour: float
    where: str
    difference: float
    ssim: float


def compare(turn: int, recorded: Bytes, drawn: Bytes) -> Row:
    first, second = agreement.classes(recorded), agreement.classes(drawn)
    seen, made = agreement.shades(recorded, first), agreement.shades(drawn, second)
    apart = {name: float(np.abs(seen[name] - made[name]).max()) for name in seen if name in made}
    worst = max(apart, key=lambda name: apart[name])
    return Row(
        turn,
        float((first == second).mean()),
        *(agreement.overlap(first, second, name) for name in ("wall", "ground", "fence", "yellow")),
        agreement.edge_distance(first, second),
        agreement.shadow_agreement(recorded, drawn, first, second),
        apart[worst],
        worst,
        float(np.abs(recorded.astype(np.float64) - drawn).mean()),
        agreement.similarity(recorded, drawn),
    )


def read_picture(path: Path) -> Bytes:
    """A recorded picture without its two white columns on each side."""
    return np.asarray(Image.open(path).convert("RGB"))[:, 2:514]


def table(rows: list[Row], colour: float) -> None:
    print("turn pixels  wall ground fence  ball  edge shadow colour               diff  ssim")
    for r in rows:
        print(
            f"{r.turn:4d} {r.pixels:6.4f} {r.wall:5.3f} {r.ground:6.3f} {r.fence:5.3f} {r.ball:5.3f} {r.edge:5.2f}"
            f" {r.shadow:6.3f} {r.colour:6.1f} {r.where:12s} {r.difference:6.2f} {r.ssim:5.3f}"
        )

    def mean(name: str) -> float:
        return float(np.nanmean([getattr(r, name) for r in rows]))

    bars = (
        ("pixel agreement, mean", mean("pixels"), ">=", 0.985),
        ("pixel agreement, least", min(r.pixels for r in rows), ">=", 0.95),
        ("IoU wall, mean", mean("wall"), ">=", 0.98),
        ("IoU ground, mean", mean("ground"), ">=", 0.98),
        ("IoU fence, mean", mean("fence"), ">=", 0.88),
        ("IoU ball, mean", mean("ball"), ">=", 0.85),
        ("edge distance, median", float(np.median([r.edge for r in rows])), "<=", 2.0),
        ("shadow on ground, mean", mean("shadow"), ">=", 0.94),
        ("class medians, all pictures", colour, "<=", 10.0),
        ("absolute difference, mean", mean("difference"), "<=", 10.0),
        ("SSIM, mean", mean("ssim"), ">=", 0.75),
    )
    for name, value, sense, bar in bars:
        met = value >= bar if sense == ">=" else value <= bar
        print(f"{name:28s} {value:7.4f} {sense} {bar:5.3f} {'met' if met else 'MISSED'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, help="write recorded and drawn pictures side by side to this PNG")
    parser.add_argument("--played", action="store_true", help="at the places where the arena itself plays the run")
    arguments = parser.parse_args()
    folder = Path(os.environ["EMBODIBENCH_REFERENCE_DATA"]) / "aai" / "replay"
    rows, pairs = [], []
    scenes: dict[int, Scene] = {}
    played = played_scenes(folder) if arguments.played else {}
    for turn, path in recorded_pictures(folder).items():
        recorded = read_picture(path)
        scenes[turn] = played[turn] if arguments.played else replay_scene(folder, turn)
        drawn = draw(scenes[turn], 512, 512)
        rows.append(compare(turn, recorded, drawn))
        pairs.append(np.concatenate([recorded, drawn], axis=1))
    seen, made = (np.concatenate([pair[:, part] for pair in pairs]) for part in (slice(0, 512), slice(512, 1024)))
    first, second = (agreement.shades(pool, agreement.classes(pool), 0.002) for pool in (seen, made))
    table(rows, max(float(np.abs(first[name] - second[name]).max()) for name in first if name in second))
    spacings({turn: read_picture(path) for turn, path in recorded_pictures(folder).items()}, scenes)
    if arguments.sheet:
        while len(pairs) % 3:
            pairs.append(np.zeros_like(pairs[0]))
        sheet = np.concatenate([np.concatenate(pairs[k::3], axis=0) for k in range(3)], axis=1)
        Image.fromarray(sheet).save(arguments.sheet)


if __name__ == "__main__":
    main()
