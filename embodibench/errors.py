"""Errors a user can act on: one line that says what, where and what to do."""

from __future__ import annotations

from embodibench.installation import command_for


class EmbodiBenchError(Exception):
    """Base of every error this package raises on purpose; the command line prints it as one line."""

    exit_code = 1


class UsageError(EmbodiBenchError):
    """The user asked for something that cannot be done as asked (exit code 2)."""

    exit_code = 2


class CardError(UsageError):
    """A task card, suite card, arena or parameter file is wrong; the message names file, line and field."""


class ResultError(UsageError):
    """A result file, transcript or run directory cannot be read or does not hold together."""


class MissingExtraError(UsageError):
    """A suite or model needs an optional dependency that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra '{extra}': {command_for(extra)}")
