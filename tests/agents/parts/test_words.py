"""Words of a message, read from its end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.pace import TIMES, growth

from ruleplay.agents.parts.domain.references import worded_price
from ruleplay.agents.parts.domain.tokens import read_words, words_before
from ruleplay.telling.numbers import read

MOST = 4
TEXT = st.lists(st.sampled_from(["l'eau ", "Won’t ", "3d6+", "0.0.0.0 ", "gelé, ", '"', "for "]))


@given(TEXT, st.integers(0, 400))
def test_the_last_words_are_those_that_reading_all_of_it_finds(pieces: list[str], end: int) -> None:
    message = "".join(pieces)
    end = min(end, len(message))
    all_of_it = [word.text for word in read_words(message[:end])]
    assert words_before(message, end, MOST) == all_of_it[-MOST:]


def test_only_the_end_of_a_long_message_is_read() -> None:
    message = "x" * 1_000_000 + " for the left"
    assert words_before(message, len(message), MOST) == ["for", "the", "left"]


def test_numbers_without_end_are_looked_at_in_proportion() -> None:
    """Whether a number in words is a price, the words right behind it tell."""

    def price(text: str) -> list[object]:
        return [worded_price(text, one.start, one.end, int(one.value), "en") for one in read(text)]

    assert any(price("the one for about ten dollars or so"))
    assert growth(price, "ten or ", 14_000) < 3 * TIMES
