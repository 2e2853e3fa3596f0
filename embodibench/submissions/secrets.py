"""Keys, tokens, passwords and home folders in what is about to be published. What is found is never shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

SECRETS: tuple[tuple[str, str, str], ...] = (
    ("an Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,}"),
    ("an OpenAI key", "sk-", r"sk-(?!ant-)[A-Za-z0-9_-]{20,}"),
    ("a Google key", "AIza", r"AIza[A-Za-z0-9_-]{30,}"),
    ("a Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{20,}"),
    ("a GitHub token", "gh", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("a GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
    ("a GitLab token", "glpat-", r"glpat-[A-Za-z0-9_-]{18,}"),
    ("an xAI key", "xai-", r"xai-[A-Za-z0-9]{30,}"),
    ("a Groq key", "gsk_", r"gsk_[A-Za-z0-9]{30,}"),
    ("an NVIDIA key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{30,}"),
    ("a Replicate token", "r8_", r"r8_[A-Za-z0-9]{30,}"),
    ("an AWS key", "AKIA", r"AKIA[A-Z0-9]{16}"),
    ("a Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("a JSON web token", "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("a bearer token", "earer", r"[Bb]earer\s+[A-Za-z0-9._~+/=-]{20,}"),
    ("a private key", "PRIVATE KEY", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("a password in an address", "://", r"[a-z][a-z0-9+.-]{1,20}://[^\s/@\"'<>\\]{1,200}:[^\s/@\"'<>\\]{1,200}@"),
)
"""What is looked for: its name, words that every one of it holds, and its pattern."""

_COMPILED = tuple(
    # A key begins a word; the scheme of an address and the marks of a block need no such edge.
    (name, word, re.compile(pattern if word in ("://", "PRIVATE KEY") else rf"(?<![A-Za-z0-9_-]){pattern}"))
    for name, word, pattern in SECRETS
)
_HOME = re.compile(
    r"(?:(?<![A-Za-z0-9_.-])(?:/home/|/Users/)|[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\\"':;,)]{1,64}[/\\]|(?<![\w/.-])/root/\w"
)


def secrets_in(text: str) -> Iterator[str]:
    """Names of the kinds of secrets that a text holds."""
    for name, word, pattern in _COMPILED:
        if word in text and pattern.search(text):
            yield name


def has_home_path(text: str) -> bool:
    """Whether a text holds a path of somebody's home folder."""
    return ("/" in text or "\\" in text) and _HOME.search(text) is not None
