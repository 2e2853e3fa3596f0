"""A board of several suites as a site, and a browser for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embodibench.leaderboard.build import build
from embodibench.leaderboard.rows import Rows, read_rows
from embodibench.results.schema import AgentSection
from tests.leaderboard.made_boards import submit
from tests.leaderboard.site.places import HOSTILE, MARKUP


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Submissions to three suites: good and bad, policies, a privileged one, one in words, a hostile one."""
    root = tmp_path_factory.mktemp("board")
    kinds = ((0.8, 20.0, "re-run"), (0.5, 2.0, "replayed"), (0.2, None, "self-reported"))
    for seed, (skill, cost, trust) in enumerate(kinds):
        submit(root, "aai40", skill, seed=seed, model=f"example-{seed}", cost=cost, trust=trust)  # type: ignore[arg-type]
    for seed in range(24):
        submit(root, "aai40", 0.4, seed=100 + seed, model=f"filler-{seed:02}")
    submit(
        root,
        "aai40",
        0.9,
        seed=8,
        model=None,
        agent=AgentSection(name="policy/walkthrough", version=1, privileged=True),
    )
    submit(root, "aai40", 0.5, seed=9, model="example-0", agent=AgentSection(name="react-text", version=1))
    for seed, skill in enumerate((0.9, 0.3)):
        submit(root, "crafter", skill, seed=seed, model=f"example-{seed}")
        submit(root, "socialai", skill, seed=seed, model=f"example-{seed}")
    submit(root, "atari", 0.5, model="example-0")
    submit(root, "socialai-school", 0.5, model="example-0")
    evil = AgentSection(name=MARKUP, version=1)
    said = {"submitter": "O'Neil and co", "report": "https://example.org/report"}
    submit(root, "crafter", 0.5, seed=5, model=HOSTILE, agent=evil, end=MARKUP, error=HOSTILE, **said)
    return root


@pytest.fixture(scope="session")
def rows(tree: Path) -> Rows:
    found = read_rows(tree / "submissions", tree / "verdicts", jobs=1)
    assert not found.absent, found.absent
    return found


@pytest.fixture(scope="session")
def site(tree: Path, rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("board")
    build(tree / "submissions", tree / "verdicts", out / "built", cache=out / "kept", jobs=1)
    return out / "built" / "space"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium: the system's, or the one that Playwright brings.

    Its event loop runs as long as it is open, and nothing else can run one meanwhile: it is closed after each module.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: no browser tests")
    with playwright.sync_playwright() as play:
        own = Path(play.chromium.executable_path)
        path = (
            os.environ.get("EMBODIBENCH_CHROMIUM") or shutil.which("chromium") or (str(own) if own.is_file() else None)
        )
        if path is None:
            pytest.skip("there is no Chromium: set EMBODIBENCH_CHROMIUM, or install one")
        with play.chromium.launch(executable_path=path, args=["--no-sandbox"]) as found:
            yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that fails its test when it asks another place for anything, or says anything on its console."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened, asked, said = context.new_page(), [], []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    yield opened
    context.close()
    assert all(url.startswith("file://") for url in asked), asked
    assert not said, said
