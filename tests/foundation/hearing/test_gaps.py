"""Names that nothing bears are found by where they stand."""

from __future__ import annotations

import pytest

from ruleplay.agents.raid.domain.subjects import question_words
from ruleplay.hearing.classifier import load
from ruleplay.hearing.gaps import tokens, unknown_names, window


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("how often did <player> cast pyroblast", "ability", "pyroblast"),
        ("did zorgax die on <boss>", "player", "zorgax"),
        ("why did we wipe on ragnaros", "boss", "ragnaros"),
        ("qui a lancé pyroblast", "ability", "pyroblast"),
    ],
)
def test_a_place_tells_what_a_strange_word_names(text: str, kind: str, name: str) -> None:
    places = load("ruleplay.agents.raid", "names.bin")
    (found,) = unknown_names(tokens(text), question_words(), places, 0.4)
    assert (found.kind, found.text) == (kind, name)


def test_words_of_known_names_belong_to_a_strange_one_beside_them() -> None:
    places = load("ruleplay.agents.raid", "names.bin")
    said = tokens("damage of mortal strike")
    known = question_words() - {"strike"}
    (found,) = unknown_names(said, known, places, 0.4, {"strike"})
    assert found.text == "mortal strike"
    assert not list(unknown_names(tokens("damage of strike"), known, places, 0.4, {"strike"}))


def test_a_window_says_where_it_was_cut() -> None:
    said = ["a", "b", "c", "d", "e", "f", "g", "h"]
    assert window(said, 4, 5) == "<more> b c d <gap> f g h"
    assert window(said, 0, 2) == "<gap> c d e <more>"
