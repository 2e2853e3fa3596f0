"""From LaTeX source to paragraphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodibench.agents.spring.latex import MAX_PARAGRAPH, main_file, paragraphs, split, uncommented
from embodibench.errors import UsageError

PAPER = Path(__file__).parent / "data" / "paper"
LONG = "words that are long enough to count as text"


def test_puts_a_paper_together_in_order() -> None:
    found = paragraphs(PAPER)
    assert [text.split("\n")[0][:40] for text in found] == [
        r"\begin{abstract}",
        r"\section{Rules}",
        "Health falls when food, drink or energy ",
        r"\section{Related Work}",
        r"\begin{table}",
    ]
    assert paragraphs(PAPER / "main.tex") == found


def test_leaves_comments_and_what_follows_the_document_out() -> None:
    text = "\n".join(paragraphs(PAPER))
    assert [
        word
        for word in ("TODO", "deleted", "after the end", "booktabs", r"\label", "does not separate")
        if word in text
    ] == []
    assert r"50\% of our" in text


def test_a_line_that_is_a_comment_separates_nothing() -> None:
    assert "coal.\nIron takes a stone pickaxe" in paragraphs(PAPER)[1]


def test_lists_tables_and_formulas_stay_whole() -> None:
    vitals, table = paragraphs(PAPER)[2], paragraphs(PAPER)[4]
    assert vitals.count(r"\item") == 3
    assert vitals.endswith(r"\]")
    assert "Move West" in table
    assert "Make Wood Pickaxe" in table


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("half % a comment", "half"),
        (r"50\% of it", r"50\% of it"),
        (r"a line break \\% a comment", r"a line break \\"),
        (r"\verb|100%| of it % but this", r"\verb|100%| of it"),
        ("a\n% b\nc", "a\nc"),
        ("a\n\n% b\n\nc", "a\n\n\nc"),
        (
            "\\begin{verbatim}\n50% of it\n\\end{verbatim} % gone",
            "\\begin{verbatim}\n50% of it\n\\end{verbatim} % gone",
        ),
    ],
)
def test_comments(written: str, read: str) -> None:
    assert uncommented(written) == read


@pytest.mark.parametrize(
    "written",
    [
        rf"\begin{{equation}} {LONG}" + f"\n\n{LONG}",
        rf"{LONG} \[ x" + f"\n\n{LONG}",
        rf"\end{{itemize}} {LONG}" + f"\n\n{LONG}",
        rf"{LONG} \\[2pt]" + f"\n\n{LONG}",
        f"{LONG}\\par {LONG}",
        f"{LONG}\n\\section{{Next}}\n{LONG}",
    ],
)
def test_what_is_never_closed_protects_nothing(written: str) -> None:
    assert len(split(written)) == 2


def test_drops_what_holds_no_text() -> None:
    source = r"\maketitle" + "\n\n" + r"\begin{tikzpicture}" + LONG + r"\end{tikzpicture}" + "\n\n$x = 1$\n\n" + LONG
    assert split(source) == [LONG]
    assert split(rf"\iffalse {LONG} \fi" + f"\n\n{LONG}") == [LONG]


def test_headings_go_with_what_follows_them() -> None:
    assert split("\\section{One}\n\n\\subsection{Two}\n\n" + LONG) == [f"\\section{{One}}\n\\subsection{{Two}}\n{LONG}"]


@given(st.text(alphabet="ab .\n\\{}$%[]", max_size=300))
def test_takes_anything(text: str) -> None:
    for paragraph in split(uncommented(text)):
        assert paragraph.strip() == paragraph != ""


@given(st.integers(1, 40_000), st.sampled_from(["word ", "word\n", "Word. ", "word"]))
def test_long_paragraphs_are_split_without_losing_a_word(count: int, word: str) -> None:
    text = (word * (count // len(word) + 8)).strip()
    pieces = split(text)
    assert all(len(piece) <= MAX_PARAGRAPH for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


class TestHostileSources:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "secret.tex").write_text("the secret that nobody may read")
        (tmp_path / "paper").mkdir()
        return tmp_path / "paper"

    @pytest.mark.parametrize("path", ["../secret", "../secret.tex", "sections/../../secret", "/etc/passwd", "{above}"])
    def test_nothing_outside_of_the_folder_is_read(self, folder: Path, path: str) -> None:
        path = path.replace("{above}", str(folder.parent / "secret"))
        (folder / "main.tex").write_text(
            f"\\documentclass{{article}}\\begin{{document}}\\input{{{path}}}\\end{{document}}"
        )
        with pytest.raises(UsageError, match=r"outside of|out of"):
            paragraphs(folder)

    def test_nor_through_a_link(self, folder: Path) -> None:
        (folder / "main.tex").write_text(f"{LONG}\\input{{link}}")
        (folder / "link.tex").symlink_to(folder.parent / "secret.tex")
        with pytest.raises(UsageError, match="outside of"):
            paragraphs(folder / "main.tex")

    def test_files_that_input_each_other_are_refused(self, folder: Path) -> None:
        (folder / "main.tex").write_text(f"{LONG}\\input{{a}}")
        (folder / "a.tex").write_text("\\input a.tex")
        with pytest.raises(UsageError, match="inputs itself"):
            paragraphs(folder / "main.tex")

    def test_files_that_multiply_are_refused(self, folder: Path) -> None:
        (folder / "main.tex").write_text("\\input{big}" * 60)
        (folder / "big.tex").write_text("x" * 100_000)
        with pytest.raises(UsageError, match="more than 5,000,000 bytes"):
            paragraphs(folder / "main.tex")

    @pytest.mark.parametrize("path", ["|ls", "figures/plot.pgf", "main.bbl", "\\jobname", ""])
    def test_commands_and_generated_files_are_passed_over(self, folder: Path, path: str) -> None:
        (folder / "main.tex").write_text(f"{LONG}\n\n\\input{{{path}}}\n\n{LONG}")
        assert paragraphs(folder / "main.tex") == [LONG, LONG]

    def test_many_environments_take_no_time(self) -> None:
        source = "".join(rf"\begin{{a{n}}}" for n in range(20_000)) + "\\end{b}" * 20_000 + "$$" * 20_001
        assert split(source + LONG)

    def test_bytes_that_are_not_utf8_are_read_as_latin_1(self, folder: Path) -> None:
        (folder / "main.tex").write_bytes("Über dem Gras, und darüber hinaus".encode("latin-1"))
        assert paragraphs(folder / "main.tex") == ["Über dem Gras, und darüber hinaus"]


class TestMainFile:
    def test_is_the_one_with_a_document_class(self) -> None:
        assert main_file(PAPER) == PAPER / "main.tex"

    def test_several_are_named(self, tmp_path: Path) -> None:
        for name in ("one.tex", "two.tex"):
            (tmp_path / name).write_text(r"\documentclass{article}")
        with pytest.raises(UsageError, match=r"name the main file, one of: one.tex, two.tex"):
            main_file(tmp_path)
        (tmp_path / "main.tex").write_text(r"\documentclass{article}")
        assert main_file(tmp_path) == tmp_path / "main.tex"

    def test_none_and_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="documentclass"):
            main_file(tmp_path)
        with pytest.raises(UsageError, match="no such file"):
            main_file(tmp_path / "absent")
