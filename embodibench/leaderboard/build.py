"""Building the whole leaderboard: tables, dataset, export and site, in a folder that is there whole or not at all."""

from __future__ import annotations

import json
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from embodibench.errors import MissingExtraError, UsageError
from embodibench.leaderboard.rows import Rows
from embodibench.results.files import write_bytes

if TYPE_CHECKING:
    from embodibench.leaderboard.site.pictures import Choice


@dataclass(frozen=True)
class Built:
    """What was built.

    Attributes:
        folder: holds ``dataset``, ``space``, ``every_eval_ever`` and ``summary.json``.
        site: whether the site was built.
    """

    folder: Path
    rows: Rows
    episodes: int
    site: bool


def build(
    submissions: Path,
    verdicts: Path,
    out: Path,
    *,
    site: bool = True,
    pictures: Choice = "few",
    cache: Path | None = None,
    raw: str | None = None,
    jobs: int = 2,
    watch: Callable[[int, int], None] | None = None,
) -> Built:
    """Build the leaderboard into the new folder ``out``. The same inputs give the same bytes.

    Args:
        submissions: tree ``<suite>@<N>/<folder>``.
        verdicts: folder of verdict files.
        site: whether the site is built, too.
        pictures: ``none``, ``few`` or ``all``: of which episodes pictures are drawn by replay.
        cache: folder that keeps what was made of each submission, and its pictures, for the next build. Whoever can
            write to it can change the board.
        raw: address below which ``submissions`` can be read, for the site's links; None copies results into the site.
        jobs: processes.
        watch: is called with how many submissions are done, and how many there are.

    Raises:
        MissingExtraError: the extra ``board`` is not installed.
        UsageError: ``out`` is there already or holds ``cache``, there are no submissions or no folder of verdicts, or a
            verdict cannot be read.
    """
    refuse_missing()
    from embodibench.leaderboard.dataset import write_dataset, write_space_card
    from embodibench.leaderboard.entry import EVERY_EVAL, SPACE, Making
    from embodibench.leaderboard.kept import Kept
    from embodibench.leaderboard.scan import Reading, scan
    from embodibench.leaderboard.site.build import build as build_site
    from embodibench.leaderboard.site.build import check_raw, copy_results
    from embodibench.leaderboard.site.row_pages import RowPages
    from embodibench.leaderboard.tables import EpisodeWriter

    if raw is not None:
        check_raw(raw)
    if cache is not None and cache.absolute().is_relative_to(out.absolute()):
        raise UsageError(f"{cache}: lies in the folder that is built; keep it elsewhere")
    making = Making()
    if site:
        making = Making(RowPages(pictures, cache and cache / "pictures", raw), [pictures, raw])
    kept = Kept.below(cache, making.options) if cache is not None else None
    with _fresh(out) as draft:
        dataset, space = draft / "dataset", draft / SPACE
        (dataset / "data").mkdir(parents=True)
        (draft / EVERY_EVAL).mkdir()
        reading = Reading(verdicts, making, kept, draft)
        with EpisodeWriter(dataset / "data") as episodes:
            rows = scan(submissions, reading, jobs=jobs, each=episodes.add, watch=watch)
        write_dataset(dataset, rows.rows, episodes.count)
        write_bytes(draft / "summary.json", summary_bytes(rows))
        if site:
            build_site(rows, space)
            write_space_card(space)
            if raw is None:
                copy_results(submissions, rows, space)
    if kept is not None:
        kept.forget_others()
    return Built(out, rows, episodes.count, site)


def refuse_missing() -> None:
    """Raises MissingExtraError unless the extra ``board`` is installed."""
    if any(find_spec(name) is None for name in ("jinja2", "matplotlib", "msgspec", "pyarrow")):
        raise MissingExtraError("the leaderboard", "board")


def counts(rows: Rows) -> dict[str, int]:
    """How many submissions stand, wait, were refused and were retired."""
    states = Counter(one.state for one in rows.absent)
    return {"standing": len(rows.rows), **{state: states[state] for state in ("waiting", "refused", "retired")}}


def summary_bytes(rows: Rows) -> bytes:
    """What maintainers look at: what stands, waits, was refused and why; verdicts whose submission is gone."""
    content = {
        "counts": counts(rows),
        "absent": [{"submission": one.submission, "state": one.state, "reason": one.reason} for one in rows.absent],
        "verdicts_without_submission": list(rows.orphans),
    }
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


@contextmanager
def _fresh(out: Path) -> Iterator[Path]:
    """A new folder beside ``out`` that takes its name when all went well, and vanishes otherwise."""
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out}: is there already; name a new folder")
    draft = out.parent / f".{out.name}.{secrets.token_hex(4)}"
    draft.mkdir(parents=True)
    try:
        yield draft
        draft.rename(out)
    finally:
        if draft.exists():
            shutil.rmtree(draft)
