"""The folder that becomes a dataset of the Hub: tables, card, ``eval.yaml`` and ``croissant.json``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from embodibench import __version__
from embodibench.cards import suites
from embodibench.data_files import folder as data_folder
from embodibench.leaderboard.croissant import croissant, croissant_bytes
from embodibench.leaderboard.rows import Row
from embodibench.leaderboard.tables import TABLES, write_tables

DATASET = "embodibench/leaderboard"
"""The dataset that cards name until ``publish`` puts another in its place."""
SPLIT = "test"
FRAMEWORK = "embodibench"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write_dataset(folder: Path, rows: Sequence[Row], episodes: int) -> None:
    """Write the dataset into ``folder``, whose ``data`` holds the table ``episodes`` already.

    Args:
        episodes: how many that table holds.
    """
    write_tables(folder / "data", rows)
    labels = list(dict.fromkeys(row.suite for row in rows))
    date = max((row.verdict_date for row in rows), default="")
    words = {
        "size": next((word for bound, word in _SIZES if episodes < bound), "1M<n<10M"),
        "configs": _configs().rstrip("\n"),
        "suites": ", ".join(f"`{label}`" for label in labels) or "none yet",
        "rows": f"{len(rows):,}",
        "episodes": f"{episodes:,}",
        "date": date or "none",
        "dataset": DATASET,
        "example": labels[0] if labels else suites.load(suites.names()[0]).label,
    }
    (folder / "README.md").write_text(render("dataset.md", words), encoding="utf-8")
    (folder / "eval.yaml").write_text(eval_yaml(), encoding="utf-8")
    # Without a verdict there is no date; the schema wants one.
    described = croissant(folder, date or "2026-11-30", __version__, ", ".join(labels) or "no rows yet", DATASET)
    (folder / "croissant.json").write_bytes(croissant_bytes(described))


def write_space_card(folder: Path) -> None:
    """Write the card of the static Space beside its site."""
    words = {"datasets": f"datasets:\n- {DATASET}\n"}
    (folder / "README.md").write_text(render("space.md", words), encoding="utf-8")


def render(card: str, words: dict[str, str]) -> str:
    """A card template of ``leaderboard/cards`` with its words filled in. They are ours: no text of a submission."""
    import jinja2

    text = (data_folder("leaderboard/cards") / card).read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)
    return environment.from_string(text).render(words)


def eval_yaml() -> str:
    """``eval.yaml``, by which the Hub knows the tasks of a benchmark: one for each suite of this package."""
    loaded = [suites.load(name) for name in suites.names()]
    content: dict[str, Any] = {
        "name": "EmbodiBench",
        "description": "How well language models act in embodied worlds, with scores that replay derives again.",
        "evaluation_framework": FRAMEWORK,
        "tasks": [{"id": task_id(suite.label), "config": "tasks", "split": SPLIT} for suite in loaded],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def task_id(suite: str) -> str:
    """The id of a benchmark version in ``eval.yaml``: ``aai40@1`` is ``aai40_1``."""
    return suite.replace("@", "_")


def _configs() -> str:
    parts = [
        {
            "config_name": name,
            **({"default": True} if name == TABLES[0] else {}),
            "data_files": [{"split": SPLIT, "path": f"data/{name}.parquet"}],
        }
        for name in TABLES
    ]
    return yaml.safe_dump(parts, sort_keys=False)
