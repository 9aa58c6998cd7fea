"""Numbers are read as people write them, and agree with what they round."""

from __future__ import annotations

import pytest

from ruleplay.telling.numbers import agrees_with, fits, read


@pytest.mark.parametrize(
    ("text", "values", "unit"),
    [
        ("116,225", [116225, 116.225], ""),
        ("1 234 567", [1234567], ""),
        ("1’234’567", [1234567], ""),
        ("90,3 %", [90.3], "%"),
        ("12 percent", [12], "%"),
        ("12 pour cent", [12], "%"),
        ("2:31", [151], "s"),
        ("5 min 23 s", [323], "s"),
        ("2m31s", [151], "s"),
        ("1 h 30", [5400], "s"),
        ("1.5 minutes", [90], "s"),
        ("31.2 s", [31.2], "s"),
        ("31 secondes", [31], "s"),
        ("116k", [116000], ""),
        ("1,2 million", [1200000], ""),
        ("$42.10", [42.1], "$"),
        ("42,10 €", [42.1], "$"),
        ("2.2x", [2.2], "x"),
        ("3rd", [3], "th"),
        ("2e", [2], "th"),
        ("twenty-three", [23], ""),
        ("vingt-trois", [23], ""),
        ("une douzaine", [12], ""),
        ("half", [0.5], ""),
        ("twice", [2], ""),
        ("-5", [-5], ""),
    ],
)
def test_numbers_are_read(text: str, values: list[float], unit: str) -> None:
    (found,) = read(f"so {text} then")
    assert ([value for value, _ in found.readings], found.unit) == (values, unit)


@pytest.mark.parametrize("text", ["½", "１２", "②", "XIV", "LIII", "٣"])
def test_odd_digits_are_named(text: str) -> None:
    assert any(number.odd for number in read(f"about {text} of them"))


@pytest.mark.parametrize(
    ("text", "value", "agrees"),
    [
        ("116,225", 116225, True),
        ("116,226", 116225, False),
        ("116,200", 116225, True),
        ("116k", 116225, True),
        ("117k", 116225, False),
        ("0.12M", 116225, True),
        ("120,000", 116225, True),
        ("100,000", 116225, False),  # one digit before zeros is no rounding
        ("0.1M", 116225, False),  # and 14 % off is none either
        ("90%", 90.3, True),
        ("90.3", 90.3, True),
        ("91", 90.3, False),
        ("0", 0.2, False),
        ("0", 0, True),
        ("2:31", 150.7, True),
        ("2:31", 152, False),
        ("5 min", 323.3, False),
        ("5.4 min", 323.3, True),
        ("1,523", 1523, True),
        ("1,523", 1.523, True),
        ("1.523", 1523, True),
    ],
)
def test_a_number_agrees_with_what_it_rounds(text: str, value: float, agrees: bool) -> None:
    (number,) = read(text)
    assert number.agrees(value) is agrees


def test_units_have_to_fit() -> None:
    assert fits("%", "%")
    assert not fits("%", "")
    assert not fits("", "%")
    assert fits("", "s")
    assert not fits("s", "$")


def test_digits_within_a_word_say_nothing() -> None:
    assert read("the T7 set") == ()
    assert [number.text for number in read("WDT780SAEM1")] == ["780"]


@pytest.mark.parametrize("text", ["CD", "LCD", "DM", "DVD", "LIVID", "I", "DIM"])
def test_letters_that_make_no_numeral_are_words(text: str) -> None:
    assert not any(number.odd for number in read(f"about {text} of them"))


@pytest.mark.parametrize("text", ["entre 77,2 et 90,8 %", "between 77.2 and 90.8%"])
def test_a_range_between_two_has_one_unit(text: str) -> None:
    assert [number.unit for number in read(text)] == ["%", "%"]
    assert [number.unit for number in read("77,2 et 90,8 %")] == ["", "%"]


@pytest.mark.parametrize(
    ("text", "unit"),
    [("nos 3 premiers", ""), ("les 5 derniers", ""), ("les 5 premières secondes", "s")],
)
def test_the_plural_of_first_and_last_is_no_second(text: str, unit: str) -> None:
    assert [number.unit for number in read(text)] == [unit]


@pytest.mark.parametrize("text", ["il a une belle avance", "elle a un soin", "has a one in it"])
def test_an_article_behind_a_verb_is_no_number(text: str) -> None:
    assert read(text) == ()


def test_digits_inside_an_id_or_a_longer_number_are_no_number_of_a_text() -> None:
    (five,) = read("5 left")
    assert not agrees_with(five, "AP5983730, W10195416V, 2.5 ft", "text")
    assert agrees_with(five, "5 days, 30 - 60 mins", "text")
    (times,) = read("7 fois")
    assert agrees_with(times, "Aria 7, Oda 5", "text")


def test_the_zero_of_a_reset_is_no_amount() -> None:
    assert not read("après la remise à zéro du boss")
    assert [one.value for one in read("il est tombé à zéro")] == [0]
