"""Streamed text is cut into sentences, items and lines: early, exactly, whatever the chunking."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pace import TIMES, growth
from tests.samples import sample

from ruleplay.telling.sentences import MAX_UNIT, Sentences

HARD = [
    ["It costs $3.50. ", "Add 1.5 l of water. ", "Done."],
    ["Some parts, e.g. Wheels, i.e. rollers, fit. ", "Yes."],
    ["Mr. Smith met Dr. Jones at St. Mary. ", "They left."],
    ["See No. 5 for this. ", "No. ", "That is wrong."],
    ["It takes approx. 30 minutes. ", "Then rest."],
    ["Come at 3 p.m. ", "The shop is open."],
    ["J. R. R. Tolkien wrote it. ", "Read on."],
    ["Wait... what? ", "Really?! ", "Yes… ", "And so on."],
    ["He said “Stop!” ", "Then he ran. ", '"Go." ', "They went."],
    ["« Vraiment ? » demanda-t-il. ", "« Oui. » ", "Il part."],
    ["Quelle horreur\u202f! ", "Fuyez\u00a0! ", "Il reste 1,5 litre."],
    ["Par exemple, p. ex. Paris, et M. Dupont avec Mme. Durand. ", "Fin."],
    ["1. Unplug it. ", "Wait.\n", "2. Open it\n", "- a. b\n", "* c\n", "Done."],
    ["- **1. Oda** first. ", "Then\n", "**2. Bram** ran. ", "**Stop.** ", "Done."],
    ["## Head. ", "Line\n", "| a. B | c. D |\n", "Text."],
    ["```\n", "x. Y = 1. Z\n", "```\n", "After. ", "All."],
    ["**Bold.** ", "_Then._ ", "Next."],
    ["See https://a.example/b.c?d=1. ", "Version 2.4.1 is out. ", "Model A.12.B works."],
    ["(It is small.) ", "[Really.] ", "Ok."],
    ["A blow! ", "7 damage."],
    ["One.\n", "\nTwo.\n", "\n\nThree"],
    ["It has 5 hit points. ", "5 more come."],
]


def cut(chunks: list[str]) -> list[str]:
    stream = Sentences()
    units = [unit for chunk in chunks for unit in stream.feed(chunk)]
    return units + stream.close()


@pytest.mark.parametrize("units", HARD, ids=[units[0][:24] for units in HARD])
def test_hard_cases(units: list[str]) -> None:
    text = "".join(units)
    assert cut([text]) == units
    assert cut(list(text)) == units
    for at in range(len(text) + 1):
        assert cut([text[:at], text[at:]]) == units, at


def test_a_name_that_begins_a_sentence_in_lower_case_is_waited_for() -> None:
    text = "The least is 5 [min(r2.casts)]. pull 3 comes to 5. pulled twice."
    for size in range(1, len(text)):
        stream = Sentences(starts=("pull 3",))
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        units = [unit for chunk in chunks for unit in stream.feed(chunk)] + stream.close()
        assert units == ["The least is 5 [min(r2.casts)]. ", "pull 3 comes to 5. pulled twice."], (
            size
        )


def test_long_text_at_every_cut() -> None:
    text = " ".join("".join(units) for units in HARD)
    whole = cut([text])
    assert "".join(whole) == text
    for at in range(len(text) + 1):
        assert cut([text[:at], text[at:]]) == whole, at


@settings(max_examples=sample(80, 300), deadline=None)
@given(
    st.text(alphabet='aB1. !?…,\n"»«*-|`’\u202f', max_size=120),
    st.lists(st.integers(0, 120), max_size=8),
)
def test_units_join_to_the_input_however_chunked(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(at, len(text)) for at in cuts), len(text)]
    parts = [text[a:b] for a, b in pairwise(places)]
    assert "".join(cut([text])) == text
    assert cut(parts) == cut([text])


def test_units_are_bounded_and_chunk_invariant() -> None:
    text = "word, " * 2_000 + "x" * 5_000 + ". End. " + "y" * 1_990 + "! A. B"
    whole = cut([text])
    assert max(map(len, whole)) <= MAX_UNIT
    assert "".join(whole) == text
    assert whole[0].endswith(", ")
    rng = random.Random(3)
    for _ in range(5):
        places = [0, *sorted(rng.randrange(len(text)) for _ in range(200)), len(text)]
        parts = [text[a:b] for a, b in pairwise(places)]
        assert cut(parts) == whole
    assert cut(list(text)) == whole


def test_released_as_early_as_is_safe() -> None:
    stream = Sentences()
    assert stream.feed("It is done.") == []
    assert stream.feed(" ") == []
    assert stream.feed("T") == ["It is done. "]
    assert stream.feed("hen\n") == ["Then\n"]


def test_splitting_takes_no_longer_the_more_was_said() -> None:
    def feed(text: str) -> None:
        stream = Sentences()
        for token in text.split(" "):
            stream.feed(token + " ")

    told = "The pump costs $47.40 . It takes 45 minutes to fit, e.g. with a wrench.\n "
    assert growth(feed, told, 100_000) < 3 * TIMES
