"""Texts of strangers: what is shown of them, and what is found in them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.submissions.metadata import Metadata
from embodibench.submissions.secrets import has_home_path, secrets_in
from embodibench.submissions.shown import shown
from embodibench.submissions.texts import text_findings


@given(st.text(max_size=300))
def test_whatever_is_shown_is_one_visible_line_of_bounded_length(text: str) -> None:
    line = shown(text, 50)
    assert line.isprintable()
    assert len(line) <= 50 * len("\\U0010ffff")
    assert not set("<>&`") & set(line)
    assert not any(unicodedata.bidirectional(char) in ("R", "AL", "RLO", "RLE", "RLI") for char in line)


@pytest.mark.parametrize("text", ["![x](http://a)", "[x](http://a)", "@everyone", " @team/all", "<b>", "&lt;", "`x`"])
def test_what_a_page_would_act_on_is_escaped(text: str) -> None:
    assert "\\x" in shown(text)


def test_plain_text_is_shown_as_it_is() -> None:
    plain = "socialai@1: metrics.tasks[3].value is 0.5, Zoë 東京 (and 3 more)"
    assert shown(plain) == plain


KEYS = {
    "sk-ant-" + "api03-" + "a1B2" * 10: "an Anthropic key",
    "sk-" + "proj-" + "a1B2" * 10: "an OpenAI key",
    "sk-" + "a1B2" * 12: "an OpenAI key",
    "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q": "a Google key",
    "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH": "a Hugging Face token",
    "ghp_" + "a1" * 18: "a GitHub token",
    "github_pat_" + "a1" * 20: "a GitHub token",
    "Authorization: Bearer " + "a1" * 12: "a bearer token",
    "-----BEGIN OPENSSH PRIVATE KEY-----": "a private key",
    "-----BEGIN PRIVATE KEY-----": "a private key",
    "https://user:password@example.org/v1": "a password in an address",
    "AKIA" + "ABCDEFGH12345678": "an AWS key",
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("form", ["{}", "key={}", '"{}"', "It is {}."])
def test_secrets_are_found_wherever_they_stand(key: str, form: str) -> None:
    assert list(secrets_in(form.format(key))) == [KEYS[key]]


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn and task-based-evaluation-of-language-models",
        "risk-aversion-is-not-the-same-as-caution-at-all",
        "https://example.org:8080/v1?a=b@c",
        "hf_hub_download",
        "the bearer of bad news walks on and on",
        "AIza is a prefix",
        "A1b2C3d4E5f6G7h8",
    ],
)
def test_words_that_only_resemble_secrets_are_left_alone(text: str) -> None:
    assert list(secrets_in(text)) == []


@pytest.mark.parametrize("path", ["/home/ann/x", "/Users/ann/x", r"C:\Users\ann\x", "/root/models/x.gguf"])
def test_home_folders_are_found(path: str) -> None:
    assert has_home_path(f"loaded {path}.")


@pytest.mark.parametrize(
    "text", ["https://example.org/home/ann/x", "and/or", "/usr/share/x", "turn left/right", "/homes/x/"]
)
def test_other_paths_are_no_home_folders(text: str) -> None:
    assert not has_home_path(text)


def _metadata(**fields: str) -> Metadata:
    words = {"submitter": "A", "contact": "a@b.org", "description": "x", "date": "2026-12-01", "result": "0" * 64}
    return Metadata.model_validate({**words, **fields, "attempts": 1, "trained_on_suite": "no"})


@pytest.mark.parametrize("text", ["5 < 6 and 7 > 6", "R&D", "a & b", "data-driven", "[x] done", "metadata: none", "C#"])
def test_signs_that_do_nothing_are_allowed(text: str) -> None:
    assert list(text_findings(_metadata(submitter=text))) == []
