"""What a pull request changes: exactly one new submission folder, and nothing else."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from embodibench.errors import UsageError
from embodibench.results.files import read_bounded
from embodibench.submissions.findings import Finding
from embodibench.submissions.folder import LIMITS, NAME
from embodibench.submissions.rules import found
from embodibench.submissions.shown import shown

PLAIN = "100644"
MAX_LIST = 2_000_000
_LABEL = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}@[0-9]{1,6}")
_RAW = re.compile(r":[0-7]{6} ([0-7]{6}) [0-9a-f.]+ [0-9a-f.]+ ([A-Z])[0-9]*\t(.*)", re.DOTALL)
_STATUS = re.compile(r"([A-Z])[0-9]*\t(.*)", re.DOTALL)
_COMMIT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./^~@{}-]*")


@dataclass(frozen=True, slots=True)
class Change:
    """One changed path: git's letter for what happened to it, and the mode of the new file ("" if not told)."""

    path: str
    status: str
    mode: str = ""


@dataclass(frozen=True)
class Changes:
    """What a list of changes comes to.

    Attributes:
        folder: the one new submission folder, ``submissions/<suite>@<N>/<name>``; None where there is none.
        findings: why the changes cannot be accepted.
    """

    folder: Path | None
    findings: tuple[Finding, ...]


def judge(changes: Sequence[Change]) -> Changes:
    """Whether changes are one new submission folder."""
    findings = list(_findings(changes))
    folders = sorted({folder for change in changes if (folder := _folder(change.path)) is not None})
    if not findings and len(folders) != 1:
        names = ", ".join(shown(str(folder), 160) for folder in folders[:3]) or "none"
        findings.append(found("change-outside", f"touches {len(folders)} submission folders, not one: {names}"))
    return Changes(folders[0] if len(folders) == 1 else None, tuple(findings))


def _findings(changes: Sequence[Change]) -> Iterator[Finding]:
    told: dict[str, int] = {}
    for change in changes:
        if _folder(change.path) is None:
            rule, what = "change-outside", "is not a file of a new submission folder"
        elif change.status != "A":
            rule, what = "change-of-old", f"is changed ({shown(change.status, 3)}), and only new files may come"
        elif change.mode not in ("", PLAIN):
            rule, what = "change-mode", f"has the mode {shown(change.mode, 8)}, not {PLAIN}"
        else:
            continue
        told[rule] = told.get(rule, 0) + 1
        if told[rule] <= 5:
            yield found(rule, f"{shown(change.path, 200)} {what}")


def _folder(path: str) -> Path | None:
    """The submission folder that a path lies in, or None."""
    parts = path.split("/")
    if len(parts) != 4 or parts[0] != "submissions" or parts[3] not in LIMITS:
        return None
    if not _LABEL.fullmatch(parts[1]) or not NAME.fullmatch(parts[2]):
        return None
    return Path(*parts[:3])


def from_git(root: Path, words: str) -> tuple[Change, ...]:
    """The changes of ``BASE..HEAD`` (or ``BASE...HEAD``: since they parted) of the repository at ``root``.

    Raises:
        UsageError: it is not a range of this repository.
    """
    dots = "..." if "..." in words else ".."
    names = words.split(dots)
    if len(names) != 2 or not all(_COMMIT.fullmatch(name) for name in names):
        raise UsageError(f"--changed takes BASE..HEAD or BASE...HEAD, not '{shown(words, 80)}'")
    base, head = (_commit(root, name) for name in names)
    if dots == "...":
        base = _git(root, "merge-base", base, head).decode("ascii").strip()
    raw = _git(root, "diff-tree", "-r", "--raw", "--no-abbrev", "--no-renames", "-z", base, head)
    return tuple(_zero_separated(raw))


def from_file(path: Path) -> tuple[Change, ...]:
    """The changes listed in a file: lines of ``git diff --raw`` or ``--name-status``, made with ``--no-renames``.

    Raises:
        UsageError: a line is neither.
    """
    try:
        text = read_bounded(path, MAX_LIST, "a list of changes").decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}") from error
    changes = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        if match := _RAW.fullmatch(line):
            changes.append(Change(match[3], match[2], match[1]))
        elif match := _STATUS.fullmatch(line):
            changes.append(Change(match[2], match[1]))
        else:
            raise UsageError(f"{path}:{number}: is not a line of 'git diff --raw' or '--name-status'")
    return tuple(changes)


def _zero_separated(raw: bytes) -> Iterator[Change]:
    fields = iter(raw.decode("utf-8", "backslashreplace").split("\0"))
    for head in fields:
        if head:
            _, mode, _, _, status = head.split(" ")
            yield Change(next(fields), status[0], mode)


def _commit(root: Path, name: str) -> str:
    return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().strip()


def _git(root: Path, *words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{root}: git {words[0]} does not know this range of commits") from error
    return done.stdout
