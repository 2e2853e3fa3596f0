"""Pictures that ``embodibench show`` draws: one task, or a contact sheet of a suite."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from embodibench import envs
from embodibench.cards.schema import TaskCard
from embodibench.cards.suites import Suite
from embodibench.errors import UsageError

SIDE = 512
THUMBNAIL = 160
COLUMNS = 8
GAP = 8
LABEL = 18


def save_task(task: TaskCard, trial: int, path: Path) -> None:
    """Draw the start of a task as PNG: what the player sees, and beside it the arena from above where there is one.

    Raises:
        UsageError: there is no such trial, or the file cannot be written.
    """
    if trial >= len(task.seeds):
        raise UsageError(f"task {task.id} has trials 0 to {len(task.seeds) - 1}, not {trial}")
    _save(_task_picture(task, trial, SIDE), path)


def save_suite(suite: Suite, path: Path) -> None:
    """Draw the starts of all tasks of a suite, first trials, as one PNG. Raises UsageError."""
    tiles = [_task_picture(task, 0, THUMBNAIL) for task in suite.tasks]
    width = max(tile.width for tile in tiles)
    columns = min(len(tiles), max(1, COLUMNS * THUMBNAIL // width))
    rows = math.ceil(len(tiles) / columns)
    cell = (width + GAP, THUMBNAIL + LABEL + GAP)
    sheet = Image.new("RGB", (columns * cell[0] + GAP, rows * cell[1] + GAP), "white")
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(13)
    for index, (task, tile) in enumerate(zip(suite.tasks, tiles, strict=True)):
        x, y = GAP + index % columns * cell[0], GAP + index // columns * cell[1]
        pen.text((x, y), task.id, fill="black", font=font)
        sheet.paste(tile, (x, y + LABEL))
    _save(sheet, path)


def _task_picture(task: TaskCard, trial: int, side: int) -> Image.Image:
    envs.check(task.environment.kind, task.environment.parameters)
    environment = envs.make(task.environment.kind, task.environment.parameters)
    try:
        observation = environment.reset(task.seeds[trial])
        pictures = [observation.render(side, side)]
        if task.environment.kind == "aai":
            from embodibench.envs.aai.map import draw_map
            from embodibench.envs.aai.world import ArenaWorld

            assert isinstance(environment, ArenaWorld)
            pictures.append(draw_map(environment.scene(), side))
    finally:
        environment.close()
    return Image.fromarray(np.concatenate(pictures, axis=1))


def _save(image: Image.Image, path: Path) -> None:
    try:
        image.save(path, format="PNG")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
