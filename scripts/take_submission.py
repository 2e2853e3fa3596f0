"""Take the files that a pull request adds out of git, as data.

Nothing is checked out: a checkout would obey the pull request's .gitattributes and make its symbolic links. The list of
changes goes to ``INTO/changes.txt``; the blobs of one new submission folder, if that is all there is, to
``INTO/submissions/...``. Prints ``submission`` or ``nothing`` (no path concerns submissions or verdicts).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from embodibench.submissions.changes import Change, from_git, judge
from embodibench.submissions.folder import LIMITS

OURS = ("submissions/", "leaderboard/verdicts/")
GUIDE = "submissions/README.md"


def main(repository: Path, base: str, head: str, into: Path) -> str:
    """Write the list of changes and, if they are one new submission, its files."""
    changes = from_git(repository, f"{base}...{head}")
    into.mkdir(parents=True)
    (into / "changes.txt").write_bytes(b"".join(map(_line, changes)))
    # With a slash behind it, a link in place of the folder itself is ours, too.
    if not any(f"{change.path}/".startswith(OURS) and change.path != GUIDE for change in changes):
        return "nothing"
    judged = judge(changes)
    if judged.folder is not None and not judged.findings:
        for change in changes:
            path = into / change.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_blob(repository, head, change.path))
    return "submission"


def _line(change: Change) -> bytes:
    # A path with a line break could pose as two lines: nothing that is allowed has characters like that.
    path = "".join(char if char.isprintable() else "?" for char in change.path)
    return f":000000 {change.mode} 0 0 {change.status}\t{path}\n".encode("utf-8", "backslashreplace")


def _blob(repository: Path, commit: str, path: str) -> bytes:
    """The content of a file, cut one byte after the most that it may have: the check then says that it is too large."""
    words = ["git", "-C", str(repository), "cat-file", "blob", f"{commit}:{path}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as git:
        assert git.stdout is not None
        data = git.stdout.read(LIMITS[path.rpartition("/")[2]] + 1)
        git.stdout.close()
    return data


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])))
