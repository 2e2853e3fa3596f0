"""From the LaTeX source of a paper to its paragraphs.

This is no LaTeX engine: macros are not expanded and formulas stay as they are written, because the reader is a language
model. What is done: files are put together, comments and what is not text are dropped, and the body is split at blank
lines, but never inside an environment such as a list, a table, a figure or a formula.

Sources come from strangers: files are read only below the folder of the paper, and sizes and depths are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from embodibench.errors import UsageError

MAX_BYTES = 5_000_000
"""Of a source with all its files."""
MAX_DEPTH = 20
"""Of files that input files."""
MAX_PARAGRAPH = 6000
"""Characters; what is longer is split, so that it fits a small model's context."""
MIN_LETTERS = 20
"""Letters that a paragraph has at least once its commands are left out; less is layout."""

_MAIN_NAMES = ("main.tex", "ms.tex", "paper.tex", "article.tex")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*(?:\{([^{}]*)\}|([^\s{}\\]+))")
_NOT_TEXT = re.compile(
    r"\\begin\{(comment|thebibliography|tikzpicture|filecontents\*?)\}.*?\\end\{\1\}|\\iffalse\b.*?\\fi\b", re.DOTALL
)
_DROPPED = re.compile(
    r"\\(?:label|includegraphics|bibliography|bibliographystyle|vspace\*?|hspace\*?)\s*(?:\[[^\]]*\])?\{[^{}]*\}"
    r"|\\(?:maketitle|newpage|clearpage|tableofcontents|appendix|centering|noindent)\b"
)
_EDGE = re.compile(r"(?<!\\)\\(begin|end)\s*\{([^{}]*)\}|(?<!\\)\\([\[\]])|\$\$")
_NESTED = 200
"""Environments inside each other that are followed."""
_OPEN_TEXT = frozenset({"document", "abstract", "appendices", "appendix", "multicols", "quote", "center"})
"""Environments that hold running text, in which a blank line separates paragraphs."""
_HEADING = re.compile(r"^\\(?:part|chapter|(?:sub)*section|paragraph)\*?\s*(?:\[[^\]]*\])?\{")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})?|\\.")


def paragraphs(path: Path) -> list[str]:
    """The paragraphs of a paper, in order, as LaTeX.

    Args:
        path: its main file, or the folder that holds it.

    Raises:
        UsageError: there is no such file, the main file is not clear, a file lies outside of the folder, or the source
            is too large.
    """
    main = main_file(path)
    return split(_Source(main.parent).text(main))


def main_file(path: Path) -> Path:
    """The file that a paper begins with.

    Raises:
        UsageError: there is none, or several could be.
    """
    if path.is_file():
        return path
    if not path.is_dir():
        raise UsageError(f"{path}: there is no such file or folder")
    found = [file for file in sorted(path.glob("*.tex")) if file.is_file() and r"\documentclass" in _read(file)]
    named = [file for file in found if file.name in _MAIN_NAMES]
    if len(found) == 1 or len(named) == 1:
        return (named or found)[0]
    if not found:
        raise UsageError(f"{path}: no .tex file in it has a \\documentclass; name the paper's main file")
    raise UsageError(f"{path}: name the main file, one of: {', '.join(file.name for file in found[:8])}")


