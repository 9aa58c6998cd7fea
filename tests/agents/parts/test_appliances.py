"""Which appliance is meant, and where its model number is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.parts.domain.appliances import (
    appliance_words,
    canonical_appliances,
    find_appliance,
    find_appliances,
    related,
    where_is_the_number,
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("my fridge is warm", "refrigerator"),
        ("old frig", "refrigerator"),
        ("Refridgerator trouble", "refrigerator"),
        ("the dish washer leaks", "dishwasher"),
        ("my diswasher", "dishwasher"),
        ("our washing machine bangs", "washer"),
        ("the washer", "washer"),
        ("clothes dryer is cold", "dryer"),
        ("gas stove", "range"),
        ("wall oven", "range"),
        ("range hood light", "range hood"),
        ("microwave oven", "microwave"),
        ("chest freezer", "freezer"),
        ("the freezer section of my fridge", "refrigerator"),
        ("the ice maker in the freezer", "freezer"),
        ("ice maker quit", "ice maker"),
    ],
)
def test_words_for_appliances(message: str, expected: str) -> None:
    found = find_appliance(message)
    assert found is not None
    assert found.appliance == expected
    assert message[found.start : found.end] == found.text


@pytest.mark.parametrize("message", ["", "WDT780SAEM1", "a rubber washer", "price range", "hi"])
def test_no_appliance(message: str) -> None:
    assert find_appliance(message) is None


def test_all_appliances_in_order() -> None:
    found = find_appliances("The dryer works now but my fridge and the dishwasher do not")
    assert [f.appliance for f in found] == ["dryer", "refrigerator", "dishwasher"]


def test_catalog_labels_are_read() -> None:
    assert canonical_appliances("Refrigerator, Ice Maker, Freezer") == (
        "refrigerator",
        "ice maker",
        "freezer",
    )
    assert canonical_appliances("") == ()


def test_related() -> None:
    assert related("freezer", "refrigerator")
    assert not related("washer", "dishwasher")


def test_where_the_number_is() -> None:
    places = {appliance: where_is_the_number(appliance) for appliance in appliance_words()}
    assert len(set(places.values())) == len(appliance_words())
    assert "tub" in where_is_the_number("Dish Washer")
    assert where_is_the_number("toaster") == where_is_the_number("")
    assert "three digits" in where_is_the_number("dryer", "KENMORE")
    assert "three digits" not in where_is_the_number("dryer", "LG")


@given(st.text(max_size=200))
def test_any_text(message: str) -> None:
    for found in find_appliances(message):
        assert message[found.start : found.end] == found.text != ""
    assert where_is_the_number(message)
