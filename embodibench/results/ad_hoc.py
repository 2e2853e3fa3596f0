"""Which suite a result belongs to: one of the package, or the cards of an arena file that lie beside the result.

A name that the package holds always means the package's cards: files beside a result cannot bring other rules for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from embodibench.cards import suites
from embodibench.cards.suites import AD_HOC, Suite
from embodibench.errors import CardError, ResultError
from embodibench.results.files import write_bytes
from embodibench.results.schema import Result

FOLDER: Final = "suite"
"""Where the cards lie in a run directory."""


def suite_of(result: Result, path: Path) -> Suite:
    """The suite of a result that was read from the file or run directory ``path``.

    Raises:
        UsageError: there is no such suite, or its cards are not those that the result was made with.
    """
    return load(result.benchmark.suite, path if path.is_dir() else path.parent, result.benchmark.digest)


def load(label: str, run: Path, digest: str) -> Suite:
    """The suite called ``label``: the package's, or for an ad hoc arena the cards in the folder ``run``/suite.

    Args:
        label: ``name@N``.
        run: the folder of the result.
        digest: that the cards of an ad hoc arena must have. The package's own suites are not checked here: verification
            reports what differs.

    Raises:
        UsageError: there is no such suite.
        CardError: a card is wrong, or not one of an arena file.
        ResultError: the cards are missing, or are not those with this digest.
    """
    name = label.split("@", 1)[0]
    if name in suites.names() or not name.startswith(AD_HOC):
        return suites.load(label)
    place = run / FOLDER
    if not (place / "suite.yaml").is_file():
        raise ResultError(f"{place}: the cards of {label} belong here, beside the result, and are missing")
    # Imported here, because the world takes longer to import than all the rest.
    from embodibench.envs.aai.ad_hoc import check_cards

    suite = replace(suites.load_folder(place), path=None)
    if suite.label != label:
        raise CardError(f"{place / 'suite.yaml'}: is {suite.label}, the result is of {label}")
    check_cards(suite, place)
    try:
        found = suite.digest
    except ValueError as error:
        raise CardError(f"{place}: the cards hold what JSON cannot carry: {error}") from error
    if found != digest:
        raise ResultError(
            f"{place}: these are not the cards that the result was made with (digest {found[:12]}, "
            f"the result names {digest[:12]})"
        )
    return suite


def write_cards(run: Path, files: Mapping[str, bytes]) -> None:
    """Write the cards of an ad hoc arena into a run directory."""
    if files:
        (run / FOLDER).mkdir()
    for name, content in files.items():
        write_bytes(run / FOLDER / name, content)