class _Source:
    """The files of one paper, put together."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._bytes = 0

    def text(self, file: Path, above: tuple[Path, ...] = ()) -> str:
        """The text of a file with the files that it inputs, without comments."""
        real = file.resolve()
        if not real.is_relative_to(self._folder):
            raise UsageError(f"{file}: lies outside of the paper's folder; it is not read")
        if real in above or len(above) >= MAX_DEPTH:
            raise UsageError(f"{file}: inputs itself, or files are nested deeper than {MAX_DEPTH}")
        self._bytes += real.stat().st_size
        if self._bytes > MAX_BYTES:
            raise UsageError(f"{file}: the source has more than {MAX_BYTES:,} bytes")
        written = body(uncommented(_read(real)))
        return _INPUT.sub(lambda match: self._input(match[1] or match[2] or "", (*above, real)), written)

    def _input(self, name: str, above: tuple[Path, ...]) -> str:
        name = name.strip().strip('"')
        if not name or "|" in name or "\\" in name or "\0" in name:
            return ""
        for candidate in (f"{name}.tex", name):
            file = self._folder / candidate
            if file.is_file() and file.suffix == ".tex":
                return "\n\n" + self.text(file, above) + "\n\n"
        # Generated files (.bbl, .pgf) and missing ones hold no running text; a path that leads out is a trap.
        if not (self._folder / name).resolve().is_relative_to(self._folder):
            raise UsageError(f"\\input{{{name[:80]}}}: leads out of the paper's folder; it is not read")
        return ""


def _read(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{file}: has more than {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def uncommented(text: str) -> str:
    """The text without comments. A percent sign begins one unless a backslash escapes it or it stands in code.

    A line that is nothing but a comment goes with its line break, so that it separates no paragraphs.
    """
    kept: list[str] = []
    code = ""
    for line in text.split("\n"):
        if code:
            kept.append(line)
            code = "" if f"\\end{{{code}}}" in line else code
            continue
        begun = re.search(r"\\begin\{(verbatim\*?|lstlisting|minted)\}", line)
        start = _comment(line)
        if begun and (start is None or begun.start() < start):
            code = "" if f"\\end{{{begun[1]}}}" in line else begun[1]
            kept.append(line)
        elif start is None:
            kept.append(line)
        elif line[:start].strip():
            kept.append(line[:start].rstrip())
    return "\n".join(kept)


def _comment(line: str) -> int | None:
    """Where the comment of a line begins."""
    at = 0
    while at < len(line):
        if line.startswith("\\verb", at) and at + 5 < len(line) and not line[at + 5].isalpha():
            mark = at + 6 if line[at + 5] == "*" and at + 6 < len(line) else at + 5
            end = line.find(line[mark], mark + 1)
            at = len(line) if end < 0 else end + 1
        elif line[at] == "\\":
            at += 2
        elif line[at] == "%":
            return at
        else:
            at += 1
    return None


def body(text: str) -> str:
    """What stands between the beginning and the end of the document, or all of it."""
    begin, end = text.find(r"\begin{document}"), text.find(r"\end{document}")
    return text[begin + len(r"\begin{document}") if begin >= 0 else 0 : end if end > begin else len(text)]


def split(text: str) -> list[str]:
    """The paragraphs of a text without comments."""
    shown = _DROPPED.sub(" ", _NOT_TEXT.sub("\n\n", body(text)))
    found: list[str] = []
    heading = ""
    for block in _blocks(shown):
        if _HEADING.match(block) and "\n" not in block and block.endswith("}"):
            heading += block + "\n"
        elif sum(letter.isalpha() for letter in _COMMAND.sub("", block)) >= MIN_LETTERS:
            found += _pieces(heading + block)
            heading = ""
    return found


def _blocks(shown: str) -> Iterator[str]:
    """Pieces between blank lines (or ``\\par``) that stand outside of every protected environment."""
    inside = _protected(shown)
    start = 0
    span = 0
    for gap in re.finditer(r"\n[ \t]*\n\s*|\\par(?![A-Za-z])|(?=\n\\(?:sub)*section\b)", shown):
        while span < len(inside) and inside[span][1] <= gap.start():
            span += 1
        if span < len(inside) and inside[span][0] <= gap.start():
            continue
        yield from filter(None, [shown[start : gap.start()].strip()])
        start = gap.end()
    yield from filter(None, [shown[start:].strip()])


def _protected(shown: str) -> list[tuple[int, int]]:
    """Where environments that are not running text begin and end, outermost only; unclosed ones do not count."""
    spans: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    for edge in _EDGE.finditer(shown):
        opens, name = _meaning(edge, open_)
        if opens:
            open_.append((name, edge.start()))
            continue
        for index in range(len(open_) - 1, max(-1, len(open_) - _NESTED), -1):
            if open_[index][0] == name:
                if name not in _OPEN_TEXT:
                    spans.append((open_[index][1], edge.end()))
                del open_[index:]
                break
    outermost: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not outermost or span[0] >= outermost[-1][1]:
            outermost.append(span)
    return outermost


def _meaning(edge: re.Match[str], open_: list[tuple[str, int]]) -> tuple[bool, str]:
    """Whether an edge opens something, and what."""
    if edge[1]:
        return edge[1] == "begin", edge[2]
    if edge[3]:
        return edge[3] == "[", "\\["
    return not any(name == "$$" for name, _ in open_[-_NESTED:]), "$$"


def _pieces(paragraph: str) -> Iterator[str]:
    """A paragraph in pieces that are short enough, split at line ends, sentences or spaces where there are any."""
    while len(paragraph) > MAX_PARAGRAPH:
        head = paragraph[:MAX_PARAGRAPH]
        at = next(
            (at for mark in ("\n", ". ", " ") if (at := head.rfind(mark)) > MAX_PARAGRAPH // 2), MAX_PARAGRAPH - 1
        )
        yield paragraph[: at + 1].strip()
        paragraph = paragraph[at + 1 :].strip()
    if paragraph:
        yield paragraph
