"""What customers write about their trouble, and the catalog's symptoms it stands for."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from benchmarks.parts.words import measure_titles
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pace import TIMES, growth
from tests.samples import sample

from ruleplay.agents.parts.domain import symptoms as lexicon
from ruleplay.agents.parts.domain.phrases import parse_pattern
from ruleplay.agents.parts.domain.symptoms import (
    catalog_symptoms,
    find_symptoms,
    fold_symptom,
    symptom_for,
)


def names(message: str, appliance: str = "") -> list[str]:
    return [found.symptom for found in find_symptoms(message, appliance=appliance)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("une flaque stagne au fond de la cuve", ["Not draining"]),
        ("grosse flaque devant la porte", ["Leaking"]),
        ("le lave-vaisselle est mort", ["Will Not Start"]),
        ("trois choses en panne chez moi : le lave-vaisselle fuit", ["Leaking"]),
    ],
)
def test_french_puddles_and_breakdowns(message: str, expected: list[str]) -> None:
    found = find_symptoms(message, appliance="dishwasher", language="fr", implied=True)
    assert [one.symptom for one in found if not one.implied] == expected


@pytest.mark.parametrize(
    ("message", "appliance", "expected"),
    [
        ("My WDT780SAEM1 is leaking", "", ["Leaking"]),
        ("Actually it's also noisy", "dishwasher", ["Noisy"]),
        ("there's water on the floor again", "dishwasher", ["Leaking"]),
        ("a puddle forms in front of it", "dishwasher", ["Leaking"]),
        ("its leeking underneath", "dishwasher", ["Leaking"]),
        ("awful sqeeling when it runs", "dishwasher", ["Noisy"]),
        ("it wont drain", "dishwasher", ["Not draining"]),
        ("my dishwasher quit draining", "", ["Not draining"]),
        ("my dishwasher just quit", "", ["Will Not Start"]),
        ("standing water after every cycle", "dishwasher", ["Not draining"]),
        ("my washer isn't draining", "", ["Will not drain"]),
        ("plates come out dirty", "dishwasher", ["Not cleaning dishes properly"]),
        ("glasses are still wet at the end", "dishwasher", ["Not drying dishes properly"]),
        ("no longer fills with water", "dishwasher", ["Will not fill with water"]),
        ("soap dispenser won't open", "dishwasher", ["Will not dispense detergent"]),
        ("the door latch is broken", "dishwasher", ["Door latch failure"]),
        ("door wouldn’t shut", "dishwasher", ["Door won’t close"]),
        ("door wouldn't shut", "refrigerator", ["Door won’t open or close"]),
        ("dishwasher door falls down by itself", "", ["Door won’t close"]),
        ("fridge is warm", "", ["Fridge too warm"]),
        ("the refrigerator isnt cooling", "", ["Fridge too warm"]),
        ("my refrigertor is not cold", "", ["Fridge too warm"]),
        ("freezer ok, fridge not cold", "", ["Fridge too warm"]),
        ("fridge is fine but the freezer is too warm", "", ["Freezer section too warm"]),
        ("it is not getting cold", "freezer", ["Too warm"]),
        ("lettuce freezes in the fridge", "", ["Fridge too cold"]),
        ("ice in the bottom of the freezer", "", ["Freezer not defrosting"]),
        ("frost everywhere inside", "refrigerator", ["Frost buildup"]),
        ("lots of condensation around the doors", "refrigerator", ["Door Sweating"]),
        ("ice maker stopped working", "", ["Ice maker not making ice"]),
        ("ice won't come out of the door", "refrigerator", ["Ice maker won’t dispense ice"]),
        ("only tiny ice cubes", "refrigerator", ["Ice maker dispenses too little ice"]),
        ("ice maker won't stop making ice", "", ["Ice maker dispenses too much ice"]),
        ("no water from the dispenser", "refrigerator", ["Not dispensing water"]),
        ("inside light won't come on", "refrigerator", ["Light not working"]),
        ("compressor runs constantly", "refrigerator", ["Fridge runs too long"]),
        ("keeps clicking at night", "refrigerator", ["Clicking sound"]),
        ("keeps clicking at night", "dryer", ["Noisy"]),
        ("it is completely dead", "dishwasher", ["Will Not Start"]),
        ("dryer doesn't turn on", "", ["Won’t Start"]),
        ("dryer runs but the drum doesn't spin", "", ["Drum Not Spinning"]),
        ("clothes are still damp", "dryer", ["Not Heating"]),
        ("black marks on my shirts", "dryer", ["Marks left on clothes"]),
        ("it won't agitate", "washer", ["Will not agitate"]),
        ("oven does not heat up", "", ["Little to no heat when baking"]),
        ("burner won't light", "range", ["but will not light"]),
        ("it leaks and makes a grinding noise", "dishwasher", ["Leaking", "Noisy"]),
        (
            "not draining, and the door won't latch",
            "dishwasher",
            ["Not draining", "Door latch failure"],
        ),
    ],
)
def test_customers_words(message: str, appliance: str, expected: list[str]) -> None:
    assert names(message, appliance) == expected


@pytest.mark.parametrize(
    "message",
    [
        "it's no longer leaking",
        "it doesn't leak",
        "there is no leak at all",
        "the leak is gone",
        "isn't noisy",
        "no more noise now",
        "it never leaked",
        "the fridge isn't too cold",
        "no problem draining",
        "forget the noise",
        "the plug is hot",
        "I need a spill safe shelf",
        "sounds good, thanks",
        "hello",
        "Is PS3406971 compatible with WDT780SAEM1?",
        "the rack wheel broke",
        "the crisper drawer cracked",
        "",
    ],
)
def test_no_symptom_told(message: str) -> None:
    assert names(message) == []


def test_double_denial_affirms() -> None:
    assert names("it won't stop leaking") == ["Leaking"]
    assert names("how do I stop the leak?") == ["Leaking"]


def test_another_appliances_symptom_is_left_out() -> None:
    message = "clothes come out wet and the drum won't spin"
    assert "Drum Not Spinning" in names(message, "dryer")
    assert names(message, "refrigerator") == []


def test_implied_symptoms_only_when_asked_for_and_only_when_none_is_said() -> None:
    assert find_symptoms("torn door gasket on my fridge") == ()
    (found,) = find_symptoms("torn door gasket on my fridge", implied=True)
    assert (found.symptom, found.implied) == ("Door Sweating", True)
    said = find_symptoms("torn fridge gasket, it is noisy", implied=True)
    assert [(s.symptom, s.implied) for s in said] == [("Noisy", False)]


def test_known_strings_are_returned_as_written() -> None:
    known = ("LEAKING", "Won't start", "Makes toast too dark")
    assert find_symptoms("it is leaking and noisy", known)[0].symptom == "LEAKING"
    assert [s.symptom for s in find_symptoms("will not start", known)] == ["Won't start"]
    assert [s.symptom for s in find_symptoms("it makes toast too dark!", known)] == [known[2]]
    assert find_symptoms("it is noisy", known) == ()


def test_a_symptom_is_renamed_once_the_appliance_is_known() -> None:
    assert symptom_for("Door won’t close", "Refrigerator") == "Door won’t open or close"
    assert symptom_for("Leaking", "dishwasher") == "Leaking"
    assert symptom_for("Drum Not Spinning", "refrigerator") is None
    assert symptom_for("Makes toast too dark", "range") == "Makes toast too dark"
    assert symptom_for("Noisy", "") == "Noisy"


def test_spellings_fold() -> None:
    assert fold_symptom("Won’t Start") == fold_symptom("won't start")
    assert fold_symptom("Will Not Start") == fold_symptom("Won’t start")


def test_every_pattern_speaks_of_defined_concepts() -> None:
    table = lexicon._table()
    ids = {meaning.id for meaning in table.meaning}
    for meaning in table.meaning:
        assert set(meaning.beats) <= ids
        for line in (*meaning.patterns, *meaning.implied):
            for name in parse_pattern(line).names():
                assert name in table.concepts or name.islower(), (meaning.id, line, name)


@given(st.text(max_size=300))
def test_spans_quote_the_message(message: str) -> None:
    found = find_symptoms(message, implied=True)
    assert found == find_symptoms(message, implied=True)
    for symptom in found:
        assert message[symptom.start : symptom.end] == symptom.text != ""


PIECES = st.sampled_from(
    [
        "it's",
        "won’t",
        "not",
        "leaking",
        "water",
        "fridge",
        "freezer",
        "ice",
        "maker",
        "door",
        "noisy",
        ",",
        ".",
        "drain",
        "warm",
        "LIGHT",
        "out",
        "the",
        "no",
        "longer",
        "frost",
        "broken",
        "dishes",
        "ß",
        "İ",
        "dirty",
        "stopped",
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_spans_quote_messages_about_symptoms(pieces: list[str]) -> None:
    message = " ".join(pieces)
    found = find_symptoms(message, appliance="refrigerator", implied=True)
    assert len({s.symptom for s in found}) == len(found)
    assert [s.start for s in found] == sorted(s.start for s in found)
    for symptom in found:
        assert message[symptom.start : symptom.end] == symptom.text


@pytest.mark.parametrize(
    "piece", ["a", "a'", "leak ", "not leak, ", "\u0130 ", ".,-;", "refrigeratos "]
)
def test_a_long_text_is_read_in_bounded_time(piece: str) -> None:
    assert growth(find_symptoms, piece, sample(100_000, 400_000)) < 5 * TIMES


def test_the_lexicon_knows_every_string_of_a_real_catalog(shared_data: Path) -> None:
    with (shared_data / "parts.csv").open(encoding="utf-8", newline="") as file:
        cells = [row["symptoms"] for row in csv.DictReader(file)]
    strings = {s.strip() for cell in cells for s in cell.split("|") if s.strip()}
    known = {fold_symptom(symptom) for symptom in catalog_symptoms()}
    assert len(strings) == 46
    assert {s for s in strings if fold_symptom(s) not in known} == set()


def test_real_titles(shared_data: Path) -> None:
    """The labels are weak, and 44% of the labelled titles name a part and tell no symptom."""
    figures = measure_titles(shared_data / "customer_titles.jsonl")
    held_out = figures["held_out"]["symptoms"]["implied, appliance known"]
    assert held_out["recognised"] >= 0.60
    assert held_out["any_right"] >= 0.80
    everything = figures["all"]["symptoms"]["implied, appliance known"]
    assert everything["recognised"] >= 0.68
    assert everything["any_right"] >= 0.85
    said = figures["all"]["symptoms"]["said, appliance known"]
    assert said["recognised"] >= 0.50
    assert said["any_right"] >= 0.85
    assert figures["held_out"]["descriptions"]["all"]["described"] >= 0.75
    assert figures["held_out"]["descriptions"]["all"]["right_kind"] >= 0.50


@pytest.mark.parametrize(
    ("message", "language", "told"),
    [
        ("l'eau ne sort plus. c pas la glace hein", "fr", False),
        ("c'est pas la glace, c'est l'eau", "fr", False),
        ("it's not the ice, it's the water", "en", False),
        ("pas de glace du tout", "fr", True),
        ("no ice", "en", True),
    ],
)
def test_what_it_is_not_is_no_complaint(message: str, language: str, told: bool) -> None:
    found = find_symptoms(message, appliance="refrigerator", language=language)
    assert any("ice" in one.symptom.casefold().split() for one in found) == told
