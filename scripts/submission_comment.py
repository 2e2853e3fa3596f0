"""The comment on a pull request whose check has ended.

    submission_comment.py number PULLS HEAD    prints the number of the open pull request whose head is HEAD
    submission_comment.py comment ZIP FILES    prints the comment, or nothing where no submission is touched

ZIP holds the report of an untrusted job, and is hostile: whoever opens a pull request can change the job that makes it.
It is taken for one small JSON file of known form, and of its texts only harmless characters are kept. PULLS (pull
requests) and FILES (names of changed files, one a line) come from GitHub. Standard library alone: this runs with a
token that may write comments.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

MARK = "<!-- embodibench submission check -->"
MAX_ZIP, MAX_REPORT, MAX_FINDINGS = 200_000, 1_000_000, 40
VERDICTS = {
    "accepted": "The check found nothing that refuses this submission.",
    "refused": "The check refuses this submission.",
    "broken": "The check could not be carried out; see the log of the job.",
}
RULE = re.compile(r"[a-z][a-z0-9-]{0,40}")


class HostileReportError(Exception):
    """The report is not one that the check writes."""


def read_report(path: Path) -> dict[str, Any]:
    """The report in a zip file. Raises HostileReportError for anything but one small JSON file of the known form."""
    try:
        if path.stat().st_size > MAX_ZIP:
            raise HostileReportError("the artifact is too large")
        with zipfile.ZipFile(path) as archive:
            if [entry.filename for entry in archive.infolist()] != ["report.json"]:
                raise HostileReportError("the artifact holds other files than report.json")
            with archive.open("report.json") as file:
                data = file.read(MAX_REPORT + 1)
        if len(data) > MAX_REPORT:
            raise HostileReportError("the report is too large")
        report = json.loads(data)
    except (OSError, ValueError, RecursionError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        raise HostileReportError(f"the report cannot be read ({type(error).__name__})") from error
    if not isinstance(report, dict) or report.get("verdict") not in ("nothing", *VERDICTS):
        raise HostileReportError("the report has another form")
    return report


def comment(report: dict[str, Any]) -> str:
    """The comment in Markdown, or "". Texts of the report stand in a block of code, reduced to harmless characters."""
    if report["verdict"] == "nothing":
        return ""
    lines = [MARK, VERDICTS[report["verdict"]], ""]
    findings = list(_findings(report))
    if findings:
        lines += ["```text", *findings[:MAX_FINDINGS], "```", "", "Each rule is explained in `docs/rules.md`.", ""]
    lines += [
        "This is the word of a job without rights, which a pull request could change. "
        "What counts is the verdict that the maintainers' own job writes after the merge."
    ]
    return "\n".join(lines) + "\n"


def pull_request(pulls: Any, head: str) -> int | None:
    """The number of the one open pull request whose head is ``head``."""
    numbers = [pull["number"] for pull in pulls if pull["head"]["sha"] == head and pull["state"] == "open"]
    return int(numbers[0]) if len(numbers) == 1 else None


def _findings(report: dict[str, Any]) -> Any:
    submissions = report.get("submissions")
    for submission in submissions[:1] if isinstance(submissions, list) else ():
        found = submission.get("findings") if isinstance(submission, dict) else None
        for finding in found[:200] if isinstance(found, list) else ():
            if not isinstance(finding, dict):
                continue
            rule, message = finding.get("rule"), finding.get("message")
            if isinstance(rule, str) and RULE.fullmatch(rule) and isinstance(message, str):
                word = "refused" if finding.get("gravity") == "refuse" else "warning"
                yield f"{word}: {rule}: {harmless(message)}"


def harmless(text: str) -> str:
    """At most 400 characters: letters, digits and signs that mean nothing to Markdown, HTML or GitHub."""
    return re.sub(r"[^A-Za-z0-9 .,:;()/_'=%+*-]", "?", text[:400])


def outside(files: list[str]) -> str:
    """The comment on a pull request that touches a submission and something else, by GitHub's own list; else ""."""
    others = [name for name in files if not re.fullmatch(r"submissions/[^/]+/[^/]+/[^/]+", name)]
    if not others or len(others) == len(files):
        return ""
    listed = "\n".join(harmless(name) for name in others[:MAX_FINDINGS])
    return (
        f"{MARK}\n{VERDICTS['refused']} It touches {len(others)} files outside a submission:\n\n"
        f"```text\n{listed}\n```\n"
    )


def comment_on(archive: Path, files: list[str]) -> str:
    """The comment, from what the job reported and what GitHub says is changed."""
    if refusal := outside(files):
        return refusal
    try:
        report = read_report(archive)
    except HostileReportError as error:
        return f"{MARK}\nThe check left no report that can be read: {error}.\n"
    return comment(report)


def main(what: str, first: str, second: str) -> int:
    if what == "number":
        number = pull_request(json.loads(Path(first).read_bytes()), second)
        print("" if number is None else number)
    else:
        files = Path(second).read_text(encoding="utf-8", errors="replace").split("\n")
        sys.stdout.write(comment_on(Path(first), [name for name in files if name]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
