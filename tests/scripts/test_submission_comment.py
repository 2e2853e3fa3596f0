"""The comment on a pull request, from a report that a stranger may have made up."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scripts.submission_comment import MARK, comment_on, harmless, main, pull_request

OWN = ["submissions/socialai@1/2026-12-01_a_b_12345678/result.json"]


def packed(place: Path, content: Any, name: str = "report.json") -> Path:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = place / "report.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return path


def report(message: str = "as it should not be", rule: str = "metrics", verdict: str = "refused") -> dict[str, Any]:
    finding = {"rule": rule, "gravity": "refuse", "message": message}
    return {"verdict": verdict, "submissions": [{"submission": "x", "findings": [finding]}]}


def test_findings_are_listed_by_rule(tmp_path: Path) -> None:
    text = comment_on(packed(tmp_path, report()), OWN)
    assert text.startswith(MARK)
    assert "The check refuses this submission." in text
    assert "\nrefused: metrics: as it should not be\n" in text


@pytest.mark.parametrize(
    "hostile",
    [
        "@everyone look",
        "```\n# Accepted by the maintainers\n```",
        "<img src=x onerror=alert(1)>",
        "![x](https://example.org/track.png)",
        "[click](javascript:alert(1))",
        "&lt;script&gt; \u202e \x1b[31m \x00",
        "closes #1 and org/repo#2 and GH-3 `code` ~~~",
        "::set-env name=PATH::/tmp",
    ],
)
def test_no_text_of_a_report_can_act(hostile: str, tmp_path: Path) -> None:
    text = comment_on(packed(tmp_path, report(hostile)), OWN)
    block = text[text.index("```text\n") + 8 : text.index("\n```\n\n")]
    assert len(block.splitlines()) == 1
    assert not set(block) & set('@`<>&[]!#~|\\"\x1b\x00\u202e')


@pytest.mark.parametrize("rule", ["<b>", "a" * 80, "Metrics\n", 7, None])
def test_a_rule_that_is_no_rule_is_left_out(rule: Any, tmp_path: Path) -> None:
    assert "```" not in comment_on(packed(tmp_path, report(rule=rule)), OWN)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"\xff\xfe",
        b"[]",
        b'{"verdict": "accepted by all"}',
        b'{"verdict": ["accepted"]}',
        b"0" * 5_000,
    ],
)
def test_what_is_no_report_is_said_to_be_none(content: bytes, tmp_path: Path) -> None:
    text = comment_on(packed(tmp_path, content), OWN)
    assert "left no report that can be read" in text and len(text) < 300


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    text = comment_on(packed(tmp_path, b" " * 150_000_000), OWN)
    assert "too large" in text


def test_an_artifact_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(b"x" * 200_001)
    assert "too large" in comment_on(path, OWN)


@pytest.mark.parametrize("name", ["../report.json", "/etc/passwd", "other.json"])
def test_another_file_in_the_artifact_is_not_read(name: str, tmp_path: Path) -> None:
    assert "other files than report.json" in comment_on(packed(tmp_path, report(), name), OWN)


def test_a_forged_acceptance_of_a_wider_change_is_refused_by_githubs_own_list(tmp_path: Path) -> None:
    forged = packed(tmp_path, report(verdict="accepted"))
    text = comment_on(forged, [*OWN, ".github/workflows/submission-check.yml"])
    assert "refuses" in text and ".github/workflows/submission-check.yml" in text
    assert "nothing that refuses" not in text


def test_a_change_of_code_alone_gets_no_comment(tmp_path: Path) -> None:
    assert comment_on(packed(tmp_path, {"verdict": "nothing", "submissions": []}), ["README.md"]) == ""


@pytest.mark.parametrize("submissions", [None, 3, [3], [{"findings": 3}], [{"findings": [3, None, {}]}]])
def test_a_report_of_another_form_is_no_crash(submissions: Any, tmp_path: Path) -> None:
    assert "found nothing" in comment_on(packed(tmp_path, {"verdict": "accepted", "submissions": submissions}), OWN)


def pull(number: int, head: str, state: str = "open") -> dict[str, Any]:
    return {"number": number, "state": state, "head": {"sha": head}}


def test_the_pull_request_is_the_one_open_one_with_this_head() -> None:
    assert pull_request([pull(1, "a"), pull(2, "b")], "b") == 2
    assert pull_request([pull(1, "a")], "b") is None
    assert pull_request([pull(1, "b", "closed")], "b") is None
    assert pull_request([pull(1, "b"), pull(2, "b")], "b") is None


def test_the_number_is_printed_for_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pulls.json").write_text(json.dumps([pull(12, "abc")]))
    main("number", str(tmp_path / "pulls.json"), "abc")
    main("number", str(tmp_path / "pulls.json"), "other")
    assert capsys.readouterr().out == "12\n\n"


def test_harmless_text_stays_as_it_is() -> None:
    assert harmless("metrics.pass_rate.value is 0.5, its episodes give 0.25") == (
        "metrics.pass_rate.value is 0.5, its episodes give 0.25"
    )
