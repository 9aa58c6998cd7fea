"""Told texts as documents: views look like views, doubts show their line, notes lead to rows."""

from __future__ import annotations

from functools import partial

from ruleplay.kernel.export import KEEPER, Readership, escape_markdown, tame_markdown
from ruleplay.telling.citing import Span
from ruleplay.telling.footnotes import laid_out, lines_of


def vouched(text: str, *lines: str) -> Span:
    return Span(text=text, state="vouched", lines=lines)


def doubted(text: str, *lines: str) -> Span:
    return Span(text=text, state="doubted", lines=lines)


def view(text: str) -> Span:
    return Span(text=text, state="view")


def test_what_is_vouched_for_is_plain_and_a_view_in_italics() -> None:
    spans = [vouched("Oda healed 5. ", "Oda: healing 5"), view("Well done.")]
    assert laid_out(spans) == "Oda healed 5. *Well done.*"


def test_list_marks_stay_outside_the_italics() -> None:
    assert laid_out([view("- go on\n"), view("2. stop it  ")]) == "- *go on*\n2. *stop it*  "


def test_the_line_of_a_doubted_clause_is_opened_beneath_its_own_line() -> None:
    spans = [doubted("Oda took 5", "Oda: healing 5"), view(" and fell.\nNext line.")]
    assert laid_out(spans) == "Oda took 5* and fell.*\n> ↳ Oda: healing 5\n\n*Next line.*".replace(
        "5* and fell.*", "5 *and fell.*"
    )


def test_a_table_stays_whole_and_its_doubts_follow_it() -> None:
    spans = [
        Span(text="| who | healing |\n|---|---|\n"),
        Span(text="| Oda |"),
        doubted(" 5 |\n", "Oda: healing 5"),
        Span(text="| Bram |"),
        vouched(" 4 |\n", "Bram: healing 4"),
    ]
    told = laid_out(spans)
    assert told.index("| Bram | 4 |") < told.index("> ↳ Oda: healing 5")


def test_footnotes_are_numbered_by_line_and_stand_before_the_punctuation() -> None:
    spans = [vouched("Oda 5, ", "a"), vouched("Bram 4 ", "b"), vouched("and Oda again 5.", "a")]
    told = laid_out(spans, tame_markdown, partial(KEEPER.marks, 1))
    assert told == "Oda 5[^1-1], Bram 4[^1-2] and Oda again 5[^1-1]."
    assert lines_of(spans) == ("a", "b")
    assert KEEPER.note(1, 2) == "[^1-2]: "


def test_strangers_read_footnotes_as_raised_digits() -> None:
    stranger = Readership("A session, to read.")
    both = Span(text="Oda 5, Bram 4.", state="vouched", lines=("a", "b"))
    told = laid_out([both], tame_markdown, partial(stranger.marks, 1))
    assert told == "Oda 5, Bram 4\u00b9\u2009\u00b2."
    assert stranger.note(1, 2) == "2. "


def test_nothing_in_a_clause_becomes_markup() -> None:
    told = laid_out([vouched("See [x](http://y) <b> 5", escape_markdown("[x] 5"))], tame_markdown)
    assert "\\[x\\](http" in told
    assert "\\<b>" in told
