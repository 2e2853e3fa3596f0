"""Arena files on the command line: ``eval --arena`` and ``show --arena``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from embodibench.errors import UsageError

if TYPE_CHECKING:
    from embodibench.envs.aai.ad_hoc import ArenaFile

MOST_TRIALS: Final = 1000


def arena_file(path: Path, trials: int, skip_unknown: bool) -> ArenaFile:
    """Read an arena file, and say what was left out of it. Raises UsageError."""
    # Imported here, because the world takes longer to import than all the rest.
    from embodibench.envs.aai.ad_hoc import read_arena_file

    if trials > MOST_TRIALS:
        raise UsageError(f"an arena file is played in at most {MOST_TRIALS} trials, not {trials}")
    file = read_arena_file(path, trials=trials, skip_unknown=skip_unknown)
    for line in file.skipped:
        click.echo(f"Note: {line}", err=True)
    return file
