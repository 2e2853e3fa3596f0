"""How to cite a benchmark version: the version itself, and the works its worlds come from."""

from __future__ import annotations

from embodibench.cards.suites import Suite

URL = "https://github.com/embodibench/embodibench"


def bibtex(suite: Suite, package_version: str) -> str:
    """BibTeX of this benchmark version. The digest names its content to the bit."""
    year = suite.card.changelog[-1].date[:4] if suite.card.changelog else "2026"
    key = f"embodibench_{suite.card.name.replace('-', '_')}_{suite.card.version}"
    lines = [
        f"@misc{{{key},",
        f"  title        = {{EmbodiBench {suite.label}: {suite.card.title}}},",
        "  author       = {{The EmbodiBench authors}},",
        f"  year         = {{{year}}},",
        f"  version      = {{{suite.label} (interface {suite.card.interface}), package {package_version}}},",
        f"  howpublished = {{\\url{{{URL}}}}},",
        f"  note         = {{content digest sha256:{suite.digest}}}",
        "}",
    ]
    lines += [
        f"% also cite: {source.work}" + (f", doi:{source.doi}" if source.doi else "") for source in suite.card.source
    ]
    return "\n".join(lines)


def apa(suite: Suite, package_version: str) -> str:
    """The same in APA style."""
    year = suite.card.changelog[-1].date[:4] if suite.card.changelog else "2026"
    return (
        f"The EmbodiBench authors. ({year}). EmbodiBench {suite.label}: {suite.card.title} "
        f"(Version {package_version}) [Benchmark]. {URL} (content digest sha256:{suite.digest[:16]})"
    )
