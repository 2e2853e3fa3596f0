"""Errors in cards name file, line and field; documents from strangers are bounded."""

from __future__ import annotations

import pytest

from embodibench.cards import document
from embodibench.cards.schema import TaskCard
from embodibench.errors import CardError

CARD = """\
id: one
title: One
capability: none
environment:
  kind: crafter
  parameters: {length: 100}
seeds: [1, 2]
source:
  work: a work
"""


def _error(text: str) -> str:
    with pytest.raises(CardError) as error:
        document.parse(text.encode(), "card.yaml").parse(TaskCard)
    return str(error.value)


def test_a_good_card_is_read() -> None:
    card = document.parse(CARD.encode(), "card.yaml").parse(TaskCard)
    assert card.seeds == (1, 2)
    assert card.environment.parameters == {"length": 100}


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("seeds: [1, 2]", "seeds: []", "card.yaml:7: seeds:"),
        ("seeds: [1, 2]", "seeds: [1, -2]", "card.yaml:7: seeds.1:"),
        ("  kind: crafter", "  kind: Crafter!", "card.yaml:5: environment.kind:"),
        ("title: One", "titel: One", "card.yaml:1: title:"),
        ("title: One", "title: One\nid: two", "card.yaml:3: the key 'id' stands twice"),
        ("{length: 100}", "{length: .nan}", "card.yaml:6: environment.parameters.length: .nan is not a finite number"),
        ("title: One", "title: !!python/object/apply:os.system [ls]", "card.yaml:2:"),
        ("title: One", "title: [One", "card.yaml:"),
        ("  work: a work", "  work: a work\n  extra: 1", "card.yaml:10: source.extra:"),
    ],
)
def test_errors_name_file_line_and_field(old: str, new: str, where: str) -> None:
    message = _error(CARD.replace(old, new))
    assert message.startswith(where)
    assert "\n" not in message


def test_deep_documents_are_refused() -> None:
    assert "nested too deep" in _error("a: " + "[" * 60 + "]" * 60)


def test_many_aliases_do_not_multiply() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "too large" in _error(bomb)


def test_an_empty_document_is_refused() -> None:
    assert _error("") == "card.yaml: is empty"
