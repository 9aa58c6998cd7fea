"""Parts described in words instead of by number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pace import TIMES, growth
from tests.samples import sample

from ruleplay.agents.parts.domain.descriptions import part_terms, part_words


@pytest.mark.parametrize(
    ("message", "kind", "weak"),
    [
        ("the rack wheel broke", "wheel", {"rack"}),
        ("one roller came off the upper rack", "wheel", {"upper", "rack"}),
        ("I need a gasket for the freezer door", "gasket", {"freezer", "door"}),
        ("door seal is torn", "gasket", {"door"}),
        ("handle on the fridge door cracked", "handle", {"door"}),
        ("the door handle snapped", "handle", {"door"}),
        ("left crisper drawer is cracked", "drawer", {"left", "crisper"}),
        ("light bulb burned out", "bulb", set()),
        ("lost the timer knob", "knob", set()),
        ("end caps on the door shelves broke", "cap", {"end"}),
        ("bottom dishrack is rusty", "rack", {"lower"}),
        ("the glass shelf shattered", "shelf", {"glass"}),
        ("silverware basket has a hole, need a new one", "basket", {"silverware"}),
        ("bad water inlet valve", "valve", {"water"}),
        ("evaporator fan motor died", "fan motor", {"evaporator"}),
        ("looking for an ice maker", "ice maker", set()),
        ("the drawer slides wore out", "rail", {"drawer"}),
        ("where can I get a lower spray arm", "spray arm", {"lower"}),
        ("broken kick plate", "grille", set()),
        ("drive belt snapped", "belt", set()),
    ],
)
def test_kinds(message: str, kind: str, weak: set[str]) -> None:
    found = part_terms(message)
    assert found is not None
    assert found.kind == kind
    assert weak <= set(found.weak)
    assert not set(found.terms[:1]) & set(found.weak)


def test_the_broken_part_is_meant_not_the_one_mentioned() -> None:
    found = part_terms("I dropped a jar on the drawer and the shelf broke")
    assert found is not None
    assert (found.kind, found.broken) == ("shelf", True)


def test_wanted_or_only_named() -> None:
    wanted = part_terms("I need new shelves")
    named = part_terms("the shelves are nice")
    assert wanted is not None
    assert named is not None
    assert (wanted.wanted, wanted.broken) == (True, False)
    assert (named.wanted, named.broken) == (False, False)


def test_the_span_reaches_to_the_break() -> None:
    found = part_terms("Hello, the rack wheel just broke off")
    assert found is not None
    assert found.text == "rack wheel just broke"


@pytest.mark.parametrize("message", ["", "it leaks", "hello there", "WDT780SAEM1"])
def test_no_part(message: str) -> None:
    assert part_terms(message) is None


PIECES = st.sampled_from(
    ["the", "broken", "need", *part_words()[:60], "on", ",", ".", "upper", "rack", "İ", "ß"]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=30).map(" ".join)))
def test_spans_quote_the_message(message: str) -> None:
    found = part_terms(message)
    assert found == part_terms(message)
    if found is not None:
        assert message[found.start : found.end] == found.text != ""
        assert found.terms


@pytest.mark.parametrize("piece", ["wheel ", "broken wheel on rack ", "wheel'", "x", ".,"])
def test_a_long_text_is_read_in_bounded_time(piece: str) -> None:
    assert growth(part_terms, piece, sample(100_000, 400_000)) < 5 * TIMES
